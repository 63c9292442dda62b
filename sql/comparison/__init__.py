"""The questions that compare a release with its original."""

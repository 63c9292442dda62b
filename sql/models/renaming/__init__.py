"""The questions of renaming and of its checker."""

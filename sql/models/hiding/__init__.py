"""The questions of hiding and of its checker."""

"""The commands that every model has: each is built from its entry."""

"""Check the caller's arguments: lists of items, shares and counts."""

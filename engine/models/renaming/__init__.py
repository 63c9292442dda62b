"""Renaming: replace item names by random codes, check. It promises nothing."""

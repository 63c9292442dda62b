"""Renaming: replace item names by random codes, and check the result. It promises nothing."""

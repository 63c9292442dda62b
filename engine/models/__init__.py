"""Models: one folder per promise. Listing this folder lists all that setveil can promise."""

"""Arguments: lists of items, shares and counts, as strict in Python as on the command line."""

"""The methods from the papers, to compare with, and their search for unsafe rules."""

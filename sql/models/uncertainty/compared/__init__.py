"""The questions of the methods from the papers, to compare with."""

"""The questions of k-anonymity and of its checker."""

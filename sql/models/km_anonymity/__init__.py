"""The questions of k^m-anonymity and of its checker."""

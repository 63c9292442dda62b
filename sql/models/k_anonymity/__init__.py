"""Build the queries of k-anonymity and of its checker."""

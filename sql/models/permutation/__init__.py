"""Build the queries of permutation and of its checker."""

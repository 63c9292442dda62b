"""Build the queries of renaming and of its checker."""

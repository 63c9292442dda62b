"""Build the queries that generate baskets."""

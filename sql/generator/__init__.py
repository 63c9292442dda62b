"""The questions that generate baskets."""

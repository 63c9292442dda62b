"""Generate baskets to try things out."""

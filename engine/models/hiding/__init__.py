"""Hiding: take items out of transactions that hold restrictive patterns, check."""

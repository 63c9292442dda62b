"""Advice: whom data singles out, which promises fit it, and the price of each."""

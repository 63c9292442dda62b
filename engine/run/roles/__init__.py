"""Roles: which items are private, public or sensitive, and the promise about them."""

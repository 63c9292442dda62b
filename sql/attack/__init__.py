"""The questions of the attack on renamed data."""

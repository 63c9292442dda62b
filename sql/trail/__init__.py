"""The questions of a trail: its seal."""

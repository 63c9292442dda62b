"""Releases over time: judge all that several releases show together."""

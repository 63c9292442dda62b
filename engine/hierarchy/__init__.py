"""Hierarchies: read or build them, replace items by nodes, check what nodes cover."""

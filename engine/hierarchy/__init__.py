"""Hierarchies: read or build them, replace items by nodes, check that nodes cover items."""

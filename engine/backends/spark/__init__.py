"""Spark: the backend, its sessions, rows and replay."""

"""Reproduce the figures and tables of the papers. A paper's recipes are one file of data."""

"""Prepare transactions for an experiment: samples, frequent items, short transactions, roles."""

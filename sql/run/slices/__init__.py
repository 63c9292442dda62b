"""Slices of a target: its ledger, the choice of transactions, and its rows."""

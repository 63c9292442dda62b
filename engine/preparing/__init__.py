"""Prepare data for an experiment as the papers do: samples, frequent items, cutoffs, roles.

Nothing here belongs to a release: `sweep`, `reproduce` and `generate` prepare data by it.
"""

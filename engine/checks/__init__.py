"""Checkers: each reads a release again and judges it by the definition of its model.

None of them shares a query with what made the release.
"""

"""Name the sensitive items of a generalized release as its nodes are named."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import duck


def secret(items: exp.Expr) -> exp.Subquery:
    """One row (label) per sensitive item: a node of level 0. No other node is sensitive."""
    return duck("SELECT '0 ' || r.label AS label FROM $items AS r", items=items).subquery()


def roles(items: exp.Expr) -> exp.Subquery:
    """One row (label, private) per sensitive item."""
    return duck("SELECT r.label AS label, 1 AS private FROM $items AS r", items=items).subquery()

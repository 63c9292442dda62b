"""The checker of hidden patterns as one query."""

from __future__ import annotations

from setveil.arguments.shares import Share
from setveil.models.asked import Asked, Parts, parts, table
from setveil.models.hiding.check import target_of
from setveil.models.hiding.patterns import Patterns
from setveil.run.roles.promise import Pattern
from setveil.sql.models.hiding import query as sql

ANY = Pattern(())  # stands for all patterns of a table, which have one psi


def query(
    asked: Asked,
    *,
    patterns: Patterns | None = None,
    psi: Share | None = None,
    min_support: int | None = None,
) -> Parts:
    """The relations and violations of a release beside its original."""
    target = target_of(asked.patterns, psi, min_support)
    hidden = target.condition(asked.patterns or (ANY,))
    found = [sql.none_listed(), *sql.found(hidden)]
    if not asked.ignore_unknown:
        found.append(sql.unknown())
    return parts(sql.relations(table(asked.cells), table(asked.original)), found)

"""The checker of k-anonymity as one query."""

from __future__ import annotations

from setveil.models.asked import Asked, Parts, parts, table
from setveil.sql.models.k_anonymity import query as sql


def query(asked: Asked, *, k: int) -> Parts:
    """The relations and violations of a release."""
    kind = {"levels": asked.levels, "persons": asked.persons}
    return parts(sql.relations(table(asked.cells), **kind), sql.found(k, **kind))

"""The checker of k^m-anonymity as one query."""

from __future__ import annotations

from setveil.models.asked import Asked, Parts, parts, table
from setveil.models.km_anonymity.check import known_items
from setveil.sql.models.km_anonymity import query as sql
from setveil.sql.query import slices

CELLS = "check_part_cell"


def query(asked: Asked, *, k: int, m: int | str) -> Parts:
    """The relations and violations of a release, for sets of up to m nodes."""
    known = known_items(k, m)
    kind = {"levels": asked.levels, "persons": asked.persons}
    cells, before = table(asked.cells), {}
    if asked.sliced:
        before[CELLS] = slices.cells(cells, levels=asked.levels)
        cells = table(CELLS)
    found = sql.found(k, known, **kind, sliced=asked.sliced)
    return parts(sql.relations(cells, k, known, **kind), found, before=before)

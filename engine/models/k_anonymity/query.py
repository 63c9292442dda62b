"""The checker of k-anonymity as one query."""

from __future__ import annotations

from sqlglot import exp

from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.sql.models.k_anonymity import check
from setveil.sql.models.k_anonymity import query as sql
from setveil.sql.query import given, slices

ROLES, KNOWN, NAMES = "check_role", "check_known", "check_name"
CELLS = "check_part_cell"


def query(
    asked: Asked, *, k: int, private: Items | None = None, public: Items | None = None
) -> Parts:
    """The relations and violations of a release."""
    kind = {"levels": asked.levels, "persons": asked.persons}
    secret, listed = asked.lists.get("private"), asked.lists.get("public")
    cells, faults = table(asked.cells), asked.unlisted("private", NAMES)
    before: dict[str, exp.Query] = {}
    if secret is not None or listed is not None:
        known = check.known(cells, table(ROLES), levels=asked.levels)
        before = {
            ROLES: given.roles(secret, listed),
            KNOWN: known.query,
            NAMES: given.labels(cells, "name"),
        }
        cells = table(KNOWN)
    if secret is not None and listed is not None:
        faults.append(given.in_both(secret, listed, NAMES))
    if asked.sliced:
        before[CELLS] = slices.cells(cells, levels=asked.levels, empty=True)
        cells = table(CELLS)
    found = (*faults, *sql.found(k, **kind, sliced=asked.sliced))
    return parts(sql.relations(cells, **kind), found, before=before)

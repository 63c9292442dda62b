"""The checker of permutation as one query."""

from __future__ import annotations

from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.sql.models.permutation import query as sql

NAMES = "check_label"


def query(asked: Asked, *, degree: int, sensitive: Items | None = None) -> Parts:
    """The relations and violations of a release in two relations."""
    cells, secrets = table(asked.cells), table(asked.lists["sensitive"])
    steps = sql.relations(
        cells,
        table(asked.groups),
        table(asked.counts),
        secrets,
        degree,
        persons=asked.persons,
        slices=table(asked.of_slices) if asked.sliced else None,
    )
    found = [*asked.unlisted("sensitive", NAMES), *sql.found(sliced=asked.sliced)]
    return parts(steps, found, after={NAMES: sql.names(cells)})

"""The checker of rho-uncertainty as one query."""

from __future__ import annotations

from setveil.arguments.shares import Share, share
from setveil.errors import InputError, option
from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.run.words import counted
from setveil.sql.models.coherence.nodes import cells as named
from setveil.sql.models.uncertainty import nodes
from setveil.sql.models.uncertainty import query as sql
from setveil.sql.models.uncertainty.check import Rule
from setveil.sql.query import given, slices

NAMES, NODES, SECRETS = "check_label", "check_node", "check_node_secret"
CELLS, OF_PARTS = "check_part_cell", "check_part_secret"


def query(
    asked: Asked,
    *,
    rho: Share,
    sensitive: Items | None = None,
    max_knowledge: int | None = None,
) -> Parts:
    """The relations and violations of a release, for rules of up to `max_knowledge` items."""
    if max_knowledge is None:
        raise InputError(
            "a query cannot search until no rule can be unsafe; "
            f"give {option('max_knowledge')}, the most items that an attacker knows"
        )
    exact = share(rho, "rho")
    rule = Rule(exact.numerator, exact.denominator, asked.persons)
    cells, secrets, before = table(asked.cells), table(asked.lists["sensitive"]), {}
    if asked.levels:
        before = {NODES: named(cells).this, SECRETS: nodes.secret(secrets).this}
        cells, secrets = table(NODES), table(SECRETS)
    if asked.sliced:
        before |= {CELLS: slices.cells(cells), OF_PARTS: slices.labels(cells, secrets)}
        cells, secrets = table(CELLS), table(OF_PARTS)
    names = given.labels(table(asked.cells), "name")
    return parts(
        sql.relations(cells, secrets, rule, max_knowledge),
        [*asked.unlisted("sensitive", NAMES), *sql.found(rule, max_knowledge, sliced=asked.sliced)],
        before=before | {NAMES: names},
        unproven=f"rules of more than {counted(max_knowledge, 'known item')}",
    )

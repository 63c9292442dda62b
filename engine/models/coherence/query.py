"""The checker of (h, k, p)-coherence as one query."""

from __future__ import annotations

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.errors import InputError
from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.sql.models.coherence import nodes
from setveil.sql.models.coherence import query as sql
from setveil.sql.models.coherence.check import Rule
from setveil.sql.query import given, slices

ROLES, NODES, OF_NODES, NAMES = "check_role", "check_node", "check_node_role", "check_name"
CELLS, OF_PARTS = "check_part_cell", "check_part_role"


def query(
    asked: Asked,
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items | None = None,
    public: Items | None = None,
) -> Parts:
    """The relations and violations of a release, for sets of up to p items."""
    secret, known = asked.lists.get("private"), asked.lists.get("public")
    if secret is not None and h is None:
        raise InputError("--private needs --h: the share of a cohort that may hold such an item")
    exact = share(1 if h is None else h)
    rule = Rule(exact.numerator, exact.denominator, k, asked.persons, asked.persons)
    before: dict[str, exp.Query] = {ROLES: given.roles(secret, known)}
    cells, roles = table(asked.cells), table(ROLES)
    if asked.levels:
        before |= {NODES: nodes.cells(cells).this, OF_NODES: nodes.roles(cells, roles).this}
        cells, roles = table(NODES), table(OF_NODES)
    if asked.sliced:
        before |= {
            CELLS: slices.cells(cells, empty=True),
            OF_PARTS: slices.roles(cells, roles),
        }
        cells, roles = table(CELLS), table(OF_PARTS)
    before[NAMES] = given.labels(table(asked.cells), "name")
    faults = asked.unlisted("private", NAMES)
    if secret is not None and known is not None:
        faults.append(given.in_both(secret, known, NAMES))
    found = (*faults, *sql.found(rule, p, sliced=asked.sliced))
    steps = sql.relations(cells, roles, rule, p, private=secret is not None)
    return parts(steps, found, before=before)

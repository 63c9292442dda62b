"""Count the sets of nodes at and above a cut that too few transactions hold.

Reads general_N(tid, node, weight) of `cuts`, or recoded_N where persons are counted, and path.
Makes above(node, above), and extended_N(tid, node, weight), or (tid, node, person): each
transaction with the nodes that its own could be generalized to, the root left out.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import Step, duck, each, joins, term


def ancestors(root: int) -> Step:
    """One row per node and node at or above it. Nodes higher up on a path have larger numbers."""
    query = duck(
        """
        SELECT DISTINCT p.node AS node, q.node AS above
        FROM path AS p JOIN path AS q ON q.item = p.item AND q.node >= p.node
        WHERE q.node < $root
        """,
        root=root,
    )
    return Step("above", "each row is a node, and itself or a node above it but the root", query)


def extended(number: int) -> Step:
    """One row per generalized transaction and node at or above its own."""
    query = duck(
        """
        SELECT DISTINCT g.tid AS tid, a.above AS node, g.weight AS weight
        FROM $general AS g JOIN above AS a ON a.node = g.node
        """,
        general=f"general_{number}",
    )
    return _extended(number, query)


def extended_of_persons(number: int) -> Step:
    """One row per transaction and node at or above its own, with its person."""
    query = duck(
        """
        SELECT DISTINCT o.tid AS tid, a.above AS node, b.person AS person
        FROM occurrence AS o
        JOIN $recoded AS r ON r.item = o.item
        JOIN above AS a ON a.node = r.node
        JOIN basket AS b ON b.tid = o.tid
        """,
        recoded=f"recoded_{number}",
    )
    return _extended(number, query)


def _extended(number: int, query: exp.Select) -> Step:
    return Step(
        f"extended_{number}",
        "each row is a transaction and a node that its nodes are or could be generalized to",
        query,
    )


def longest(number: int) -> Step:
    """One row: the most published nodes of a transaction."""
    query = duck(
        """
        SELECT COALESCE(MAX(t.nodes), 0) AS longest
        FROM (
            SELECT o.tid AS tid, COUNT(DISTINCT r.node) AS nodes
            FROM occurrence AS o JOIN $recoded AS r ON r.item = o.item
            GROUP BY o.tid
        ) AS t
        """,
        recoded=f"recoded_{number}",
    )
    why = "finds the most nodes of a transaction: no larger set is held"
    return Step(f"longest_{number}", why, query)


def lengths(number: int) -> Step:
    """One row per length: the number of transactions with so many nodes."""
    why = "counts extended transactions by length, which bounds the sets of nodes to count"
    return Step(f"lengths_{number}", why, levels.lengths(f"extended_{number}"))


def rare(number: int, size: int, k: int, *, persons: bool) -> Step:
    """One row per set of nodes that some transactions hold, but fewer than k, or fewer persons."""
    numbers = range(1, size + 1)
    held = duck(
        "SELECT $nodes, $counted AS held FROM $extended AS g1 JOIN $others",
        nodes=each("g{n}.node AS n{n}", numbers),
        counted=term("g1.person" if persons else "g1.weight"),
        extended=f"extended_{number}",
        others=joins(
            "JOIN $extended AS g{n} ON g{n}.tid = g1.tid AND g{before}.node < g{n}.node",
            numbers[1:],
            extended=f"extended_{number}",
        ),
    )
    query = duck(
        "SELECT $nodes FROM $held AS h GROUP BY $nodes HAVING $number < $k",
        nodes=each("h.n{n} AS n{n}", numbers),
        held=held,
        number=term("COUNT(DISTINCT h.held)" if persons else "SUM(h.held)"),
        k=k,
    )
    why = f"each row is a set of {size} nodes of too few: one of them must be generalized"
    return Step(f"rare_{number}", why, query)


def listed(number: int, size: int) -> Step:
    """The sets of `rare`."""
    query = duck(
        "SELECT $nodes FROM $rare AS r",
        nodes=each("r.n{n} AS n{n}", range(1, size + 1)),
        rare=f"rare_{number}",
    )
    return Step(f"listed_{number}", "lists these sets of nodes, which setveil goes through", query)

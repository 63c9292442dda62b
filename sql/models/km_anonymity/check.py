"""Check a release by the definition of k^m-anonymity, from its cells alone.

Reads cells (key, name, level), or (key, name) if no item was generalized. Makes check_node(node,
level, name), check_transaction(tid, key), check_held(tid, node) and, per size, check_set_N(n1, …,
support): the itemsets of N nodes. If m has no bound it makes check_set_0 instead: whole
transactions, since every itemset is a subset of one. Duplicate rows count once; a NULL name marks a
transaction without items.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql import levels
from setveil.sql.step import Step, duck, each, joins, limited, up_to


def nodes(cells: exp.Expr, *, levels: bool) -> Step:
    """One row per published node: numbered by level and name."""
    query = duck(
        """
        SELECT CAST(DENSE_RANK() OVER (ORDER BY d.level, d.name) - 1 AS BIGINT) AS node,
            d.level AS level, d.name AS name
        FROM (
            SELECT DISTINCT CAST($level AS INT) AS level, CAST(c.name AS TEXT) AS name
            FROM $cells AS c WHERE NOT c.name IS NULL
        ) AS d
        """,
        cells=cells,
        level=_level(levels),
    )
    return Step(
        "check_node",
        "each row is a node that the release publishes, numbered by level and name",
        query,
    )


def _level(levels: bool) -> exp.Expr:
    return exp.column("level", table="c") if levels else exp.Literal.number(0)


def transactions(cells: exp.Expr) -> Step:
    """One row per transaction."""
    query = duck(
        """
        SELECT ROW_NUMBER() OVER (ORDER BY d.key) AS tid, d.key AS key
        FROM (SELECT DISTINCT c.key AS key FROM $cells AS c WHERE NOT c.key IS NULL) AS d
        """,
        cells=cells,
    )
    return Step(
        "check_transaction", "each row is a transaction of the release, numbered by key", query
    )


def held(cells: exp.Expr, *, levels: bool) -> Step:
    """One row per transaction and node it holds."""
    query = duck(
        """
        SELECT DISTINCT t.tid AS tid, n.node AS node
        FROM $cells AS c
        JOIN check_transaction AS t ON t.key = c.key
        JOIN check_node AS n ON n.level = CAST($level AS INT) AND n.name = CAST(c.name AS TEXT)
        """,
        cells=cells,
        level=_level(levels),
    )
    return Step(
        "check_held", "each row is a transaction and a node it holds, without duplicates", query
    )


def sizes(cells: exp.Expr, *, levels: bool) -> Step:
    """One row: cells without a transaction, nodes without a level, the longest transaction."""
    query = duck(
        """
        SELECT COUNT(*) - COUNT(c.key) AS unkeyed,
            COUNT(CASE WHEN NOT c.name IS NULL AND $level IS NULL THEN 1 END) AS unlevelled,
            COALESCE(MAX((
                SELECT COALESCE(MAX(t.n), 0) AS n
                FROM (SELECT h.tid AS tid, COUNT(*) AS n FROM check_held AS h GROUP BY h.tid) AS t
            )), 0) AS longest
        FROM $cells AS c
        """,
        cells=cells,
        level=_level(levels),
    )
    return Step(
        "check_sizes",
        "counts cells without a transaction id and nodes without a level; finds the "
        "longest transaction",
        query,
    )


def sets(size: int) -> Step:
    """One row per itemset of `size` nodes that some transaction holds, with its support."""
    on = "h{n}.tid = h1.tid AND h{n}.node > h{before}.node"
    query = duck(
        """
        SELECT $nodes, COUNT(*) AS support FROM check_held AS h1 JOIN $others GROUP BY $nodes
        """,
        nodes=each("h{n}.node AS n{n}", range(1, size + 1)),
        others=joins(f"JOIN check_held AS h{{n}} ON {on}", range(2, size + 1)),
    )
    return Step(
        f"check_set_{size}",
        f"each row is a set of published nodes, of size {size}, with its support",
        query,
    )


def counted(size: int, k: int) -> Step:
    """One row: the number of itemsets of this size, and of those with too little support."""
    query = duck(
        """
        SELECT COUNT(*) AS checked, COUNT(CASE WHEN s.support < $k THEN 1 END) AS found
        FROM $sets AS s
        """,
        k=k,
        sets=f"check_set_{size}",
    )
    return Step(
        f"check_counted_{size}",
        f"counts the sets of size {size}, and those that fewer than k transactions hold",
        query,
    )


def violations(size: int, k: int, limit: int | None) -> Step:
    """One row per violating itemset, the rarest first: its support, levels and names."""
    numbers = range(1, size + 1)
    query = duck(
        """
        SELECT s.support AS support, $nodes
        FROM $sets AS s JOIN $known
        WHERE s.support < $k
        ORDER BY s.support, $order
        """,
        nodes=[
            one
            for n in numbers
            for one in each("c{n}.level AS level{n}", [n]) + each("c{n}.name AS name{n}", [n])
        ],
        sets=f"check_set_{size}",
        known=joins("JOIN check_node AS c{n} ON c{n}.node = s.n{n}", numbers),
        k=k,
        order=each("s.n{n}", numbers),
    )
    return Step(
        f"check_violations_{size}",
        f"lists the rarest sets of {size} nodes that fewer than k transactions hold",
        limited(query, limit),
    )


def kinds() -> Step:
    """One row per distinct transaction: an example, its number of nodes, and its copies."""
    query = duck(
        """
        SELECT MIN(t.tid) AS tid, t.n AS n, COUNT(*) AS copies
        FROM (
            SELECT h.tid AS tid, COUNT(*) AS n,
                STRING_AGG(CAST(h.node AS TEXT), ' ' ORDER BY h.node) AS nodes
            FROM check_held AS h GROUP BY h.tid
        ) AS t
        GROUP BY t.nodes, t.n
        """
    )
    return Step(
        "check_kind", "each row is a kind of transactions with equal nodes, and their number", query
    )


def lengths() -> Step:
    """One row per length: the number of transactions that hold so many nodes."""
    query = levels.lengths("check_held")
    return Step(
        "check_lengths",
        "counts transactions by length: the run refuses a next relation that is too large",
        query,
    )


def meetings(k: int, unit: str = "copies") -> Step:
    """One row: bounds for the pairs of a rare kind with another kind, and for their shared nodes.

    A kind is rare if it has fewer than k of the `unit`, a column of check_kind.
    The bound of shared nodes compares each kind with all transactions that hold a node of it.
    """
    query = duck(
        """
        SELECT
            CAST(COALESCE(MAX(q.rare), 0) * COALESCE(MAX(q.kinds), 0) AS BIGINT) AS pairs,
            CAST(COALESCE(SUM(n.own * n.held), 0) AS BIGINT) AS shared
        FROM (
            SELECT h.node AS node, COUNT(*) AS held,
                COUNT(CASE WHEN r.$unit < $k THEN 1 END) AS own
            FROM check_held AS h JOIN check_kind AS r ON r.tid = h.tid
            GROUP BY h.node
        ) AS n
        CROSS JOIN (
            SELECT COUNT(*) AS kinds, COUNT(CASE WHEN r.$unit < $k THEN 1 END) AS rare
            FROM check_kind AS r
        ) AS q
        """,
        k=k,
        unit=unit,
    )
    return Step(
        "check_meetings",
        "bounds the rows of the next comparison: the run refuses one that is too large",
        query,
    )


def fitting(k: int) -> Step:
    """One row per kind of fewer than k copies: the transactions that hold all its nodes."""
    query = duck(
        """
        SELECT s.tid AS tid, s.n AS n, CAST(SUM(s.copies) AS BIGINT) AS support
        FROM (
            SELECT r.tid AS tid, r.n AS n, q.tid AS other, q.copies AS copies
            FROM check_kind AS r
            JOIN check_held AS own ON own.tid = r.tid
            JOIN check_held AS held ON held.node = own.node
            JOIN check_kind AS q ON q.tid = held.tid
            WHERE r.copies < $k
            GROUP BY r.tid, r.n, q.tid, q.copies
            HAVING COUNT(*) = r.n
        ) AS s
        GROUP BY s.tid, s.n
        """,
        k=k,
    )
    return Step(
        "check_set_0",
        "each row is a kind of fewer than k copies, with the transactions that hold all its nodes",
        query,
    )


def whole(k: int, limit: int | None) -> Step:
    """One row per node of a violating transaction: its place among them, support, level, name."""
    query = duck(
        """
        SELECT v.place AS place, v.support AS support, c.level AS level, c.name AS name
        FROM (
            SELECT s.tid AS tid, s.support AS support,
                ROW_NUMBER() OVER (ORDER BY s.n, s.support, s.tid) AS place
            FROM check_set_0 AS s WHERE s.support < $k
        ) AS v
        JOIN check_held AS h ON h.tid = v.tid
        JOIN check_node AS c ON c.node = h.node
        WHERE $within
        ORDER BY place, level, name
        """,
        k=k,
        within=up_to("v.place", limit),
    )
    return Step(
        "check_whole",
        "lists the nodes of transactions whose nodes fewer than k transactions hold",
        query,
    )

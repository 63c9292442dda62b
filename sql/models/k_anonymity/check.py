"""Check whether every transaction has k - 1 twins: others with an equal set of nodes.

Reads cells (key, name) or (key, name, level); a row with a NULL name says only that the transaction
exists. A node is a level and a label. Likely twins agree in a few sums. Each is then compared with
the first of them, node by node; those that differ are grouped again. The checker shares nothing
with the anonymizer. He, Naughton, VLDB 2009, definitions 1 and 2. With persons it reads
check_owner(key, person), and a class has the persons of its transactions.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, shown, term, up_to

PRIME = 2_147_483_647


def known(cells: exp.Expr, roles: exp.Expr, *, levels: bool) -> Step:
    """The cells without items that twins need not share: their rows name no item.

    `roles` has the items with private = 0 that count. Nodes above level 0 always count.
    """
    query = duck(
        """
        SELECT DISTINCT r.key AS key, CASE WHEN $counts THEN CAST(r.name AS TEXT) END AS name,
            $level
        FROM $cells AS r
        LEFT JOIN $roles AS p ON p.label = CAST(r.name AS TEXT) AND p.private = 0
        """,
        counts=term("NOT p.label IS NULL OR $at <> 0", at=_level(levels)),
        level=[shown("r.level AS level")] if levels else [],
        cells=cells,
        roles=roles,
    )
    return Step(
        "check_known",
        "each row is a transaction and a node that its twins must hold, or NULL for another item",
        query,
    )


def keys(cells: exp.Expr) -> Step:
    """One row per transaction, with or without items. Rows without a key have no transaction."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY c.key) - 1 AS INT) AS tid, c.key AS key
        FROM (SELECT DISTINCT r.key AS key FROM $cells AS r WHERE NOT r.key IS NULL) AS c
        """,
        cells=cells,
    )
    return Step("check_key", "each row is a transaction of the release, numbered by key", query)


def keys_of_persons() -> Step:
    """One row per transaction, as `keys`, with its person."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY o.key) - 1 AS INT) AS tid, o.key AS key,
            o.person AS person
        FROM check_owner AS o
        """
    )
    why = "each row is a transaction of the release, numbered by key, and its person"
    return Step("check_key", why, query)


def unkeyed(cells: exp.Expr) -> Step:
    """One row: the number of rows without a transaction id."""
    query = duck("SELECT COUNT(*) AS unkeyed FROM $cells AS r WHERE r.key IS NULL", cells=cells)
    return Step("check_unkeyed", "counts rows without a transaction id: there must be none", query)


def nodes(cells: exp.Expr, *, levels: bool) -> Step:
    """One row per node: a level and a label. Without levels, all nodes have one level."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY n.level, n.label) AS INT) AS node,
            n.level AS level, n.label AS label
        FROM (
            SELECT DISTINCT $level AS level, CAST(r.name AS TEXT) AS label
            FROM $cells AS r WHERE NOT r.name IS NULL
        ) AS n
        """,
        cells=cells,
        level=_level(levels),
    )
    return Step("check_node", "each row is a node that the release publishes, in numbers", query)


def holdings(cells: exp.Expr, *, levels: bool) -> Step:
    """One row per transaction and node it holds, without duplicates."""
    query = duck(
        """
        SELECT DISTINCT k.tid AS tid, n.node AS node
        FROM $cells AS r
        JOIN check_key AS k ON k.key = r.key
        JOIN check_node AS n ON n.label = CAST(r.name AS TEXT) AND n.level = $level
        """,
        cells=cells,
        level=_level(levels),
    )
    return Step("check_held", "each row is a transaction and a node it holds, in numbers", query)


def _level(levels: bool) -> exp.Expr:
    level: exp.Expr = exp.column("level", table="r") if levels else exp.Literal.number(0)
    return exp.func("COALESCE", exp.cast(level, "INT"), exp.Literal.number(-1))


def likely(prime: int = PRIME) -> Step:
    """One row per transaction: its number of nodes, and the first of its likely twins."""
    query = duck(
        """
        SELECT s.tid AS tid, s.size AS size,
            MIN(s.tid) OVER (
                PARTITION BY s.size, s.least, s.most, s.total, s.mixed
            ) AS first
        FROM (
            SELECT k.tid AS tid, COUNT(h.node) AS size, COALESCE(MIN(h.node % $prime), 0) AS least,
                COALESCE(MAX(h.node % $prime), 0) AS most,
                CAST(COALESCE(SUM(h.node % $prime), 0) AS BIGINT) AS total,
                CAST(COALESCE(SUM(
                    CAST(h.node AS BIGINT) * 48271 % $prime * h.node % $prime
                ), 0) AS BIGINT) AS mixed
            FROM check_key AS k LEFT JOIN check_held AS h ON h.tid = k.tid
            GROUP BY k.tid
        ) AS s
        """,
        prime=prime,
    )
    return Step(
        "check_twin_1",
        "each row is a transaction and its first likely twin: both have equal sums over "
        "their nodes",
        query,
    )


def alike() -> Step:
    """One row per transaction: its number of nodes, and the first of its twins.

    The nodes are compared as one text. A query that cannot go on by what it finds needs this.
    """
    query = duck(
        """
        SELECT s.tid AS tid, s.size AS size, MIN(s.tid) OVER (PARTITION BY s.nodes) AS first
        FROM (
            SELECT k.tid AS tid, COUNT(h.node) AS size,
                STRING_AGG(CAST(h.node AS TEXT), ' ' ORDER BY h.node) AS nodes
            FROM check_key AS k LEFT JOIN check_held AS h ON h.tid = k.tid
            GROUP BY k.tid
        ) AS s
        """
    )
    why = "each row is a transaction and its first twin: both have equal nodes"
    return Step("check_twin_1", why, query)


def unlike(number: int) -> Step:
    """One row per transaction that differs from the first of its likely twins."""
    query = duck(
        """
        SELECT t.tid AS tid
        FROM $twin AS t
        JOIN check_held AS h ON h.tid = t.tid
        LEFT JOIN check_held AS f ON f.tid = t.first AND f.node = h.node
        GROUP BY t.tid
        HAVING COUNT(f.node) < COUNT(*)
        """,
        twin=_twin(number),
    )
    return Step(
        f"check_unlike_{number}",
        "each row is a transaction that differs from its first likely twin in a node",
        query,
    )


def regrouped(number: int) -> Step:
    """One row per transaction; those unlike their first are likely twins of each other only."""
    query = duck(
        """
        SELECT t.tid AS tid, t.size AS size,
            MIN(t.tid) OVER (
                PARTITION BY t.first, CASE WHEN u.tid IS NULL THEN 0 ELSE 1 END
            ) AS first
        FROM $twin AS t LEFT JOIN $unlike AS u ON u.tid = t.tid
        """,
        twin=_twin(number),
        unlike=f"check_unlike_{number}",
    )
    return Step(
        f"check_twin_{number + 1}",
        "each row is a transaction and its first likely twin; those that differed are set apart",
        query,
    )


def classes(number: int) -> Step:
    """One row per class of transactions with equal nodes: its first, and its size."""
    query = duck(
        """
        SELECT t.first AS first, t.size AS size, COUNT(*) AS transactions
        FROM $twin AS t GROUP BY t.first, t.size
        """,
        twin=_twin(number),
    )
    return Step("check_class", "each row is a class of transactions that hold equal nodes", query)


def classes_of_persons(number: int) -> Step:
    """One row per class, as `classes`, with the persons of its transactions."""
    query = duck(
        """
        SELECT p.first AS first, p.size AS size,
            CAST(SUM(p.transactions) AS BIGINT) AS transactions, COUNT(*) AS persons
        FROM (
            SELECT t.first AS first, t.size AS size, r.person AS person, COUNT(*) AS transactions
            FROM $twin AS t JOIN check_key AS r ON r.tid = t.tid
            GROUP BY t.first, t.size, r.person
        ) AS p
        GROUP BY p.first, p.size
        """,
        twin=_twin(number),
    )
    why = "each row is a class of transactions that hold equal nodes, with its persons"
    return Step("check_class", why, query)


def summary(k: int, *, persons: bool = False) -> Step:
    """One row: classes, classes below k, the smallest, transactions, and the sum of squares.

    With persons, classes below k have fewer persons; the last column is the fewest of a class.
    """
    query = duck(
        """
        SELECT COUNT(*) AS classes, COUNT(CASE WHEN c.$unit < $k THEN 1 END) AS small,
            COALESCE(MIN(c.transactions), 0) AS smallest,
            CAST(COALESCE(SUM(c.transactions), 0) AS BIGINT) AS transactions,
            CAST(COALESCE(SUM(c.transactions * c.transactions), 0) AS BIGINT) AS discernibility,
            $fewest
        FROM check_class AS c
        """,
        unit=unit(persons=persons),
        fewest=[shown("COALESCE(MIN(c.persons), 0) AS fewest")] if persons else [],
        k=k,
    )
    return Step(
        "summary",
        f"counts the classes, and those of fewer than k {unit(persons=persons)}: there must be "
        "none",
        query,
    )


def unit(*, persons: bool) -> str:
    """The unit that a promise counts, and its column."""
    return "persons" if persons else "transactions"


def violations(k: int, limit: int | None, nodes: int | None, *, persons: bool = False) -> Step:
    """The nodes of the smallest classes below k: (place, transactions, size, level, label).

    Up to `nodes` nodes of each, in order; one row without a node for transactions without items.
    With persons, a last column has those of the class.
    """
    query = duck(
        """
        SELECT w.place AS place, w.transactions AS transactions, w.size AS size,
            w.level AS level, w.label AS label, $last
        FROM (
            SELECT v.place AS place, v.transactions AS transactions, v.size AS size,
                n.level AS level, n.label AS label, $inner,
                ROW_NUMBER() OVER (PARTITION BY v.place ORDER BY n.level, n.label) AS number
            FROM (
                SELECT c.first AS first, c.size AS size, c.transactions AS transactions, $innermost,
                    ROW_NUMBER() OVER (ORDER BY c.$unit, c.size, c.first) AS place
                FROM check_class AS c WHERE c.$unit < $k
            ) AS v
            LEFT JOIN check_held AS h ON h.tid = v.first
            LEFT JOIN check_node AS n ON n.node = h.node
            WHERE $within
        ) AS w
        WHERE $first
        ORDER BY place, level, label
        """,
        k=k,
        within=up_to("v.place", limit),
        first=up_to("w.number", nodes),
        unit=unit(persons=persons),
        last=_persons("w", persons=persons),
        inner=_persons("v", persons=persons),
        innermost=_persons("c", persons=persons),
    )
    return Step("violations", "lists the nodes of the smallest classes below k", query)


def _persons(owner: str, *, persons: bool) -> list[exp.Expr]:
    return [shown(f"{owner}.persons AS persons")] if persons else []


def _twin(number: int) -> str:
    return f"check_twin_{number}"

"""Specialize nodes everywhere, from the root down, while classes of twins keep k.

Reads occurrence(tid, item), basket, public_item, and node and path of a hierarchy. Makes

  fall(item, node, child)  one row per public item and node above it, with the child on its path.
  shape(tid, node, shape)  one row per transaction and node above its items: a number that is equal
                           if transactions hold items below equal children.
  gain(node, gain)         the loss that is saved if the node's children are published instead.

Without a hierarchy, a node is an item that is not published yet, and specializing publishes it.

In round N, class_N(tid, class, shown) has the transactions, equal in `class` if they are twins by
all that is published. `shown` is 0 if the release has no row for a transaction: long form shows
none without items. open_N(node) has the nodes that may be specialized, and fit_N(node, least) those
that keep k, with the size of the smallest class that this makes. With persons, class_N also has the
person of the transaction, and sizes are numbers of persons.
Fung, Wang, Yu: Top-down specialization for information and privacy preservation, ICDE 2005.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, each, joins, term


def falls() -> Step:
    """One row per public item and inner node above it, with the next node down to the item."""
    query = duck(
        """
        SELECT f.item AS item, f.node AS node, f.child AS child
        FROM (
            SELECT p.item AS item, p.node AS node,
                LAG(p.node) OVER (PARTITION BY p.item ORDER BY p.level) AS child
            FROM path AS p JOIN public_item AS r ON r.item = p.item
        ) AS f
        WHERE NOT f.child IS NULL
        """
    )
    return Step(
        "fall", "each row is a public item, a node above it, and the child on the way to it", query
    )


def shapes() -> Step:
    """One row per transaction and inner node above its public items."""
    query = duck(
        """
        SELECT h.tid AS tid, h.node AS node,
            MIN(h.tid) OVER (PARTITION BY h.node, h.children) AS shape
        FROM (
            SELECT d.tid AS tid, d.node AS node,
                STRING_AGG(CAST(d.child AS TEXT), ' ' ORDER BY d.child) AS children
            FROM (
                SELECT DISTINCT o.tid AS tid, f.node AS node, f.child AS child
                FROM occurrence AS o JOIN fall AS f ON f.item = o.item
            ) AS d
            GROUP BY d.tid, d.node
        ) AS h
        """
    )
    return Step(
        "shape",
        "each row is a transaction and a node above its items; shape is equal if the children are",
        query,
    )


def held() -> Step:
    """One row per transaction and public item it holds; each item is a node of its own."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS node, 0 AS shape
        FROM occurrence AS o JOIN public_item AS r ON r.item = o.item
        """
    )
    return Step("shape", "each row is a transaction and a public item that it holds", query)


def gains() -> Step:
    """One row per inner node: the leaves, of public items, that its children save.

    An occurrence at a node costs the leaves of the node, and nothing if it has one.
    """
    query = duck(
        """
        WITH covered AS (
            SELECT n.node AS node, n.leaves - COALESCE(x.leaves, 0) AS leaves
            FROM node AS n
            LEFT JOIN (
                SELECT p.node AS node, COUNT(*) AS leaves
                FROM path AS p JOIN leaving_item AS l ON l.item = p.item
                GROUP BY p.node
            ) AS x ON x.node = n.node
        )
        SELECT f.node AS node, CAST(SUM(i.support * (
            CASE WHEN u.leaves > 1 THEN u.leaves ELSE 0 END
                - CASE WHEN v.leaves > 1 THEN v.leaves ELSE 0 END
        )) AS BIGINT) AS gain
        FROM fall AS f
        JOIN item AS i ON i.item = f.item
        JOIN covered AS u ON u.node = f.node
        JOIN covered AS v ON v.node = f.child
        GROUP BY f.node
        ORDER BY node
        """
    )
    return Step("gain", "each row is a node with the loss that its children save, in leaves", query)


def supports() -> Step:
    """One row per public item: the occurrences that are saved if it is published."""
    query = duck(
        """
        SELECT i.item AS node, i.support AS gain
        FROM item AS i JOIN public_item AS r ON r.item = i.item
        ORDER BY node
        """
    )
    return Step("gain", "each row is a public item with the occurrences that it saves", query)


def whole(*, empty: bool, persons: bool) -> Step:
    """One row per transaction, all unpublished; with `empty`, those without items have a row."""
    query = duck(
        """
        SELECT b.tid AS tid, 0 AS class, $shown AS shown, $person
        FROM basket AS b
        LEFT JOIN (
            SELECT DISTINCT o.tid AS tid
            FROM occurrence AS o JOIN leaving_item AS l ON l.item = o.item
        ) AS x ON x.tid = b.tid
        """,
        shown=1 if empty else term("CASE WHEN x.tid IS NULL THEN 0 ELSE 1 END"),
        person=each("b.person AS person", range(persons)),
    )
    return Step("class_1", "each row is a transaction: all are twins at first", query)


def rooted(*, persons: bool) -> Step:
    """One row per transaction: those with public items are at the root, the others are apart."""
    query = duck(
        """
        SELECT b.tid AS tid, CASE WHEN x.tid IS NULL THEN 0 ELSE 1 END AS class, 1 AS shown, $person
        FROM basket AS b
        LEFT JOIN (SELECT DISTINCT s.tid AS tid FROM shape AS s) AS x ON x.tid = b.tid
        """,
        person=each("b.person AS person", range(persons)),
    )
    return Step(
        "class_1", "each row is a transaction: all with public items are twins at the root", query
    )


def opened(*, tree: bool) -> Step:
    """One row per node to specialize first: the root, or all public items."""
    rows = "SELECT MAX(f.node) AS node FROM fall AS f HAVING COUNT(*) > 0"
    if not tree:
        rows = "SELECT r.item AS node FROM public_item AS r"
    return Step("open_1", "each row is a node that may be specialized", duck(rows))


def smallest(number: int, *, persons: bool) -> Step:
    """One row: the size of the smallest class that the release shows, or 0."""
    query = duck(
        """
        SELECT COALESCE(MIN(z.size), 0) AS smallest FROM $sizes AS z WHERE z.size > 0
        """,
        sizes=_sizes(number, persons=persons),
    )
    return Step(f"smallest_{number}", "finds the smallest class: it must keep k", query)


def _sizes(number: int, *, persons: bool) -> exp.Select:
    """One row per class: the number of transactions that are shown, or of their persons."""
    size = "COUNT(DISTINCT CASE WHEN c.shown = 1 THEN c.person END)" if persons else "SUM(c.shown)"
    return duck(
        """
        SELECT c.class AS class, CAST($size AS BIGINT) AS size
        FROM $classes AS c GROUP BY c.class
        """,
        size=term(size),
        classes=f"class_{number}",
    )


def fits(number: int, k: int, *, persons: bool) -> Step:
    """One row per node whose specialization keeps k in all classes.

    A class is divided by the shapes of its transactions; `rest` are those without the node.
    """
    query = duck(
        """
        SELECT d.node AS node,
            MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) AS least
        FROM (
            SELECT p.node AS node, p.class AS class, MIN(p.held) AS least,
                MAX(z.size) - $gone AS rest
            FROM $parts AS p
            JOIN $sizes AS z ON z.class = p.class
            JOIN $whose
            GROUP BY p.node, p.class
        ) AS d
        GROUP BY d.node
        HAVING MIN(CASE WHEN d.rest > 0 AND d.rest < d.least THEN d.rest ELSE d.least END) >= $k
        """,
        gone=term("COALESCE(MAX(g.persons), 0)" if persons else "CAST(SUM(p.shown) AS BIGINT)"),
        parts=_parts(number, persons=persons),
        sizes=_sizes(number, persons=persons),
        whose=joins(
            "LEFT JOIN $gone AS g ON g.node = p.node AND g.class = p.class",
            range(persons),
            gone=_gone(number),
        ),
        k=k,
    )
    return Step(
        f"fit_{number}",
        "each row is a node that keeps k if its children are published, and the smallest class",
        query,
    )


def _parts(number: int, *, persons: bool) -> exp.Select:
    """One row per node, class and shape: the transactions or persons, and those shown before."""
    return duck(
        """
        SELECT s.node AS node, c.class AS class, s.shape AS shape, $held AS held,
            SUM(c.shown) AS shown
        FROM $open AS a JOIN shape AS s ON s.node = a.node JOIN $classes AS c ON c.tid = s.tid
        GROUP BY s.node, c.class, s.shape
        """,
        held=term("COUNT(DISTINCT c.person)" if persons else "COUNT(*)"),
        open=f"open_{number}",
        classes=f"class_{number}",
    )


def _gone(number: int) -> exp.Select:
    """One row per node and class: the persons all of whose transactions there hold the node."""
    return duck(
        """
        SELECT t.node AS node, t.class AS class, COUNT(*) AS persons
        FROM (
            SELECT s.node AS node, c.class AS class, c.person AS person, SUM(c.shown) AS held
            FROM $open AS a JOIN shape AS s ON s.node = a.node JOIN $classes AS c ON c.tid = s.tid
            GROUP BY s.node, c.class, c.person
        ) AS t
        JOIN (
            SELECT c.class AS class, c.person AS person, SUM(c.shown) AS held
            FROM $classes AS c GROUP BY c.class, c.person
        ) AS w ON w.class = t.class AND w.person = t.person AND w.held = t.held
        WHERE w.held > 0
        GROUP BY t.node, t.class
        """,
        open=f"open_{number}",
        classes=f"class_{number}",
    )


def choices(number: int) -> Step:
    """One row per node that fits, in the order of the numbers."""
    query = duck(
        "SELECT f.node AS node, f.least AS least FROM $fit AS f ORDER BY node", fit=f"fit_{number}"
    )
    return Step(f"choices_{number}", "lists the nodes that fit, of which one is chosen", query)


def divided(number: int, *, persons: bool) -> Step:
    """The classes after the node of picked_N is specialized."""
    query = duck(
        """
        SELECT c.tid AS tid,
            MIN(c.tid) OVER (PARTITION BY c.class, COALESCE(s.shape, -1)) AS class,
            CASE WHEN s.tid IS NULL THEN c.shown ELSE 1 END AS shown, $person
        FROM $classes AS c
        LEFT JOIN (
            SELECT h.tid AS tid, h.shape AS shape
            FROM shape AS h JOIN $picked AS p ON p.item = h.node
        ) AS s ON s.tid = c.tid
        """,
        person=each("c.person AS person", range(persons)),
        picked=f"picked_{number}",
        classes=f"class_{number}",
    )
    return Step(
        f"class_{number + 1}",
        "each row is a transaction and its class of twins, with the node specialized",
        query,
    )


def reopened(number: int, *, tree: bool) -> Step:
    """The nodes that may be specialized next: the others that fit, and the children of this one."""
    others = duck(
        """
        SELECT f.node AS node FROM $fit AS f
        WHERE NOT EXISTS (SELECT 1 AS one FROM $picked AS p WHERE p.item = f.node)
        """,
        fit=f"fit_{number}",
        picked=f"picked_{number}",
    )
    children = duck(
        """
        SELECT DISTINCT f.child AS node
        FROM fall AS f
        JOIN $picked AS p ON p.item = f.node
        JOIN fall AS g ON g.node = f.child
        """,
        picked=f"picked_{number}",
    )
    query = duck(
        "SELECT n.node AS node FROM $nodes AS n", nodes=[others, children] if tree else others
    )
    return Step(f"open_{number + 1}", "each row is a node that may be specialized", query)


def suppressed() -> Step:
    """One row per public item that is not published."""
    query = duck(
        """
        SELECT r.item AS item FROM public_item AS r
        WHERE NOT EXISTS (SELECT 1 AS one FROM specialized AS s WHERE s.item = r.item)
        ORDER BY item
        """
    )
    return Step("suppressed_item", "each row is a public item that is not published", query)


def recoded() -> Step:
    """One row per item: its highest node that is not specialized; itself if it is not public."""
    query = duck(
        """
        SELECT p.item AS item, MAX(p.node) AS node
        FROM path AS p
        LEFT JOIN public_item AS r ON r.item = p.item
        LEFT JOIN specialized AS s ON s.item = p.node
        WHERE p.level = 0 OR (NOT r.item IS NULL AND s.item IS NULL)
        GROUP BY p.item
        """
    )
    return Step(
        "recoded_item",
        "each row is an item and its published node: the highest that is not specialized",
        query,
    )

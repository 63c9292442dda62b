"""Compare what a recipient learns of items and nodes: pairs, and rules from one to another.

Reads node and path in the original's run. A transaction holds its items and all nodes above them,
but the root, which says nothing. Makes above(node, above): a node itself is among those above it;
and spread(tid, item) in either run, whose items are numbers of nodes.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, term


def above(root: int) -> Step:
    """One row per node below the root, and each node above it, itself included."""
    query = duck(
        """
        SELECT DISTINCT l.node AS node, u.node AS above
        FROM path AS l JOIN path AS u ON u.item = l.item AND u.level >= l.level
        WHERE u.node <> $root
        """,
        root=root,
    )
    return Step("above", "each row is a node, and itself or a node above it", query)


def spread() -> Step:
    """One row per transaction of the original and node above one of its items."""
    query = duck(
        """
        SELECT DISTINCT o.tid AS tid, a.above AS item
        FROM occurrence AS o JOIN above AS a ON a.node = o.item
        """
    )
    return Step("spread", "each row is a transaction, and an item of it or a node above one", query)


def released_spread(node: exp.Expr, above: exp.Expr, *, levels: bool) -> Step:
    """One row per transaction of the release and node above one that it publishes."""
    query = duck(
        """
        SELECT DISTINCT o.tid AS tid, a.above AS item
        FROM occurrence AS o
        JOIN item AS i ON i.item = o.item
        JOIN $node AS n ON $same
        JOIN $above AS a ON a.node = n.node
        """,
        node=node,
        same=_named(levels=levels),
        above=above,
    )
    return Step(
        "spread", "each row is a transaction, and a node that it publishes or one above", query
    )


def _named(*, levels: bool) -> list[exp.Expr]:
    """The condition that an item of a release is this node."""
    name = "CAST(i.name AS TEXT) = CAST(n.level AS TEXT) || ' ' || n.label"
    leaf = ["CAST(i.name AS TEXT) = n.label", "n.level = 0"]
    return [term(one) for one in ([name] if levels else leaf)]


def pairs_of(frequent: exp.Table, above: exp.Expr) -> exp.Select:
    """The frequent pairs of which neither is above the other: these say nothing."""
    return duck(
        """
        SELECT f.item_1 AS item_1, f.item_2 AS item_2, f.support AS support
        FROM $frequent AS f
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM $above AS a WHERE a.node = f.item_1 AND a.above = f.item_2
        ) AND NOT EXISTS (
            SELECT 1 AS one FROM $above AS a WHERE a.node = f.item_2 AND a.above = f.item_1
        )
        """,
        frequent=frequent,
        above=above,
    )


def rules_of(single: exp.Table, pairs: exp.Expr, over: int, under: int) -> exp.Query:
    """The rules from one node of a frequent pair to the other, with enough confidence."""
    return duck_union(
        """
        SELECT p.item_1 AS item_1, p.item_2 AS item_2
        FROM $pairs AS p JOIN $single AS s ON s.item_1 = p.item_1
        WHERE p.support * $under >= $over * s.support
        UNION ALL
        SELECT p.item_2 AS item_1, p.item_1 AS item_2
        FROM $pairs AS p JOIN $single AS s ON s.item_1 = p.item_2
        WHERE p.support * $under >= $over * s.support
        """,
        pairs=pairs,
        single=single,
        over=over,
        under=under,
    )


def in_common(name: str, why: str, before: exp.Query, after: exp.Query | None) -> Step:
    """One row: the pairs or rules before, those after, and those in both."""
    query = duck(
        """
        SELECT
            (SELECT COUNT(*) AS n FROM $before AS b) AS before,
            (SELECT COUNT(*) AS n FROM $after AS a) AS after,
            (SELECT COUNT(*) AS n FROM $before AS b
                JOIN $after AS a ON a.item_1 = b.item_1 AND a.item_2 = b.item_2) AS kept
        """,
        before=before.subquery(),
        after=(after or duck("SELECT 0 AS item_1, 0 AS item_2 WHERE FALSE")).subquery(),
    )
    return Step(name, why, query)


def rules_of_items(rules: exp.Query, node: exp.Expr) -> exp.Query:
    """The rules from one item to another."""
    return duck(
        """
        SELECT r.item_1 AS item_1, r.item_2 AS item_2
        FROM $rules AS r
        JOIN $node AS n ON n.node = r.item_1 AND n.level = 0
        JOIN $node AS m ON m.node = r.item_2 AND m.level = 0
        """,
        rules=rules.subquery(),
        node=node,
    )


def specialized(rules: exp.Query, node: exp.Expr, path: exp.Expr) -> exp.Query:
    """The rules between items below two published nodes with a rule (Jia et al., section 4.2)."""
    published = duck(
        "SELECT DISTINCT n.node AS node FROM item AS i JOIN $node AS n ON $same",
        node=node,
        same=_named(levels=True),
    )
    return duck(
        """
        SELECT DISTINCT x.item AS item_1, y.item AS item_2
        FROM $rules AS r
        JOIN $published AS p ON p.node = r.item_1
        JOIN $published AS q ON q.node = r.item_2
        JOIN $path AS x ON x.node = r.item_1
        JOIN $path AS y ON y.node = r.item_2 AND y.item <> x.item
        """,
        rules=rules.subquery(),
        published=published,
        path=path,
    )

"""Publish nodes in the place of the items that they cover, and measure the loss.

Reads recoded(tid, item, node) if items are generalized in single transactions, or
recoded_item(item, node) if they are generalized everywhere. Also reads node, source, basket, label,
item and occurrence. A release has distinct rows (tid, item, level), where item is the label of a
node as text; or lists of labels and levels. A transaction without items keeps its row where the
layout can show one.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, term, user_columns

WHY = "each row is a transaction with the labels of its nodes; a node is published once"


def released_long(key: str, item: str, level: str, number: str, *, everywhere: bool) -> Step:
    """One row per transaction and node, with the node's number to sort by."""
    query = duck(
        """
        SELECT b.key AS $key, n.label AS $item, n.level AS $level, h.node AS $number
        FROM (SELECT DISTINCT r.tid AS tid, r.node AS node FROM $rows AS r) AS h
        JOIN basket AS b ON b.tid = h.tid
        JOIN node AS n ON n.node = h.node
        """,
        key=column(key),
        item=column(item),
        level=column(level),
        number=column(number),
        rows=recoded_rows(everywhere=everywhere),
    )
    return Step("release", WHY, query)


def recoded_rows(*, everywhere: bool) -> exp.Select:
    """One row (tid, item, node) per occurrence."""
    if not everywhere:
        return duck("SELECT r.tid AS tid, r.item AS item, r.node AS node FROM recoded AS r")
    return duck(
        """
        SELECT o.tid AS tid, o.item AS item, r.node AS node
        FROM occurrence AS o JOIN recoded_item AS r ON r.item = o.item
        """
    )


def released_listed(
    columns: tuple[str, ...], line: str, key: exp.Column, item: str, level: str, *, everywhere: bool
) -> Step:
    """The rows of the source, with the labels of their nodes and a list of the levels.

    `columns` are the columns of the release: the columns of the source, and `level`.
    """
    made = {item: term("COALESCE(k.labels, [])"), level: term("COALESCE(k.levels, [])")}
    at = "r.item = l.item" if everywhere else "r.tid = u.tid AND r.item = l.item"
    query = duck(
        """
        SELECT $columns FROM source AS s
        LEFT JOIN (
            SELECT h.line AS line, LIST(n.label ORDER BY n.node) AS labels,
                LIST(n.level ORDER BY n.node) AS levels
            FROM (
                SELECT DISTINCT u.line AS line, r.node AS node
                FROM (
                    SELECT t.$line AS line, b.tid AS tid, UNNEST(t.$items) AS name
                    FROM source AS t JOIN basket AS b ON b.key = t.$key
                ) AS u
                JOIN label AS l ON l.name = u.name
                JOIN $recoded AS r ON $at
            ) AS h
            JOIN node AS n ON n.node = h.node
            GROUP BY h.line
        ) AS k ON k.line = s.$line
        WHERE NOT s.$key IS NULL AND NOT s.$items IS NULL
        """,
        recoded="recoded_item" if everywhere else "recoded",
        at=term(at),
        columns=user_columns("s", (*columns, line), made),
        line=column(line),
        items=column(item),
        key=key,
    )
    return Step("release", WHY, query)


# The loss


def ncp(*, everywhere: bool, leaving: exp.Expr | None = None) -> Step:
    """One row per item: the cost of its occurrences, in leaves, and their number.

    NCP is the normalized certainty penalty. An occurrence at node u costs NCP(u) = |leaves(u)| /
    |I|, and 0 if u has one leaf; NCP(D) is the mean over all occurrences p. Costs are whole numbers
    of leaves, to be divided by |I|. He, Naughton, section 3.2, where Table 1 has 1/3. Items of
    `leaving` are no leaves of any node above them.
    """
    query = duck(
        """
        SELECT h.item AS item, CAST(SUM(h.held) AS BIGINT) AS held,
            CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
        FROM $held AS h JOIN $nodes AS n ON n.node = h.node
        GROUP BY h.item
        ORDER BY item
        """,
        held=held(everywhere=everywhere),
        nodes=_nodes(leaving),
    )
    return Step(
        "ncp",
        "lists the loss per item: an occurrence costs the leaves of its published node",
        query,
    )


def ncp_by_level(*, everywhere: bool, leaving: exp.Expr | None = None) -> Step:
    """One row per published level: its nodes, and the cost of their occurrences."""
    query = duck(
        """
        SELECT n.level AS level, COUNT(DISTINCT n.node) AS nodes,
            CAST(SUM(h.held) AS BIGINT) AS held,
            CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
        FROM $held AS h JOIN $nodes AS n ON n.node = h.node
        GROUP BY n.level
        ORDER BY level
        """,
        held=held(everywhere=everywhere),
        nodes=_nodes(leaving),
    )
    return Step("ncp_by_level", "lists the loss per level of the hierarchy, in leaves", query)


def _nodes(leaving: exp.Expr | None) -> str | exp.Select:
    """The nodes with their leaves, of which `leaving` are none but their own."""
    if leaving is None:
        return "node"
    return duck(
        """
        SELECT n.node AS node, n.level AS level, n.leaves - COALESCE(x.leaves, 0) AS leaves
        FROM node AS n
        LEFT JOIN (
            SELECT p.node AS node, COUNT(*) AS leaves
            FROM path AS p JOIN $leaving AS l ON l.item = p.item
            WHERE p.level > 0
            GROUP BY p.node
        ) AS x ON x.node = n.node
        """,
        leaving=leaving,
    )


def held(*, everywhere: bool) -> exp.Select:
    """One row (item, node, held): the number of transactions with the item at this node."""
    if everywhere:
        return duck(
            """
            SELECT r.item AS item, r.node AS node, i.support AS held
            FROM recoded_item AS r JOIN item AS i ON i.item = r.item
            """
        )
    return duck(
        "SELECT r.item AS item, r.node AS node, COUNT(*) AS held FROM recoded AS r "
        "GROUP BY r.item, r.node"
    )

"""Put nodes in the place of the items that they cover, and measure what that costs.

Reads recoded(tid, item, node), where items are generalized in places, or recoded_item(item, node),
where they are everywhere; and node, source, basket, label, item and occurrence. A release has rows
(tid, item, level), each once, item being the label of a node as text; or lists of both. A
transaction without items keeps its row where the layout can show one.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, term

WHY = "each item under the label of its node; what fell together is one"


def released_long(key: str, item: str, level: str, number: str, *, everywhere: bool) -> Step:
    """One row per transaction and node, with the node's number to sort by."""
    query = duck(
        """
        SELECT b.key AS key, n.label AS item, n.level AS level, h.node AS number
        FROM (SELECT DISTINCT r.tid AS tid, r.node AS node FROM $rows AS r) AS h
        JOIN basket AS b ON b.tid = h.tid
        JOIN node AS n ON n.node = h.node
        """,
        rows=recoded_rows(everywhere=everywhere),
    )
    names = (key, item, level, number)
    made = zip(query.selects, names, strict=True)
    query.set("expressions", [one.this.as_(name, quoted=True) for one, name in made])
    return Step("release", WHY, query)


def recoded_rows(*, everywhere: bool) -> exp.Subquery:
    """One row (tid, item, node) per occurrence."""
    if not everywhere:
        query = duck("SELECT r.tid AS tid, r.item AS item, r.node AS node FROM recoded AS r")
        return query.subquery()
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, r.node AS node
        FROM occurrence AS o JOIN recoded_item AS r ON r.item = o.item
        """
    )
    return query.subquery()


def released_listed(
    columns: tuple[str, ...], line: str, key: exp.Column, item: str, level: str, *, everywhere: bool
) -> Step:
    """The rows of the source, each with the labels of its nodes, and beside them their levels.

    `columns` are those of the release: the source's, and `level`.
    """
    at = "r.item = l.item" if everywhere else "r.tid = u.tid AND r.item = l.item"
    query = duck(
        """
        SELECT 1 FROM source AS s
        LEFT JOIN (
            SELECT h.line AS line, LIST(n.label ORDER BY n.node) AS labels,
                LIST(n.level ORDER BY n.node) AS levels
            FROM (
                SELECT DISTINCT u.line AS line, r.node AS node
                FROM (
                    SELECT $line AS line, b.tid AS tid, UNNEST($items) AS name
                    FROM source AS t JOIN basket AS b ON b.key = $key
                ) AS u
                JOIN label AS l ON l.name = u.name
                JOIN $recoded AS r ON $at
            ) AS h
            JOIN node AS n ON n.node = h.node
            GROUP BY h.line
        ) AS k ON k.line = $source_line
        WHERE NOT $source_key IS NULL AND NOT $source_items IS NULL
        """,
        recoded="recoded_item" if everywhere else "recoded",
        at=term(at),
        line=_of("t", line),
        items=_of("t", item),
        key=_of("t", key.name),
        source_line=_of("s", line),
        source_key=_of("s", key.name),
        source_items=_of("s", item),
    )
    made = {item: term("COALESCE(k.labels, [])"), level: term("COALESCE(k.levels, [])")}
    query.set(
        "expressions",
        [made.get(name, _of("s", name)).as_(name, quoted=True) for name in (*columns, line)],
    )
    return Step("release", WHY, query)


def _of(table: str, name: str) -> exp.Column:
    return exp.column(column(name).this, table=table)


# What it costs


def ncp(*, everywhere: bool) -> Step:
    """One row per item: what its occurrences cost, in leaves, and how many there are.

    An occurrence at node u costs NCP(u) = |leaves(u)| / |I|, and 0 if u has one leaf:
    NCP(D) = sum of NCP(p) over all occurrences p / number of occurrences. Costs are counted in
    leaves, and are whole numbers: to be divided by |I|. He, Naughton, section 3.2, where Table 1
    has 1/3.
    """
    query = duck(
        """
        SELECT h.item AS item, CAST(SUM(h.held) AS BIGINT) AS held,
            CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
        FROM $held AS h JOIN node AS n ON n.node = h.node
        GROUP BY h.item
        ORDER BY item
        """,
        held=_held(everywhere=everywhere),
    )
    return Step("ncp", "what is lost per item", query)


def ncp_by_level(*, everywhere: bool) -> Step:
    """One row per level that is published: its nodes, and what their occurrences cost."""
    query = duck(
        """
        SELECT n.level AS level, COUNT(DISTINCT n.node) AS nodes,
            CAST(SUM(h.held) AS BIGINT) AS held,
            CAST(SUM(CASE WHEN n.leaves > 1 THEN h.held * n.leaves ELSE 0 END) AS BIGINT) AS cost
        FROM $held AS h JOIN node AS n ON n.node = h.node
        GROUP BY n.level
        ORDER BY level
        """,
        held=_held(everywhere=everywhere),
    )
    return Step("ncp_by_level", "what is lost per level", query)


def _held(*, everywhere: bool) -> exp.Subquery:
    """One row (item, node, held): in how many transactions the item is at this node."""
    if everywhere:
        query = duck(
            """
            SELECT r.item AS item, r.node AS node, i.support AS held
            FROM recoded_item AS r JOIN item AS i ON i.item = r.item
            """
        )
        return query.subquery()
    query = duck(
        "SELECT r.item AS item, r.node AS node, COUNT(*) AS held FROM recoded AS r "
        "GROUP BY r.item, r.node"
    )
    return query.subquery()

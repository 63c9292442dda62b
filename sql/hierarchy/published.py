"""Choose what of a hierarchy may go with a release: all that its published labels need.

Reads given_hierarchy(name, level1, …), node(level, label), check_ancestor(name, level, label),
item(item, name, support[, persons]) and private_item(item). Makes published_node(level, name),
named_member(name) and readable(name, lowest): a leaf at or below a published node, with the lowest
level that may be shown, which is 0 for its own name.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.hierarchy.learned import held
from setveil.sql.hierarchy.trees import level_name
from setveil.sql.step import Step, duck, each, shown, term


def nodes(cells: exp.Expr) -> Step:
    """One row per node that the release publishes."""
    query = duck(
        """
        SELECT DISTINCT CAST(c.level AS INT) AS level, CAST(c.name AS TEXT) AS name
        FROM $cells AS c WHERE NOT c.name IS NULL
        """,
        cells=cells,
    )
    return Step("published_node", "each row is a node that the release publishes", query)


def strange(limit: int) -> Step:
    """Some published nodes that the hierarchy lacks: (level, name, found); `found` counts all."""
    query = duck(
        """
        SELECT p.level AS level, p.name AS name, COUNT(*) OVER () AS found
        FROM published_node AS p
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM node AS n WHERE n.level = p.level AND n.label = p.name
        )
        ORDER BY level, name
        LIMIT $limit
        """,
        limit=limit,
    )
    return Step("strange", "lists published nodes that the hierarchy lacks: none may be", query)


def members(k: int | None, *, persons: bool) -> Step:
    """One row per public item that k hold; without `k`, no row."""
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name
        FROM item AS i
        WHERE $enough
            AND NOT EXISTS (SELECT 1 AS one FROM private_item AS r WHERE r.item = i.item)
        """,
        enough=exp.false()
        if k is None
        else term("$held >= $k", held=held("i", persons=persons), k=k),
    )
    return Step(
        "named_member", "each row is an item that enough hold to be named below a node", query
    )


def readable(levels: int) -> Step:
    """One row per leaf at or below a published node: the lowest level that may be shown of it."""
    query = duck(
        """
        SELECT a.name AS name,
            MIN(CASE WHEN m.name IS NULL THEN a.level ELSE 0 END) AS lowest
        FROM check_ancestor AS a
        JOIN published_node AS p ON p.level = a.level AND p.name = a.label
        LEFT JOIN named_member AS m ON m.name = a.name
        WHERE a.level <= $levels
        GROUP BY a.name
        """,
        levels=levels,
    )
    return Step("readable", "each row is a leaf, and the lowest level shown of its path", query)


def written(levels: int) -> exp.Select:
    """The paths from the lowest level that may be shown; what is below it is NULL."""
    columns = [
        shown(
            "CASE WHEN r.lowest <= $level THEN g.$label END AS $name",
            level=level,
            label=level_name(level) if level else "name",
            name=level_name(level) if level else "item",
        )
        for level in range(levels + 1)
    ]
    rows = duck(
        """
        SELECT DISTINCT $columns
        FROM given_hierarchy AS g JOIN readable AS r ON r.name = g.name
        """,
        columns=columns,
    )
    return duck(
        "SELECT w.item AS item, $levels FROM $rows AS w ORDER BY $order",
        levels=each("w.level{n} AS level{n}", range(1, levels + 1)),
        rows=rows,
        order=[
            *each("COALESCE(w.level{n}, '')", range(levels, 0, -1)),
            term("COALESCE(w.item, '')"),
        ],
    )

"""Make a hierarchy from the rows that were read: its nodes, and the ancestors of every item.

Reads item(item, name) and given_hierarchy(name, level1, level2, …): one row per leaf, its ancestors
upwards without the root, NULL where its branch has no node on that level. Makes

  node(node, level, label, parent, leaves)   one row per node: leaves have level 0, the root, '*',
                                             is one level above the highest and has no parent
  path(item, node, level)                    one row per item of the data and ancestor: the item
                                             itself and the root included

Nodes are numbered densely. The leaf of item i is i; leaves that the data lacks follow in the order
of their names. All other nodes follow by level and label: on a level the smaller number is the
first by name, and the root is last. `leaves` counts the leaves of the hierarchy, including leaves
that the data lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.step import Step, cases, duck, duck_union, each, shown, term, together


def level_name(level: int) -> str:
    """The column of a level, in files and in relations."""
    return f"level{level}"


def given(rows: exp.Expr, item: exp.Expr, levels: Sequence[exp.Expr]) -> Step:
    """One row per leaf as given, all as text; duplicate rows are one."""
    text = "CAST($given AS TEXT) AS $name"
    named = {level_name(n): one for n, one in enumerate(levels, 1)}
    query = duck(
        "SELECT DISTINCT CAST($item AS TEXT) AS name, $levels FROM $rows",
        item=item,
        levels=[shown(text, given=one, name=name) for name, one in named.items()],
        rows=rows,
    )
    return Step("given_hierarchy", "each row is a leaf with the labels above it, as given", query)


def even(fanout: int, items: int, *, filled: bool = False) -> Step:
    """One row per item: neighbours by value share a node, and so on upwards to the root.

    A level of n nodes stands below n / fanout nodes, rounded up, which share it as evenly as
    possible; if `filled`, all but the last have as many as they can. A label shows the places of
    its items in their order: names could reveal private facts.
    """
    rows = duck(
        "SELECT i.item AS item, i.name AS name, CAST(i.item AS BIGINT) AS at0 FROM item AS i"
    )
    widths = even_widths(fanout, items)
    for level, (below, width) in enumerate(zip([items, *widths], widths, strict=False), 1):
        share = (1, fanout) if filled else (width, below)
        rows = duck(
            """
            SELECT e.item AS item, e.name AS name, $below, e.$under * $n // $m AS $at
            FROM $rows AS e
            """,
            below=each("e.at{n} AS at{n}", range(level)),
            under=f"at{level - 1}",
            at=f"at{level}",
            n=share[0],
            m=share[1],
            rows=rows,
        )
    query = duck(
        "SELECT CAST(e.name AS TEXT) AS name, $labels FROM $rows AS e",
        labels=[_even_label(level, items) for level in range(1, len(widths) + 1)],
        rows=rows,
    )
    why = f"each row is an item with its labels in an even tree of fan-out {fanout}"
    return Step("given_hierarchy", why, query)


def even_widths(fanout: int, items: int) -> list[int]:
    """The number of nodes that an even tree has on each level between its leaves and its root."""
    widths = []
    while items > fanout:
        items = -(-items // fanout)
        widths.append(items)
    return widths


def _even_label(level: int, items: int) -> exp.Expr:
    """The places of the first and the last item below a node: [01..24]."""
    ends = [
        _padded(term(f"{end}(e.item) OVER (PARTITION BY e.$at) + 1", at=f"at{level}"), items)
        for end in ("MIN", "MAX")
    ]
    text = "'[' || $first || '..' || $last || ']' AS $level"
    return shown(text, first=ends[0], last=ends[1], level=level_name(level))


def _padded(number: exp.Expr, largest: int) -> exp.Expr:
    """A number as text that sorts like the number."""
    digits = len(str(largest))
    if digits == 1:
        return term("CAST($number AS TEXT)", number=number)
    shorter = range(1, digits)
    zeros = " ".join(f"WHEN $number < {10**n} THEN '{'0' * (digits - n)}'" for n in shorter)
    return term(f"CASE {zeros} ELSE '' END || CAST($number AS TEXT)", number=number)


def faults(levels: int, limit: int) -> Step:
    """Some faults of each kind: (fault, name, first, last, found); `found` counts them all.

    The kinds are leaves without a name, leaves with two paths (the first and the last by text),
    leaves without a parent, and items that the hierarchy lacks.
    """
    query = duck(
        """
        SELECT r.fault AS fault, r.name AS name, r.first AS first, r.last AS last, r.found AS found
        FROM (
            SELECT f.fault AS fault, f.name AS name, f.first AS first, f.last AS last,
                COUNT(*) OVER (PARTITION BY f.fault) AS found,
                ROW_NUMBER() OVER (PARTITION BY f.fault ORDER BY f.name, f.first) AS place
            FROM $faults AS f
        ) AS r
        WHERE r.place <= $limit
        ORDER BY fault, place
        """,
        faults=duck_union(
            """
            SELECT 'nameless' AS fault, g.name AS name, $path AS first, $path AS last
            FROM given_hierarchy AS g WHERE g.name IS NULL
            UNION ALL
            SELECT 'twice' AS fault, g.name AS name, MIN($path) AS first, MAX($path) AS last
            FROM given_hierarchy AS g WHERE NOT g.name IS NULL
            GROUP BY g.name HAVING COUNT(*) > 1
            UNION ALL
            SELECT 'orphan' AS fault, g.name AS name, $path AS first, $path AS last
            FROM given_hierarchy AS g WHERE NOT g.name IS NULL AND $bare
            UNION ALL
            SELECT 'lacking' AS fault, CAST(i.name AS TEXT) AS name, '' AS first, '' AS last
            FROM item AS i
            WHERE NOT EXISTS (
                SELECT 1 AS one FROM given_hierarchy AS g WHERE g.name = CAST(i.name AS TEXT)
            )
            """,
            path=_path(levels),
            bare=_bare(levels),
        ),
        limit=limit,
    )
    return Step(
        "faults",
        "lists faults of the hierarchy: every item needs a name and exactly one path",
        query,
    )


def named_leaves() -> Step:
    """One row per leaf of the hierarchy: its name."""
    query = duck(
        "SELECT DISTINCT g.name AS name FROM given_hierarchy AS g WHERE NOT g.name IS NULL "
        "ORDER BY name"
    )
    return Step(
        "named_leaves",
        "lists the leaves, to suggest names for an item that the hierarchy lacks",
        query,
    )


def _path(levels: int) -> exp.Expr:
    """A path as text, for a message."""
    first = "'' || COALESCE(g.level1, '')" if levels else "''"
    return term(first + cases(" || COALESCE(' > ' || g.level{n}, '')", range(2, levels + 1)))


def _bare(levels: int) -> list[exp.Expr]:
    """The conditions that a leaf has no ancestor; without levels the condition is false."""
    return each("g.level{n} IS NULL", range(1, levels + 1)) or [exp.false()]


def leaves() -> Step:
    """One row per leaf: its number and its name."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (
                ORDER BY CASE WHEN i.item IS NULL THEN 1 ELSE 0 END, i.item, g.name
            ) - 1 AS INT) AS leaf,
            g.name AS name
        FROM given_hierarchy AS g LEFT JOIN item AS i ON CAST(i.name AS TEXT) = g.name
        """
    )
    return Step(
        "leaf",
        "each row is a leaf; leaves that occur in the data have the numbers of their items",
        query,
    )


def lineage(levels: int) -> Step:
    """One row per leaf and node on its path, with the next node above: (leaf, level, label, …)."""
    parts = [_lineage(level, levels) for level in range(levels + 1)]
    root = duck(
        """
        SELECT l.leaf AS leaf, $top AS level, '*' AS label,
            CAST(NULL AS INT) AS above, CAST(NULL AS TEXT) AS above_label
        FROM leaf AS l
        """,
        top=levels + 1,
    )
    return Step(
        "lineage",
        "each row is a leaf and a node above it, with the next node above that",
        together([*parts, root]),
    )


def _lineage(level: int, levels: int) -> exp.Select:
    """One row per leaf with a node on this level, and the next node above it."""
    higher = range(level + 1, levels + 1)
    above = cases("WHEN NOT g.level{n} IS NULL THEN {n}", higher)
    labels = cases("g.level{n},", higher)
    return duck(
        """
        SELECT l.leaf AS leaf, $level AS level, g.$label AS label,
            $above AS above, $above_label AS above_label
        FROM given_hierarchy AS g JOIN leaf AS l ON l.name = g.name
        WHERE $there
        """,
        level=level,
        label=level_name(level) if level else "name",
        above=term(f"CASE {above} ELSE {levels + 1} END") if higher else levels + 1,
        above_label=term(f"COALESCE({labels} '*')" if higher else "'*'"),
        there=each("NOT g.level{n} IS NULL", [level] if level else []),
    )


def named_nodes() -> Step:
    """One row per node: its number, level, label, and the number of leaves below it."""
    query = duck_union(
        """
        SELECT l.leaf AS node, 0 AS level, l.name AS label, 1 AS leaves FROM leaf AS l
        UNION ALL
        SELECT
            CAST(every.leaves + ROW_NUMBER() OVER (ORDER BY n.level, n.label) - 1 AS INT) AS node,
            n.level AS level, n.label AS label, n.leaves AS leaves
        FROM (
            SELECT a.level AS level, a.label AS label, CAST(COUNT(*) AS INT) AS leaves
            FROM lineage AS a WHERE a.level > 0 GROUP BY a.level, a.label
        ) AS n
        CROSS JOIN (SELECT COUNT(*) AS leaves FROM leaf AS l) AS every
        """
    )
    return Step(
        "named_node",
        "each row is a node: a level and a label, since labels repeat across levels",
        query,
    )


def strays(limit: int) -> Step:
    """Some nodes with two parents: (level, label, first, last, found); `found` counts them all.

    The first and the last parent by level and label, each as its level and its label.
    """
    query = duck(
        """
        SELECT s.level AS level, s.label AS label,
            s.low AS low, s.high AS high, s.first AS first, s.last AS last,
            COUNT(*) OVER () AS found
        FROM (
            SELECT a.level AS level, a.label AS label,
                MIN(a.above) AS low, MAX(a.above) AS high,
                MIN(a.above_label) AS first, MAX(a.above_label) AS last
            FROM lineage AS a WHERE NOT a.above IS NULL
            GROUP BY a.level, a.label
            HAVING MIN(a.above) < MAX(a.above) OR MIN(a.above_label) < MAX(a.above_label)
        ) AS s
        ORDER BY level, label
        LIMIT $limit
        """,
        limit=limit,
    )
    return Step("strays", "lists nodes with two parents: every node must have one", query)


def nodes() -> Step:
    """One row per node, with its parent."""
    query = duck(
        """
        SELECT n.node AS node, n.level AS level, n.label AS label, p.node AS parent,
            n.leaves AS leaves
        FROM named_node AS n
        LEFT JOIN (
            SELECT DISTINCT a.level AS level, a.label AS label,
                a.above AS above, a.above_label AS above_label
            FROM lineage AS a
        ) AS a ON a.level = n.level AND a.label = n.label
        LEFT JOIN named_node AS p ON p.level = a.above AND p.label = a.above_label
        ORDER BY node
        """
    )
    return Step(
        "node",
        "each row is a node of the hierarchy with its parent; leaves counts the leaves below it",
        query,
    )


def paths(items: int) -> Step:
    """One row per item of the data and node on its path, the item and the root included."""
    query = duck(
        """
        SELECT a.leaf AS item, n.node AS node, n.level AS level
        FROM lineage AS a JOIN named_node AS n ON n.level = a.level AND n.label = a.label
        WHERE a.leaf < $items
        ORDER BY item, level
        """,
        items=items,
    )
    return Step(
        "path", "each row is an item and a node above it, to which it can be generalized", query
    )


def names() -> Step:
    """One row per item: its name as text."""
    query = duck("SELECT CAST(i.name AS TEXT) AS name FROM item AS i ORDER BY i.item")
    return Step(
        "names", "lists the names of all items, for which a hierarchy is to be written", query
    )


def written(levels: int) -> exp.Select:
    """The hierarchy as a file keeps it, leaves in the order of their numbers."""
    return duck(
        """
        SELECT g.name AS item, $levels
        FROM given_hierarchy AS g JOIN node AS n ON n.label = g.name AND n.level = 0
        ORDER BY n.node
        """,
        levels=each("g.level{n} AS level{n}", range(1, levels + 1)),
    )


def sizes() -> Step:
    """One row per level, from the leaves up: its number of nodes."""
    query = duck(
        "SELECT n.level AS level, COUNT(*) AS nodes FROM node AS n GROUP BY n.level ORDER BY level"
    )
    return Step("sizes", "counts the nodes of each level", query)

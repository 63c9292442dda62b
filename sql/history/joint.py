"""Join all that several releases show of a transaction, and count who is exposed by it.

Reads the relations of `shown`, and the groups to judge: history_group(group_no, kind), the
presences of the transactions of a group, and history_of(group_no, release), the releases that show
them. history_left(part) has the parts to judge. Makes history_member(part, group_no,
tid), the transactions of each part, and history_cell(key, name), what their group shows of them. A
part is a group, or the transactions of a group that share their slices. Keys and names have the
number of their part in them, so no set of items spans two parts: a checker judges all parts at
once. Node 0 stands for the part itself: it lets a checker count transactions without items.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck, duck_union, joins, shown, term, together

RELEASES = 64  # twins of k-anonymity agree in every release: a node is node * RELEASES + release


def members() -> Step:
    """One row per group and transaction of it."""
    query = duck(
        """
        SELECT g.group_no AS part, g.group_no AS group_no, p.tid AS tid
        FROM history_group AS g JOIN history_presence AS p ON p.kind = g.kind
        JOIN history_left AS l ON l.part = g.group_no
        """
    )
    return Step(
        "history_member",
        "each row is a group of transactions in exactly the same releases, and one of them",
        query,
    )


def vectors() -> Step:
    """One row per group and transaction of it, with its slice in each release that has slices."""
    query = duck(
        """
        SELECT v.group_no AS group_no, v.tid AS tid, v.slices AS slices,
            DENSE_RANK() OVER (ORDER BY v.group_no, v.slices) - 1 AS part
        FROM (
            SELECT g.group_no AS group_no, p.tid AS tid,
                STRING_AGG(s.slice, ', ' ORDER BY s.release) AS slices
            FROM history_group AS g
            JOIN history_presence AS p ON p.kind = g.kind
            JOIN history_of AS o ON o.group_no = g.group_no
            JOIN history_slice AS s ON s.release = o.release AND s.tid = p.tid
            GROUP BY g.group_no, p.tid
        ) AS v
        """
    )
    return Step(
        "history_vector",
        "each row is a transaction of a group, and the slice of it in each release with slices",
        query,
    )


def vectors_counted() -> Step:
    """One row: the number of parts."""
    query = duck("SELECT COUNT(DISTINCT v.part) AS parts FROM history_vector AS v")
    return Step("history_vectors", "counts the parts of transactions that share slices", query)


def members_by_slice() -> Step:
    """One row per part of a group and transaction of it: those of a part share their slices."""
    query = duck(
        """
        SELECT v.part AS part, v.group_no AS group_no, v.tid AS tid FROM history_vector AS v
        JOIN history_left AS l ON l.part = v.part
        """
    )
    return Step(
        "history_member",
        "each row is a part of a group, whose transactions share their slices, and one of them",
        query,
    )


def union_cells(*, twins: bool, empty: bool) -> Step:
    """One row per transaction of a part and item that any release of its group shows.

    For `twins` a node of each release counts for itself. With `empty`, each transaction has node 0.
    """
    node = term("s.node * $many + s.release", many=RELEASES) if twins else term("s.node")
    query: exp.Query = duck(
        """
        SELECT DISTINCT m.part * $base + m.tid AS key, m.part * $base + $node AS name
        FROM history_member AS m
        JOIN history_of AS o ON o.group_no = m.group_no
        JOIN history_shown AS s ON s.tid = m.tid AND s.release = o.release
        """,
        base=PAIR,
        node=node,
    )
    return _cells(query, empty=empty)


def joint_cells(*, empty: bool) -> Step:
    """One row per transaction of a part and joint node: the tuple of an item's nodes."""
    query = duck(
        """
        SELECT DISTINCT j.part * $base + j.tid AS key, j.part * $base + t.node AS name
        FROM history_joint AS j
        JOIN history_tuple AS t ON t.deepest = j.deepest AND t.shown = j.shown
        """,
        base=PAIR,
    )
    return _cells(query, empty=empty)


def _cells(query: exp.Query, *, empty: bool) -> Step:
    alone = duck(
        "SELECT m.part * $base + m.tid AS key, m.part * $base AS name FROM history_member AS m",
        base=PAIR,
    )
    return Step(
        "history_cell",
        "each row is a transaction and an item that the releases together show of it; both have "
        "the number of their part, so no set of items spans two parts",
        together([query, alone]) if empty else query,
    )


def roles(given: exp.Expr, nodes: str, *, twins: bool) -> exp.Subquery:
    """One row (label, private) per name of a cell, from rows (label, private) of the items.

    Nodes above level 0 are public. An attacker who knows node 0 knows nothing.
    """
    node = term("LOW(c.name, $base)", base=PAIR)
    if twins:
        node = term("LOW(c.name, $base) // $many", base=PAIR, many=RELEASES)
    query = duck_union(
        """
        SELECT CAST(c.name AS TEXT) AS label, r.private AS private
        FROM $names AS c
        JOIN $nodes AS n ON n.node = $node
        JOIN $roles AS r ON r.label = n.label
        WHERE n.level = 0
        UNION ALL
        SELECT CAST(c.name AS TEXT) AS label, 0 AS private
        FROM $names AS c
        LEFT JOIN $nodes AS n ON n.node = $node
        WHERE n.node IS NULL OR n.level > 0
        """,
        names=_names(),
        nodes=nodes,
        roles=given,
        node=node,
    )
    return query.subquery()


def label_rows(given: exp.Expr, nodes: str) -> exp.Subquery:
    """One row (label) per name of a cell whose item is among the rows (label).

    A node above level 0 is no such item, whatever its label.
    """
    query = duck(
        """
        SELECT CAST(c.name AS TEXT) AS label
        FROM $names AS c
        JOIN $nodes AS n ON n.node = LOW(c.name, $base)
        JOIN $labels AS r ON r.label = n.label
        WHERE n.level = 0
        """,
        names=_names(),
        nodes=nodes,
        labels=given,
        base=PAIR,
    )
    return query.subquery()


def _names() -> exp.Select:
    return duck("SELECT DISTINCT h.name AS name FROM history_cell AS h")


def owner_rows() -> exp.Subquery:
    """The rows (key, person) of the transactions of all parts."""
    query = duck(
        """
        SELECT m.part * $base + m.tid AS key, o.person AS person
        FROM history_member AS m JOIN history_owner AS o ON o.tid = m.tid
        """,
        base=PAIR,
    )
    return query.subquery()


def parts(*, persons: bool, sliced: bool) -> Step:
    """One row per part: its group, transactions, persons and slices."""
    query = duck(
        """
        SELECT m.part AS part, MIN(m.group_no) AS group_no, COUNT(DISTINCT m.tid) AS transactions,
            $persons, $slices
        FROM history_member AS m JOIN $more
        GROUP BY m.part ORDER BY part
        """,
        persons=[shown("COUNT(DISTINCT o.person) AS persons")] if persons else [],
        slices=[shown("MIN(v.slices) AS slices")] if sliced else [],
        more=_more(persons=persons, sliced=sliced),
    )
    return Step("history_parts", "counts the transactions of each part", query)


def _more(*, persons: bool, sliced: bool) -> list[exp.Expr]:
    vector = "JOIN history_vector AS v ON v.part = m.part AND v.tid = m.tid"
    return [
        *joins("JOIN history_owner AS o ON o.tid = m.tid", [0] if persons else []),
        *joins(vector, [0] if sliced else []),
    ]


# Transactions with a violation


def exposed(*, persons: bool) -> Step:
    """One row per part: transactions that hold a set of history_set(number, part, node, size).

    With persons, also the persons of these transactions.
    """
    query = duck(
        """
        SELECT h.part AS part, COUNT(DISTINCT h.tid) AS transactions, $persons
        FROM (
            SELECT s.number AS number, s.part AS part, LOW(c.key, $base) AS tid
            FROM history_set AS s
            JOIN history_cell AS c ON c.name = CAST(s.part AS BIGINT) * $base + s.node
            GROUP BY s.number, s.part, s.size, c.key
            HAVING COUNT(*) = s.size
        ) AS h
        JOIN $owner
        GROUP BY h.part ORDER BY part
        """,
        base=PAIR,
        persons=[shown("COUNT(DISTINCT o.person) AS persons")] if persons else [],
        owner=joins("JOIN history_owner AS o ON o.tid = h.tid", [0] if persons else []),
    )
    return Step(
        "history_exposed",
        "counts the transactions that hold a set of items that too few others hold",
        query,
    )


def exposed_twins(k: int, *, persons: bool) -> Step:
    """One row per part: transactions with too few twins, and the persons of these."""
    unit = "COUNT(DISTINCT o.person)" if persons else "COUNT(*)"
    owner = joins(
        "JOIN history_owner AS o ON o.tid = LOW(t.key, $base)".replace("$base", str(PAIR)),
        [0] if persons else [],
    )
    query = duck(
        """
        WITH twin AS (
            SELECT c.key AS key, STRING_AGG(CAST(c.name AS TEXT), ' ' ORDER BY c.name) AS nodes
            FROM history_cell AS c GROUP BY c.key
        ), few AS (
            SELECT t.nodes AS nodes FROM twin AS t JOIN $owner
            GROUP BY t.nodes HAVING $unit < $k
        )
        SELECT HIGH(t.key, $base) AS part, COUNT(*) AS transactions, $persons
        FROM twin AS t JOIN few AS f ON f.nodes = t.nodes JOIN $owner
        GROUP BY HIGH(t.key, $base) ORDER BY part
        """,
        base=PAIR,
        owner=owner,
        unit=term(unit),
        k=k,
        persons=[shown("COUNT(DISTINCT o.person) AS persons")] if persons else [],
    )
    return Step("history_exposed", "counts the transactions with too few twins", query)


def met(nodes: str = "history_node") -> Step:
    """One row per node of history_met(node): its level and label."""
    query = duck(
        """
        SELECT n.node AS node, n.level AS level, n.label AS label
        FROM history_met AS m JOIN $nodes AS n ON n.node = m.node
        ORDER BY node
        """,
        nodes=nodes,
    )
    return Step("history_names", "lists the names of the nodes of violations", query)

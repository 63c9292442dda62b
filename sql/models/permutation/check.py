"""Check groups of transactions that publish their sensitive items together.

Reads cells (key, name), where a row without a name says only that the transaction exists; rows
(key, number) with the group of each transaction; rows (number, name, held) with the transactions
of a group that hold an item; and the labels of sensitive items. Groups are compared as text. The
checker shares nothing with the anonymizer.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, duck_union, shown, together


def groups_of(relation: str | exp.Expr, key: exp.Column, group: exp.Column) -> exp.Subquery:
    """One row (key, number) per row of the first relation: the transaction and its group."""
    query = duck(
        "SELECT r.$key AS key, CAST(r.$group AS TEXT) AS number FROM $rows AS r",
        key=key,
        group=group,
        rows=relation,
    )
    return query.subquery()


def counts_of(relation: str | exp.Expr, group: str, item: str, count: str) -> exp.Subquery:
    """One row (number, name, held) per row of the second relation."""
    query = duck(
        """
        SELECT CAST(r.$group AS TEXT) AS number, r.$item AS name,
            CAST(r.$count AS BIGINT) AS held
        FROM $rows AS r
        """,
        group=column(group),
        item=column(item),
        count=column(count),
        rows=relation,
    )
    return query.subquery()


def slices_of(
    first: str | exp.Expr, second: str | exp.Expr, group: str, slice_column: str
) -> exp.Subquery:
    """One row (number, slice) per row of either relation: its group, and its slice."""
    query = duck_union(
        """
        SELECT CAST(r.$group AS TEXT) AS number, r.$slice AS slice FROM $first AS r
        UNION ALL
        SELECT CAST(c.$group AS TEXT) AS number, c.$slice AS slice FROM $second AS c
        """,
        group=column(group),
        slice=column(slice_column),
        first=first,
        second=second,
    )
    return query.subquery()


def counted(counts: exp.Expr, relation: str) -> Step:
    """One row per row of the second relation, which another run made."""
    query = duck(
        "SELECT c.number AS number, c.name AS name, c.held AS held FROM $counts AS c", counts=counts
    )
    return Step(relation, "each row is a group, an item and how many hold it, read again", query)


def with_items_of(counts: exp.Expr, *, persons: bool) -> Step:
    """Add the items of the second relation to `item`, so that lists can name them.

    Where items have a number of persons, it is that of transactions here, each of another person.
    """
    query = duck(
        """
        SELECT CAST(m.most + ROW_NUMBER() OVER (ORDER BY c.name) AS INT) AS item, c.name AS name,
            c.support AS support, $persons
        FROM (
            SELECT r.name AS name, CAST(COALESCE(SUM(r.held), 0) AS BIGINT) AS support
            FROM $counts AS r WHERE NOT r.name IS NULL
            GROUP BY r.name
        ) AS c
        CROSS JOIN (SELECT COALESCE(MAX(i.item), -1) AS most FROM item AS i) AS m
        WHERE NOT EXISTS (
            SELECT 1 AS one FROM item AS i WHERE CAST(i.name AS TEXT) = CAST(c.name AS TEXT)
        )
        """,
        counts=counts,
        persons=[shown("c.support AS persons"), shown("1 AS most")] if persons else [],
    )
    return Step("item", "adds the items of the second relation, to look up names", query)


def unkeyed(cells: exp.Expr) -> Step:
    """One row: the number of rows without a transaction id."""
    query = duck("SELECT COUNT(*) AS unkeyed FROM $cells AS r WHERE r.key IS NULL", cells=cells)
    return Step("check_unkeyed", "counts rows without a transaction id: there must be none", query)


def members(groups: exp.Expr) -> Step:
    """One row per transaction and group that it is in."""
    query = duck(
        "SELECT DISTINCT g.key AS key, g.number AS number FROM $groups AS g", groups=groups
    )
    return Step("check_member", "each row is a transaction of the release and its group", query)


def sizes() -> Step:
    """One row per group: its transactions."""
    query = duck(
        """
        SELECT m.number AS number, COUNT(*) AS size FROM check_member AS m
        WHERE NOT m.number IS NULL AND NOT m.key IS NULL
        GROUP BY m.number
        """
    )
    return Step("check_size", "each row is a group and the number of its transactions", query)


def counts(counts: exp.Expr) -> Step:
    """One row per group and item of the second relation: the transactions that hold it."""
    query = duck(
        """
        SELECT c.number AS number, CAST(c.name AS TEXT) AS name,
            CAST(SUM(c.held) AS BIGINT) AS held, MIN(COALESCE(c.held, 0)) AS least
        FROM $counts AS c
        GROUP BY c.number, CAST(c.name AS TEXT)
        """,
        counts=counts,
    )
    return Step("check_count", "each row is a group, an item and how many hold it", query)


def faults(
    cells: exp.Expr,
    sensitive: exp.Expr,
    degree: int,
    *,
    persons: bool,
    slices: exp.Expr | None = None,
) -> Step:
    """One row per fault, `kind` saying which, with the worst first in the order of `share`.

    1: a group holds an item too often, or says so in no number of at least 1. 2: a sensitive item
    stands in the first relation. 3: a transaction is in no group or in several. 4, with persons: a
    group has several transactions of one person. 5, with the `slices` of groups: a group is in
    several, or in none.
    """
    query: exp.Query = duck_union(
        """
        SELECT 1 AS kind, c.number AS number, c.name AS name, COALESCE(c.held, 0) AS held,
            COALESCE(s.size, 0) AS size
        FROM check_count AS c LEFT JOIN check_size AS s ON s.number = c.number
        WHERE c.least < 1 OR c.name IS NULL OR c.held * $degree > COALESCE(s.size, 0)
        UNION ALL
        SELECT 2 AS kind, CAST(NULL AS TEXT) AS number, o.name AS name, o.held AS held,
            o.held AS size
        FROM (
            SELECT l.label AS name, COUNT(DISTINCT r.key) AS held
            FROM $cells AS r JOIN $sensitive AS l ON l.label = CAST(r.name AS TEXT)
            GROUP BY l.label
        ) AS o
        UNION ALL
        SELECT 3 AS kind, CAST(NULL AS TEXT) AS number, CAST(NULL AS TEXT) AS name,
            t.groups AS held, t.groups AS size
        FROM (
            SELECT m.key AS key, COUNT(m.number) AS groups, COUNT(*) AS stated
            FROM check_member AS m GROUP BY m.key
        ) AS t
        WHERE t.groups <> 1 OR t.stated <> 1 OR t.key IS NULL
        """,
        degree=degree,
        cells=cells,
        sensitive=sensitive,
    )
    if persons:
        query = together([query, _crowded_persons()])
    if slices is not None:
        query = together([query, _torn_groups(slices)])
    return Step("check_fault", "each row is a fault of the release: there must be none", query)


def _crowded_persons() -> exp.Select:
    return duck(
        """
        SELECT 4 AS kind, p.number AS number, CAST(NULL AS TEXT) AS name, p.held AS held,
            p.held AS size
        FROM (
            SELECT m.number AS number, o.person AS person, COUNT(*) AS held
            FROM check_member AS m JOIN check_owner AS o ON o.key = m.key
            GROUP BY m.number, o.person
        ) AS p
        WHERE p.held > 1
        """
    )


def _torn_groups(slices: exp.Expr) -> exp.Select:
    return duck(
        """
        SELECT 5 AS kind, t.number AS number, CAST(NULL AS TEXT) AS name, t.held AS held,
            t.held AS size
        FROM (
            SELECT s.number AS number, COUNT(DISTINCT s.slice) AS held, COUNT(*) AS stated,
                COUNT(s.slice) AS sliced
            FROM $slices AS s GROUP BY s.number
        ) AS t
        WHERE t.held <> 1 OR t.stated <> t.sliced
        """,
        slices=slices,
    )


def summary() -> Step:
    """One row: the faults, the counts of items that were checked, and the sizes."""
    query = duck(
        """
        SELECT f.found AS found, c.checked AS checked, s.sized AS sized, s.smallest AS smallest,
            t.transactions AS transactions
        FROM (SELECT COUNT(*) AS found FROM check_fault AS r) AS f
        CROSS JOIN (SELECT COUNT(*) AS checked FROM check_count AS r) AS c
        CROSS JOIN (
            SELECT COUNT(*) AS sized, COALESCE(MIN(r.size), 0) AS smallest FROM check_size AS r
        ) AS s
        CROSS JOIN (
            SELECT COUNT(*) AS transactions
            FROM (SELECT DISTINCT m.key AS key FROM check_member AS m) AS r
        ) AS t
        """
    )
    return Step("check_summary", "counts the faults, and what was checked", query)


def worst(limit: int) -> Step:
    """The worst faults: the groups with the highest shares first."""
    query = duck(
        """
        SELECT f.kind AS kind, f.number AS number, f.name AS name, f.held AS held, f.size AS size
        FROM check_fault AS f
        ORDER BY f.kind, f.held * 1000000 // CASE WHEN f.size > 0 THEN f.size ELSE 1 END DESC,
            f.held DESC, f.number, f.name
        LIMIT $limit
        """,
        limit=limit,
    )
    return Step("check_worst", "lists the worst faults", query)

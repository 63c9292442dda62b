"""Publish the groups: the other items with their group, and the sensitive items per group.

Reads member(tid, team), the groups by any number; queue(tid, place), the transactions with other
items; ranked(tid, place); and sensitive_item(item). Makes grouping(tid, number), the numbers that
are published; release, the rows of the source without sensitive items and with their group; and
release_sensitive, one row per group and sensitive item.

A transaction without other items must hold a sensitive one, or was empty. No group could hide that,
so its sensitive items are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, user_columns

SENSITIVE = "release_sensitive"


def grouping() -> Step:
    """One row per transaction: the number of its group, in the order of the groups' first ids."""
    query = duck(
        """
        SELECT m.tid AS tid, CAST(n.number AS INT) AS number
        FROM member AS m
        JOIN (
            SELECT f.team AS team, ROW_NUMBER() OVER (ORDER BY f.place) AS number
            FROM (
                SELECT t.team AS team, MIN(r.place) AS place
                FROM member AS t JOIN ranked AS r ON r.tid = t.tid
                GROUP BY t.team
            ) AS f
        ) AS n ON n.team = m.team
        """
    )
    return Step(
        "grouping",
        "each row is a transaction and its group; groups are numbered in the order of ids",
        query,
    )


def released(made: Step, columns: Sequence[str], key: exp.Column, group: str) -> Step:
    """The rows of a release without sensitive items, each with the group of its transaction."""
    query = duck(
        """
        SELECT $columns, g.number AS $group
        FROM $rows AS r
        JOIN basket AS b ON b.key = r.$key
        JOIN grouping AS g ON g.tid = b.tid
        """,
        columns=user_columns("r", columns),
        group=column(group),
        rows=made.query.subquery(),
        key=key,
    )
    return Step(
        "release", "each row is a row of the source without sensitive items, with its group", query
    )


def secrets() -> exp.Select:
    """The rows (tid, code) of sensitive items in transactions with other items."""
    return duck("SELECT c.tid AS tid, c.code AS code FROM clash AS c WHERE c.code >= 0")


def held() -> Step:
    """One row per group and sensitive item: the transactions of the group that hold it."""
    query = duck(
        """
        SELECT g.number AS number, c.code AS code, CAST(COUNT(*) AS INT) AS held
        FROM clash AS c JOIN grouping AS g ON g.tid = c.tid
        WHERE c.code >= 0
        GROUP BY g.number, c.code
        """
    )
    return Step("held", "each row is a group, a sensitive item and how many hold it", query)


def counted(group: str, item: str, count: str, number: str) -> Step:
    """One row per group and sensitive item, by name, and how many of the group hold it."""
    query = duck(
        """
        SELECT h.number AS $group, i.name AS $item, h.held AS $count, i.item AS $place
        FROM held AS h JOIN item AS i ON i.item = h.code
        """,
        group=column(group),
        item=column(item),
        count=column(count),
        place=column(number),
    )
    return Step(SENSITIVE, "each row is a group, a sensitive item and how many hold it", query)


def sizes() -> Step:
    """One row: the groups, the smallest and the largest group, and what is left out.

    Left out are the sensitive items of transactions without others.
    """
    query = duck(
        """
        SELECT n.sized AS sized, n.smallest AS smallest, n.largest AS largest,
            b.blank AS blank, s.held AS held, s.held - c.published AS left_out
        FROM (
            SELECT COUNT(*) AS sized, COALESCE(MIN(g.size), 0) AS smallest,
                COALESCE(MAX(g.size), 0) AS largest
            FROM (
                SELECT m.number AS number, COUNT(*) AS size
                FROM grouping AS m JOIN queue AS q ON q.tid = m.tid
                GROUP BY m.number
            ) AS g
        ) AS n
        CROSS JOIN (
            SELECT COUNT(*) AS blank
            FROM (SELECT DISTINCT o.tid AS tid FROM occurrence AS o) AS a
            WHERE NOT EXISTS (SELECT 1 AS one FROM queue AS q WHERE q.tid = a.tid)
        ) AS b
        CROSS JOIN (
            SELECT COUNT(*) AS held
            FROM occurrence AS o JOIN sensitive_item AS i ON i.item = o.item
        ) AS s
        CROSS JOIN (SELECT COUNT(*) AS published FROM clash AS c WHERE c.code >= 0) AS c
        """
    )
    return Step("group_sizes", "counts the groups and what they leave out", query)

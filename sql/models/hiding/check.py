"""Check beside its original whether a release hides restrictive patterns.

Reads the cells (key, name) of both, which are matched by the texts of keys and names, and
check_pattern(pattern, item). A word is a BIGINT with one bit for each of 63 transactions. A cell is
one number for an item and a word. The bits that `a` has and `b` lacks are `a - (a & b)`. The
checker shares nothing with the anonymizer. Definition: Oliveira and Zaïane, TR 02-13, 2002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck, duck_union, limited, term


def of_release(original: exp.Expr, release: exp.Expr) -> exp.Subquery:
    """The rows (key, name) of the original, of transactions that the release has."""
    query = duck(
        """
        SELECT o.key AS key, o.name AS name FROM $original AS o
        WHERE EXISTS (
            SELECT 1 AS one FROM $release AS r WHERE CAST(r.key AS TEXT) = CAST(o.key AS TEXT)
        )
        """,
        original=original,
        release=release,
    )
    return query.subquery()


def keys(original: exp.Expr, released: exp.Expr) -> Step:
    """One row per transaction of either side, by the text of its key."""
    query = _labels("tid", "key", original, released)
    return Step(
        "check_key",
        "each row is a transaction of the original or the release, matched by key",
        query,
    )


def items(original: exp.Expr, released: exp.Expr) -> Step:
    """One row per item of either side, by the text of its name."""
    query = _labels("item", "name", original, released)
    return Step(
        "check_item", "each row is an item of the original or the release, matched by name", query
    )


def _labels(number: str, given: str, original: exp.Expr, released: exp.Expr) -> exp.Select:
    return duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY n.label) - 1 AS INT) AS $number, n.label AS label
        FROM (
            SELECT CAST(w.given AS VARCHAR) AS label
            FROM (SELECT DISTINCT o.$given AS given FROM $original AS o) AS w
            WHERE NOT w.given IS NULL
            UNION
            SELECT CAST(i.given AS VARCHAR) AS label
            FROM (SELECT DISTINCT r.$given AS given FROM $released AS r) AS i
            WHERE NOT i.given IS NULL
        ) AS n
        """,
        number=number,
        given=given,
        original=original,
        released=released,
    )


def words(name: str, cells: exp.Expr) -> Step:
    """One row per item and word that holds it: a cell, with the bits of its transactions."""
    query = duck(
        """
        WITH known AS (
            SELECT g.key AS key, t.tid AS tid
            FROM (SELECT DISTINCT c.key AS key FROM $cells AS c) AS g
            JOIN check_key AS t ON t.label = CAST(g.key AS VARCHAR)
        ), named AS (
            SELECT g.name AS name, i.item AS item
            FROM (SELECT DISTINCT c.name AS name FROM $cells AS c) AS g
            JOIN check_item AS i ON i.label = CAST(g.name AS VARCHAR)
        )
        SELECT
            CAST(n.item AS BIGINT) * $base + HIGH(k.tid, 63) AS cell,
            BIT_OR(CAST(1 AS BIGINT) << CAST(LOW(k.tid, 63) AS INT)) AS bits
        FROM $cells AS c
        JOIN known AS k ON k.key = c.key
        JOIN named AS n ON n.name = c.name
        GROUP BY CAST(n.item AS BIGINT) * $base + HIGH(k.tid, 63)
        """,
        cells=cells,
        base=PAIR,
    )
    side = _side(name)
    why = f"each row is an item and a word of bits: one bit per transaction of the {side} with it"
    return Step(name, why, query)


def cohorts(name: str, words: str) -> Step:
    """One row per restrictive pattern and word that holds it, with the bits of its transactions."""
    query = duck(
        """
        SELECT h.pattern AS pattern, h.word AS word, BIT_AND(h.bits) AS bits
        FROM (
            SELECT p.pattern AS pattern, LOW(w.cell, $base) AS word, w.bits AS bits
            FROM check_pattern AS p
            JOIN $words AS w ON HIGH(w.cell, $base) = p.item
        ) AS h
        JOIN (SELECT pattern, COUNT(*) AS size FROM check_pattern GROUP BY pattern) AS n
            ON n.pattern = h.pattern
        GROUP BY h.pattern, h.word, n.size
        HAVING COUNT(*) = n.size AND BIT_AND(h.bits) <> 0
        """,
        words=words,
        base=PAIR,
    )
    return Step(
        name,
        f"each row is a pattern and a word of bits: its transactions in the {_side(name)}",
        query,
    )


def _side(name: str) -> str:
    """The side whose transactions a relation has."""
    return "original" if name in ("check_was", "check_cohort") else "release"


def excused() -> Step:
    """One row per cell that may lose transactions: those that held a pattern with its item."""
    query = duck(
        """
        SELECT CAST(p.item AS BIGINT) * $base + c.word AS cell, BIT_OR(c.bits) AS bits
        FROM check_pattern AS p JOIN check_cohort AS c ON c.pattern = p.pattern
        GROUP BY CAST(p.item AS BIGINT) * $base + c.word
        """,
        base=PAIR,
    )
    return Step(
        "check_excused",
        "each row is an item and a word of bits: the transactions that may lose it to a pattern",
        query,
    )


def changes() -> Step:
    """One row per changed cell: the transactions it gained, lost, and lost for no pattern."""
    query = duck_union(
        """
        SELECT g.cell AS cell, 0 AS added, ONES(g.bits) AS removed,
            ONES(g.bits - (g.bits & COALESCE(e.bits, 0))) AS stray
        FROM (
            SELECT w.cell AS cell, w.bits - (w.bits & COALESCE(i.bits, 0)) AS bits
            FROM check_was AS w LEFT JOIN check_is AS i ON i.cell = w.cell
        ) AS g
        LEFT JOIN check_excused AS e ON e.cell = g.cell
        WHERE g.bits <> 0
        UNION ALL
        SELECT m.cell AS cell, ONES(m.bits) AS added, 0 AS removed, 0 AS stray
        FROM (
            SELECT i.cell AS cell, i.bits - (i.bits & COALESCE(w.bits, 0)) AS bits
            FROM check_is AS i LEFT JOIN check_was AS w ON w.cell = i.cell
        ) AS m
        WHERE m.bits <> 0
        """
    )
    return Step(
        "check_change",
        "each row is a cell that changed, with the transactions it gained and lost",
        query,
    )


def totals() -> Step:
    """One row: the occurrences that were added, removed, and removed for no pattern."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(added), 0) AS BIGINT) AS added,
            CAST(COALESCE(SUM(removed), 0) AS BIGINT) AS removed,
            CAST(COALESCE(SUM(stray), 0) AS BIGINT) AS stray
        FROM check_change
        """
    )
    return Step(
        "check_totals",
        "counts occurrences that were added, removed, and removed without a pattern as reason",
        query,
    )


def tampered(limit: int | None) -> Step:
    """One row per item with changes for no pattern, by their number, then by name."""
    query = duck(
        """
        SELECT i.label AS label, s.added AS added, s.stray AS stray
        FROM (
            SELECT HIGH(c.cell, $base) AS item,
                CAST(SUM(c.added) AS BIGINT) AS added, CAST(SUM(c.stray) AS BIGINT) AS stray
            FROM check_change AS c
            WHERE c.added + c.stray > 0
            GROUP BY HIGH(c.cell, $base)
        ) AS s
        JOIN check_item AS i ON i.item = s.item
        ORDER BY s.added + s.stray DESC, label
        """,
        base=PAIR,
    )
    return Step(
        "check_tampered",
        "lists items that were changed without a pattern as reason",
        limited(query, limit),
    )


def supports() -> Step:
    """One row per restrictive pattern: its support in the original and in the release."""
    query = duck(
        """
        SELECT p.pattern AS pattern, COALESCE(w.support, 0) AS was, COALESCE(i.support, 0) AS stays
        FROM (SELECT DISTINCT pattern FROM check_pattern) AS p
        LEFT JOIN (
            SELECT pattern, CAST(SUM(ONES(bits)) AS BIGINT) AS support
            FROM check_cohort GROUP BY pattern
        ) AS w ON w.pattern = p.pattern
        LEFT JOIN (
            SELECT pattern, CAST(SUM(ONES(bits)) AS BIGINT) AS support
            FROM check_left GROUP BY pattern
        ) AS i ON i.pattern = p.pattern
        ORDER BY pattern
        """
    )
    return Step(
        "check_supports",
        "lists the support of every pattern in the original and in the release",
        query,
    )


def labels() -> Step:
    """One row per item of the original or the release: its name as text."""
    query = duck("SELECT i.label AS name FROM check_item AS i ORDER BY name")
    return Step(
        "labels",
        "lists the names of all items, to suggest one for a name that neither side holds",
        query,
    )


def below(support: int) -> exp.Expr:
    """Do fewer transactions hold a pattern s?"""
    return term("s.stays < $support", support=support)


def within(shares: Mapping[tuple[int, int], Sequence[int]]) -> exp.Expr:
    """Does a pattern s keep at most its share of its support? `shares` maps shares to patterns."""
    kept = [
        term("s.stays * $under <= $over * s.was", over=over, under=under)
        if len(shares) == 1
        else exp.and_(
            exp.column("pattern", table="s").isin(*numbers),
            term("s.stays * $under <= $over * s.was", over=over, under=under),
        )
        for (over, under), numbers in shares.items()
    ]
    return exp.or_(*kept) if kept else exp.true()


def named_items() -> Step:
    """One row per name that the caller gave and an item has."""
    query = duck(
        """
        SELECT n.name AS name, i.item AS item
        FROM named AS n JOIN check_item AS i ON i.label = n.name
        ORDER BY name
        """
    )
    return Step("check_named", "lists the items of --patterns", query)


def lines(relation: str) -> Step:
    """One row: the transactions that were read, each from a line of its own."""
    query = duck("SELECT COUNT(*) AS lines FROM $rows AS r", rows=relation)
    return Step(
        "check_lines",
        "counts the transactions: without keys, lines are matched in their order",
        query,
    )

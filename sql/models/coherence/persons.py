"""Count the persons of itemsets, where a set must be held by k persons.

An itemset is in doubt if its k or more transactions could be of fewer than k persons. So it is if a
private item could belong to too large a share of its persons. One person has at most `most`
transactions with an item, so t transactions are of at least t / most persons. Level n makes
doubtful_n, the itemsets in doubt; held_n(id, tid, person), their transactions; persons_n(id,
persons); and reached_n(id, item, persons), the persons of whom a private item might be revealed.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from setveil.sql.levels import item, members, table
from setveil.sql.models.coherence.search import cohort
from setveil.sql.step import Step, duck, each, joins, term


def known_persons() -> Step:
    """One row per public item: its persons were counted when the data was read."""
    query = duck(
        """
        SELECT c.id AS id, i.persons AS persons
        FROM counted_1 AS c JOIN item AS i ON i.item = c.item_1
        """
    )
    return Step(
        "persons_1", "each row is a public item and the number of persons who hold it", query
    )


def held_alone(k: int) -> Step:
    """One row per public item with enough persons, transaction that holds it, and its person."""
    query = duck(
        """
        SELECT p.id AS id, o.tid AS tid, b.person AS person
        FROM persons_1 AS p
        JOIN occurrence AS o ON o.item = p.id
        JOIN basket AS b ON b.tid = o.tid
        WHERE p.persons >= $k AND EXISTS (SELECT 1 AS one FROM link_1 AS l WHERE l.id = p.id)
        """,
        k=k,
    )
    return Step(
        "held_1", "each row is a public item, a transaction that holds it, its person", query
    )


def doubtful(level: int, h: Fraction, k: int, *, private: bool) -> Step:
    """One row per itemset whose persons must be counted."""
    numbers = range(1, level + 1)
    most = exp.func("LEAST", *each("i{n}.most", numbers))
    revealing = term(
        "(link.hits * $den > $floor AND link.hits * $den * $most > $num * c.support)",
        most=most,
        num=h.numerator,
        den=h.denominator,
        floor=h.numerator * k,
    )
    rare = term("c.support <= $fewer * $most", fewer=k - 1, most=most)
    query = duck(
        """
        SELECT c.id AS id, c.parent AS parent, $members
        FROM $counted AS c JOIN $items
        WHERE c.support >= $k AND $doubt
        """,
        members=members(level, "c"),
        counted=table("counted", level),
        items=[
            *joins("JOIN item AS i{n} ON i{n}.item = c.item_{n}", numbers),
            *joins(
                "LEFT JOIN $links AS link ON link.id = c.id",
                [0] if private else [],
                links=_most_hits(level),
            ),
        ],
        k=k,
        doubt=[exp.or_(rare, revealing)] if private else [rare],
    )
    return Step(
        f"doubtful_{level}",
        "each row is an itemset whose transactions may be of too few persons: they are counted",
        query,
    )


def _most_hits(level: int) -> exp.Select:
    return duck(
        "SELECT l.id AS id, MAX(l.hits) AS hits FROM $link AS l GROUP BY l.id",
        link=table("link", level),
    )


def held(level: int, *, lists: bool) -> Step:
    """One row per itemset in doubt, transaction that holds it, and its person."""
    query = _held(level, "doubtful", lists=lists)
    return Step(
        f"held_{level}", "each row is an itemset in doubt, a transaction of it, its person", query
    )


def _held(level: int, itemsets: str, *, lists: bool) -> exp.Select:
    """One row per itemset, transaction that holds it, and its person.

    Cohorts of the level before are extended by an item. Without their `lists`, items are joined.
    """
    if lists:
        return duck(
            """
            SELECT d.id AS id, prefix.tid AS tid, b.person AS person
            FROM $cohort AS prefix
            JOIN extension AS added ON added.tid = prefix.tid
            JOIN $doubtful AS d ON d.parent = prefix.id AND d.$last = added.item
            JOIN basket AS b ON b.tid = prefix.tid
            """,
            cohort=cohort(level - 1),
            doubtful=table(itemsets, level),
            last=item(level),
        )
    return duck(
        """
        SELECT d.id AS id, x1.tid AS tid, b.person AS person
        FROM $doubtful AS d
        JOIN extension AS x1 ON x1.item = d.item_1
        JOIN $others
        JOIN basket AS b ON b.tid = x1.tid
        """,
        doubtful=table(itemsets, level),
        others=joins(
            "JOIN extension AS x{n} ON x{n}.tid = x1.tid AND x{n}.item = d.item_{n}",
            range(2, level + 1),
        ),
    )


def persons(level: int) -> Step:
    """One row per itemset in doubt: the persons with a transaction that holds it."""
    query = duck(
        """
        SELECT h.id AS id, COUNT(*) AS persons
        FROM (SELECT DISTINCT c.id AS id, c.person AS person FROM $held AS c) AS h
        GROUP BY h.id
        """,
        held=table("held", level),
    )
    return Step(
        f"persons_{level}", "each row is an itemset in doubt and the number of its persons", query
    )


def reached(level: int, h: Fraction, k: int) -> Step:
    """One row per itemset and private item: the persons with a transaction that holds both.

    Only those are counted of whom the item may be revealed: a person has at least one hit.
    """
    query = duck(
        """
        SELECT h.id AS id, h.item AS item, COUNT(*) AS persons
        FROM (
            SELECT DISTINCT l.id AS id, l.item AS item, c.person AS person
            FROM $link AS l
            JOIN $persons AS p ON p.id = l.id
            JOIN $held AS c ON c.id = l.id
            JOIN secret AS s ON s.tid = c.tid AND s.item = l.item
            WHERE p.persons >= $k AND l.hits * $den > $num * p.persons
        ) AS h
        GROUP BY h.id, h.item
        """,
        link=table("link", level),
        persons=table("persons", level),
        held=table("held", level),
        k=k,
        num=h.numerator,
        den=h.denominator,
    )
    return Step(
        f"reached_{level}",
        "each row is an itemset and a private item, with the persons of whom it could be revealed",
        query,
    )


# The largest share of one person in the transactions of an itemset


def dominated_item(k: int) -> Step:
    """One row: the public item of k persons or more of which one person has the largest share."""
    query = duck(
        """
        SELECT i.most AS most, i.support AS support
        FROM item AS i JOIN public_item AS r ON r.item = i.item
        WHERE i.persons >= $k
        ORDER BY CAST(i.most AS DOUBLE) / i.support DESC, support LIMIT 1
        """,
        k=k,
    )
    return Step(
        "dominated_1",
        "finds the item of whose transactions one person has the largest share",
        query,
    )


def dominated(level: int, k: int, share: Fraction) -> Step:
    """One row per itemset of which one person could have more than a share."""
    numbers = range(1, level + 1)
    query = duck(
        """
        SELECT c.id AS id, c.parent AS parent, $members
        FROM $counted AS c JOIN $items
        WHERE c.support >= $k AND $most * $den > $num * c.support
        """,
        members=members(level, "c"),
        counted=table("counted", level),
        items=joins("JOIN item AS i{n} ON i{n}.item = c.item_{n}", numbers),
        k=k,
        most=exp.func("LEAST", *each("i{n}.most", numbers)),
        num=share.numerator,
        den=share.denominator,
    )
    return Step(
        f"dominated_{level}",
        "each row is an itemset of whose transactions one person may have a larger share",
        query,
    )


def dominating(level: int, k: int, *, lists: bool, doubted: bool) -> Step:
    """One row: the itemset of k persons or more of which one person has the largest share.

    If the itemsets are `doubted`, held_n has their transactions.
    """
    known = duck(
        "SELECT h.id AS id, h.person AS person FROM $held AS h JOIN $few AS d ON d.id = h.id",
        held=table("held", level),
        few=table("dominated", level),
    )
    query = duck(
        """
        SELECT s.most AS most, s.support AS support
        FROM (
            SELECT g.id AS id, MAX(g.n) AS most, CAST(SUM(g.n) AS BIGINT) AS support
            FROM (
                SELECT h.id AS id, h.person AS person, COUNT(*) AS n
                FROM $held AS h GROUP BY h.id, h.person
            ) AS g
            GROUP BY g.id HAVING COUNT(*) >= $k
        ) AS s
        ORDER BY CAST(s.most AS DOUBLE) / s.support DESC, support LIMIT 1
        """,
        held=known if doubted else _held(level, "dominated", lists=lists),
        k=k,
    )
    return Step(
        f"dominating_{level}",
        f"finds the {level} items of whose transactions one person has the largest share",
        query,
    )

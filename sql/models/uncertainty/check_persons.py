"""Count persons for the checker of rho-uncertainty; see `check.py` for its relations.

Reads check_key(tid, key) and check_owner(key, person). A person holds a set if one of the person's
transactions holds it. A rule must be safe in transactions and in persons.

An *outsider* of a witness holds all its other items in a transaction, and its sensitive item
beside other items in none.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck, duck_union, joins, shown, term


def people() -> Step:
    """One row per transaction of the release: its person."""
    query = duck(
        """
        SELECT k.tid AS tid, o.person AS person
        FROM check_key AS k JOIN check_owner AS o ON o.key = k.key
        """
    )
    return Step(
        "check_person",
        "each row is a transaction of the release and the number of its person",
        query,
    )


def repeated() -> list[exp.Expr]:
    """Joins of a transaction h and item i to the item, if other transactions of the person hold it.

    A person holds a set in several transactions only if several hold each of its items.
    """
    return joins(
        """
        JOIN check_person AS o ON o.tid = h.tid
        LEFT JOIN (
            SELECT q.person AS person, LOW(t.pair, $base) AS number
            FROM check_pair AS t JOIN check_person AS q ON q.tid = HIGH(t.pair, $base)
            GROUP BY q.person, LOW(t.pair, $base)
            HAVING COUNT(*) > 1
        ) AS r ON r.person = o.person AND r.number = h.number
        """,
        [0],
        base=PAIR,
    )


def of_items() -> exp.Select:
    """One row per item: the persons who hold it."""
    return duck(
        """
        SELECT r.item AS item, CAST(SUM(r.persons) AS BIGINT) AS persons
        FROM $rows AS r
        GROUP BY r.item
        """,
        rows=duck_union(
            """
            SELECT o.item AS item, COUNT(*) AS persons
            FROM check_held AS o WHERE o.again = 0 GROUP BY o.item
            UNION ALL
            SELECT s.item AS item, 1 AS persons
            FROM check_held AS s JOIN check_person AS p ON p.tid = s.tid
            WHERE s.again = 1 GROUP BY s.item, p.person
            """
        ).subquery(),
    )


def rules(witness: str, sets: str) -> exp.Subquery:
    """One row per set and sensitive item with a witness: transactions and persons of both sides."""
    return duck(
        """
        SELECT r.rule AS rule, r.support AS support, r.of_persons AS of_persons,
            CAST(SUM(r.hits) AS BIGINT) AS hits, COUNT(*) AS persons
        FROM (
            SELECT s.id * $base + w.secret AS rule, p.person AS person, s.support AS support,
                s.persons AS of_persons, COUNT(*) AS hits
            FROM $witness AS w
            JOIN $set AS s ON s.parent = w.parent AND s.item = w.item
            JOIN check_person AS p ON p.tid = w.tid
            GROUP BY s.id * $base + w.secret, p.person, s.support, s.persons
        ) AS r
        GROUP BY r.rule, r.support, r.of_persons
        """,
        base=PAIR,
        witness=witness,
        set=sets,
    ).subquery()


def of_sets(reached: str) -> exp.Select:
    """One row per set of `reached`, as a pair: its transactions and its persons.

    A person holds a set in several transactions only if several hold each of its items. All other
    transactions with the set are of different persons, so no person is looked up.
    """
    return duck(
        """
        SELECT HIGH(r.pair, $base) AS parent, LOW(r.pair, $base) AS item,
            CAST(SUM(r.held) AS BIGINT) AS support, CAST(SUM(r.persons) AS BIGINT) AS persons
        FROM $rows AS r
        GROUP BY r.pair
        """,
        base=PAIR,
        rows=duck_union(
            """
            SELECT o.pair AS pair, COUNT(*) AS held, COUNT(*) AS persons
            FROM (
                SELECT d.parent * $base + d.item AS pair FROM $reached AS d WHERE d.again = 0
            ) AS o
            GROUP BY o.pair
            UNION ALL
            SELECT s.pair AS pair, COUNT(*) AS held, 1 AS persons
            FROM (
                SELECT e.parent * $base + e.item AS pair, p.person AS person
                FROM $reached AS e JOIN check_person AS p ON p.tid = e.tid
                WHERE e.again = 1
            ) AS s
            GROUP BY s.pair, s.person
            """,
            base=PAIR,
            reached=reached,
        ).subquery(),
    )


def outsiders() -> exp.Select:
    """One row per secret with outsiders: their number."""
    return duck(
        """
        SELECT d.whole AS whole, COUNT(*) AS outsiders
        FROM (
            SELECT DISTINCT m.whole AS whole, p.person AS person
            FROM check_match AS m JOIN check_person AS p ON p.tid = m.other
        ) AS d
        JOIN check_whole AS x ON x.whole = d.whole
        WHERE NOT EXISTS (
            SELECT 1 FROM check_secret AS s JOIN check_person AS q ON q.tid = s.tid
            WHERE s.item = x.secret AND q.person = d.person
        )
        GROUP BY d.whole
        """
    )


def doubtful(
    in_transactions: exp.Query, sets: tuple[str, ...], over: int, without: int
) -> exp.SetOperation:
    """One row per set and secret that larger sets could reveal, in transactions or in persons.

    Of a larger set, every outsider of a witness is a person who holds it without the secret. So it
    is safe in persons unless more persons are witnesses of it than rho allows for that number.
    """
    return duck_union(
        """
        SELECT $transactions, t.secret AS secret FROM $in_transactions AS t
        UNION
        SELECT $persons, p.secret AS secret
        FROM (
            SELECT $least, l.secret AS secret, l.outsiders AS outsiders,
                ROW_NUMBER() OVER (PARTITION BY $apart, l.secret ORDER BY l.outsiders) AS place
            FROM (
                SELECT $named, w.secret AS secret, q.person AS person,
                    MIN(w.outsiders) AS outsiders
                FROM witness AS w JOIN check_person AS q ON q.tid = w.tid
                GROUP BY $grouped, w.secret, q.person
            ) AS l
        ) AS p
        WHERE p.place * $without > p.outsiders * $over
        """,
        transactions=_columns("t", sets),
        in_transactions=in_transactions,
        persons=_columns("p", sets),
        least=_columns("l", sets),
        apart=[term(f"l.{one}") for one in sets],
        named=_columns("w", sets),
        grouped=[term(f"w.{one}") for one in sets],
        over=over,
        without=without,
    )


def _columns(owner: str, names: tuple[str, ...]) -> list[exp.Expr]:
    return [shown(f"{owner}.{one} AS {one}") for one in names]


def of_cohorts(worst: exp.Query, limit: int) -> exp.Select:
    """One row per place of the worst certain rules: the persons who hold its known items."""
    return duck(
        """
        SELECT n.place AS place, COUNT(*) AS persons
        FROM (
            SELECT DISTINCT c.place AS place, p.person AS person
            FROM (
                SELECT w.place AS place, h.tid AS tid
                FROM $worst AS w
                JOIN check_told AS t ON t.tid = w.tid AND t.item <> w.secret
                JOIN check_held AS h ON h.item = t.item
                WHERE w.place <= $limit
                GROUP BY w.place, w.known, h.tid
                HAVING COUNT(*) = w.known
            ) AS c
            JOIN check_person AS p ON p.tid = c.tid
        ) AS n
        GROUP BY n.place
        """,
        worst=worst,
        limit=limit,
    )

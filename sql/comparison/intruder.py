"""Draw transactions at random, reveal items of each, and count the candidates that hold them.

A motivated intruder knows up to p public items of a random transaction. Candidates are the
transactions of the same data that hold all of these items. Drawn are the transactions that a
seeded hash of their key puts first, each once; a hash of key and name puts its items in order. So
every engine draws the same, and a release is tried with the transactions of its original.

Makes drawn(tid, key), and revealed(tid, item, place) in the order of revealing. The first n of
these are in known_n(tid, item, place, others), in the order of their support.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.levels import table
from setveil.sql.step import Step, duck, term


def drawn(draws: int, seed: int) -> Step:
    """One row per transaction that the intruder looks for."""
    query = duck(
        """
        SELECT b.tid AS tid, CAST(b.key AS TEXT) AS key
        FROM basket AS b
        ORDER BY MD5($seed || ':' || CAST(b.key AS TEXT)), tid
        LIMIT $draws
        """,
        seed=_text(seed),
        draws=draws,
    )
    return Step("drawn", "each row is a random transaction that an intruder looks for", query)


def revealed(most: int, seed: int) -> Step:
    """One row per drawn transaction and public item that the intruder knows of it, up to `most`."""
    query = duck(
        """
        SELECT r.tid AS tid, r.item AS item, r.place AS place
        FROM (
            SELECT o.tid AS tid, o.item AS item,
                ROW_NUMBER() OVER (
                    PARTITION BY o.tid
                    ORDER BY MD5($seed || ':' || d.key || ':' || CAST(i.name AS TEXT)), o.item
                ) AS place
            FROM drawn AS d
            JOIN occurrence AS o ON o.tid = d.tid
            JOIN public_item AS p ON p.item = o.item
            JOIN item AS i ON i.item = o.item
        ) AS r
        WHERE r.place <= $most
        """,
        seed=_text(seed),
        most=most,
    )
    return Step("revealed", "each row is a random item that the intruder knows", query)


def _text(seed: int) -> exp.Expr:
    return exp.Literal.string(str(seed))


def known(items: int) -> Step:
    """One row per item that the intruder knows, if this many are revealed: the rarest comes first.

    `others` is how many items of the transaction are known beside it.
    """
    query = duck(
        """
        SELECT r.tid AS tid, r.item AS item,
            ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY i.support, r.item) AS place,
            COUNT(*) OVER (PARTITION BY r.tid) - 1 AS others
        FROM revealed AS r JOIN item AS i ON i.item = r.item
        WHERE r.place <= $items
        """,
        items=items,
    )
    return Step(f"known_{items}", "each row is an item that the intruder knows", query)


def candidates(items: int, *, persons: bool) -> Step:
    """One row per number of candidates: the drawn transactions that have so many.

    With `persons`, also how many persons they are of. The holders of the rarest item are looked up
    for the others. A transaction of which nothing is revealed has no row.
    """
    query = duck(
        """
        SELECT c.candidates AS candidates, c.persons AS persons, COUNT(*) AS draws
        FROM $counted AS c
        GROUP BY c.candidates, c.persons
        ORDER BY candidates, persons
        """,
        counted=[
            duck(
                """
                SELECT k.tid AS tid, i.support AS candidates, $persons AS persons
                FROM $known AS k JOIN item AS i ON i.item = k.item
                WHERE k.others = 0
                """,
                known=table("known", items),
                persons=term("i.persons" if persons else "i.support"),
            ),
            duck(
                """
                SELECT f.tid AS tid, COUNT(*) AS candidates, $persons AS persons
                FROM (
                    SELECT r.tid AS tid, h.tid AS holder
                    FROM $known AS r
                    JOIN occurrence AS h ON h.item = r.item
                    JOIN $known AS k ON k.tid = r.tid
                    JOIN occurrence AS o ON o.tid = h.tid AND o.item = k.item
                    WHERE r.place = 1 AND k.place > 1
                    GROUP BY r.tid, h.tid
                    HAVING COUNT(*) = MAX(k.others)
                ) AS f
                JOIN basket AS b ON b.tid = f.holder
                GROUP BY f.tid
                """,
                known=table("known", items),
                persons=term("COUNT(DISTINCT b.person)" if persons else "COUNT(*)"),
            ),
        ],
    )
    return Step(
        f"candidates_{items}",
        f"counts the transactions that hold all of up to {items} known items",
        query,
    )

"""Split transactions into partitions of at least k persons.

The greedy search and the refined one are those of `anonymize.py` and `refine.py`. A bucket, a
leftover and a rest are counted in persons, so that these steps replace theirs. A person who is in
no small bucket can give a transaction to the leftover. Such a giver is free if the bucket holds
another transaction of the same person: the bucket then keeps its persons.

Makes per round: `crowd`, one row per partition; `share`, one per bucket and person; `size`, one per
bucket. For leftovers of fewer than k persons it makes `lack`, `giver` and `fill`.
"""

from __future__ import annotations

from setveil.sql.models.k_anonymity.anonymize import ALL
from setveil.sql.step import Step, duck


def crowds(number: int) -> Step:
    """One row per partition: the transactions that it could have if it were two partitions."""
    query = duck(
        """
        SELECT p.part AS part,
            CAST(SUM(CASE WHEN p.transactions > 1 THEN 2 ELSE 1 END) AS BIGINT) AS room
        FROM (
            SELECT opened.part AS part, b.person AS person, COUNT(*) AS transactions
            FROM $open AS opened
            JOIN (
                SELECT o.part AS part, MIN(o.branch) AS branch FROM $open AS o GROUP BY o.part
            ) AS f ON f.part = opened.part AND f.branch = opened.branch
            JOIN basket AS b ON b.tid = opened.tid
            GROUP BY opened.part, b.person
        ) AS p
        GROUP BY p.part
        """,
        open=_table("open", number),
    )
    return Step(
        f"crowd_{number}",
        "each row is a partition with its persons; those with two transactions count twice",
        query,
    )


def picked(number: int, k: int) -> Step:
    """One row per partition and branch to expand, as `anonymize.picked`.

    A partition is divided into two only if both can have k persons: a person with two transactions
    can be in both.
    """
    query = duck(
        """
        SELECT ranked.part AS part, ranked.branch AS branch, ranked.gain AS gain,
            CASE WHEN ranked.room < $twice THEN 1 ELSE 0 END AS whole
        FROM (
            SELECT opened.part AS part, opened.branch AS branch, c.room AS room,
                CAST(SUM(opened.gain) AS BIGINT) AS gain,
                ROW_NUMBER() OVER (
                    PARTITION BY opened.part ORDER BY CAST(SUM(opened.gain) AS BIGINT) DESC,
                        opened.branch
                ) AS place
            FROM $open AS opened JOIN $crowd AS c ON c.part = opened.part
            GROUP BY opened.part, opened.branch, c.room
        ) AS ranked
        WHERE ranked.place = 1 OR ranked.room < $twice
        """,
        open=_table("open", number),
        crowd=_table("crowd", number),
        twice=2 * k,
    )
    return Step(
        f"picked_{number}",
        "each row is a partition and the branch whose expansion gains most",
        query,
    )


def shares(number: int) -> Step:
    """One row per bucket and person: the transactions of the person in the bucket."""
    query = duck(
        """
        SELECT parted.part AS part, parted.branch AS branch, parted.shape AS shape,
            b.person AS person, MAX(parted.whole) AS whole, COUNT(*) AS transactions,
            CAST(SUM(parted.gain) AS BIGINT) AS gain
        FROM $split AS parted JOIN basket AS b ON b.tid = parted.tid
        GROUP BY parted.part, parted.branch, parted.shape, b.person
        """,
        split=_table("split", number),
    )
    return Step(
        f"share_{number}",
        "each row is a bucket of equal children and a person with transactions in it",
        query,
    )


def sizes(number: int) -> Step:
    """One row per bucket: its number, transactions, persons and gain."""
    query = duck(
        """
        SELECT s.part AS part, s.branch AS branch, s.shape AS shape, MAX(s.whole) AS whole,
            CAST(SUM(s.transactions) AS BIGINT) AS transactions, COUNT(*) AS persons,
            CAST(SUM(s.gain) AS BIGINT) AS gain,
            ROW_NUMBER() OVER (ORDER BY s.part, s.branch, s.shape) AS number
        FROM $share AS s GROUP BY s.part, s.branch, s.shape
        """,
        share=_table("share", number),
    )
    return Step(f"size_{number}", "each row is a bucket of equal children, with its persons", query)


def lacks(number: int, k: int) -> Step:
    """One row per leftover that lacks persons, and its persons."""
    query = duck(
        """
        SELECT p.part AS part, p.branch AS branch, COUNT(*) AS persons
        FROM (
            SELECT DISTINCT s.part AS part, s.branch AS branch, s.person AS person
            FROM $share AS s
            JOIN $size AS z ON z.part = s.part AND z.branch = s.branch AND z.shape = s.shape
            WHERE z.persons < $k
        ) AS p
        GROUP BY p.part, p.branch
        HAVING COUNT(*) < $k
        """,
        share=_table("share", number),
        size=_table("size", number),
        k=k,
    )
    return Step(
        f"lack_{number}",
        "each row is a leftover of buckets with fewer than k persons, which all have fewer than k",
        query,
    )


def givers(number: int, k: int) -> Step:
    """One row per person who is not in a leftover that lacks persons, and the bucket to give from.

    A bucket with several transactions of the person is taken first: it keeps the person.
    """
    query = duck(
        """
        SELECT g.part AS part, g.branch AS branch, g.shape AS shape, g.person AS person,
            g.sole AS sole
        FROM (
            SELECT s.part AS part, s.branch AS branch, s.shape AS shape, s.person AS person,
                CASE WHEN s.transactions > 1 THEN 0 ELSE 1 END AS sole,
                MIN(z.persons) OVER (PARTITION BY s.part, s.branch, s.person) AS fewest,
                ROW_NUMBER() OVER (
                    PARTITION BY s.part, s.branch, s.person
                    ORDER BY CASE WHEN s.transactions > 1 THEN 0 ELSE 1 END, s.shape
                ) AS place
            FROM $share AS s
            JOIN $lack AS l ON l.part = s.part AND l.branch = s.branch
            JOIN $size AS z ON z.part = s.part AND z.branch = s.branch AND z.shape = s.shape
        ) AS g
        WHERE g.place = 1 AND g.fewest >= $k
        """,
        share=_table("share", number),
        lack=_table("lack", number),
        size=_table("size", number),
        k=k,
    )
    return Step(
        f"giver_{number}",
        "each row is a person who can give a transaction to a leftover that lacks persons",
        query,
    )


def fills(number: int, k: int) -> Step:
    """One row per leftover that lacks persons: its persons, and those who can give to it.

    A bucket keeps at least k of its persons; free givers stay in it.
    """
    query = duck(
        """
        SELECT l.part AS part, l.branch AS branch, l.persons AS persons,
            CAST(COALESCE(SUM(
                c.free + CASE WHEN c.sole > c.spare THEN c.spare ELSE c.sole END
            ), 0) AS BIGINT) AS surplus
        FROM $lack AS l
        LEFT JOIN (
            SELECT g.part AS part, g.branch AS branch, z.persons - $k AS spare,
                COUNT(CASE WHEN g.sole = 0 THEN 1 END) AS free,
                COUNT(CASE WHEN g.sole = 1 THEN 1 END) AS sole
            FROM $giver AS g
            JOIN $size AS z ON z.part = g.part AND z.branch = g.branch AND z.shape = g.shape
            GROUP BY g.part, g.branch, g.shape, z.persons
        ) AS c ON c.part = l.part AND c.branch = l.branch
        GROUP BY l.part, l.branch, l.persons
        """,
        lack=_table("lack", number),
        giver=_table("giver", number),
        size=_table("size", number),
        k=k,
    )
    return Step(
        f"fill_{number}",
        "each row is a leftover that lacks persons, and the number of those who can give to it",
        query,
    )


def buckets(number: int, k: int) -> Step:
    """One row per bucket, as `anonymize.buckets`: `spare` and `wanted` are numbers of persons."""
    query = duck(
        """
        SELECT sized.was AS was, sized.branch AS branch, sized.shape AS shape,
            CASE WHEN sized.known + sized.surplus >= $k THEN $k - sized.known ELSE 0 END AS wanted,
            CASE
                WHEN sized.persons < $k THEN NULL
                WHEN sized.known = 0 THEN 0
                WHEN sized.known + sized.surplus >= $k THEN sized.persons - $k
                WHEN sized.place = 1 THEN NULL
                ELSE 0
            END AS spare,
            CAST(
                CASE WHEN sized.whole = 1 THEN 2 * sized.first + 1 ELSE 2 * sized.number END AS INT
            ) AS part,
            CAST(2 * sized.first + 1 AS INT) AS rest
        FROM (
            SELECT z.part AS was, z.branch AS branch, z.shape AS shape, z.whole AS whole,
                z.persons AS persons, z.number AS number, COALESCE(f.persons, 0) AS known,
                COALESCE(f.surplus, 0) AS surplus,
                MIN(z.number) OVER (PARTITION BY z.part) AS first,
                ROW_NUMBER() OVER (
                    PARTITION BY z.part, z.branch
                    ORDER BY CASE WHEN z.persons < $k THEN 1 ELSE 0 END,
                        z.persons, z.transactions, z.gain, z.shape
                ) AS place
            FROM $size AS z
            LEFT JOIN $fill AS f ON f.part = z.part AND f.branch = z.branch
        ) AS sized
        """,
        size=_table("size", number),
        fill=_table("fill", number),
        k=k,
    )
    return Step(
        f"bucket_{number}",
        "each row is a bucket of equal children; buckets of fewer than k persons join the leftover",
        query,
    )


def drawn(number: int) -> Step:
    """One row per transaction that a leftover of fewer than k persons takes from its givers."""
    query = duck(
        """
        SELECT ranked.tid AS tid
        FROM (
            SELECT willing.tid AS tid, willing.wanted AS wanted,
                ROW_NUMBER() OVER (PARTITION BY willing.part ORDER BY willing.gain,
                    willing.tid) AS place
            FROM (
                SELECT least.tid AS tid, least.part AS part, least.gain AS gain, least.sole AS sole,
                    least.spare AS spare, least.wanted AS wanted,
                    ROW_NUMBER() OVER (
                        PARTITION BY least.part, least.shape, least.sole
                        ORDER BY least.gain, least.tid
                    ) AS place
                FROM (
                    SELECT parted.tid AS tid, parted.part AS part, parted.shape AS shape,
                        parted.gain AS gain, g.sole AS sole, bucket.spare AS spare,
                        bucket.wanted AS wanted,
                        ROW_NUMBER() OVER (
                            PARTITION BY parted.part, g.person ORDER BY parted.gain, parted.tid
                        ) AS place
                    FROM $split AS parted
                    JOIN basket AS b ON b.tid = parted.tid
                    JOIN $giver AS g ON g.part = parted.part AND g.branch = parted.branch
                        AND g.shape = parted.shape AND g.person = b.person
                    JOIN $bucket AS bucket ON bucket.was = parted.part
                        AND bucket.branch = parted.branch AND bucket.shape = parted.shape
                    WHERE bucket.wanted > 0
                ) AS least
                WHERE least.place = 1
            ) AS willing
            WHERE willing.sole = 0 OR willing.place <= willing.spare
        ) AS ranked
        WHERE ranked.place <= ranked.wanted
        """,
        split=_table("split", number),
        giver=_table("giver", number),
        bucket=_table("bucket", number),
    )
    return Step(
        f"drawn_{number}",
        "each row is a transaction that fills the leftover up to k persons: those of least gain",
        query,
    )


def persons_of_kinds(rows: str = ALL) -> Step:
    """One row: the persons with items, and those with transactions without items."""
    query = duck(
        """
        SELECT COUNT(DISTINCT CASE WHEN t.items = 0 THEN t.person END) AS persons_without,
            COUNT(DISTINCT CASE WHEN t.items > 0 THEN t.person END) AS persons_with
        FROM (
            SELECT b.person AS person, b.tid AS tid, COUNT(o.item) AS items
            FROM basket AS b LEFT JOIN $rows AS o ON o.tid = b.tid
            GROUP BY b.person, b.tid
        ) AS t
        """,
        rows=rows,
    )
    return Step(
        "persons_of_kinds",
        "counts the persons of transactions with items, and without: these are classes apart",
        query,
    )


def _table(name: str, number: int) -> str:
    return f"{name}_{number}"

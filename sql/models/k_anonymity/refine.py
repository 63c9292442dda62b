"""Generalize less than the greedy partition: publish one lower node at a time beside its ancestor.

An expansion splits a partition by all the children of a node u. This search splits it by one node d
below u, at any depth. Transactions with items below d publish d for them: *beside* u if they have
other items below u, *alone* if not. The rest keeps u. This makes three classes in place of
2^children, so that fewer transactions fall below k. Each item is still published as a node above
it; but a node may stand beside one of its ancestors.

Reads descent and branch of `anonymize.py`. Makes fall_of(id, item, up, down, gain), one row per
item and pair of nodes above it; `down` is a branch, or -1 - item. In every round
`cell_R(tid, item, part, branch)` has one row per occurrence that may still go down;
`settled(tid, item, branch)` collects the other occurrences.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union


def falls() -> Step:
    """One row per pair of nodes, one below the other, that some item is below."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY p.up, p.down) - 1 AS INT) AS id,
            p.up AS up, p.down AS down, p.gain AS gain
        FROM (
            SELECT a.branch AS up, b.branch AS down, MAX(x.leaves - y.leaves) AS gain
            FROM descent AS a
            JOIN descent AS b ON b.item = a.item
            JOIN branch AS x ON x.branch = a.branch
            JOIN branch AS y ON y.branch = b.branch
            WHERE x.leaves > y.leaves
            GROUP BY a.branch, b.branch
            UNION ALL
            SELECT a.branch AS up, -1 - a.item AS down, x.leaves AS gain
            FROM descent AS a JOIN branch AS x ON x.branch = a.branch
        ) AS p
        """
    )
    return Step(
        "fall",
        "each row is a pair of nodes: the lower one can replace the upper one; gain is "
        "leaves saved",
        query,
    )


def drops() -> Step:
    """One row per item and pair of nodes above it."""
    query = duck_union(
        """
        SELECT f.id AS id, a.item AS item, f.up AS up, f.down AS down, f.gain AS gain
        FROM fall AS f
        JOIN descent AS a ON a.branch = f.up
        JOIN descent AS b ON b.item = a.item AND b.branch = f.down
        UNION ALL
        SELECT f.id AS id, a.item AS item, f.up AS up, f.down AS down, f.gain AS gain
        FROM fall AS f JOIN descent AS a ON a.branch = f.up AND -1 - a.item = f.down
        """
    )
    return Step("fall_of", "each row is an item and a pair of nodes above it", query)


def first_cells() -> Step:
    """One row per occurrence: all in one partition, at the root."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, 0 AS part, d.branch AS branch
        FROM occurrence AS o JOIN descent AS d ON d.item = o.item
        WHERE d.up IS NULL
        """
    )
    return Step(
        "cell_1", "each row is an occurrence in the first partition, generalized to the root", query
    )


def settled() -> Step:
    """No row yet."""
    query = duck(
        "SELECT o.tid AS tid, o.item AS item, 0 AS branch FROM occurrence AS o WHERE o.tid < 0"
    )
    return Step(
        "settled", "each row will be an occurrence and the node that it is published as", query
    )


def loads(number: int, branches: int) -> Step:
    """One row per transaction and branch: the number of its items that are generalized to it."""
    query = duck(
        """
        SELECT l.id AS id, CAST(HIGH(l.id, $branches) AS INT) AS tid,
            CAST(LOW(l.id, $branches) AS INT) AS branch, l.part AS part, l.items AS items
        FROM (
            SELECT CAST(c.tid AS BIGINT) * $branches + c.branch AS id, MAX(c.part) AS part,
                COUNT(*) AS items
            FROM $cell AS c GROUP BY CAST(c.tid AS BIGINT) * $branches + c.branch
        ) AS l
        """,
        cell=_table("cell", number),
        branches=branches,
    )
    return Step(
        f"load_{number}",
        "each row is a transaction and a branch, with the number of items that it stands for",
        query,
    )


def offers(number: int, falls: int, branches: int) -> Step:
    """One row per transaction and node that it could publish: its gain, beside or alone."""
    query = duck(
        """
        SELECT g.tid AS tid, l.part AS part, g.fall AS fall, g.gain AS gain,
            CASE WHEN l.items > g.items THEN 1 ELSE 2 END AS kind
        FROM (
            SELECT CAST(HIGH(h.id, $falls) AS INT) AS tid,
                CAST(LOW(h.id, $falls) AS INT) AS fall, h.up AS up, h.gain AS gain, h.items AS items
            FROM (
                SELECT CAST(c.tid AS BIGINT) * $falls + f.id AS id, MAX(f.up) AS up,
                    CAST(SUM(f.gain) AS BIGINT) AS gain, COUNT(*) AS items
                FROM $cell AS c JOIN fall_of AS f ON f.item = c.item AND f.up = c.branch
                GROUP BY CAST(c.tid AS BIGINT) * $falls + f.id
            ) AS h
        ) AS g
        JOIN $load AS l ON l.id = CAST(g.tid AS BIGINT) * $branches + g.up
        """,
        cell=_table("cell", number),
        load=_table("load", number),
        falls=falls,
        branches=branches,
    )
    return Step(
        f"offer_{number}",
        "each row is a transaction and a lower node that it could publish, with the leaves saved",
        query,
    )


def choices(number: int, k: int) -> Step:
    """One row per partition that can be split: the node that saves most, and its takers.

    `beside` and `alone` say which kinds take the node. The rest must be none or at least k; if it
    would be smaller, `wanted` takers stay with it, and their average gain is subtracted.
    """
    query = duck(
        """
        SELECT r.part AS part, r.fall AS fall, r.beside AS beside, r.alone AS alone,
            r.wanted AS wanted
        FROM (
            SELECT w.part AS part, w.fall AS fall, w.beside AS beside, w.alone AS alone,
                w.wanted AS wanted,
                ROW_NUMBER() OVER (
                    PARTITION BY w.part
                    ORDER BY w.gain - w.gain // w.takers * w.wanted DESC,
                        w.up, w.down, w.beside, w.alone
                ) AS place
            FROM (
                SELECT o.part AS part, o.fall AS fall, o.up AS up, o.down AS down,
                    o.beside AS beside, o.alone AS alone, o.takers AS takers, o.gain AS gain,
                    CASE
                        WHEN o.transactions = o.takers OR o.transactions - o.takers >= $k THEN 0
                        ELSE $k - o.transactions + o.takers
                    END AS wanted,
                    o.takers - $k * (o.beside + o.alone) AS spare
                FROM $ways AS o
            ) AS w
            WHERE w.spare >= w.wanted
        ) AS r
        WHERE r.place = 1
        """,
        ways=_ways(number, k),
        k=k,
    )
    return Step(
        f"choice_{number}", "each row is a partition and the lower node that saves most", query
    )


def _ways(number: int, k: int) -> exp.Subquery:
    """One row per partition, node and way to take it: beside its ancestor, alone, or both."""
    query = duck_union(
        """
        WITH offered AS (
            SELECT o.part AS part, o.fall AS fall,
                COUNT(CASE WHEN o.kind = 1 THEN 1 END) AS beside,
                COUNT(CASE WHEN o.kind = 2 THEN 1 END) AS alone,
                CAST(SUM(CASE WHEN o.kind = 1 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_beside,
                CAST(SUM(CASE WHEN o.kind = 2 THEN o.gain ELSE 0 END) AS BIGINT) AS gain_alone
            FROM $offer AS o GROUP BY o.part, o.fall
            HAVING COUNT(*) >= $k
        ), sized AS (
            SELECT o.part AS part, o.fall AS fall, f.up AS up, f.down AS down,
                o.beside AS beside, o.alone AS alone, o.gain_beside AS gain_beside,
                o.gain_alone AS gain_alone, l.transactions AS transactions
            FROM offered AS o
            JOIN fall AS f ON f.id = o.fall
            JOIN (
                SELECT part, branch, COUNT(*) AS transactions FROM $load GROUP BY part, branch
            ) AS l ON l.part = o.part AND l.branch = f.up
        )
        SELECT s.part AS part, s.fall AS fall, s.up AS up, s.down AS down, 1 AS beside, 0 AS alone,
            s.beside AS takers, s.gain_beside AS gain, s.transactions AS transactions
        FROM sized AS s WHERE s.beside >= $k
        UNION ALL
        SELECT s.part AS part, s.fall AS fall, s.up AS up, s.down AS down, 0 AS beside, 1 AS alone,
            s.alone AS takers, s.gain_alone AS gain, s.transactions AS transactions
        FROM sized AS s WHERE s.alone >= $k
        UNION ALL
        SELECT s.part AS part, s.fall AS fall, s.up AS up, s.down AS down, 1 AS beside, 1 AS alone,
            s.beside + s.alone AS takers, s.gain_beside + s.gain_alone AS gain,
            s.transactions AS transactions
        FROM sized AS s WHERE s.beside >= $k AND s.alone >= $k
        """,
        offer=_table("offer", number),
        load=_table("load", number),
        k=k,
    )
    return query.subquery()


def takers(number: int, k: int) -> Step:
    """One row per transaction that takes its partition's node; least gains stay with the rest."""
    query = duck(
        """
        SELECT w.tid AS tid, w.part AS part, w.fall AS fall, w.kind AS kind
        FROM (
            SELECT v.tid AS tid, v.part AS part, v.fall AS fall, v.kind AS kind,
                v.wanted AS wanted, v.bound AS bound,
                ROW_NUMBER() OVER (PARTITION BY v.part, v.bound ORDER BY v.gain, v.tid) AS place
            FROM (
                SELECT u.tid AS tid, u.part AS part, u.fall AS fall, u.kind AS kind,
                    u.gain AS gain, u.wanted AS wanted,
                    CASE WHEN u.place <= u.takers - $k THEN 0 ELSE 1 END AS bound
                FROM (
                    SELECT o.tid AS tid, o.part AS part, o.fall AS fall, o.kind AS kind,
                        o.gain AS gain, c.wanted AS wanted,
                        ROW_NUMBER() OVER (
                            PARTITION BY o.part, o.kind ORDER BY o.gain, o.tid
                        ) AS place,
                        COUNT(*) OVER (PARTITION BY o.part, o.kind) AS takers
                    FROM $offer AS o
                    JOIN $choice AS c ON c.part = o.part AND c.fall = o.fall
                    WHERE CASE WHEN o.kind = 1 THEN c.beside ELSE c.alone END = 1
                ) AS u
            ) AS v
        ) AS w
        WHERE w.bound = 1 OR w.place > w.wanted
        """,
        offer=_table("offer", number),
        choice=_table("choice", number),
        k=k,
    )
    return Step(
        f"taker_{number}",
        "each row is a transaction that publishes the lower node; each class and the rest keep k",
        query,
    )


def heirs(number: int) -> Step:
    """One row per transaction of a split partition: its new partition, and its new node."""
    query = duck(
        """
        SELECT m.tid AS tid, m.fall AS fall, m.up AS up, m.down AS down,
            CAST(DENSE_RANK() OVER (ORDER BY m.part, m.kind) AS INT) AS part
        FROM (
            SELECT l.tid AS tid, l.part AS part, t.fall AS fall, f.up AS up, f.down AS down,
                COALESCE(t.kind, 0) AS kind
            FROM (
                SELECT DISTINCT l.tid AS tid, l.part AS part
                FROM $load AS l JOIN $choice AS c ON c.part = l.part
            ) AS l
            LEFT JOIN $taker AS t ON t.tid = l.tid
            LEFT JOIN fall AS f ON f.id = t.fall
        ) AS m
        """,
        load=_table("load", number),
        choice=_table("choice", number),
        taker=_table("taker", number),
    )
    return Step(
        f"heir_{number}",
        "each row is a transaction of a split partition, with its new partition",
        query,
    )


def settling(number: int) -> Step:
    """One row per occurrence of a partition that no node can split any more."""
    query = duck(
        """
        SELECT c.tid AS tid, c.item AS item, c.branch AS branch FROM $cell AS c
        WHERE NOT EXISTS (SELECT 1 AS one FROM $choice AS d WHERE d.part = c.part)
        """,
        cell=_table("cell", number),
        choice=_table("choice", number),
    )
    return Step(
        "settled",
        "each row is an occurrence of a partition that cannot be split: its node is final",
        query,
    )


def next_cells(number: int) -> Step:
    """One row per occurrence that may still go down; occurrences at a leaf are done."""
    query = duck(
        """
        SELECT g.tid AS tid, g.item AS item, g.part AS part, g.branch AS branch
        FROM (
            SELECT c.tid AS tid, c.item AS item, h.part AS part,
                CASE WHEN f.item IS NULL THEN c.branch ELSE f.down END AS branch
            FROM $cell AS c
            JOIN $heir AS h ON h.tid = c.tid
            LEFT JOIN fall_of AS f ON f.id = h.fall AND f.item = c.item AND f.up = c.branch
        ) AS g
        WHERE g.branch >= 0
        """,
        cell=_table("cell", number),
        heir=_table("heir", number),
    )
    return Step(
        f"cell_{number + 1}",
        "each row is an occurrence that the next round may generalize less",
        query,
    )


def costs() -> Step:
    """One row: the leaves that the refined and the greedy release generalize to."""
    query = duck(
        """
        SELECT r.cost AS refined, g.cost AS greedy
        FROM (
            SELECT CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
            FROM settled AS s JOIN branch AS b ON b.branch = s.branch
        ) AS r
        CROSS JOIN (
            SELECT CAST(COALESCE(SUM(b.leaves), 0) AS BIGINT) AS cost
            FROM closed AS c
            JOIN occurrence AS o ON o.tid = c.tid
            JOIN descent AS d ON d.item = o.item AND d.branch = c.branch
            JOIN branch AS b ON b.branch = c.branch
        ) AS g
        """
    )
    return Step(
        "costs",
        "sums the loss of the refined and of the greedy release: the smaller one is released",
        query,
    )


def recoded() -> Step:
    """One row per occurrence: its published node."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, COALESCE(b.node, o.item) AS node
        FROM occurrence AS o
        LEFT JOIN settled AS s ON s.tid = o.tid AND s.item = o.item
        LEFT JOIN branch AS b ON b.branch = s.branch
        """
    )
    return Step(
        "recoded",
        "each row is an occurrence with its published node: its settled branch, or the item itself",
        query,
    )


def _table(name: str, number: int) -> str:
    return f"{name}_{number}"

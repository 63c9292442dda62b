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

from setveil.sql.models.k_anonymity.anonymize import ALL
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


def first_cells(rows: str = ALL) -> Step:
    """One row per occurrence: all in one partition, at the root."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, 0 AS part, d.branch AS branch
        FROM $rows AS o JOIN descent AS d ON d.item = o.item
        WHERE d.up IS NULL
        """,
        rows=rows,
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
        SELECT packed.id AS id, CAST(HIGH(packed.id, $branches) AS INT) AS tid,
            CAST(LOW(packed.id, $branches) AS INT) AS branch, packed.part AS part,
                packed.items AS items
        FROM (
            SELECT CAST(cell.tid AS BIGINT) * $branches + cell.branch AS id, MAX(cell.part) AS part,
                COUNT(*) AS items
            FROM $cell AS cell GROUP BY CAST(cell.tid AS BIGINT) * $branches + cell.branch
        ) AS packed
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
        SELECT offered.tid AS tid, load.part AS part, offered.fall AS fall, offered.gain AS gain,
            CASE WHEN load.items > offered.items THEN 1 ELSE 2 END AS kind
        FROM (
            SELECT CAST(HIGH(packed.id, $falls) AS INT) AS tid,
                CAST(LOW(packed.id, $falls) AS INT) AS fall, packed.up AS up,
                    packed.gain AS gain, packed.items AS items
            FROM (
                SELECT CAST(cell.tid AS BIGINT) * $falls + fall.id AS id, MAX(fall.up) AS up,
                    CAST(SUM(fall.gain) AS BIGINT) AS gain, COUNT(*) AS items
                FROM $cell AS cell JOIN fall_of AS fall ON fall.item = cell.item
                    AND fall.up = cell.branch
                GROUP BY CAST(cell.tid AS BIGINT) * $falls + fall.id
            ) AS packed
        ) AS offered
        JOIN $load AS load ON load.id = CAST(offered.tid AS BIGINT) * $branches + offered.up
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
        SELECT ranked.part AS part, ranked.fall AS fall, ranked.beside AS beside,
            ranked.alone AS alone,
            ranked.wanted AS wanted
        FROM (
            SELECT weighed.part AS part, weighed.fall AS fall, weighed.beside AS beside,
                weighed.alone AS alone,
                weighed.wanted AS wanted,
                ROW_NUMBER() OVER (
                    PARTITION BY weighed.part
                    ORDER BY weighed.gain - weighed.gain // weighed.takers * weighed.wanted DESC,
                        weighed.up, weighed.down, weighed.beside, weighed.alone
                ) AS place
            FROM (
                SELECT way.part AS part, way.fall AS fall, way.up AS up, way.down AS down,
                    way.beside AS beside, way.alone AS alone, way.takers AS takers,
                        way.gain AS gain,
                    CASE
                        WHEN way.transactions = way.takers OR way.transactions - way.takers >= $k
                        THEN 0
                        ELSE $k - way.transactions + way.takers
                    END AS wanted,
                    way.takers - $k * (way.beside + way.alone) AS spare
                FROM $ways AS way
            ) AS weighed
            WHERE weighed.spare >= weighed.wanted
        ) AS ranked
        WHERE ranked.place = 1
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
            SELECT offer.part AS part, offer.fall AS fall,
                COUNT(CASE WHEN offer.kind = 1 THEN 1 END) AS beside,
                COUNT(CASE WHEN offer.kind = 2 THEN 1 END) AS alone,
                CAST(SUM(CASE WHEN offer.kind = 1 THEN offer.gain ELSE 0 END) AS BIGINT)
                    AS gain_beside,
                CAST(SUM(CASE WHEN offer.kind = 2 THEN offer.gain ELSE 0 END) AS BIGINT)
                    AS gain_alone
            FROM $offer AS offer GROUP BY offer.part, offer.fall
            HAVING COUNT(*) >= $k
        ), sized AS (
            SELECT offer.part AS part, offer.fall AS fall, fall.up AS up, fall.down AS down,
                offer.beside AS beside, offer.alone AS alone, offer.gain_beside AS gain_beside,
                offer.gain_alone AS gain_alone, load.transactions AS transactions
            FROM offered AS offer
            JOIN fall AS fall ON fall.id = offer.fall
            JOIN (
                SELECT part, branch, COUNT(*) AS transactions FROM $load GROUP BY part, branch
            ) AS load ON load.part = offer.part AND load.branch = fall.up
        )
        SELECT sized.part AS part, sized.fall AS fall, sized.up AS up, sized.down AS down,
            1 AS beside, 0 AS alone,
            sized.beside AS takers, sized.gain_beside AS gain, sized.transactions AS transactions
        FROM sized AS sized WHERE sized.beside >= $k
        UNION ALL
        SELECT sized.part AS part, sized.fall AS fall, sized.up AS up, sized.down AS down,
            0 AS beside, 1 AS alone,
            sized.alone AS takers, sized.gain_alone AS gain, sized.transactions AS transactions
        FROM sized AS sized WHERE sized.alone >= $k
        UNION ALL
        SELECT sized.part AS part, sized.fall AS fall, sized.up AS up, sized.down AS down,
            1 AS beside, 1 AS alone,
            sized.beside + sized.alone AS takers, sized.gain_beside + sized.gain_alone AS gain,
            sized.transactions AS transactions
        FROM sized AS sized WHERE sized.beside >= $k AND sized.alone >= $k
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
        SELECT bounded.tid AS tid, bounded.part AS part, bounded.fall AS fall, bounded.kind AS kind
        FROM (
            SELECT ranked.tid AS tid, ranked.part AS part, ranked.fall AS fall, ranked.kind AS kind,
                ranked.wanted AS wanted, ranked.bound AS bound,
                ROW_NUMBER() OVER (PARTITION BY ranked.part, ranked.bound ORDER BY ranked.gain,
                    ranked.tid) AS place
            FROM (
                SELECT placed.tid AS tid, placed.part AS part, placed.fall AS fall,
                    placed.kind AS kind,
                    placed.gain AS gain, placed.wanted AS wanted,
                    CASE WHEN placed.place <= placed.takers - $k THEN 0 ELSE 1 END AS bound
                FROM (
                    SELECT offer.tid AS tid, offer.part AS part, offer.fall AS fall,
                        offer.kind AS kind,
                        offer.gain AS gain, choice.wanted AS wanted,
                        ROW_NUMBER() OVER (
                            PARTITION BY offer.part, offer.kind ORDER BY offer.gain, offer.tid
                        ) AS place,
                        COUNT(*) OVER (PARTITION BY offer.part, offer.kind) AS takers
                    FROM $offer AS offer
                    JOIN $choice AS choice ON choice.part = offer.part AND choice.fall = offer.fall
                    WHERE CASE WHEN offer.kind = 1 THEN choice.beside ELSE choice.alone END = 1
                ) AS placed
            ) AS ranked
        ) AS bounded
        WHERE bounded.bound = 1 OR bounded.place > bounded.wanted
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
        SELECT member.tid AS tid, member.fall AS fall, member.up AS up, member.down AS down,
            CAST(DENSE_RANK() OVER (ORDER BY member.part, member.kind) AS INT) AS part
        FROM (
            SELECT load.tid AS tid, load.part AS part, taker.fall AS fall, fall.up AS up,
                fall.down AS down,
                COALESCE(taker.kind, 0) AS kind
            FROM (
                SELECT DISTINCT load.tid AS tid, load.part AS part
                FROM $load AS load JOIN $choice AS choice ON choice.part = load.part
            ) AS load
            LEFT JOIN $taker AS taker ON taker.tid = load.tid
            LEFT JOIN fall AS fall ON fall.id = taker.fall
        ) AS member
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
        SELECT cell.tid AS tid, cell.item AS item, cell.branch AS branch FROM $cell AS cell
        WHERE NOT EXISTS (SELECT 1 AS one FROM $choice AS choice WHERE choice.part = cell.part)
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
        SELECT moved.tid AS tid, moved.item AS item, moved.part AS part, moved.branch AS branch
        FROM (
            SELECT cell.tid AS tid, cell.item AS item, heir.part AS part,
                CASE WHEN fall.item IS NULL THEN cell.branch ELSE fall.down END AS branch
            FROM $cell AS cell
            JOIN $heir AS heir ON heir.tid = cell.tid
            LEFT JOIN fall_of AS fall ON fall.id = heir.fall AND fall.item = cell.item
                AND fall.up = cell.branch
        ) AS moved
        WHERE moved.branch >= 0
        """,
        cell=_table("cell", number),
        heir=_table("heir", number),
    )
    return Step(
        f"cell_{number + 1}",
        "each row is an occurrence that the next round may generalize less",
        query,
    )


def costs(rows: str = ALL) -> Step:
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
            JOIN $rows AS o ON o.tid = c.tid
            JOIN descent AS d ON d.item = o.item AND d.branch = c.branch
            JOIN branch AS b ON b.branch = c.branch
        ) AS g
        """,
        rows=rows,
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

"""Split transactions into partitions from the root down: all partitions of a round at once.

Reads occurrence(tid, item), and node and path of a hierarchy. Makes

  branch(branch, node, leaves)         one row per node below which items differ, in order of
                                       (level, label); of a chain of only children the lowest
  descent(item, branch, up, child, gain)  one row per item and branch above it: the next branch
                                       above (NULL for the topmost), the child below (a branch, or
                                       -1 - item), and the leaves saved by publishing the child
  held(tid, branch, up, gain, shape)   one row per transaction and branch above its items: the gain
                                       when it is expanded, and a bit for each child that this shows

In every round `open_R(tid, part, branch, gain, shape)` has one row per transaction and branch that
its partition may still expand. All transactions of a partition hold equal open branches.
`closed(tid, branch, part, round)` collects the branches that are published. Gains are in leaves:
divided by the leaves of the hierarchy and by the occurrences, they are shares of NCP, the loss.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, duck_union, term, together, user_columns

ALL, KNOWN = "occurrence", "known"  # the occurrences on which twins agree: all, or of public items
WORD = 62  # children that the bits of a BIGINT can distinguish


def known() -> Step:
    """One row per occurrence of a public item."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN public_item AS r ON r.item = o.item
        """
    )
    return Step(KNOWN, "each row is a transaction and a public item, which its twins share", query)


def branches() -> Step:
    """One row per inner node whose expansion can distinguish items."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY l.node) - 1 AS INT) AS branch, l.node AS node,
            n.leaves AS leaves
        FROM (
            SELECT DISTINCT c.node AS node
            FROM (
                SELECT p.item AS item, MIN(p.node) AS node
                FROM path AS p JOIN node AS n ON n.node = p.node
                WHERE n.leaves > 1
                GROUP BY p.item, n.leaves
            ) AS c
        ) AS l
        JOIN node AS n ON n.node = l.node
        """
    )
    return Step(
        "branch",
        "each row is a node that can be expanded into its children, numbered by level and label",
        query,
    )


def descents() -> Step:
    """One row per item and branch above it: the child below the branch, and the leaves saved."""
    query = duck(
        """
        SELECT a.item AS item, a.branch AS branch, a.up AS up,
            COALESCE(a.below, -1 - a.item) AS child,
            a.leaves - COALESCE(a.leaves_below, 0) AS gain
        FROM (
            SELECT p.item AS item, b.branch AS branch, b.leaves AS leaves,
                LAG(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS below,
                LAG(b.leaves) OVER (PARTITION BY p.item ORDER BY b.leaves) AS leaves_below,
                LEAD(b.branch) OVER (PARTITION BY p.item ORDER BY b.leaves) AS up
            FROM path AS p JOIN branch AS b ON b.node = p.node
        ) AS a
        """
    )
    return Step(
        "descent",
        "each row is an item and a branch above it; gain is the leaves saved by its child",
        query,
    )


def slots() -> Step:
    """One row per branch and child: the child's place among its siblings, from 0."""
    query = duck(
        """
        SELECT d.branch AS branch, d.child AS child,
            CAST(ROW_NUMBER() OVER (PARTITION BY d.branch ORDER BY d.child) - 1 AS INT) AS slot
        FROM (SELECT DISTINCT branch, child FROM descent) AS d
        """
    )
    return Step("slot", "each row is a child of a branch, with the bit that stands for it", query)


def widest() -> Step:
    """One row: the most children of a branch, and the number of branches."""
    query = duck(
        """
        SELECT COALESCE(MAX(s.slot), 0) + 1 AS children, COUNT(DISTINCT s.branch) AS branches
        FROM slot AS s
        """
    )
    return Step(
        "widest",
        "finds the most children of a branch, which decides how their bits are kept",
        query,
    )


def held(
    children: int, branches: int, rows: str = ALL, part: tuple[int, int] | None = None
) -> Step:
    """One row per transaction and branch above its items.

    A `part` is of the transactions from its first number until before its second.
    """
    if children <= WORD:
        shape = term("BIT_OR(CAST(1 AS BIGINT) << s.slot)")
    else:
        shape = term("PACK(s.slot, $children)", children=children)
    query = duck(
        """
        SELECT CAST(HIGH(h.id, $branches) AS INT) AS tid,
            CAST(LOW(h.id, $branches) AS INT) AS branch, h.up AS up, h.gain AS gain,
            h.shape AS shape
        FROM (
            SELECT CAST(o.tid AS BIGINT) * $branches + d.branch AS id, MAX(d.up) AS up,
                CAST(SUM(d.gain) AS BIGINT) AS gain, $shape AS shape
            FROM $rows AS o
            JOIN descent AS d ON d.item = o.item
            JOIN slot AS s ON s.branch = d.branch AND s.child = d.child
            WHERE $within
            GROUP BY CAST(o.tid AS BIGINT) * $branches + d.branch
        ) AS h
        """,
        shape=shape,
        within=[
            term("o.tid >= $first AND o.tid < $beyond", first=first, beyond=beyond)
            for first, beyond in ([] if part is None else [part])
        ],
        branches=max(1, branches),
        rows=rows,
    )
    return Step(
        "held",
        "each row is a transaction and a branch above its items, with its gain and its children",
        query,
    )


def opened() -> Step:
    """One row per transaction with items: all are in one partition, at the root."""
    query = duck(
        """
        SELECT h.tid AS tid, 0 AS part, h.branch AS branch, h.gain AS gain, h.shape AS shape
        FROM held AS h WHERE h.up IS NULL
        """
    )
    return Step(
        "open_1",
        "each row is a transaction in the first partition, with all items generalized to the root",
        query,
    )


def closed() -> Step:
    """No row yet."""
    query = duck(
        """
        SELECT h.tid AS tid, h.branch AS branch, 0 AS part, 0 AS round FROM held AS h
        WHERE h.tid < 0
        """
    )
    return Step("closed", "each row will be a branch that a transaction is published with", query)


def picked(number: int, k: int) -> Step:
    """One row per partition and branch to expand: the largest gain of the partition, by name.

    A partition of fewer than 2k cannot be divided: a branch is expanded only if it shows equal
    children in all its transactions. Such expansions are independent, so all are tried.
    """
    query = duck(
        """
        SELECT ranked.part AS part, ranked.branch AS branch, ranked.gain AS gain,
            CASE WHEN ranked.transactions < $twice THEN 1 ELSE 0 END AS whole
        FROM (
            SELECT opened.part AS part, opened.branch AS branch, COUNT(*) AS transactions,
                CAST(SUM(opened.gain) AS BIGINT) AS gain,
                ROW_NUMBER() OVER (
                    PARTITION BY opened.part ORDER BY CAST(SUM(opened.gain) AS BIGINT) DESC,
                        opened.branch
                ) AS place
            FROM $open AS opened GROUP BY opened.part, opened.branch
        ) AS ranked
        WHERE ranked.place = 1 OR ranked.transactions < $twice
        """,
        open=_table("open", number),
        twice=2 * k,
    )
    return Step(
        f"picked_{number}",
        "each row is a partition and the branch whose expansion gains most",
        query,
    )


def split(number: int) -> Step:
    """One row per transaction and branch that its partition expands."""
    query = duck(
        """
        SELECT opened.tid AS tid, opened.part AS part, opened.branch AS branch,
            opened.gain AS gain, opened.shape AS shape,
            picked.whole AS whole
        FROM $open AS opened JOIN $picked AS picked ON picked.part = opened.part
            AND picked.branch = opened.branch
        """,
        open=_table("open", number),
        picked=_table("picked", number),
    )
    return Step(
        f"split_{number}",
        "each row is a transaction and the branch its partition expands; shape is the "
        "children shown",
        query,
    )


def buckets(number: int, k: int) -> Step:
    """One row per bucket: transactions of a partition that show equal children.

    `spare` is the number of its transactions that the leftover may take: NULL if it goes there
    whole, 0 if it stays whole. `wanted` is the number that the leftover lacks; `part` and `rest`
    are the new partitions of the bucket and of the leftover.
    """
    query = duck(
        """
        SELECT sized.was AS was, sized.branch AS branch, sized.shape AS shape,
            $k - sized.small AS wanted,
            CASE
                WHEN sized.transactions < $k THEN NULL
                WHEN sized.small = 0 OR sized.small >= $k THEN 0
                WHEN sized.small + sized.surplus >= $k THEN sized.transactions - $k
                WHEN sized.place = 1 THEN NULL
                ELSE 0
            END AS spare,
            CAST(
                CASE WHEN sized.whole = 1 THEN 2 * sized.first + 1 ELSE 2 * sized.number END AS INT
            ) AS part,
            CAST(2 * sized.first + 1 AS INT) AS rest
        FROM (
            SELECT bucket.part AS was, bucket.branch AS branch, bucket.shape AS shape,
                bucket.whole AS whole,
                bucket.transactions AS transactions, bucket.number AS number,
                MIN(bucket.number) OVER (PARTITION BY bucket.part) AS first,
                CAST(SUM(CASE WHEN bucket.transactions < $k THEN bucket.transactions ELSE 0 END)
                    OVER (PARTITION BY bucket.part, bucket.branch) AS BIGINT) AS small,
                CAST(SUM(
                        CASE WHEN bucket.transactions < $k THEN 0 ELSE bucket.transactions - $k END
                    )
                    OVER (PARTITION BY bucket.part, bucket.branch) AS BIGINT) AS surplus,
                ROW_NUMBER() OVER (
                    PARTITION BY bucket.part, bucket.branch
                    ORDER BY CASE WHEN bucket.transactions < $k THEN 1 ELSE 0 END,
                        bucket.transactions, bucket.gain, bucket.shape
                ) AS place
            FROM (
                SELECT parted.part AS part, parted.branch AS branch, parted.shape AS shape,
                    MAX(parted.whole) AS whole, COUNT(*) AS transactions,
                    CAST(SUM(parted.gain) AS BIGINT) AS gain,
                    ROW_NUMBER() OVER (ORDER BY parted.part, parted.branch, parted.shape) AS number
                FROM $split AS parted GROUP BY parted.part, parted.branch, parted.shape
            ) AS bucket
        ) AS sized
        """,
        split=_table("split", number),
        k=k,
    )
    return Step(
        f"bucket_{number}",
        "each row is a bucket of equal children; buckets of fewer than k join the leftover",
        query,
    )


def drawn(number: int) -> Step:
    """One row per transaction that a leftover of fewer than k takes from a larger bucket."""
    query = duck(
        """
        SELECT ranked.tid AS tid
        FROM (
            SELECT willing.tid AS tid, willing.wanted AS wanted,
                ROW_NUMBER() OVER (PARTITION BY willing.part ORDER BY willing.gain,
                    willing.tid) AS place
            FROM (
                SELECT parted.tid AS tid, parted.part AS part, parted.gain AS gain,
                    bucket.spare AS spare,
                    bucket.wanted AS wanted,
                    ROW_NUMBER() OVER (
                        PARTITION BY parted.part, parted.shape ORDER BY parted.gain, parted.tid
                    ) AS place
                FROM $split AS parted
                JOIN $bucket AS bucket
                    ON bucket.was = parted.part AND bucket.branch = parted.branch
                        AND bucket.shape = parted.shape
                WHERE bucket.spare > 0
            ) AS willing
            WHERE willing.place <= willing.spare
        ) AS ranked
        WHERE ranked.place <= ranked.wanted
        """,
        split=_table("split", number),
        bucket=_table("bucket", number),
    )
    return Step(
        f"drawn_{number}",
        "each row is a transaction that fills the leftover up to k: those of least gain",
        query,
    )


def moved(number: int) -> Step:
    """One row per row of `split`: its new partition, and whether its branch was expanded."""
    query = duck(
        """
        SELECT parted.tid AS tid, parted.branch AS branch, parted.whole AS whole,
            CASE WHEN bucket.spare IS NULL OR NOT drawn.tid IS NULL THEN bucket.rest
                ELSE bucket.part END AS part,
            CASE WHEN bucket.spare IS NULL OR NOT drawn.tid IS NULL THEN 0 ELSE 1 END AS expanded
        FROM $split AS parted
        JOIN $bucket AS bucket ON bucket.was = parted.part AND bucket.branch = parted.branch
            AND bucket.shape = parted.shape
        LEFT JOIN $drawn AS drawn ON drawn.tid = parted.tid
        """,
        split=_table("split", number),
        bucket=_table("bucket", number),
        drawn=_table("drawn", number),
    )
    return Step(
        f"moved_{number}",
        "each row is a transaction with its new partition: its bucket or the leftover",
        query,
    )


def left_over(numbers: Iterable[int]) -> Step:
    """One row per transaction of a leftover of these rounds: it keeps its branch for good.

    No later attempt could succeed: the buckets of a leftover have fewer than k transactions, and
    parts of it have no more.
    """
    rounds = [
        duck(
            """
            SELECT moved.tid AS tid, moved.branch AS branch, moved.part AS part, $number AS round
            FROM $moved AS moved WHERE moved.expanded = 0
            """,
            moved=_table("moved", number),
            number=number,
        )
        for number in numbers
    ]
    why = "each row is a transaction of a leftover: the branch is published for it"
    return Step("closed", why, together(rounds))


def reopened(number: int) -> Step:
    """One row per transaction and branch that is open now: the earlier ones, and the children."""
    query = duck_union(
        """
        SELECT opened.tid AS tid, moved.part AS part, opened.branch AS branch,
            opened.gain AS gain, opened.shape AS shape
        FROM $open AS opened JOIN $moved AS moved ON moved.tid = opened.tid
        WHERE moved.whole = 0 AND opened.branch <> moved.branch
        UNION ALL
        SELECT child.tid AS tid, moved.part AS part, child.branch AS branch, child.gain AS gain,
            child.shape AS shape
        FROM held AS child JOIN $moved AS moved ON moved.tid = child.tid AND moved.branch = child.up
        WHERE moved.expanded = 1
        """,
        open=_table("open", number),
        moved=_table("moved", number),
    )
    return Step(
        f"open_{number + 1}",
        "each row is a transaction and a branch that the next round may expand",
        query,
    )


def recoded(rows: str = ALL) -> Step:
    """One row per occurrence: its published node."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, COALESCE(g.node, o.item) AS node
        FROM occurrence AS o
        LEFT JOIN (
            SELECT c.tid AS tid, d.item AS item, b.node AS node
            FROM closed AS c
            JOIN $rows AS u ON u.tid = c.tid
            JOIN descent AS d ON d.item = u.item AND d.branch = c.branch
            JOIN branch AS b ON b.branch = c.branch
        ) AS g ON g.tid = o.tid AND g.item = o.item
        """,
        rows=rows,
    )
    return Step(
        "recoded",
        "each row is an occurrence with its published node: its closed branch, or the item itself",
        query,
    )


def empty_transactions(rows: str = ALL) -> Step:
    """One row: the number of transactions without items."""
    query = duck(
        """
        SELECT COUNT(*) AS transactions FROM basket AS b
        WHERE NOT EXISTS (SELECT 1 AS one FROM $rows AS o WHERE o.tid = b.tid)
        """,
        rows=rows,
    )
    return Step("empty", "counts transactions without items: they are a class of their own", query)


def leftovers() -> Step:
    """One row: the number of leftovers, of their transactions, and of those in the largest."""
    query = duck(
        """
        SELECT COUNT(*) AS leftovers, CAST(COALESCE(SUM(l.transactions), 0) AS BIGINT) AS moved,
            COALESCE(MAX(l.transactions), 0) AS largest
        FROM (
            SELECT c.round AS round, c.part AS part, COUNT(DISTINCT c.tid) AS transactions
            FROM closed AS c GROUP BY c.round, c.part
        ) AS l
        """
    )
    return Step("leftovers", "counts the leftovers and their transactions", query)


def as_given(
    columns: tuple[str, ...], item: str, key: exp.Column, level: str, number: str | None, line: str
) -> Step:
    """The rows of the source unchanged; in long form with a `number` to sort by."""
    shown = user_columns("s", columns if number else (*columns, line))
    text = "SELECT $columns FROM source AS s WHERE NOT s.$key IS NULL AND NOT s.$item IS NULL"
    if number:
        text = """
            SELECT DISTINCT $columns,
                CAST(s.$level AS BIGINT) * (SELECT COUNT(*) AS n FROM label AS c) + l.item
                    AS $number
            FROM source AS s JOIN label AS l ON l.name = s.$item
            WHERE NOT s.$key IS NULL AND NOT s.$item IS NULL
            """
    query = duck(
        text,
        columns=shown,
        level=column(level),
        number=column(number or ""),
        key=key,
        item=column(item),
    )
    return Step("release", "each row is a row of the source: it keeps the promise already", query)


def _table(name: str, number: int) -> str:
    return f"{name}_{number}"

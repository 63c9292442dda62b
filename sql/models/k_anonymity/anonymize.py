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

from sqlglot import exp

from setveil.sql.run.reading import column
from setveil.sql.step import Step, duck, duck_union, term, user_columns

WORD = 62  # children that the bits of a BIGINT can distinguish


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


def held(children: int, branches: int) -> Step:
    """One row per transaction and branch above its items."""
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
            FROM occurrence AS o
            JOIN descent AS d ON d.item = o.item
            JOIN slot AS s ON s.branch = d.branch AND s.child = d.child
            GROUP BY CAST(o.tid AS BIGINT) * $branches + d.branch
        ) AS h
        """,
        shape=shape,
        branches=max(1, branches),
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
        SELECT g.part AS part, g.branch AS branch, g.gain AS gain,
            CASE WHEN g.transactions < $twice THEN 1 ELSE 0 END AS whole
        FROM (
            SELECT o.part AS part, o.branch AS branch, COUNT(*) AS transactions,
                CAST(SUM(o.gain) AS BIGINT) AS gain,
                ROW_NUMBER() OVER (
                    PARTITION BY o.part ORDER BY CAST(SUM(o.gain) AS BIGINT) DESC, o.branch
                ) AS place
            FROM $open AS o GROUP BY o.part, o.branch
        ) AS g
        WHERE g.place = 1 OR g.transactions < $twice
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
        SELECT o.tid AS tid, o.part AS part, o.branch AS branch, o.gain AS gain, o.shape AS shape,
            p.whole AS whole
        FROM $open AS o JOIN $picked AS p ON p.part = o.part AND p.branch = o.branch
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
        SELECT a.was AS was, a.branch AS branch, a.shape AS shape, $k - a.small AS wanted,
            CASE
                WHEN a.transactions < $k THEN NULL
                WHEN a.small = 0 OR a.small >= $k THEN 0
                WHEN a.small + a.surplus >= $k THEN a.transactions - $k
                WHEN a.place = 1 THEN NULL
                ELSE 0
            END AS spare,
            CAST(CASE WHEN a.whole = 1 THEN 2 * a.first + 1 ELSE 2 * a.number END AS INT) AS part,
            CAST(2 * a.first + 1 AS INT) AS rest
        FROM (
            SELECT b.part AS was, b.branch AS branch, b.shape AS shape, b.whole AS whole,
                b.transactions AS transactions, b.number AS number,
                MIN(b.number) OVER (PARTITION BY b.part) AS first,
                CAST(SUM(CASE WHEN b.transactions < $k THEN b.transactions ELSE 0 END)
                    OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS small,
                CAST(SUM(CASE WHEN b.transactions < $k THEN 0 ELSE b.transactions - $k END)
                    OVER (PARTITION BY b.part, b.branch) AS BIGINT) AS surplus,
                ROW_NUMBER() OVER (
                    PARTITION BY b.part, b.branch
                    ORDER BY CASE WHEN b.transactions < $k THEN 1 ELSE 0 END,
                        b.transactions, b.gain, b.shape
                ) AS place
            FROM (
                SELECT s.part AS part, s.branch AS branch, s.shape AS shape,
                    MAX(s.whole) AS whole, COUNT(*) AS transactions,
                    CAST(SUM(s.gain) AS BIGINT) AS gain,
                    ROW_NUMBER() OVER (ORDER BY s.part, s.branch, s.shape) AS number
                FROM $split AS s GROUP BY s.part, s.branch, s.shape
            ) AS b
        ) AS a
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
        SELECT r.tid AS tid
        FROM (
            SELECT w.tid AS tid, w.wanted AS wanted,
                ROW_NUMBER() OVER (PARTITION BY w.part ORDER BY w.gain, w.tid) AS place
            FROM (
                SELECT s.tid AS tid, s.part AS part, s.gain AS gain, b.spare AS spare,
                    b.wanted AS wanted,
                    ROW_NUMBER() OVER (
                        PARTITION BY s.part, s.shape ORDER BY s.gain, s.tid
                    ) AS place
                FROM $split AS s
                JOIN $bucket AS b
                    ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
                WHERE b.spare > 0
            ) AS w
            WHERE w.place <= w.spare
        ) AS r
        WHERE r.place <= r.wanted
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
        SELECT s.tid AS tid, s.branch AS branch, s.whole AS whole,
            CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN b.rest ELSE b.part END AS part,
            CASE WHEN b.spare IS NULL OR NOT d.tid IS NULL THEN 0 ELSE 1 END AS expanded
        FROM $split AS s
        JOIN $bucket AS b ON b.was = s.part AND b.branch = s.branch AND b.shape = s.shape
        LEFT JOIN $drawn AS d ON d.tid = s.tid
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


def left_over(number: int) -> Step:
    """One row per transaction of a leftover: it keeps its branch, and never tries it again.

    No later attempt could succeed: the buckets of a leftover have fewer than k transactions, and
    parts of it have no more.
    """
    query = duck(
        """
        SELECT m.tid AS tid, m.branch AS branch, m.part AS part, $number AS round
        FROM $moved AS m WHERE m.expanded = 0
        """,
        moved=_table("moved", number),
        number=number,
    )
    return Step(
        "closed", "each row is a transaction of a leftover: the branch is published for it", query
    )


def reopened(number: int) -> Step:
    """One row per transaction and branch that is open now: the earlier ones, and the children."""
    query = duck_union(
        """
        SELECT o.tid AS tid, m.part AS part, o.branch AS branch, o.gain AS gain, o.shape AS shape
        FROM $open AS o JOIN $moved AS m ON m.tid = o.tid
        WHERE m.whole = 0 AND o.branch <> m.branch
        UNION ALL
        SELECT h.tid AS tid, m.part AS part, h.branch AS branch, h.gain AS gain, h.shape AS shape
        FROM held AS h JOIN $moved AS m ON m.tid = h.tid AND m.branch = h.up
        WHERE m.expanded = 1
        """,
        open=_table("open", number),
        moved=_table("moved", number),
    )
    return Step(
        f"open_{number + 1}",
        "each row is a transaction and a branch that the next round may expand",
        query,
    )


def recoded() -> Step:
    """One row per occurrence: its published node."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item, COALESCE(g.node, o.item) AS node
        FROM occurrence AS o
        LEFT JOIN (
            SELECT c.tid AS tid, d.item AS item, b.node AS node
            FROM closed AS c
            JOIN occurrence AS u ON u.tid = c.tid
            JOIN descent AS d ON d.item = u.item AND d.branch = c.branch
            JOIN branch AS b ON b.branch = c.branch
        ) AS g ON g.tid = o.tid AND g.item = o.item
        """
    )
    return Step(
        "recoded",
        "each row is an occurrence with its published node: its closed branch, or the item itself",
        query,
    )


def empty_transactions() -> Step:
    """One row: the number of transactions without items."""
    query = duck(
        """
        SELECT COUNT(*) AS transactions FROM basket AS b
        WHERE NOT EXISTS (SELECT 1 AS one FROM occurrence AS o WHERE o.tid = b.tid)
        """
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

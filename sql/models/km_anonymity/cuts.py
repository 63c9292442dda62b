"""Find out which cuts of a hierarchy are k^m-anonymous.

Reads occurrence(tid, item), node and path. A cut assigns one published node to each item. It is
given by the nodes that are split, `split_N`: an item goes to the highest node above it that is not
split. Makes, per round N, recoded_N(item, node) and general_N(tid, node, weight). The latter has
one row per distinct generalized transaction and node of it: `tid` is an example of these
transactions, `weight` their number.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from setveil.sql import inverted, levels
from setveil.sql.step import Step, duck, each, joins, numbers, term

BITS = 62  # bits of a BIGINT that leave its sign alone
BEYOND = 2**31 - 1  # more than the number of any node
WORDS = 2  # with more words of nodes, transactions are hardly ever equal


def tree(width: int) -> Step:
    """One row per node: its parent (-1: none), level and leaves, support and occurrences.

    A node's transactions are those of its items, `width` of them in a string of bits. A narrow
    block is a word of bits: to combine numbers takes a fraction of the time. A leaf has as many
    transactions as occurrences.
    """
    narrow = width <= inverted.WORD + 1
    rows = duck("SELECT item AS id, tid FROM occurrence").subquery()
    query = duck(
        """
        SELECT n.node AS node, COALESCE(n.parent, -1) AS parent, n.level AS level,
            n.leaves AS leaves, COALESCE(h.support, m.held, 0) AS support,
            COALESCE(m.held, 0) AS held
        FROM node AS n
        LEFT JOIN (
            SELECT b.node AS node, CAST(SUM($count) AS BIGINT) AS support
            FROM (
                SELECT p.node AS node, t.block AS block, BIT_OR(t.bits) AS bits
                FROM $postings AS t JOIN path AS p ON p.item = t.id
                WHERE p.level > 0
                GROUP BY p.node, t.block
            ) AS b
            GROUP BY b.node
        ) AS h ON h.node = n.node
        LEFT JOIN (
            SELECT p.node AS node, CAST(SUM(i.support) AS BIGINT) AS held
            FROM path AS p JOIN item AS i ON i.item = p.item
            GROUP BY p.node
        ) AS m ON m.node = n.node
        ORDER BY node
        """,
        count=term("ONES(b.bits)" if narrow else "BIT_COUNT(b.bits)"),
        postings=inverted.words(rows) if narrow else inverted.packed(rows, width),
    )
    return Step(
        "tree",
        "each row is a node of the hierarchy with the transactions and occurrences below it",
        query,
    )


def recoded(name: str, split: str) -> Step:
    """One row per item: its node in the cut. Nodes higher up on a path have larger numbers."""
    query = duck(
        """
        SELECT p.item AS item, MAX(p.node) AS node
        FROM path AS p
        WHERE NOT EXISTS (SELECT 1 AS one FROM $split AS s WHERE s.item = p.node)
        GROUP BY p.item
        """,
        split=split,
    )
    return Step(
        name,
        "each row is an item and its published node: the highest node above it that is not split",
        query,
    )


def general(number: int, nodes: int) -> Step:
    """One row per distinct generalized transaction and node; not merged if nodes are many."""
    words = -(-nodes // BITS)
    merged = words <= WORDS
    query = duck(
        """
        SELECT h.tid AS tid, h.node AS node, $weight AS weight
        FROM (
            SELECT DISTINCT o.tid AS tid, r.node AS node
            FROM occurrence AS o JOIN $recoded AS r ON r.item = o.item
        ) AS h
        JOIN $groups
        """,
        weight=term("g.weight") if merged else 1,
        recoded=f"recoded_{number}",
        groups=joins("JOIN $groups AS g ON g.tid = h.tid", [0], groups=_groups(number, words))
        if merged
        else [],
    )
    return Step(
        f"general_{number}",
        "each row is a generalized transaction and a node it holds; weight counts equal "
        "transactions",
        query,
    )


def _groups(number: int, words: int) -> exp.Select:
    """One row per distinct generalized transaction: an example, and the number of its copies."""
    return duck(
        """
        SELECT MIN(t.tid) AS tid, COUNT(*) AS weight
        FROM (
            SELECT o.tid AS tid, $masks
            FROM occurrence AS o JOIN $places AS q ON q.item = o.item
            GROUP BY o.tid
        ) AS t
        GROUP BY $words
        """,
        masks=masks(words),
        places=places(number),
        words=each("t.word_{n}", range(words)),
    )


def masks(words: int) -> list[exp.Expr]:
    """The nodes of a transaction as words of bits, by their places `q`."""
    mask = """
        COALESCE(BIT_OR(
            CASE WHEN q.place >= $low AND q.place < $high
            THEN CAST(1 AS BIGINT) << CAST(q.place - $low AS INT) END
        ), 0) AS word_{n}
        """
    return [
        one
        for word in range(words)
        for one in each(mask, [word], low=word * BITS, high=(word + 1) * BITS)
    ]


def places(number: int) -> exp.Select:
    """One row per item: the place of its published node, from 0."""
    return duck(
        """
        SELECT r.item AS item, DENSE_RANK() OVER (ORDER BY r.node) - 1 AS place
        FROM $recoded AS r
        """,
        recoded=f"recoded_{number}",
    )


def lengths(number: int) -> Step:
    """One row per length: the number of generalized transactions with so many nodes."""
    why = "counts generalized transactions by length, which bounds the sets of nodes to count"
    return Step(f"lengths_{number}", why, levels.lengths(f"general_{number}"))


def item_lengths() -> Step:
    """One row per length: the number of transactions with so many items."""
    why = "counts transactions by length, which bounds the sets of nodes to count in every round"
    return Step("lengths", why, levels.lengths("occurrence"))


def violations(
    number: int, size: int, k: int, limit: int, fresh: Sequence[int] | None = None
) -> Step:
    """One row per group of parents of the nodes of an itemset with support below k.

    Not all of these parents may be split: a cut that splits them publishes this itemset, or finer
    itemsets of no more support. With `fresh`, only itemsets with one of these nodes.
    """
    places = range(1, size + 1)
    counted = _all_sets(number, size) if fresh is None else _fresh_sets(number, size, fresh)
    query = duck(
        """
        SELECT DISTINCT $parents
        FROM $rare AS v
        JOIN $above
        ORDER BY $order
        LIMIT $limit
        """,
        parents=each("a{n}.parent AS p{n}", places),
        rare=counted.having(term("SUM(g1.weight) < $k", k=k)),
        above=joins("JOIN node AS a{n} ON a{n}.node = v.n{n}", places),
        order=each("p{n}", places),
        limit=limit,
    )
    why = f"each row has the parents of {size} nodes with too few transactions: a cut must keep one"
    if fresh is not None:
        why += "; sets without a node that is listed here were counted in an earlier cut"
    return Step(f"violations_{number}_{size}", why, query)


def _all_sets(number: int, size: int) -> exp.Select:
    later = "JOIN $general AS g{n} ON g{n}.tid = g1.tid AND g{before}.node < g{n}.node"
    return duck(
        "SELECT $nodes FROM $general AS g1 JOIN $others GROUP BY $nodes",
        nodes=each("g{n}.node AS n{n}", range(1, size + 1)),
        general=f"general_{number}",
        others=joins(later, range(2, size + 1), general=f"general_{number}"),
    )


def _fresh_sets(number: int, size: int, fresh: Sequence[int]) -> exp.Select:
    """Sets with a fresh node: the least of these comes first, and then the others in order.

    A node of `marked` may follow a first node below its `place`.
    """
    listed = duck(
        "SELECT CAST(v.node AS INT) AS node FROM $nodes AS v",
        nodes=numbers(["node"], [[one] for one in fresh]),
    )
    marked = duck(
        """
        SELECT g.tid AS tid, g.node AS node,
            CASE WHEN f.node IS NULL THEN $beyond ELSE f.node END AS place
        FROM $general AS g LEFT JOIN $listed AS f ON f.node = g.node
        """,
        general=f"general_{number}",
        listed=listed,
        beyond=BEYOND,
    )
    later = "JOIN $marked AS g{n} ON g{n}.tid = g1.tid AND g{n}.place > g1.node"
    return duck(
        """
        SELECT $nodes
        FROM $general AS g1 JOIN $listed AS f1 ON f1.node = g1.node JOIN $second JOIN $others
        GROUP BY $nodes
        """,
        nodes=each("g{n}.node AS n{n}", range(1, size + 1)),
        general=f"general_{number}",
        listed=listed,
        second=joins(later, [2], marked=marked),
        others=joins(
            f"{later} AND g{{before}}.node < g{{n}}.node", range(3, size + 1), marked=marked
        ),
    )

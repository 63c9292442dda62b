"""Find out which cuts of a hierarchy keep k persons: the steps of `cuts.py` that count persons.

An equal generalized transaction of several persons is still one kind, as in `cuts.py`. A kind has
the remainders of its persons' numbers as bits: the bits of a set are of at least as many persons.
Only sets with fewer than k bits are in doubt; their persons are counted one by one.

Makes per round kind_N(tid, kind, person), where `kind` is an example of equal transactions;
general_N as `cuts.py`, with the words seen_0, … of bits; and doubt_N_S(n1, …, support).
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.models.km_anonymity.cuts import BITS, WORDS, masks, places
from setveil.sql.step import Step, duck, each, joins, term

REMAINDERS = 8  # words of bits of a set, at most


def words(k: int) -> int:
    """The words of bits that mostly distinguish k persons."""
    return min(REMAINDERS, 1 + k // 20)


def tree(transactions: int, persons: int) -> Step:
    """One row per node, as `cuts.tree`, with the persons of transactions below it."""
    query = duck(
        """
        SELECT n.node AS node, COALESCE(n.parent, -1) AS parent, n.level AS level,
            n.leaves AS leaves, COALESCE(h.support, 0) AS support, COALESCE(h.held, 0) AS held,
            COALESCE(h.persons, 0) AS persons
        FROM node AS n
        LEFT JOIN (
            SELECT HIGH(p.pair, $persons) AS node, CAST(SUM(p.support) AS BIGINT) AS support,
                CAST(SUM(p.held) AS BIGINT) AS held, COUNT(*) AS persons
            FROM (
                SELECT HIGH(t.pair, $transactions) * $persons + b.person AS pair,
                    COUNT(*) AS support, CAST(SUM(t.held) AS BIGINT) AS held
                FROM (
                    SELECT CAST(p.node AS BIGINT) * $transactions + o.tid AS pair,
                        COUNT(*) AS held
                    FROM occurrence AS o JOIN path AS p ON p.item = o.item
                    GROUP BY CAST(p.node AS BIGINT) * $transactions + o.tid
                ) AS t
                JOIN basket AS b ON b.tid = LOW(t.pair, $transactions)
                GROUP BY HIGH(t.pair, $transactions) * $persons + b.person
            ) AS p
            GROUP BY HIGH(p.pair, $persons)
        ) AS h ON h.node = n.node
        ORDER BY node
        """,
        transactions=max(1, transactions),
        persons=max(1, persons),
    )
    return Step(
        "tree",
        "each row is a node of the hierarchy with the persons, transactions and occurrences below "
        "it",
        query,
    )


def kinds(number: int, nodes: int) -> Step:
    """One row per transaction with items: an example of its equals, and its person."""
    many = -(-nodes // BITS)
    if many > WORDS:  # transactions are hardly ever equal
        query = duck("SELECT b.tid AS tid, b.tid AS kind, b.person AS person FROM basket AS b")
    else:
        query = duck(
            """
            SELECT t.tid AS tid, MIN(t.tid) OVER (PARTITION BY $words) AS kind,
                b.person AS person
            FROM (
                SELECT o.tid AS tid, $masks
                FROM occurrence AS o JOIN $places AS q ON q.item = o.item
                GROUP BY o.tid
            ) AS t
            JOIN basket AS b ON b.tid = t.tid
            """,
            words=each("t.word_{n}", range(many)),
            masks=masks(many),
            places=places(number),
        )
    return Step(
        f"kind_{number}",
        "each row is a transaction, one that is equal when generalized, and its person",
        query,
    )


def general(number: int, k: int) -> Step:
    """One row per distinct generalized transaction and node, with the bits of its persons."""
    many = words(k)
    query = duck(
        """
        SELECT h.tid AS tid, h.node AS node, g.weight AS weight, $seen
        FROM (
            SELECT DISTINCT o.tid AS tid, r.node AS node
            FROM occurrence AS o JOIN $recoded AS r ON r.item = o.item
        ) AS h
        JOIN (
            SELECT q.kind AS tid, COUNT(*) AS weight, $bits FROM $kinds AS q GROUP BY q.kind
        ) AS g ON g.tid = h.tid
        """,
        seen=each("g.seen_{n} AS seen_{n}", range(many)),
        recoded=f"recoded_{number}",
        bits=_bits(many),
        kinds=f"kind_{number}",
    )
    return Step(
        f"general_{number}",
        "each row is a generalized transaction and a node it holds; weight counts equal "
        "transactions, and bits distinguish their persons",
        query,
    )


def _bits(many: int) -> list[exp.Expr]:
    if many == 1:
        return each(
            "BIT_OR(CAST(1 AS BIGINT) << CAST(q.person % $b AS INT)) AS seen_{n}", [0], b=BITS
        )
    bit = """
        COALESCE(BIT_OR(
            CASE WHEN q.person % $all >= $low AND q.person % $all < $high
            THEN CAST(1 AS BIGINT) << CAST(q.person % $all - $low AS INT) END
        ), 0) AS seen_{n}
        """
    return [
        one
        for word in range(many)
        for one in each(bit, [word], all=many * BITS, low=word * BITS, high=(word + 1) * BITS)
    ]


def doubts(number: int, size: int, k: int) -> Step:
    """One row per set of nodes that may have fewer than k persons, with its support."""
    numbers = range(1, size + 1)
    query = duck(
        """
        SELECT $nodes, CAST(SUM(g1.weight) AS BIGINT) AS support
        FROM $general AS g1 JOIN $others
        GROUP BY $nodes
        HAVING $seen < $k
        """,
        nodes=each("g{n}.node AS n{n}", numbers),
        general=f"general_{number}",
        others=joins(
            "JOIN $general AS g{n} ON g{n}.tid = g1.tid AND g{before}.node < g{n}.node",
            numbers[1:],
            general=f"general_{number}",
        ),
        seen=term(" + ".join(f"CAST(ONES(BIT_OR(g1.seen_{n})) AS INT)" for n in range(words(k)))),
        k=k,
    )
    return Step(
        f"doubt_{number}_{size}",
        f"each row is a set of {size} nodes that may be of fewer than k persons, and its support",
        query,
    )


def held(number: int, size: int) -> Step:
    """One row: the transactions that hold the sets in doubt."""
    query = duck(
        "SELECT CAST(COALESCE(SUM(d.support), 0) AS BIGINT) AS held FROM $doubt AS d",
        doubt=f"doubt_{number}_{size}",
    )
    why = "counts the transactions of sets in doubt: the run refuses too many"
    return Step(f"held_{number}_{size}", why, query)


def violations(number: int, size: int, k: int, limit: int) -> Step:
    """One row per group of parents of the nodes of a set with fewer than k persons.

    They are conflicts as in `cuts.violations`. A set of fewer than k transactions needs no count.
    """
    numbers = range(1, size + 1)
    query = duck(
        """
        SELECT DISTINCT $parents
        FROM (
            SELECT $sure FROM $doubt AS d WHERE d.support < $k
            UNION ALL
            SELECT $columns
            FROM (
                SELECT DISTINCT $given, q.person AS person
                FROM $doubt AS d
                JOIN $general AS g1 ON g1.node = d.n1
                JOIN $others
                JOIN $kinds AS q ON q.kind = g1.tid
                WHERE d.support >= $k
            ) AS p
            GROUP BY $columns
            HAVING COUNT(*) < $k
        ) AS v
        JOIN $above
        ORDER BY $order
        LIMIT $limit
        """,
        parents=each("a{n}.parent AS p{n}", numbers),
        sure=each("d.n{n} AS n{n}", numbers),
        columns=each("p.n{n} AS n{n}", numbers),
        given=each("d.n{n} AS n{n}", numbers),
        doubt=f"doubt_{number}_{size}",
        general=f"general_{number}",
        others=joins(
            "JOIN $general AS g{n} ON g{n}.tid = g1.tid AND g{n}.node = d.n{n}",
            numbers[1:],
            general=f"general_{number}",
        ),
        kinds=f"kind_{number}",
        k=k,
        above=joins("JOIN node AS a{n} ON a{n}.node = v.n{n}", numbers),
        order=each("p{n}", numbers),
        limit=limit,
    )
    why = f"each row has the parents of {size} nodes with too few persons: a cut must keep one"
    return Step(f"violations_{number}_{size}", why, query)

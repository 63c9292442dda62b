"""Check that sets of nodes are held by k persons: the steps of `check.py` that count persons.

Reads check_owner(key, person). Makes check_transaction(tid, key, person) and, per size,
check_set_N(n1, …, support, seen). Persons are first counted by their numbers' remainders: `seen`
remainders are of at least as many persons. Only sets with fewer than k of them are counted again,
person by person, into check_few_N(n1, …, support, persons). If m has no bound it makes
check_member(tid, n, person, copies): the persons of each kind of transactions.
"""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

from setveil.sql.step import Step, duck, each, joins, limited, term, up_to

BITS = 62  # bits of a BIGINT that leave its sign alone
WORDS = 8  # words of bits per set, at most


def transactions() -> Step:
    """One row per transaction and its person."""
    query = duck(
        "SELECT ROW_NUMBER() OVER (ORDER BY o.key) AS tid, o.key AS key, o.person AS person "
        "FROM check_owner AS o"
    )
    why = "each row is a transaction of the release, numbered by key, and its person"
    return Step("check_transaction", why, query)


def words(k: int) -> int:
    """The words of bits that mostly distinguish k persons."""
    return min(WORDS, 1 + k // 20)


def sets(size: int, k: int) -> Step:
    """One row per itemset of `size` nodes that some transaction holds, with its support."""
    query = duck(
        """
        SELECT $nodes, COUNT(*) AS support, $seen AS seen
        FROM check_held AS h1 JOIN $others JOIN check_transaction AS t ON t.tid = h1.tid
        GROUP BY $nodes
        """,
        nodes=_nodes("h{n}.node", size),
        seen=_seen(words(k)),
        others=_others("h{n}.tid = h1.tid AND h{n}.node > h{before}.node", size),
    )
    return Step(
        f"check_set_{size}",
        f"each row is a set of published nodes, of size {size}, with its support and a number of "
        "persons that it surely has",
        query,
    )


def _seen(many: int) -> exp.Expr:
    """The number of remainders of persons, by `many` words of bits."""
    if many == 1:
        bit = term("CAST(1 AS BIGINT) << CAST(t.person % $bits AS INT)", bits=BITS)
        return term("CAST(ONES(BIT_OR($bit)) AS INT)", bit=bit)
    text = """
        CAST(ONES(COALESCE(BIT_OR(
            CASE WHEN t.person % $all >= $low AND t.person % $all < $high
            THEN CAST(1 AS BIGINT) << CAST(t.person % $all - $low AS INT) END
        ), 0)) AS INT)
        """
    words = (range(low, low + BITS) for low in range(0, many * BITS, BITS))
    parts = [term(text, all=many * BITS, low=one.start, high=one.stop) for one in words]
    return reduce(lambda a, b: exp.Add(this=a, expression=b), parts)


def doubts(size: int, k: int) -> Step:
    """One row: the sets whose persons must be counted, and their transactions."""
    query = duck(
        """
        SELECT COUNT(*) AS doubtful, CAST(COALESCE(SUM(s.support), 0) AS BIGINT) AS held
        FROM $sets AS s WHERE s.seen < $k
        """,
        sets=f"check_set_{size}",
        k=k,
    )
    return Step(
        f"check_doubts_{size}",
        "counts the sets that may be of fewer than k persons: the run refuses too many",
        query,
    )


def few(size: int, k: int) -> Step:
    """One row per set that may have fewer than k persons, with its persons."""
    numbers = range(1, size + 1)
    query = duck(
        """
        SELECT $columns, MAX(p.support) AS support, COUNT(*) AS persons
        FROM (
            SELECT DISTINCT $given, s.support AS support, t.person AS person
            FROM $sets AS s
            JOIN check_held AS h1 ON h1.node = s.n1
            JOIN $others
            JOIN check_transaction AS t ON t.tid = h1.tid
            WHERE s.seen < $k
        ) AS p
        GROUP BY $columns
        """,
        columns=each("p.n{n} AS n{n}", numbers),
        given=each("s.n{n} AS n{n}", numbers),
        sets=f"check_set_{size}",
        others=_others("h{n}.tid = h1.tid AND h{n}.node = s.n{n}", size),
        k=k,
    )
    return Step(
        f"check_few_{size}",
        f"each row is a set of {size} nodes that may be of fewer than k persons, with its persons",
        query,
    )


def _nodes(text: str, size: int) -> list[exp.Expr]:
    return each(f"{text} AS n{{n}}", range(1, size + 1))


def _others(on: str, size: int) -> list[exp.Expr]:
    return joins(f"JOIN check_held AS h{{n}} ON {on}", range(2, size + 1))


def counted(size: int, k: int) -> Step:
    """One row: the number of itemsets of this size, and of those with too few persons."""
    query = duck(
        """
        SELECT (SELECT COUNT(*) AS n FROM $sets AS s) AS checked,
            COUNT(CASE WHEN f.persons < $k THEN 1 END) AS found
        FROM $few AS f
        """,
        k=k,
        sets=f"check_set_{size}",
        few=f"check_few_{size}" if size else "check_set_0",
    )
    return Step(
        f"check_counted_{size}",
        f"counts the sets of size {size}, and those that fewer than k persons hold",
        query,
    )


def violations(size: int, k: int, limit: int | None) -> Step:
    """One row per violating itemset, the fewest persons first: support, persons, levels, names."""
    numbers = range(1, size + 1)
    query = duck(
        """
        SELECT s.support AS support, s.persons AS persons, $nodes
        FROM $few AS s JOIN $known
        WHERE s.persons < $k
        ORDER BY s.persons, s.support, $order
        """,
        nodes=[
            one
            for n in numbers
            for one in each("c{n}.level AS level{n}", [n]) + each("c{n}.name AS name{n}", [n])
        ],
        few=f"check_few_{size}",
        known=joins("JOIN check_node AS c{n} ON c{n}.node = s.n{n}", numbers),
        k=k,
        order=each("s.n{n}", numbers),
    )
    return Step(
        f"check_violations_{size}",
        f"lists the sets of {size} nodes that fewer than k persons hold, the fewest first",
        limited(query, limit),
    )


def members() -> Step:
    """One row per distinct transaction and person: its number of nodes, and copies."""
    query = duck(
        """
        SELECT c.tid AS tid, c.n AS n, c.person AS person, COUNT(*) AS copies
        FROM (
            SELECT MIN(t.tid) OVER (PARTITION BY t.nodes) AS tid, t.n AS n, t.person AS person
            FROM (
                SELECT h.tid AS tid, MIN(o.person) AS person, COUNT(*) AS n,
                    STRING_AGG(CAST(h.node AS TEXT), ' ' ORDER BY h.node) AS nodes
                FROM check_held AS h JOIN check_transaction AS o ON o.tid = h.tid
                GROUP BY h.tid
            ) AS t
        ) AS c
        GROUP BY c.tid, c.n, c.person
        """
    )
    return Step(
        "check_member",
        "each row is a kind of transactions with equal nodes, and a person with some of them",
        query,
    )


def kinds() -> Step:
    """One row per distinct transaction: an example, its number of nodes, copies and persons."""
    query = duck(
        """
        SELECT m.tid AS tid, m.n AS n, CAST(SUM(m.copies) AS BIGINT) AS copies,
            COUNT(*) AS persons
        FROM check_member AS m GROUP BY m.tid, m.n
        """
    )
    return Step(
        "check_kind", "each row is a kind of transactions with equal nodes, and its persons", query
    )


def fitting(k: int) -> Step:
    """One row per kind of fewer than k persons: who holds all its nodes."""
    query = duck(
        """
        SELECT p.tid AS tid, p.n AS n, CAST(SUM(p.copies) AS BIGINT) AS support,
            COUNT(*) AS persons
        FROM (
            SELECT s.tid AS tid, s.n AS n, m.person AS person,
                CAST(SUM(m.copies) AS BIGINT) AS copies
            FROM (
                SELECT r.tid AS tid, r.n AS n, q.tid AS other
                FROM check_kind AS r
                JOIN check_held AS own ON own.tid = r.tid
                JOIN check_held AS held ON held.node = own.node
                JOIN check_kind AS q ON q.tid = held.tid
                WHERE r.persons < $k
                GROUP BY r.tid, r.n, q.tid
                HAVING COUNT(*) = r.n
            ) AS s
            JOIN check_member AS m ON m.tid = s.other
            GROUP BY s.tid, s.n, m.person
        ) AS p
        GROUP BY p.tid, p.n
        """,
        k=k,
    )
    return Step(
        "check_set_0",
        "each row is a kind of fewer than k persons, with the persons of all its nodes",
        query,
    )


def whole(k: int, limit: int | None) -> Step:
    """One row per node of a violating transaction: its place, support, persons, level, name."""
    query = duck(
        """
        SELECT v.place AS place, v.support AS support, v.persons AS persons, c.level AS level,
            c.name AS name
        FROM (
            SELECT s.tid AS tid, s.support AS support, s.persons AS persons,
                ROW_NUMBER() OVER (ORDER BY s.n, s.persons, s.support, s.tid) AS place
            FROM check_set_0 AS s WHERE s.persons < $k
        ) AS v
        JOIN check_held AS h ON h.tid = v.tid
        JOIN check_node AS c ON c.node = h.node
        WHERE $within
        ORDER BY place, level, name
        """,
        k=k,
        within=up_to("v.place", limit),
    )
    return Step(
        "check_whole",
        "lists the nodes of transactions whose nodes fewer than k persons hold",
        query,
    )

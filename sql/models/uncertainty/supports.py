"""Count the supports of all itemsets of guarded transactions, there and elsewhere.

`arranged` has a transaction's codes in the columns p_1, p_2, …; `mask` has the subsets of places. A
subset's key packs its codes in order into the columns k_0, k_1, …: sums of products, so that no
join is needed. `counted` has the support of every subset of guarded transactions. `elsewhere` has
the support of its harmless subsets in all other transactions.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, cases, duck, duck_union, each, joins, shown, term, together
from setveil.sql.subsets import Frame, coefficients, packed, side_by_side, with_persons


def masks(frame: Frame) -> Step:
    """One row per subset of the places: a sum of powers of two, its last place, its factors."""
    factors = cases("WHEN {n} THEN $factor_{n}", range(frame.per_key))
    powers = {f"factor_{n}": frame.radix**n for n in range(frame.per_key)}
    column = """
        CAST(SUM(CASE WHEN h.place = {n} AND h.key = {key} THEN h.factor ELSE 0 END) AS BIGINT)
            AS c_{key}_{n}
        """
    query = duck(
        """
        WITH subset AS ($subsets), bit AS (
            SELECT p.item AS bit, ROW_NUMBER() OVER (ORDER BY p.item) AS place FROM place AS p
        ), member AS (
            SELECT s.mask AS mask, b.place AS place,
                ROW_NUMBER() OVER (PARTITION BY s.mask ORDER BY b.place) - 1 AS nth
            FROM subset AS s JOIN bit AS b ON s.mask % (2 * b.bit) >= b.bit
        ), held AS (
            SELECT m.mask AS mask, m.place AS place, m.nth // $per_key AS key,
                $factor AS factor
            FROM member AS m
        )
        SELECT h.mask AS mask, CAST(MAX(h.place) AS INT) AS top, CAST(COUNT(*) AS INT) AS size,
            $columns
        FROM held AS h
        GROUP BY h.mask
        """,
        subsets=together([_masks_of(size) for size in range(1, frame.most + 1)]),
        per_key=frame.per_key,
        columns=[one for key in frame.keys for one in each(column, frame.columns, key=key)],
        factor=term(f"CASE m.nth % $per_key {factors} END", per_key=frame.per_key, **powers),
    )
    return Step(
        "mask",
        "each row is a subset of places, as a sum of bits, with the factors that pack its codes",
        query,
    )


def _masks_of(size: int) -> exp.Query:
    """One row per subset of so many places."""
    return duck(
        "SELECT $mask AS mask FROM place AS a1 JOIN $later",
        mask=term("CAST(a1.item AS BIGINT)" + cases("+ a{n}.item", range(2, size + 1))),
        later=joins("JOIN place AS a{n} ON a{n}.item > a{before}.item", range(2, size + 1)),
    )


def facets(frame: Frame) -> Step:
    """One row per subset and place in it: the factors of the others, and s_n, 1 at the place."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, p.place AS place, $coefficients, $picks
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        JOIN mask AS r ON r.mask = m.mask - p.bit
        """,
        coefficients=coefficients(frame, "r"),
        picks=each("CASE WHEN p.place = {n} THEN 1 ELSE 0 END AS s_{n}", frame.columns),
    )
    return Step(
        "facet",
        "each row is a subset of places and one of its places; s_n is 1 at that place",
        query,
    )


def members(frame: Frame) -> Step:
    """One row per subset and place in it, with the factors of the subset."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, m.size AS size, p.place AS place, $coefficients
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        """,
        coefficients=coefficients(frame, "m"),
    )
    return Step("member", "each row is a subset of places and one of its places", query)


def arranged(frame: Frame, lost: str) -> Step:
    """One row per guarded transaction: its codes in columns, and the first equal transaction."""
    query = duck(
        """
        SELECT a.tid AS tid, a.part AS part, a.roll AS roll, a.held AS held, a.known AS known,
            MIN(a.tid) OVER (PARTITION BY a.part, $codes) AS alike,
            COUNT(*) OVER (PARTITION BY a.part, $codes) AS weight,
            $owner, $codes
        FROM (
            SELECT s.tid AS tid, MIN(s.part) AS part, MIN(s.roll) AS roll, COUNT(*) AS held,
                COUNT(CASE WHEN s.code <= $harmless THEN 1 END) AS known,
                $again, $side_by_side
            FROM (
                SELECT w.tid AS tid, w.part AS part, w.roll AS roll, w.code AS code, $given,
                    ROW_NUMBER() OVER (PARTITION BY w.tid ORDER BY w.code) AS place
                FROM watched AS w
                WHERE NOT EXISTS (
                    SELECT 1 FROM $lost AS g WHERE g.tid = w.tid AND g.code = w.code
                )
            ) AS s
            GROUP BY s.tid
        ) AS a
        """,
        codes=each("a.p_{n} AS p_{n}", frame.columns),
        owner=with_persons(frame, "a.person", "a.again"),
        again=[shown("MIN(s.person) AS person"), _bits_again()] if frame.persons else [],
        given=with_persons(frame, "w.person", "w.again"),
        side_by_side=side_by_side(frame, "s"),
        harmless=frame.harmless,
        lost=lost,
    )
    return Step(
        "arranged", "each row is a guarded transaction with its remaining codes in columns", query
    )


def _bits_again() -> exp.Expr:
    """The places of items that another transaction of the person holds too, as bits."""
    return shown(
        """
        CAST(SUM(
            CASE WHEN s.again = 1 THEN CAST(1 AS BIGINT) << CAST(s.place - 1 AS INT) ELSE 0 END
        ) AS BIGINT) AS again
        """
    )


def own_holders(frame: Frame) -> Step:
    """One row per itemset and person who may hold it twice: such guarded transactions.

    Only items of two transactions of the person can form such an itemset. All others are held by as
    many persons as transactions.
    """
    query = duck(
        """
        SELECT h.part AS part, h.person AS person, COUNT(*) AS held, $keys
        FROM (
            SELECT a.part AS part, a.person AS person, $packed
            FROM arranged AS a JOIN mask AS m ON m.top <= a.held AND (m.mask & a.again) = m.mask
            WHERE a.again > 0
        ) AS h
        GROUP BY h.part, h.person, $keys
        """,
        keys=each("h.k_{n} AS k_{n}", frame.keys),
        packed=packed(frame, "a", "m"),
    )
    return Step(
        "own_holder",
        "each row is an itemset and a person who may hold it in several transactions, and the "
        "number of guarded ones",
        query,
    )


def subsets(frame: Frame) -> Step:
    """One row per subset of each kind of guarded transaction."""
    query = duck(
        """
        SELECT a.tid AS shape, a.part AS part, a.weight AS weight, m.mask AS mask,
            CASE WHEN m.top > a.known THEN 1 ELSE 0 END AS telling, $packed
        FROM arranged AS a JOIN mask AS m ON m.top <= a.held
        WHERE a.tid = a.alike
        """,
        packed=packed(frame, "a", "m"),
    )
    return Step(
        "subset",
        "each row is a kind of equal transactions and a subset of its items, packed into a key",
        query,
    )


def counted(frame: Frame, *, listed: bool) -> Step:
    """One row per itemset of guarded transactions: its support there, and where to find it.

    `shape` is the first transaction that holds it, `mask` its places there. They are columns, since
    a database cannot tell how many rows a join by two halves of one number has. `listed` reads
    `subset`, where a later step needs it again. With persons, a person in `elsewhere` is counted
    there.
    """
    query = duck(
        """
        SELECT n.part AS part, n.support AS support, n.telling AS telling,
            CAST(HIGH(n.example, $subsets) AS INT) AS shape,
            CAST(LOW(n.example, $subsets) AS INT) AS mask, $keys
        FROM (
            SELECT s.part AS part, CAST(SUM(s.weight) AS BIGINT) AS support,
                MAX(s.telling) AS telling,
                MIN(CAST(s.shape AS BIGINT) * $subsets + s.mask) AS example, $packed
            FROM $rows AS s
            GROUP BY s.part, $packed
        ) AS n
        """,
        subsets=frame.subsets,
        rows="subset" if listed else subsets(frame).query,
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        packed=each("s.k_{n} AS k_{n}", frame.keys),
    )
    if frame.persons:
        query = _with_persons(frame, query)
    return Step(
        "counted", "each row is an itemset with its support among guarded transactions", query
    )


def _with_persons(frame: Frame, counted: exp.Select) -> exp.Select:
    """The rows of `counted` with persons: a person's further transactions do not count."""
    return duck(
        """
        SELECT c.part AS part, c.support AS support, c.telling AS telling, c.shape AS shape,
            c.mask AS mask, c.support - COALESCE(x.further, 0) AS persons, $keys
        FROM $counted AS c
        LEFT JOIN (
            SELECT h.part AS part, $held, CAST(SUM(
                h.held - CASE WHEN o.person IS NULL THEN 1 ELSE 0 END
            ) AS BIGINT) AS further
            FROM own_holder AS h
            LEFT JOIN outer_holder AS o ON o.part = h.part AND o.person = h.person AND $also
            GROUP BY h.part, $held
        ) AS x ON x.part = c.part AND $same
        """,
        counted=counted,
        keys=each("c.k_{n} AS k_{n}", frame.keys),
        held=each("h.k_{n} AS k_{n}", frame.keys),
        also=each("o.k_{n} = h.k_{n}", frame.keys),
        same=each("x.k_{n} = c.k_{n}", frame.keys),
    )


def reached(frame: Frame, size: int) -> Step:
    """One row per other transaction and harmless itemset of `size` that a guarded one holds."""
    query = duck(
        """
        SELECT n.tid AS tid, n.part AS part, n.last AS last, $owner, $keys
        FROM $grown AS n
        WHERE EXISTS (
            SELECT 1 FROM counted AS c WHERE c.telling = 0 AND c.part = n.part AND $same
        )
        """,
        owner=with_persons(frame, "n.again"),
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        grown=_grown(frame, size),
        same=each("c.k_{n} = n.k_{n}", frame.keys),
    )
    return Step(
        f"reached_{size}",
        f"each row is a transaction that is not guarded, and such an itemset of {size} items",
        query,
    )


def _grown(frame: Frame, size: int) -> exp.Select:
    """One row per other transaction and itemset of `size` that could be counted."""
    added, power = divmod(size - 1, frame.per_key)
    others = [n for n in frame.keys if n != added]
    if size == 1:
        return duck(
            """
            SELECT a.tid AS tid, a.part AS part, a.code AS last, $owner,
                CAST(a.code AS BIGINT) AS k_0, $others
            FROM apart AS a
            """,
            owner=with_persons(frame, "a.again"),
            others=each("CAST(0 AS BIGINT) AS k_{n}", others),
        )
    return duck(
        """
        SELECT r.tid AS tid, r.part AS part, a.code AS last, $owner,
            CAST(r.$key + a.code * $power AS BIGINT) AS $key, $others
        FROM $before AS r JOIN apart AS a ON a.tid = r.tid AND a.code > r.last
        """,
        owner=[shown("LEAST(r.again, a.again) AS again")] if frame.persons else [],
        key=f"k_{added}",
        power=frame.radix**power,
        others=each("r.k_{n} AS k_{n}", others),
        before=f"reached_{size - 1}",
    )


def elsewhere(frame: Frame, size: int) -> Step:
    """One row per harmless itemset of guarded transactions: its support in all others."""
    reached = f"reached_{size}"
    query = duck(
        """
        SELECT r.part AS part, COUNT(*) AS support, $keys FROM $reached AS r
        GROUP BY r.part, $keys
        """,
        reached=reached,
        keys=each("r.k_{n} AS k_{n}", frame.keys),
    )
    if frame.persons:
        query = _elsewhere_of_persons(frame, reached)
    return Step(
        "elsewhere",
        "each row is an itemset with its support among transactions that are not guarded",
        query,
    )


def _elsewhere_of_persons(frame: Frame, reached: str) -> exp.Select:
    """The rows of `elsewhere` with persons.

    A person holds an itemset in several transactions only if several hold each of its items. All
    other transactions with the itemset are of different persons, so no person is looked up.
    """
    keys = each("r.k_{n} AS k_{n}", frame.keys)
    return duck(
        """
        SELECT r.part AS part, CAST(SUM(r.held) AS BIGINT) AS support,
            CAST(SUM(r.persons) AS BIGINT) AS persons, $keys
        FROM $rows AS r
        GROUP BY r.part, $keys
        """,
        keys=keys,
        rows=duck_union(
            """
            SELECT r.part AS part, COUNT(*) AS held, COUNT(*) AS persons, $keys
            FROM $reached AS r WHERE r.again = 0 GROUP BY r.part, $keys
            UNION ALL
            SELECT r.part AS part, COUNT(*) AS held, 1 AS persons, $keys
            FROM $reached AS r JOIN basket AS b ON b.tid = r.tid
            WHERE r.again > 0 GROUP BY r.part, b.person, $keys
            """,
            reached=reached,
            keys=keys,
        ).subquery(),
    )


def outer_holders(frame: Frame, size: int) -> Step:
    """One row per itemset of `elsewhere` and person of it who may hold it in a guarded one too."""
    query = duck(
        """
        SELECT DISTINCT r.part AS part, b.person AS person, $keys
        FROM $reached AS r JOIN basket AS b ON b.tid = r.tid
        WHERE r.again = 2
        """,
        reached=f"reached_{size}",
        keys=each("r.k_{n} AS k_{n}", frame.keys),
    )
    return Step(
        "outer_holder",
        "each row is an itemset and a person: a transaction that is not guarded holds it, and a "
        "guarded one may too",
        query,
    )

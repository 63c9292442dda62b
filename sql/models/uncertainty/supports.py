"""Count the supports of the itemsets of guarded transactions, as occurrences go and return.

`arranged` has a transaction's codes in the columns p_1, p_2, …; `mask` has the subsets of places. A
subset's key packs its codes in order into the columns k_0, k_1, …: sums of products, so that no
join is needed. Sets with a sensitive item are counted anew whenever occurrences go or return: few
transactions keep such items. The supports of harmless sets are in `cohort`, see `cohorts.py`; only
transactions that lost or regained harmless items change them.
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
    """One row per subset with a sensitive item, of each kind of guarded transaction."""
    query = duck(
        """
        SELECT a.tid AS shape, a.part AS part, a.weight AS weight, m.mask AS mask, $packed
        FROM arranged AS a JOIN mask AS m ON m.top <= a.held AND m.top > a.known
        WHERE a.tid = a.alike AND a.known < a.held
        """,
        packed=packed(frame, "a", "m"),
    )
    return Step(
        "subset",
        "each row is a kind of equal transactions and a subset of its items with a sensitive one, "
        "packed into a key",
        query,
    )


def counted(frame: Frame, *, listed: bool, moved: bool, evenly: bool = False) -> Step:
    """One row per itemset: its support, and where to find one with a sensitive item.

    `shape` is the first transaction that holds it, `mask` its places there. They are columns, since
    a database cannot tell how many rows a join by two halves of one number has. `listed` reads
    `subset`, where a later step needs it again. Harmless itemsets have the support of `cohort`;
    where transactions have `moved`, it is corrected. With `evenly`, they are counted anew. With
    persons, a person of transactions that are not guarded is counted there.
    """
    telling = duck(
        """
        SELECT n.part AS part, n.support AS support, 1 AS telling,
            CAST(HIGH(n.example, $subsets) AS INT) AS shape,
            CAST(LOW(n.example, $subsets) AS INT) AS mask, $persons, $keys
        FROM (
            SELECT s.part AS part, CAST(SUM(s.weight) AS BIGINT) AS support,
                MIN(CAST(s.shape AS BIGINT) * $subsets + s.mask) AS example, $packed
            FROM $rows AS s
            GROUP BY s.part, $packed
        ) AS n
        """,
        subsets=frame.subsets,
        persons=[shown("n.support AS persons")] if frame.persons else [],
        rows="subset" if listed else subsets(frame).query,
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        packed=each("s.k_{n} AS k_{n}", frame.keys),
    )
    harmless = _harmless_anew(frame) if evenly else _harmless(frame, moved)
    query = together([telling, harmless])
    if frame.persons:
        query = _with_persons(frame, query)
    if moved and not evenly:
        query = query.with_("altered", as_=_altered(frame)).with_("changed", as_=_changed(frame))
    return Step(
        "counted",
        "each row is an itemset with its support; telling marks those with a sensitive item",
        query,
    )


def _harmless(frame: Frame, moved: bool) -> exp.Query:
    """Harmless itemsets of `cohort`, with their supports now."""
    text = """
        SELECT h.part AS part, $support AS support, 0 AS telling, CAST(0 AS INT) AS shape,
            CAST(0 AS INT) AS mask, $persons, $keys
        FROM cohort AS h
        """
    keys = each("h.k_{n} AS k_{n}", frame.keys)
    if not moved:
        persons = with_persons(frame, "h.persons")
        return duck(text, support=term("h.support"), persons=persons, keys=keys)
    return duck(
        text + "LEFT JOIN changed AS x ON x.part = h.part AND $same",
        support=term("h.support + COALESCE(x.more, 0)"),
        persons=[shown("h.persons + COALESCE(x.more, 0) AS persons")] if frame.persons else [],
        keys=keys,
        same=each("x.k_{n} = h.k_{n}", frame.keys),
    )


def _harmless_anew(frame: Frame) -> exp.Query:
    """Harmless itemsets of the remaining occurrences, with those of `elsewhere`.

    Where the distribution is kept, most transactions lose harmless items, and others return.
    """
    return duck(
        """
        SELECT n.part AS part, CAST(SUM(n.support) AS BIGINT) AS support, 0 AS telling,
            CAST(0 AS INT) AS shape, CAST(0 AS INT) AS mask, $summed, $keys
        FROM $rows AS n
        GROUP BY n.part, $keys
        """,
        summed=[shown("CAST(SUM(n.persons) AS BIGINT) AS persons")] if frame.persons else [],
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        rows=duck_union(
            """
            SELECT a.part AS part, a.weight AS support, $weight, $packed
            FROM arranged AS a JOIN mask AS m ON m.top <= a.known AND m.size < $most
            WHERE a.tid = a.alike
            UNION ALL
            SELECT e.part AS part, e.support AS support, $persons, $keys FROM elsewhere AS e
            """,
            weight=[shown("a.weight AS persons")] if frame.persons else [],
            persons=with_persons(frame, "e.persons"),
            packed=packed(frame, "a", "m"),
            keys=each("e.k_{n} AS k_{n}", frame.keys),
            most=frame.most,
        ).subquery(),
    )


def _altered(frame: Frame) -> exp.Select:
    """One row per guarded transaction whose harmless items are others than at first."""
    others = cases("OR (b.known >= {n} AND a.p_{n} <> b.p_{n})", frame.columns)
    return duck(
        """
        SELECT b.tid AS tid
        FROM begun AS b LEFT JOIN arranged AS a ON a.tid = b.tid
        WHERE $altered
        """,
        altered=term(f"a.tid IS NULL OR a.known <> b.known {others}"),
    )


def _changed(frame: Frame) -> exp.Select:
    """One row per harmless itemset that more or fewer guarded transactions hold than at first."""
    return duck(
        """
        SELECT n.part AS part, CAST(SUM(n.more) AS BIGINT) AS more, $keys
        FROM $rows AS n
        GROUP BY n.part, $keys
        HAVING SUM(n.more) <> 0
        """,
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        rows=duck_union(
            """
            SELECT b.part AS part, -1 AS more, $before
            FROM begun AS b JOIN altered AS x ON x.tid = b.tid
            JOIN mask AS m ON m.top <= b.known AND m.size < $most
            UNION ALL
            SELECT a.part AS part, 1 AS more, $now
            FROM arranged AS a JOIN altered AS x ON x.tid = a.tid
            JOIN mask AS m ON m.top <= a.known AND m.size < $most
            """,
            before=packed(frame, "b", "m"),
            now=packed(frame, "a", "m"),
            most=frame.most,
        ).subquery(),
    )


def _with_persons(frame: Frame, counted: exp.Query) -> exp.Select:
    """The rows of `counted` with persons: a person's further transactions do not count."""
    return duck(
        """
        SELECT c.part AS part, c.support AS support, c.telling AS telling, c.shape AS shape,
            c.mask AS mask, c.persons - COALESCE(x.further, 0) AS persons, $keys
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

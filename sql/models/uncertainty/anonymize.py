"""Find the sensitive rules that tell too much, and the occurrences whose loss stops them.

Items are coded by number, the harmless ones first, 1 … harmless. A *guarded* transaction holds
sensitive items and few items in all, so its subsets can be listed: `arranged` has its codes side by
side (p_1, p_2, …), `mask` the subsets of so many places. A subset's key is its codes, packed in
order into the columns k_0, k_1, …: sums of products, so no join is needed to make it. `counted` has
the support of every subset of guarded transactions, `elsewhere` that of the harmless ones in all
others. What is suppressed is in `gone(tid, code, round)`, only ever appended to.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, cases, duck, each, joins, term, together
from setveil.sql.subsets import (
    Frame,
    code_at,
    coefficients,
    die,
    packed,
    rolled,
    side_by_side,
)

WEIGHT = 27_720  # divided by 1 … 12 without remainder


# What is there


def coded() -> Step:
    """One row per item: its code, 1 for the rarest of the harmless; the sensitive come last."""
    query = duck(
        """
        SELECT i.item AS item, i.support AS support,
            CASE WHEN r.item IS NULL THEN 0 ELSE 1 END AS sensitive,
            CAST(ROW_NUMBER() OVER (
                ORDER BY CASE WHEN r.item IS NULL THEN 0 ELSE 1 END, i.support, i.item
            ) AS BIGINT) AS code
        FROM item AS i LEFT JOIN sensitive_item AS r ON r.item = i.item
        """
    )
    return Step("coded", "sensitive items have the last codes, so they stand last", query)


def original(parts: int, seed: int) -> Step:
    """One row per occurrence: its transaction, the part that is in and its roll, its code."""
    query = duck(
        """
        SELECT r.tid AS tid, r.roll % $parts AS part, r.roll AS roll, r.code AS code
        FROM (
            SELECT d.tid AS tid, d.code AS code, $rolled AS roll
            FROM (
                SELECT o.tid AS tid, c.code AS code, $die AS die
                FROM occurrence AS o JOIN coded AS c ON c.item = o.item
            ) AS d
        ) AS r
        """,
        parts=parts,
        rolled=rolled("d.die"),
        die=die(seed, "o"),
    )
    why = "the occurrences in codes; a roll puts transactions in an order at random"
    return Step("original", why, query)


def extents(harmless: int) -> Step:
    """One row per transaction: how many items it holds, and how many harmless ones."""
    query = duck(
        """
        SELECT o.tid AS tid, COUNT(*) AS held,
            COUNT(CASE WHEN o.code <= $harmless THEN 1 END) AS known
        FROM original AS o GROUP BY o.tid
        """,
        harmless=harmless,
    )
    return Step("extent", "a rule needs something known and something sensitive", query)


def lengths() -> Step:
    """One row per length of transactions with something to infer: how many there are."""
    query = duck(
        """
        SELECT e.held AS held, COUNT(*) AS transactions FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held GROUP BY e.held ORDER BY held
        """
    )
    return Step(
        "lengths", "decides how long a transaction may be for its subsets to be listed", query
    )


def guarded(frame: Frame, *, evenly: bool) -> Step:
    """One row per transaction whose subsets are listed: how many items it starts with.

    Those too long to list all subsets of lose their sensitive items, unless these are most of what
    they hold; or, `evenly`, whatever items come last in the seeded order.
    """
    if evenly:
        query = duck(
            """
            SELECT e.tid AS tid, CASE WHEN e.held <= $places THEN e.held ELSE $places END AS kept
            FROM extent AS e WHERE e.held > 1 AND e.known < e.held
            """,
            places=frame.places,
        )
    else:
        query = duck(
            """
            SELECT e.tid AS tid,
                CASE WHEN e.held <= $places THEN e.held
                WHEN e.known * 2 < e.held AND e.known * 2 <= $places THEN $places
                ELSE e.known END AS kept
            FROM extent AS e
            WHERE e.held > 1 AND e.known < e.held
                AND CASE WHEN e.held <= $places THEN 0 ELSE e.known END < $places
            """,
            places=frame.places,
        )
    return Step("guarded", "transactions that keep sensitive items, or could", query)


def cut(frame: Frame, seed: int, *, evenly: bool) -> Step:
    """One row per occurrence that goes because its transaction is too long."""
    if evenly:
        rank, order = die(seed, "o", "o.code"), rolled("r.rank")
    else:
        sensitive = "CASE WHEN o.code > $harmless THEN $radix - o.code ELSE 0 END"
        rank = term(sensitive, harmless=frame.harmless, radix=frame.radix)
        order = term("r.rank")
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, 0 AS round
        FROM (
            SELECT r.tid AS tid, r.code AS code, r.kept AS kept,
                ROW_NUMBER() OVER (PARTITION BY r.tid ORDER BY $order, r.code) AS turn
            FROM (
                SELECT o.tid AS tid, o.code AS code, COALESCE(g.kept, e.known) AS kept,
                    $rank AS rank
                FROM original AS o
                JOIN extent AS e ON e.tid = o.tid AND e.held > $places AND e.known < e.held
                LEFT JOIN guarded AS g ON g.tid = o.tid
            ) AS r
        ) AS n
        WHERE n.turn > n.kept AND $needed
        """,
        order=order,
        rank=rank,
        places=frame.places,
        needed=_needed(frame),
    )
    return Step("gone", "occurrences that transactions too long to list lose at once", query)


def _needed(frame: Frame) -> list[exp.Expr]:
    """The condition that something must go: nothing does where certainty is allowed."""
    return [exp.false()] if frame.rho == 1 else []


def watched() -> Step:
    """One row per occurrence of a guarded transaction, suppressed or not."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.roll AS roll, o.code AS code
        FROM original AS o JOIN guarded AS g ON g.tid = o.tid
        """
    )
    return Step("watched", "the occurrences of guarded transactions", query)


def apart(harmless: int) -> Step:
    """One row per occurrence of a harmless item in a transaction that is not guarded."""
    query = duck(
        """
        SELECT o.tid AS tid, o.part AS part, o.code AS code
        FROM original AS o
        WHERE o.code <= $harmless
            AND NOT EXISTS (SELECT 1 FROM guarded AS g WHERE g.tid = o.tid)
        """,
        harmless=harmless,
    )
    return Step("apart", "harmless items of all other transactions", query)


# Subsets


def masks(frame: Frame) -> Step:
    """One row per subset of the places: a sum of powers of two; its last place; its packing."""
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
    return Step("mask", "sets of places, as sums of bits, and what packs their codes", query)


def _masks_of(size: int) -> exp.Query:
    """One row per subset of so many places."""
    return duck(
        "SELECT $mask AS mask FROM place AS a1 JOIN $later",
        mask=term("CAST(a1.item AS BIGINT)" + cases("+ a{n}.item", range(2, size + 1))),
        later=joins("JOIN place AS a{n} ON a{n}.item > a{before}.item", range(2, size + 1)),
    )


def facets(frame: Frame) -> Step:
    """One row per subset and place in it: what packs the subset without that place."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, p.place AS place, $coefficients
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        JOIN mask AS r ON r.mask = m.mask - p.bit
        """,
        coefficients=coefficients(frame, "r"),
    )
    return Step("facet", "each set without one of its places, and what packs the others", query)


def members(frame: Frame) -> Step:
    """One row per subset and place in it: what packs the subset."""
    query = duck(
        """
        SELECT m.mask AS mask, m.top AS top, m.size AS size, p.place AS place, $coefficients
        FROM mask AS m
        JOIN (SELECT f.top AS place, f.mask AS bit FROM mask AS f WHERE f.size = 1) AS p
            ON m.mask % (2 * p.bit) >= p.bit
        """,
        coefficients=coefficients(frame, "m"),
    )
    return Step("member", "each set beside each of its places", query)


def arranged(frame: Frame, lost: str) -> Step:
    """One row per guarded transaction: its codes side by side, and the first one like it."""
    query = duck(
        """
        SELECT a.tid AS tid, a.part AS part, a.roll AS roll, a.held AS held, a.known AS known,
            MIN(a.tid) OVER (PARTITION BY a.part, $codes) AS alike,
            COUNT(*) OVER (PARTITION BY a.part, $codes) AS weight,
            $codes
        FROM (
            SELECT s.tid AS tid, MIN(s.part) AS part, MIN(s.roll) AS roll, COUNT(*) AS held,
                COUNT(CASE WHEN s.code <= $harmless THEN 1 END) AS known,
                $side_by_side
            FROM (
                SELECT w.tid AS tid, w.part AS part, w.roll AS roll, w.code AS code,
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
        side_by_side=side_by_side(frame, "s"),
        harmless=frame.harmless,
        lost=lost,
    )
    return Step("arranged", "guarded transactions as they stand, codes side by side", query)


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
    return Step("subset", "every subset of each kind of transaction, packed into a key", query)


def counted(frame: Frame, *, listed: bool) -> Step:
    """One row per itemset of guarded transactions: its support there, and where it is found.

    `listed` reads `subset`, where it is needed again.
    """
    query = duck(
        """
        SELECT s.part AS part, CAST(SUM(s.weight) AS BIGINT) AS support, MAX(s.telling) AS telling,
            MIN(CAST(s.shape AS BIGINT) * $subsets + s.mask) AS example, $keys
        FROM $rows AS s
        GROUP BY s.part, $keys
        """,
        subsets=frame.subsets,
        rows="subset" if listed else subsets(frame).query,
        keys=each("s.k_{n} AS k_{n}", frame.keys),
    )
    return Step("counted", "supports of itemsets among guarded transactions", query)


def reached(frame: Frame, size: int) -> Step:
    """One row per transaction apart and harmless itemset of `size` that a guarded one holds."""
    query = duck(
        """
        SELECT n.tid AS tid, n.part AS part, n.last AS last, $keys
        FROM $grown AS n
        WHERE EXISTS (
            SELECT 1 FROM counted AS c WHERE c.telling = 0 AND c.part = n.part AND $same
        )
        """,
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        grown=_grown(frame, size),
        same=each("c.k_{n} = n.k_{n}", frame.keys),
    )
    return Step(f"reached_{size}", f"other transactions that hold such itemsets of {size}", query)


def _grown(frame: Frame, size: int) -> exp.Select:
    """One row per transaction apart and itemset of `size` that could be reached."""
    added, power = divmod(size - 1, frame.per_key)
    others = [n for n in frame.keys if n != added]
    if size == 1:
        return duck(
            """
            SELECT a.tid AS tid, a.part AS part, a.code AS last, CAST(a.code AS BIGINT) AS k_0,
                $others
            FROM apart AS a
            """,
            others=each("CAST(0 AS BIGINT) AS k_{n}", others),
        )
    return duck(
        """
        SELECT r.tid AS tid, r.part AS part, a.code AS last,
            CAST(r.$key + a.code * $power AS BIGINT) AS $key, $others
        FROM $before AS r JOIN apart AS a ON a.tid = r.tid AND a.code > r.last
        """,
        key=f"k_{added}",
        power=frame.radix**power,
        others=each("r.k_{n} AS k_{n}", others),
        before=f"reached_{size - 1}",
    )


def elsewhere(frame: Frame, size: int) -> Step:
    """One row per harmless itemset of guarded transactions that others hold too: how many."""
    query = duck(
        """
        SELECT r.part AS part, COUNT(*) AS support, $keys FROM $reached AS r
        GROUP BY r.part, $keys
        """,
        reached=f"reached_{size}",
        keys=each("r.k_{n} AS k_{n}", frame.keys),
    )
    return Step("elsewhere", "supports of these itemsets among all other transactions", query)


# Rules


def rules(frame: Frame, least: int = 2) -> exp.Select:
    """One row per sensitive rule of what stands, and the supports of its sides.

    Of all its items the key is k_0, k_1, …; of those without the secret q_0, q_1, …
    """
    # `elsewhere` by the keys of `counted`: DuckDB 2.0 would else put the outer join below the
    # other, and fails now and then where an outer join's rows are what a next join is built of.
    return duck(
        """
        SELECT r.part AS part, r.secret AS secret, r.support AS support,
            q.support + COALESCE(e.support, 0) AS known, $keys, $questions
        FROM (
            SELECT c.part AS part, c.support AS support, $secret AS secret, $whole, $packed
            FROM counted AS c
            JOIN arranged AS a ON a.tid = HIGH(c.example, $subsets)
            JOIN facet AS f ON f.mask = LOW(c.example, $subsets) AND f.place > a.known
            WHERE c.telling = 1 AND a.held >= $least
        ) AS r
        JOIN counted AS q ON q.part = r.part AND $asked
        LEFT JOIN elsewhere AS e ON e.part = q.part AND $also
        """,
        keys=each("r.k_{n} AS k_{n}", frame.keys),
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        secret=code_at(frame, "a", "f.place"),
        whole=each("c.k_{n} AS k_{n}", frame.keys),
        packed=packed(frame, "a", "f", "q"),
        subsets=frame.subsets,
        least=least,
        asked=each("q.k_{n} = r.q_{n}", frame.keys),
        also=each("e.k_{n} = q.k_{n}", frame.keys),
    )


def unsafe(frame: Frame, least: int) -> Step:
    """One row per rule of too high a confidence, with N_s of Definition 1, rounded up.

    Only rules of transactions that hold `least` items are looked at: the longest go first.
    """
    query = duck(
        """
        SELECT u.part AS part, u.secret AS secret,
            u.support - u.known * $num // $den AS of_secret,
            (u.support * $den - u.known * $num + $rest - 1) // $rest AS of_known,
            $keys
        FROM $rules AS u
        WHERE u.support * $den > $num * u.known
        """,
        keys=each("u.k_{n} AS k_{n}", frame.keys),
        rules=rules(frame, least),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
        rest=max(1, frame.rho.denominator - frame.rho.numerator),
    )
    return Step("unsafe", "rules above rho, and how many suppressions stop each", query)


def targets(frame: Frame) -> Step:
    """One row per unsafe rule and transaction that loses one of its items.

    As many as must lose the sensitive one: others take more, and get a turn in the rounds to come.
    """
    query = duck(
        """
        SELECT t.tid AS tid, t.mask AS mask, t.secret AS secret,
            t.of_secret AS of_secret, t.of_known AS of_known
        FROM (
            SELECT a.tid AS tid, s.mask AS mask, u.secret AS secret,
                u.of_secret AS of_secret, u.of_known AS of_known,
                ROW_NUMBER() OVER (
                    PARTITION BY u.part, $keys, u.secret ORDER BY a.roll, a.tid
                ) AS turn
            FROM unsafe AS u
            JOIN subset AS s ON s.part = u.part AND $same
            JOIN arranged AS a ON a.alike = s.shape
        ) AS t
        WHERE t.turn <= t.of_secret
        """,
        keys=each("u.k_{n}", frame.keys),
        same=each("s.k_{n} = u.k_{n}", frame.keys),
    )
    return Step("target", "transactions that lose an item of an unsafe rule, by their roll", query)


def victims(frame: Frame, round_: int, *, evenly: bool) -> Step:
    """One row per transaction: the item it loses.

    Formulas 6 (`evenly`) and 7, over all rules that the loss of an item would help to stop: first
    those that help with most rules, except where the distribution is to stay.
    """
    query = duck(
        """
        SELECT n.tid AS tid, n.code AS code, $round AS round
        FROM (
            SELECT v.tid AS tid, v.code AS code,
                ROW_NUMBER() OVER (PARTITION BY v.tid ORDER BY $best DESC, v.code) AS turn
            FROM (
                SELECT s.tid AS tid, s.code AS code, COUNT(*) AS rules,
                    CAST(SUM($weight // CASE WHEN s.secret = s.code THEN s.of_secret
                        ELSE s.of_known END) AS BIGINT) AS stopped
                FROM (
                    SELECT t.tid AS tid, t.secret AS secret, t.of_secret AS of_secret,
                        t.of_known AS of_known, $code AS code
                    FROM target AS t
                    JOIN arranged AS a ON a.tid = t.tid
                    JOIN facet AS f ON f.mask = t.mask
                ) AS s
                GROUP BY s.tid, s.code
            ) AS v
            JOIN leftover AS c ON c.code = v.code
        ) AS n
        WHERE n.turn = 1
        """,
        round=round_,
        best=_BY_DISTRIBUTION if evenly else _BY_RULES,
        weight=WEIGHT,
        code=code_at(frame, "a", "f.place"),
    )
    return Step("gone", "the item that each of them loses", query)


# Least leftover(t) N_s: as a whole number, so that it is equal everywhere.
_BY_RULES = [term("v.rules"), term("v.stopped * c.support * 100 // c.remaining")]

# Greatest P(t) log (P(t) / P0(t)) / N_s, P(t) the share of t in all occurrences. Per transaction,
# as the paper's footnote has it, no item could ever have too large a share.
_BY_DISTRIBUTION = [
    term(
        """
        v.stopped * c.remaining
            * (LN(c.remaining) - LN(c.support) - LN(c.all_remaining) + LN(c.all_support))
        """
    )
]


def leftover(lost: str) -> Step:
    """One row per item: its support at first, and now (Definition 2)."""
    query = duck(
        """
        SELECT c.code AS code, c.support AS support, c.support - COALESCE(g.gone, 0) AS remaining,
            a.support AS all_support, a.support - n.gone AS all_remaining
        FROM coded AS c
        CROSS JOIN (SELECT CAST(SUM(i.support) AS BIGINT) AS support FROM coded AS i) AS a
        CROSS JOIN (SELECT COUNT(*) AS gone FROM $lost AS h) AS n
        LEFT JOIN (SELECT d.code AS code, COUNT(*) AS gone FROM $lost AS d GROUP BY d.code) AS g
            ON g.code = c.code
        """,
        lost=lost,
    )
    return Step("leftover", "what has lost much is worth less (Definition 2)", query)


# Items everywhere


def cut_everywhere(frame: Frame) -> Step:
    """One row per occurrence of a sensitive item that some transaction too long to list holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code, 0 AS round
        FROM original AS o
        WHERE o.code > $harmless AND $needed AND EXISTS (
            SELECT 1 FROM original AS h
            JOIN extent AS e ON e.tid = h.tid AND e.held > $places
            WHERE h.code = o.code
        )
        """,
        harmless=frame.harmless,
        needed=_needed(frame),
        places=frame.places,
    )
    return Step("gone", "sensitive items that transactions too long to list hold", query)


def listed(places: int) -> Step:
    """One row per transaction with something to infer whose subsets can all be listed."""
    query = duck(
        """
        SELECT e.tid AS tid, e.held AS kept FROM extent AS e
        WHERE e.held > 1 AND e.known < e.held AND e.held <= $places
        """,
        places=places,
    )
    return Step("guarded", "transactions that keep sensitive items, for now", query)


def blamed(frame: Frame) -> Step:
    """One row per unsafe rule and item of it."""
    query = duck(
        """
        SELECT u.part AS part, u.secret AS secret, $code AS code, $keys
        FROM unsafe AS u
        JOIN counted AS c ON c.part = u.part AND $same
        JOIN arranged AS a ON a.tid = HIGH(c.example, $subsets)
        JOIN facet AS f ON f.mask = LOW(c.example, $subsets)
        """,
        code=code_at(frame, "a", "f.place"),
        keys=each("u.k_{n} AS k_{n}", frame.keys),
        same=each("c.k_{n} = u.k_{n}", frame.keys),
        subsets=frame.subsets,
    )
    return Step("blamed", "the items of each unsafe rule: without any one of them it stops", query)


def victims_everywhere(frame: Frame, round_: int) -> Step:
    """One row per occurrence of an item that is the best choice for half of its unsafe rules.

    The best is in the most unsafe rules for its support; it is among these, so there is always one.
    """
    query = duck(
        """
        SELECT o.tid AS tid, o.code AS code, $round AS round
        FROM original AS o
        JOIN (
            SELECT r.code AS code
            FROM (
                SELECT b.code AS code, n.rules AS rules,
                    ROW_NUMBER() OVER (
                        PARTITION BY b.part, $keys, b.secret
                        ORDER BY n.rules * 1000000 // c.support DESC, b.code
                    ) AS turn
                FROM blamed AS b
                JOIN (SELECT m.code AS code, COUNT(*) AS rules FROM blamed AS m GROUP BY m.code)
                    AS n ON n.code = b.code
                JOIN coded AS c ON c.code = b.code
            ) AS r
            GROUP BY r.code, r.rules HAVING 2 * COUNT(CASE WHEN r.turn = 1 THEN 1 END) >= r.rules
        ) AS chosen ON chosen.code = o.code
        """,
        keys=each("b.k_{n}", frame.keys),
        round=round_,
    )
    return Step("gone", "every occurrence of the items that most unsafe rules have", query)


# What is left


def losses() -> Step:
    """One row: occurrences suppressed, those of sensitive items, transactions touched, emptied."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(l.gone), 0) AS BIGINT) AS gone,
            CAST(COALESCE(SUM(l.sensitive), 0) AS BIGINT) AS sensitive, COUNT(*) AS touched,
            COUNT(CASE WHEN l.gone = e.held THEN 1 END) AS emptied
        FROM (
            SELECT s.tid AS tid, COUNT(*) AS gone, CAST(SUM(c.sensitive) AS BIGINT) AS sensitive
            FROM suppressed AS s JOIN coded AS c ON c.item = s.item GROUP BY s.tid
        ) AS l
        JOIN (SELECT o.tid AS tid, COUNT(*) AS held FROM occurrence AS o GROUP BY o.tid) AS e
            ON e.tid = l.tid
        """
    )
    return Step("losses", "what it cost", query)


def totals() -> Step:
    """One row: how many items are harmless, and the occurrences of the sensitive ones."""
    query = duck(
        """
        SELECT COUNT(CASE WHEN c.sensitive = 0 THEN 1 END) AS harmless,
            CAST(COALESCE(SUM(c.sensitive * c.support), 0) AS BIGINT) AS occurrences
        FROM coded AS c
        """
    )
    return Step("totals", "what there is to hide", query)

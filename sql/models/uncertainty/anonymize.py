"""Find unsafe sensitive rules, and choose the occurrences whose loss makes them safe.

Reads the relations of `coding.py` and `supports.py`. A *rule* q -> e has an itemset q and a
sensitive item e, the secret. It is unsafe if more than a share rho of the transactions that hold q
hold e too. Suppressed occurrences are appended to `gone(tid, code, round)`.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, cases, duck, duck_union, each, shown, term
from setveil.sql.subsets import Frame, code_at, packed, picked, with_persons

WEIGHT = 27_720  # divided by 1 … 12 without remainder
TARGET = "each row is an unsafe rule and a transaction, drawn at random, that loses an item of it"


# Rules


def rules(frame: Frame, least: int = 2) -> exp.Select:
    """One row per sensitive rule of the remaining occurrences, with the supports of its sides.

    The key of all its items is k_0, k_1, …; the key without the secret is q_0, q_1, … The first
    transaction that holds it is `shape`, its places there are `mask`.
    """
    # No row of `counted`: this transaction alone holds the set, see `cohorts.py`.
    return duck(
        """
        SELECT r.part AS part, r.secret AS secret, r.support AS support, r.shape AS shape,
            r.mask AS mask, COALESCE(q.support, 1) AS known, $both, $keys, $questions
        FROM (
            SELECT c.part AS part, c.support AS support, c.shape AS shape, c.mask AS mask,
                $persons, $secret AS secret, $whole, $packed
            FROM counted AS c
            JOIN arranged AS a ON a.tid = c.shape
            JOIN facet AS f ON f.mask = c.mask AND f.place > a.known
            WHERE c.telling = 1 AND a.held >= $least
        ) AS r
        LEFT JOIN counted AS q ON q.part = r.part AND $asked
        """,
        both=[
            shown("r.persons AS persons"),
            shown("COALESCE(q.persons, 1) AS known_persons"),
        ]
        if frame.persons
        else [],
        persons=with_persons(frame, "c.persons"),
        keys=each("r.k_{n} AS k_{n}", frame.keys),
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        secret=picked(frame, "a", "f"),
        whole=each("c.k_{n} AS k_{n}", frame.keys),
        packed=packed(frame, "a", "f", "q"),
        least=least,
        asked=each("q.k_{n} = r.q_{n}", frame.keys),
    )


def unsafe(frame: Frame, least: int, round_: int) -> Step:
    """One row per unsafe rule, with N_s of Definition 1, rounded up.

    Only rules of transactions with at least `least` items are counted: the longest go first. With
    persons, N_s is the larger of that in transactions and that in persons; `transactions` and
    `persons` are how many must lose the secret.
    """
    of_secret, of_known = _needed(frame, "u.support", "u.known")
    excess: list[exp.Expr] = []
    above = "u.support * $den > $num * u.known"
    if frame.persons:
        by_secret, by_known = _needed(frame, "u.persons", "u.known_persons")
        above += " OR u.persons * $den > $num * u.known_persons"
        excess = [exp.alias_(of_secret, "transactions"), exp.alias_(by_secret, "persons")]
        of_secret = term("GREATEST($one, $other)", one=of_secret, other=by_secret)
        of_known = term("GREATEST($one, $other)", one=of_known, other=by_known)
    query = duck(
        """
        SELECT u.part AS part, u.secret AS secret, u.support AS support, u.shape AS shape,
            u.mask AS mask, $of_secret AS of_secret,
            $of_known AS of_known,
            $excess, $keys
        FROM $rules AS u
        WHERE $above
        """,
        of_secret=of_secret,
        of_known=of_known,
        excess=excess,
        above=term(above, num=frame.rho.numerator, den=frame.rho.denominator),
        keys=each("u.k_{n} AS k_{n}", frame.keys),
        rules=rules(frame, least),
    )
    why = f"round {round_}: each row is a rule above rho, with the suppressions that make it safe"
    return Step("unsafe", why, query)


def _needed(frame: Frame, support: str, known: str) -> tuple[exp.Expr, exp.Expr]:
    """N_s of Definition 1, rounded up, of the secret and of a known item."""
    num, den = frame.rho.numerator, frame.rho.denominator
    of_secret = term(f"{support} - {known} * $num // $den", num=num, den=den)
    of_known = term(
        f"({support} * $den - {known} * $num + $rest - 1) // $rest",
        num=num,
        den=den,
        rest=max(1, den - num),
    )
    return of_secret, of_known


def targets(frame: Frame) -> Step:
    """One row per unsafe rule and transaction that loses one of its items.

    Enough transactions are chosen to stop the rule by its sensitive item. Other items need more
    losses, which follow in later rounds. With persons, a person loses the rule in all transactions.
    A rule of one transaction needs no draw.
    """
    if frame.persons:
        return _targets_of_persons(frame)
    query = duck_union(
        """
        SELECT o.shape AS tid, o.mask AS mask, o.secret AS secret,
            o.of_secret AS of_secret, o.of_known AS of_known
        FROM unsafe AS o WHERE o.support = 1
        UNION ALL
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
            WHERE u.support > 1
        ) AS t
        WHERE t.turn <= t.of_secret
        """,
        keys=each("u.k_{n}", frame.keys),
        same=each("s.k_{n} = u.k_{n}", frame.keys),
    )
    return Step("target", TARGET, query)


def _targets_of_persons(frame: Frame) -> Step:
    """Take all transactions of a person, of persons with the fewest first.

    A person who holds a rule in one transaction still counts for its share in persons.
    """
    query = duck(
        """
        SELECT t.tid AS tid, t.mask AS mask, t.secret AS secret,
            t.of_secret AS of_secret, t.of_known AS of_known
        FROM (
            SELECT h.tid AS tid, h.mask AS mask, h.secret AS secret,
                h.of_secret AS of_secret, h.of_known AS of_known,
                h.transactions AS transactions, h.persons AS persons,
                ROW_NUMBER() OVER (
                    PARTITION BY h.part, $keys, h.secret
                    ORDER BY h.held, h.earliest, h.person, h.roll, h.tid
                ) AS turn,
                DENSE_RANK() OVER (
                    PARTITION BY h.part, $keys, h.secret ORDER BY h.held, h.earliest, h.person
                ) AS person_turn
            FROM (
                SELECT a.tid AS tid, a.roll AS roll, a.person AS person, s.mask AS mask,
                    u.part AS part, u.secret AS secret, u.of_secret AS of_secret,
                    u.of_known AS of_known, u.transactions AS transactions, u.persons AS persons,
                    COUNT(*) OVER (PARTITION BY u.part, $rule, u.secret, a.person) AS held,
                    MIN(a.roll) OVER (PARTITION BY u.part, $rule, u.secret, a.person) AS earliest,
                    $named
                FROM unsafe AS u
                JOIN subset AS s ON s.part = u.part AND $same
                JOIN arranged AS a ON a.alike = s.shape
            ) AS h
        ) AS t
        WHERE t.turn <= t.transactions OR t.person_turn <= t.persons
        """,
        keys=each("h.k_{n}", frame.keys),
        rule=each("u.k_{n}", frame.keys),
        named=each("u.k_{n} AS k_{n}", frame.keys),
        same=each("s.k_{n} = u.k_{n}", frame.keys),
    )
    return Step("target", TARGET, query)


def victims(frame: Frame, round_: int, *, evenly: bool) -> Step:
    """One row per transaction: the item it loses.

    Formulas 6 (`evenly`) and 7, over all rules that the loss of an item would help to stop. Items
    that help with most rules come first, unless the distribution is to stay.
    """
    query = duck(
        """
        WITH helped AS (
            SELECT t.tid AS tid, t.secret AS secret,
                CAST(SUM($weight // t.of_secret) AS BIGINT) AS of_secret, $sums
            FROM target AS t
            GROUP BY t.tid, t.secret
        )
        SELECT n.tid AS tid, n.code AS code, $round AS round
        FROM (
            SELECT v.tid AS tid, v.code AS code,
                ROW_NUMBER() OVER (PARTITION BY v.tid ORDER BY $best DESC, v.code) AS turn
            FROM (
                SELECT s.tid AS tid, s.code AS code, CAST(SUM(s.rules) AS BIGINT) AS rules,
                    CAST(SUM(
                        CASE WHEN s.secret = s.code THEN s.of_secret ELSE s.of_known END
                    ) AS BIGINT) AS stopped
                FROM (
                    SELECT h.tid AS tid, h.secret AS secret, h.of_secret AS of_secret,
                        $helps AS rules, $stops AS of_known,
                        $code AS code
                    FROM helped AS h
                    JOIN arranged AS a ON a.tid = h.tid
                    JOIN mask AS m ON m.size = 1 AND m.top <= a.held
                ) AS s
                WHERE s.rules > 0
                GROUP BY s.tid, s.code
            ) AS v
            JOIN leftover AS c ON c.code = v.code
        ) AS n
        WHERE n.turn = 1
        """,
        round=round_,
        best=_BY_DISTRIBUTION if evenly else _BY_RULES,
        weight=WEIGHT,
        sums=_sums(frame),
        helps=_at_place(frame, "h.r"),
        stops=_at_place(frame, "h.s"),
        code=code_at(frame, "a", "m.top"),
    )
    return Step(
        "gone", f"round {round_}: each row is a transaction and the item that it loses", query
    )


def _sums(frame: Frame) -> list[exp.Expr]:
    """The rules with an item at each place, and the sum of their weights if it is a known item.

    Columns are summed, since rows per rule and item would be several times as many.
    """
    held = [
        shown("COUNT(CASE WHEN t.mask & $bit > 0 THEN 1 END) AS $name", bit=bit, name=f"r_{n}")
        for n, bit in _bits(frame)
    ]
    weighed = """
        CAST(SUM(CASE WHEN t.mask & $bit > 0 THEN $weight // t.of_known ELSE 0 END) AS BIGINT)
            AS $name
        """
    return held + [shown(weighed, bit=bit, weight=WEIGHT, name=f"s_{n}") for n, bit in _bits(frame)]


def _bits(frame: Frame) -> list[tuple[int, int]]:
    """The places of a transaction, each with its bit of a mask."""
    return [(n, 1 << n - 1) for n in frame.columns]


def _at_place(frame: Frame, columns: str) -> exp.Expr:
    """The one of these columns whose number is a place."""
    return term(f"CASE m.top {cases(f'WHEN {{n}} THEN {columns}_{{n}}', frame.columns)} END")


# Least leftover(t) N_s, as a whole number, so that it is equal on every engine.
_BY_RULES = [term("v.rules"), term("v.stopped * c.support * 100 // c.remaining")]

# Greatest P(t) log (P(t) / P0(t)) / N_s, where P(t) is the share of t in all occurrences. With
# shares per transaction, as in the paper's footnote, no item could have too large a share. At first
# all shares are equal: then the item goes first whose loss stops most rules, of equal ones the
# sensitive item. Its N_s is the least before it is rounded up.
_BY_DISTRIBUTION = [
    term(
        """
        v.stopped * c.remaining
            * (LN(c.remaining) - LN(c.support) - LN(c.all_remaining) + LN(c.all_support))
        """
    ),
    term("v.stopped"),
    term("v.code"),
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
    return Step(
        "leftover",
        "each row is an item with its support at first and now: it ranks the items to suppress",
        query,
    )

"""Find unsafe sensitive rules, and choose the occurrences whose loss makes them safe.

Reads the relations of `coding.py` and `supports.py`. A *rule* q -> e has an itemset q and a
sensitive item e, the secret. It is unsafe if more than a share rho of the transactions that hold q
hold e too. Suppressed occurrences are appended to `gone(tid, code, round)`.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, each, term
from setveil.sql.subsets import (
    Frame,
    packed,
    picked,
)

WEIGHT = 27_720  # divided by 1 … 12 without remainder


# Rules


def rules(frame: Frame, least: int = 2) -> exp.Select:
    """One row per sensitive rule of the remaining occurrences, with the supports of its sides.

    The key of all its items is k_0, k_1, …; the key without the secret is q_0, q_1, …
    """
    # `elsewhere` is joined by the keys of `counted`. Otherwise DuckDB 2.0 would move the outer join
    # below the inner one, and it sometimes fails if a later join is built on an outer join.
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
        secret=picked(frame, "a", "f"),
        whole=each("c.k_{n} AS k_{n}", frame.keys),
        packed=packed(frame, "a", "f", "q"),
        subsets=frame.subsets,
        least=least,
        asked=each("q.k_{n} = r.q_{n}", frame.keys),
        also=each("e.k_{n} = q.k_{n}", frame.keys),
    )


def unsafe(frame: Frame, least: int, round_: int) -> Step:
    """One row per unsafe rule, with N_s of Definition 1, rounded up.

    Only rules of transactions with at least `least` items are counted: the longest go first.
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
    why = f"round {round_}: each row is a rule above rho, with the suppressions that make it safe"
    return Step("unsafe", why, query)


def targets(frame: Frame) -> Step:
    """One row per unsafe rule and transaction that loses one of its items.

    Enough transactions are chosen to stop the rule by its sensitive item. Other items need more
    losses, which follow in later rounds.
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
    return Step(
        "target",
        "each row is an unsafe rule and a transaction, drawn at random, that loses an item of it",
        query,
    )


def victims(frame: Frame, round_: int, *, evenly: bool) -> Step:
    """One row per transaction: the item it loses.

    Formulas 6 (`evenly`) and 7, over all rules that the loss of an item would help to stop. Items
    that help with most rules come first, unless the distribution is to stay.
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
        code=picked(frame, "a", "f"),
    )
    return Step(
        "gone", f"round {round_}: each row is a transaction and the item that it loses", query
    )


# Least leftover(t) N_s, as a whole number, so that it is equal on every engine.
_BY_RULES = [term("v.rules"), term("v.stopped * c.support * 100 // c.remaining")]

# Greatest P(t) log (P(t) / P0(t)) / N_s, where P(t) is the share of t in all occurrences. With
# shares per transaction, as in the paper's footnote, no item could have too large a share.
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
    return Step(
        "leftover",
        "each row is an item with its support at first and now: it ranks the items to suppress",
        query,
    )


# Items everywhere


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
        code=picked(frame, "a", "f"),
        keys=each("u.k_{n} AS k_{n}", frame.keys),
        same=each("c.k_{n} = u.k_{n}", frame.keys),
        subsets=frame.subsets,
    )
    return Step(
        "blamed",
        "each row is an item of an unsafe rule: without it in the release the rule is gone",
        query,
    )


def victims_everywhere(frame: Frame, round_: int) -> Step:
    """One row per occurrence of an item that is the best choice for half of its unsafe rules.

    The best item of a rule is in the most unsafe rules for its support. At least one item is the
    best for all its rules.
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
    why = f"round {round_}: each row is an occurrence of an item that is suppressed everywhere"
    return Step("gone", why, query)

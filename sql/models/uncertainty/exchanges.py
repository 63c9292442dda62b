"""Find suppressed occurrences that can return, alone or in exchange for another.

Reads `arranged`, `counted` and `elsewhere` of the remaining occurrences, as the search for unsafe
rules leaves them (see `anonymize.py`). Reads also `lost_n(tid, code, round)`, the suppressed
occurrences. A *change* of a transaction returns one occurrence, and suppresses at most one other.
It must keep every rule safe that it touches. The returned item is part of some rules. The
suppressed item is a known item of others, which become more confident where the transaction lacks
their secret.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.models.uncertainty.anonymize import rules
from setveil.sql.models.uncertainty.trials import tried
from setveil.sql.step import Step, duck, duck_union, each, first, term
from setveil.sql.subsets import Frame, code_at, packed, picked


def lost() -> Step:
    """One row per suppressed occurrence of a guarded transaction."""
    query = duck(
        """
        SELECT g.tid AS tid, g.code AS code, g.round AS round
        FROM gone AS g JOIN guarded AS h ON h.tid = g.tid
        """
    )
    return Step(
        "lost_0",
        "each row is a suppressed occurrence of a guarded transaction: it may return",
        query,
    )


def promising(
    frame: Frame, pass_: int, seed: int, swaps: int, *, parts: int = 1, evenly: bool
) -> Step:
    """One row per change that leaves a transaction safe as a whole, with the codes after it.

    Every return is tried, and `swaps` exchanges per return on average, which suppress the code at
    the place `gap`. `number` orders the changes of a part: returns first, then by the seed; no two
    are equal. `evenly` tries only changes that bring the shares of the items closer to the
    original, best first.
    """
    query = duck(
        """
        WITH tried AS ($tried), returned AS ($returned)
        SELECT c.number AS number, c.tid AS tid, c.part AS part, c.back AS back, c.gap AS gap,
            c.held AS held, c.known AS known, c.place AS place, $codes
        FROM tried AS c
        WHERE NOT EXISTS (
            SELECT 1 FROM returned AS g
            WHERE g.number = c.number AND (g.support + 1) * $den > $num * (g.known + g.own)
        )
        """,
        tried=tried(frame, pass_, seed, swaps, parts, evenly),
        codes=each("c.p_{n} AS p_{n}", frame.columns),
        returned=_gained_rules(frame, "tried", whole=True),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )
    return Step(
        "promising",
        f"pass {pass_}: each row is a change that leaves its transaction safe as a whole",
        query,
    )


def standing(frame: Frame) -> Step:
    """One row per sensitive rule of the remaining occurrences: its slack, in units of 1 / den."""
    query = duck(
        """
        SELECT r.part AS part, r.secret AS secret, r.known * $num - r.support * $den AS slack,
            $questions
        FROM $rules AS r
        """,
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        rules=rules(frame),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )
    return Step("standing", "each row is a safe rule with its slack: the distance from rho", query)


def moved(frame: Frame) -> Step:
    """One row per change that is made: the changes together exceed no rule's slack.

    Costs are summed in the order of the changes, and gains of slack are not counted: if a change is
    left out, the others stay safe.
    """
    query = duck(
        """
        WITH returned AS ($returned), bared AS ($bared), chosen AS ($chosen),
        gained AS ($gained), touched AS ($touched), borne AS ($borne), strained AS (
            SELECT b.part AS part, b.secret AS secret, $questions
            FROM borne AS b
            GROUP BY b.part, b.secret, $questions
            HAVING CAST(SUM(b.cost) AS BIGINT) > MIN(b.slack)
        ), overdrawn AS (
            SELECT r.number AS number
            FROM (
                SELECT b.number AS number, b.slack AS slack,
                    CAST(SUM(b.cost) OVER (
                        PARTITION BY b.part, b.secret, $questions ORDER BY b.number
                    ) AS BIGINT) AS cost
                FROM borne AS b
                JOIN strained AS s ON s.part = b.part AND s.secret = b.secret AND $same
            ) AS r
            WHERE r.cost > r.slack
        )
        SELECT c.tid AS tid, c.back AS back, c.gap AS gap
        FROM chosen AS c
        WHERE NOT EXISTS (SELECT 1 FROM overdrawn AS o WHERE o.number = c.number)
        """,
        returned=_gained_rules(frame, "promising"),
        bared=_bared(frame, "promising", "standing"),
        chosen=_chosen(frame),
        gained=_gained(frame),
        touched=_touched(frame),
        borne=_borne(frame),
        questions=each("b.q_{n} AS q_{n}", frame.keys),
        same=each("s.q_{n} = b.q_{n}", frame.keys),
    )
    return Step(
        "moved", "each row is a change that is made: together they exceed no rule's slack", query
    )


def _chosen(frame: Frame) -> exp.Select:
    """One row per transaction: its first change that no present rule forbids."""
    return duck(
        """
        SELECT p.number AS number, p.tid AS tid, p.part AS part, p.back AS back, p.gap AS gap,
            p.held AS held, p.known AS known, p.place AS place, $codes
        FROM promising AS p
        JOIN (
            SELECT p.tid AS tid, MIN(p.number) AS number FROM promising AS p
            WHERE NOT EXISTS (
                SELECT 1 FROM returned AS g
                WHERE g.number = p.number AND (g.support + 1) * $den > $num * (g.known + g.own)
            ) AND NOT EXISTS (
                SELECT 1 FROM bared AS b WHERE b.number = p.number AND b.slack < $num
            )
            GROUP BY p.tid
        ) AS s ON s.number = p.number
        """,
        codes=each("p.p_{n} AS p_{n}", frame.columns),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )


def _gained(frame: Frame) -> exp.Select:
    """One row per change and rule of the returned item: its cost, in units of 1 / den."""
    return duck(
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret,
            g.known * $num - g.support * $den AS slack, $den - g.own * $num AS cost,
            g.support AS support, $questions
        FROM $gained AS g
        """,
        questions=each("g.q_{n} AS q_{n}", frame.keys),
        gained=_gained_rules(frame, "chosen"),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )


def _touched(frame: Frame) -> exp.SetOperation:
    """One row per rule that is present, or that only a returned item creates."""
    return duck_union(
        """
        SELECT s.part AS part, s.secret AS secret, s.slack AS slack, $standing FROM standing AS s
        UNION ALL
        SELECT DISTINCT g.part AS part, g.secret AS secret, g.slack AS slack, $gained
        FROM gained AS g WHERE g.support = 0
        """,
        standing=each("s.q_{n} AS q_{n}", frame.keys),
        gained=each("g.q_{n} AS q_{n}", frame.keys),
    )


def _borne(frame: Frame) -> exp.SetOperation:
    """One row per change and rule whose slack it uses, with the cost."""
    return duck_union(
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret, g.slack AS slack,
            g.cost AS cost, $gained
        FROM gained AS g
        UNION ALL
        SELECT b.number AS number, b.part AS part, b.secret AS secret, b.slack AS slack,
            $num AS cost, $borne
        FROM $bared AS b
        """,
        gained=each("g.q_{n} AS q_{n}", frame.keys),
        num=frame.rho.numerator,
        borne=each("b.q_{n} AS q_{n}", frame.keys),
        bared=_bared(frame, "chosen", "touched"),
    )


def still_lost(frame: Frame, pass_: int, round_: int) -> Step:
    """One row per suppressed occurrence of a guarded transaction after so many passes."""
    query = duck_union(
        """
        SELECT l.tid AS tid, l.code AS code, l.round AS round FROM $lost AS l
        WHERE NOT EXISTS (SELECT 1 FROM moved AS b WHERE b.tid = l.tid AND b.back = l.code)
        UNION ALL
        SELECT m.tid AS tid, $code AS code, $round AS round
        FROM moved AS m JOIN arranged AS a ON a.tid = m.tid
        WHERE m.gap > 0
        """,
        lost=_at(pass_ - 1),
        code=code_at(frame, "a", "m.gap"),
        round=round_,
    )
    return Step(
        f"lost_{pass_}",
        f"each row is an occurrence that is still suppressed after pass {pass_}",
        query,
    )


def suppressed(passes: int) -> Step:
    """One row per occurrence that the release leaves out."""
    query = duck(
        """
        SELECT o.tid AS tid, c.item AS item, o.round AS round
        FROM $rows AS o JOIN coded AS c ON c.code = o.code
        """,
        rows=duck_union(
            """
            SELECT l.tid AS tid, l.code AS code, l.round AS round FROM $lost AS l
            UNION ALL
            SELECT g.tid AS tid, g.code AS code, g.round AS round FROM gone AS g
            WHERE NOT EXISTS (SELECT 1 FROM guarded AS h WHERE h.tid = g.tid)
            """,
            lost=_at(passes),
        ).subquery(),
    )
    return Step("suppressed", "each row is an occurrence that the release leaves out", query)


# The effect of a change


def _gained_rules(frame: Frame, changes: str, *, whole: bool = False) -> exp.Select:
    """One row per change and rule of the returned item: present supports, and its own share."""
    returns = duck(
        """
        SELECT x.number AS number, x.part AS part, $secret AS secret,
            CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own, $keys, $questions
        FROM $changes AS x
        JOIN member AS m ON m.place = x.place AND m.top <= x.held
        JOIN facet AS f ON f.mask = m.mask AND f.place > x.known
        WHERE $whole
        """,
        changes=changes,
        secret=picked(frame, "x", "f"),
        keys=packed(frame, "x", "m"),
        questions=packed(frame, "x", "f", "q"),
        whole=[term("m.size = x.held")] if whole else [],
    )
    return duck(
        """
        SELECT r.number AS number, r.part AS part, r.secret AS secret, r.own AS own,
            COALESCE(h.support, 0) AS support,
            COALESCE(q.support, 0) + COALESCE(e.support, 0) AS known, $questions
        FROM $returns AS r
        LEFT JOIN counted AS h ON h.part = r.part AND $held
        LEFT JOIN counted AS q ON q.part = r.part AND $asked
        LEFT JOIN elsewhere AS e ON e.part = r.part AND $also
        """,
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        returns=first(returns),
        held=each("h.k_{n} = r.k_{n}", frame.keys),
        asked=each("q.k_{n} = r.q_{n}", frame.keys),
        also=each("e.k_{n} = r.q_{n}", frame.keys),
    )


def _bared(frame: Frame, changes: str, judged: str) -> exp.Select:
    """One row per change and rule that loses a known item here, without its secret here."""
    goes = duck(
        """
        SELECT x.number AS number, x.part AS part, $questions, $codes
        FROM $changes AS x
        JOIN arranged AS a ON a.tid = x.tid
        JOIN member AS m ON m.place = x.gap AND m.top <= a.held
        """,
        questions=packed(frame, "a", "m", "q"),
        codes=each("a.p_{n} AS p_{n}", frame.columns),
        changes=changes,
    )
    return duck(
        """
        SELECT r.number AS number, r.part AS part, u.secret AS secret, u.slack AS slack, $questions
        FROM $goes AS r
        JOIN $judged AS u ON u.part = r.part AND $same
        WHERE $not_held
        """,
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        goes=first(goes),
        judged=judged,
        same=each("u.q_{n} = r.q_{n}", frame.keys),
        not_held=each("u.secret <> r.p_{n}", frame.columns),
    )


def _at(pass_: int) -> str:
    return f"lost_{pass_}"

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
from setveil.sql.models.uncertainty.effects import bared, gained_rules
from setveil.sql.models.uncertainty.trials import tried
from setveil.sql.step import Step, duck, duck_union, each, shown, term
from setveil.sql.subsets import Frame, code_at, with_persons


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
            c.held AS held, c.known AS known, c.place AS place, $owner, $codes
        FROM tried AS c
        WHERE NOT EXISTS (
            SELECT 1 FROM returned AS g
            WHERE g.number = c.number AND $broken
        )
        """,
        tried=tried(frame, pass_, seed, swaps, parts, evenly),
        owner=with_persons(frame, "c.person"),
        broken=_broken(frame),
        codes=each("c.p_{n} AS p_{n}", frame.columns),
        returned=gained_rules(frame, "tried", whole=True),
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
            $person_slack, $questions
        FROM $rules AS r
        """,
        person_slack=_person_slack(frame, "r.known_persons * $num - r.persons * $den"),
        questions=each("r.q_{n} AS q_{n}", frame.keys),
        rules=rules(frame),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )
    return Step("standing", "each row is a safe rule with its slack: the distance from rho", query)


def chosen(frame: Frame) -> Step:
    """One row per transaction: its first change that no present rule forbids.

    To choose changes and to make them takes a statement each: together they would need the memory
    of both.
    """
    query = duck(
        """
        WITH returned AS ($returned), bared AS ($bared)
        SELECT p.number AS number, p.tid AS tid, p.part AS part, p.back AS back, p.gap AS gap,
            p.held AS held, p.known AS known, p.place AS place, $owner, $codes
        FROM promising AS p
        JOIN (
            SELECT p.tid AS tid, MIN(p.number) AS number FROM promising AS p
            WHERE NOT EXISTS (
                SELECT 1 FROM returned AS g
                WHERE g.number = p.number AND $broken
            ) AND NOT EXISTS (
                SELECT 1 FROM bared AS b WHERE b.number = p.number AND $strained
            )
            GROUP BY p.tid
        ) AS s ON s.number = p.number
        """,
        returned=gained_rules(frame, "promising"),
        bared=bared(frame, "promising", "standing"),
        owner=with_persons(frame, "p.person"),
        codes=each("p.p_{n} AS p_{n}", frame.columns),
        broken=_broken(frame),
        strained=term(
            "b.slack < $num" + _or(frame, "b.person_slack < $num"), num=frame.rho.numerator
        ),
    )
    return Step(
        "chosen",
        "each row is the first change of a transaction that no present rule forbids",
        query,
    )


def moved(frame: Frame) -> Step:
    """One row per change that is made: the changes together exceed no rule's slack.

    Costs are summed in the order of the changes, and gains of slack are not counted: if a change is
    left out, the others stay safe.
    """
    query = duck(
        """
        WITH gained AS ($gained), touched AS ($touched), borne AS ($borne), strained AS (
            SELECT b.part AS part, b.secret AS secret, $questions
            FROM borne AS b
            GROUP BY b.part, b.secret, $questions
            HAVING $strained
        ), overdrawn AS (
            SELECT r.number AS number
            FROM (
                SELECT b.number AS number, b.slack AS slack,
                    CAST(SUM(b.cost) OVER (
                        PARTITION BY b.part, b.secret, $questions ORDER BY b.number
                    ) AS BIGINT) AS cost, $person_costs
                FROM borne AS b
                JOIN strained AS s ON s.part = b.part AND s.secret = b.secret AND $same
            ) AS r
            WHERE $overdrawn
        )
        SELECT c.tid AS tid, c.back AS back, c.gap AS gap
        FROM chosen AS c
        WHERE NOT EXISTS (SELECT 1 FROM overdrawn AS o WHERE o.number = c.number)
        """,
        gained=_gained(frame),
        touched=_touched(frame),
        borne=_borne(frame),
        strained=term(
            "CAST(SUM(b.cost) AS BIGINT) > MIN(b.slack)"
            + _or(frame, "CAST(SUM(b.person_cost) AS BIGINT) > MIN(b.person_slack)")
        ),
        overdrawn=term("r.cost > r.slack" + _or(frame, "r.person_cost > r.person_slack")),
        person_costs=_person_costs(frame),
        questions=each("b.q_{n} AS q_{n}", frame.keys),
        same=each("s.q_{n} = b.q_{n}", frame.keys),
    )
    return Step(
        "moved", "each row is a change that is made: together they exceed no rule's slack", query
    )


def _broken(frame: Frame) -> exp.Expr:
    """The condition that a rule of a returned item would be unsafe with it."""
    return term(
        "(g.support + 1) * $den > $num * (g.known + g.own)"
        + _or(frame, "(g.persons + g.fresh) * $den > $num * (g.known_persons + g.own_person)"),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )


def _or(frame: Frame, in_persons: str) -> str:
    """A further case of a condition, where persons are counted."""
    return f" OR {in_persons}" if frame.persons else ""


def _person_slack(frame: Frame, slack: str) -> list[exp.Expr]:
    """The slack of a rule in persons, where they are counted."""
    if not frame.persons:
        return []
    num, den = frame.rho.numerator, frame.rho.denominator
    return [exp.alias_(term(slack, num=num, den=den), "person_slack")]


def _person_costs(frame: Frame) -> list[exp.Expr]:
    """The slack of a rule in persons, and the cost of all changes up to this one."""
    if not frame.persons:
        return []
    cost = shown(
        """
        CAST(SUM(b.person_cost) OVER (
            PARTITION BY b.part, b.secret, $questions ORDER BY b.number
        ) AS BIGINT) AS person_cost
        """,
        questions=each("b.q_{n}", frame.keys),
    )
    return [shown("b.person_slack AS person_slack"), cost]


def _gained(frame: Frame) -> exp.Select:
    """One row per change and rule of the returned item: its cost, in units of 1 / den."""
    in_persons = _person_slack(frame, "g.known_persons * $num - g.persons * $den")
    if frame.persons:
        num, den = frame.rho.numerator, frame.rho.denominator
        cost = term("g.fresh * $den - g.own_person * $num", num=num, den=den)
        in_persons.append(exp.alias_(cost, "person_cost"))
    return duck(
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret,
            g.known * $num - g.support * $den AS slack, $den - g.own * $num AS cost,
            g.support AS support, $in_persons, $questions
        FROM $gained AS g
        """,
        in_persons=in_persons,
        questions=each("g.q_{n} AS q_{n}", frame.keys),
        gained=gained_rules(frame, "chosen"),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )


def _touched(frame: Frame) -> exp.SetOperation:
    """One row per rule that is present, or that only a returned item creates."""
    return duck_union(
        """
        SELECT s.part AS part, s.secret AS secret, s.slack AS slack, $known, $standing
        FROM standing AS s
        UNION ALL
        SELECT DISTINCT g.part AS part, g.secret AS secret, g.slack AS slack, $new, $gained
        FROM gained AS g WHERE g.support = 0
        """,
        known=with_persons(frame, "s.person_slack"),
        new=with_persons(frame, "g.person_slack"),
        standing=each("s.q_{n} AS q_{n}", frame.keys),
        gained=each("g.q_{n} AS q_{n}", frame.keys),
    )


def _borne(frame: Frame) -> exp.SetOperation:
    """One row per change and rule whose slack it uses, with the cost."""
    return duck_union(
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret, g.slack AS slack,
            g.cost AS cost, $of_gained, $gained
        FROM gained AS g
        UNION ALL
        SELECT b.number AS number, b.part AS part, b.secret AS secret, b.slack AS slack,
            $num AS cost, $of_borne, $borne
        FROM $bared AS b
        """,
        of_gained=with_persons(frame, "g.person_slack", "g.person_cost"),
        of_borne=[
            shown("b.person_slack AS person_slack"),
            shown("$num AS person_cost", num=frame.rho.numerator),
        ]
        if frame.persons
        else [],
        gained=each("g.q_{n} AS q_{n}", frame.keys),
        num=frame.rho.numerator,
        borne=each("b.q_{n} AS q_{n}", frame.keys),
        bared=bared(frame, "chosen", "touched"),
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


def _at(pass_: int) -> str:
    return f"lost_{pass_}"

"""Find what suppressed occurrences can return, alone or in exchange for another.

Reads what the search for unsafe rules leaves (see `anonymize.py`): `arranged`, `counted`
and `elsewhere` of what stands, and `lost_n(tid, code, round)`, what is lost. A *change* of a
transaction lets one occurrence return, and takes at most one other out. It is judged by every rule
that it touches: those that what returns is part of, and those whose secret the transaction does not
hold and whose known items lose one that hides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from sqlglot import exp

from setveil.sql.models.uncertainty.anonymize import rules
from setveil.sql.step import Step, Value, duck, duck_union, first, term
from setveil.sql.subsets import (
    Frame,
    code_at,
    copies,
    number,
    packed,
    place_name,
    roll,
    same_itemset,
    total,
)


def lost() -> Step:
    """One row per suppressed occurrence of a guarded transaction."""
    query = duck(
        """
        SELECT g.tid AS tid, g.code AS code, g.round AS round
        FROM gone AS g JOIN guarded AS h ON h.tid = g.tid
        """
    )
    return Step("lost_0", "what could return", query)


def promising(
    frame: Frame, pass_: int, seed: int, swaps: int, *, parts: int = 1, evenly: bool
) -> Step:
    """One row per change that leaves a transaction safe as a whole, codes side by side after it.

    Every return is tried, and as many exchanges besides as `swaps` for each, on average, that leave
    the place `gap` to it. `number` is the order of those in a part: returns first, then as the seed
    has it; no two have the same. `evenly` tries those alone that bring the shares of the items
    closer to what they were, the most first.
    """
    tried = exp.to_table("tried")
    whole = _unsafe(frame, tried, whole=True)
    query = duck(
        """
        SELECT c.number AS number, c.tid AS tid, c.part AS part, c.back AS back, c.gap AS gap,
            c.held AS held, c.known AS known, c.place AS place
        FROM $tried AS c
        WHERE NOT EXISTS (SELECT 1 FROM $whole AS w WHERE w.number = c.number)
        """,
        tried=tried,
        whole=whole.subquery(),
    ).select(*_codes(frame, "c"), copy=False)
    query = query.with_("tried", as_=_tried(frame, pass_, seed, swaps, parts, evenly), copy=False)
    return Step("promising", "changes that are safe as a whole: most are not", query)


def _tried(frame: Frame, pass_: int, seed: int, swaps: int, parts: int, evenly: bool) -> exp.Select:
    """One row per change that is tried, with what it makes of the transaction.

    Where many work on it, each part can be put in order by another.
    """
    thinned = _thinned(frame, _ways(frame, pass_, seed, swaps), evenly)
    placed = duck(
        """
        SELECT t.tid AS tid, t.part AS part, t.back AS back, t.gap AS gap, t.turn AS turn,
            t.held AS held, t.known AS known, $place AS place
        FROM $rows AS t
        """,
        rows=thinned.subquery(),
        place=total([number(1), *(_before(n) for n in frame.columns)]),
    ).select(*_codes(frame, "t"), copy=False)
    return duck(
        """
        SELECT s.tid AS tid, s.part AS part, s.back AS back, s.gap AS gap, s.held AS held,
            s.known AS known, s.place AS place,
            ROW_NUMBER() OVER (
                PARTITION BY s.part
                ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, $roll,
                    s.tid, s.back, s.gap
            ) * $parts - s.part AS number
        FROM $rows AS s
        """,
        rows=placed.subquery(),
        parts=parts,
        roll=roll(seed - pass_, "s", "(s.back * 64 + s.gap)"),
    ).select(*_with_back(frame), copy=False)


def _ways(frame: Frame, pass_: int, seed: int, swaps: int) -> exp.SetOperation:
    """One row per return: with the place that it leaves empty, or 0."""
    return duck_union(
        """
        SELECT l.tid AS tid, l.code AS back, 0 AS gap
        FROM $lost AS l JOIN arranged AS a ON a.tid = l.tid AND a.held < $places
        UNION ALL
        SELECT l.tid AS tid, l.code AS back, m.top AS gap
        FROM $lost AS l
        JOIN arranged AS a ON a.tid = l.tid
        JOIN mask AS m ON m.size = 1 AND m.top <= a.held
        WHERE $roll % a.held < $swaps
        """,
        lost=_at(pass_ - 1),
        places=frame.places,
        roll=roll(seed + pass_, "l", "(l.code * 64 + m.top)"),
        swaps=swaps,
    )


def _thinned(frame: Frame, ways: exp.SetOperation, evenly: bool) -> exp.Select:
    """Each way with the transaction's codes, without what goes; `turn` orders those of a kind."""
    rows = duck(
        """
        SELECT w.tid AS tid, a.part AS part, w.back AS back, w.gap AS gap, $turn AS turn,
            a.held + CASE WHEN w.gap = 0 THEN 1 ELSE 0 END AS held,
            a.known + CASE WHEN w.back <= $harmless THEN 1 ELSE 0 END
                - CASE WHEN w.gap > 0 AND w.gap <= a.known THEN 1 ELSE 0 END AS known
        FROM $ways AS w JOIN arranged AS a ON a.tid = w.tid
        """,
        ways=ways.subquery(),
        harmless=frame.harmless,
        turn=term("b.remaining * 1000 // b.support")
        if evenly
        else number(0),
    ).select(*_without_gap(frame), copy=False)
    return _levelling(frame, rows) if evenly else rows


def _levelling(frame: Frame, rows: exp.Select) -> exp.Select:
    """Changes after which fewer items have too large or too small a share."""
    rows = rows.join(exp.to_table("leftover").as_("b"), on=term("b.code = w.back"))
    out = term("o.code = $code", code=code_at(frame, "a", "w", "gap"))
    rows = rows.join(exp.to_table("leftover").as_("o"), on=out, join_type="left")
    return rows.where(
        term(
            """
            CASE WHEN w.gap = 0 THEN b.remaining * b.all_support <= b.support * b.all_remaining
            ELSE (2 * b.remaining + 1) * o.support < (2 * o.remaining - 1) * b.support END
            """
        )
    )


def _without_gap(frame: Frame) -> Iterable[exp.Expr]:
    for n in frame.columns:
        after = exp.column(place_name(n + 1), table="a") if n < frame.places else number(0)
        here = exp.column(place_name(n), table="a")
        text = "CASE WHEN w.gap > 0 AND w.gap <= $n THEN $after ELSE $here END"
        yield term(text, n=n, after=after, here=here).as_(place_name(n))


def _before(n: int) -> exp.Expr:
    here = exp.column(place_name(n), table="t")
    return term("CASE WHEN $here > 0 AND $here < t.back THEN 1 ELSE 0 END", here=here)


def _with_back(frame: Frame) -> Iterable[exp.Expr]:
    for n in frame.columns:
        here = exp.column(place_name(n), table="s")
        before = exp.column(place_name(n - 1), table="s") if n > 1 else number(0)
        text = "CASE WHEN s.place > $n THEN $here WHEN s.place = $n THEN s.back ELSE $before END"
        yield term(text, n=n, here=here, before=before).as_(place_name(n))


def standing(frame: Frame) -> Step:
    """One row per sensitive rule of what stands: how much it can bear, in shares of 1 / den."""
    query = duck(
        """
        SELECT r.part AS part, r.secret AS secret, r.known * $num - r.support * $den AS slack
        FROM $rules AS r
        """,
        rules=rules(frame).subquery(),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    ).select(*_questions(frame, "r"))
    return Step("standing", "what hides must not go", query)


def moved(frame: Frame) -> Step:
    """One row per change that is made: no rule bears too much of all those that are.

    What a rule bears is counted in the order of the changes, and what relieves it is not: whatever
    is left out, the others stay safe.
    """
    return Step("moved", "what changes together", _moved(frame))


@lru_cache(maxsize=8)
def _moved(frame: Frame) -> exp.Select:
    """The same in every pass."""
    query = duck(
        """
        SELECT c.tid AS tid, c.back AS back, c.gap AS gap
        FROM chosen AS c
        WHERE NOT EXISTS (
            SELECT 1 FROM $ranked AS o WHERE o.number = c.number AND o.cost > o.slack
        )
        """,
        ranked=_ranked(frame).subquery(),
    )
    for name, part in (
        ("chosen", _chosen), ("gained", _gained), ("touched", _touched), ("borne", _borne),
    ):  # fmt: skip
        query = query.with_(name, as_=part(frame), copy=False)
    return query


def _chosen(frame: Frame) -> exp.Select:
    """One row per transaction that changes."""
    return duck(
        """
        SELECT p.number AS number, p.tid AS tid, p.part AS part, p.back AS back, p.gap AS gap,
            p.held AS held, p.known AS known, p.place AS place
        FROM promising AS p JOIN $safe AS s ON s.number = p.number
        """,
        safe=_safe(frame).subquery(),
    ).select(*_codes(frame, "p"))


def _gained(frame: Frame) -> exp.Select:
    """One row per change and rule of what returns: what that costs, in shares of 1 / den."""
    return duck(
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret,
            g.known * $num - g.support * $den AS slack, $den - g.own * $num AS cost,
            g.support AS support
        FROM $gained AS g
        """,
        gained=_gained_rules(frame, exp.to_table("chosen")).subquery(),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    ).select(*_questions(frame, "g"))


def _touched(frame: Frame) -> exp.SetOperation:
    """One row per rule of what stands, or of what returns and stood nowhere."""
    return _asked(
        frame,
        """
        SELECT s.part AS part, s.secret AS secret, s.slack AS slack FROM standing AS s
        UNION ALL
        SELECT DISTINCT g.part AS part, g.secret AS secret, g.slack AS slack FROM gained AS g
        WHERE g.support = 0
        """,
        "sg",
    )


def _borne(frame: Frame) -> exp.SetOperation:
    """One row per change and rule that has to bear it."""
    return _asked(
        frame,
        """
        SELECT g.number AS number, g.part AS part, g.secret AS secret, g.slack AS slack,
            g.cost AS cost
        FROM gained AS g
        UNION ALL
        SELECT b.number AS number, b.part AS part, b.secret AS secret, b.slack AS slack,
            $num AS cost
        FROM $bared AS b
        """,
        "gb",
        bared=_bared(frame, exp.to_table("chosen"), exp.to_table("touched")).subquery(),
        num=frame.rho.numerator,
    )


def _asked(frame: Frame, text: str, owners: str, **values: Value) -> exp.SetOperation:
    """Both sides with what their rules ask about."""
    union = duck_union(text, **values)
    for side, owner in zip((union.this, union.expression), owners, strict=True):
        side.select(*_questions(frame, owner), copy=False)
    return union


def _ranked(frame: Frame) -> exp.Select:
    """What rules that cannot bear all have borne after each change, in the order of the changes."""
    rule = [exp.column(name, table="b") for name in ("part", "secret", *_question_names(frame))]
    strained = duck("SELECT b.part AS part, b.secret AS secret FROM borne AS b")
    strained = strained.select(*_questions(frame, "b")).group_by(*copies(rule))
    strained = strained.having(term("CAST(SUM(b.cost) AS BIGINT) > MIN(b.slack)"))
    same = exp.and_(*(one.eq(exp.column(one.name, table="s")) for one in copies(rule)))
    borne_so_far = exp.Window(
        this=term("SUM(b.cost)"),
        partition_by=rule,
        order=exp.Order(expressions=[exp.column("number", table="b")]),
    )
    return duck(
        "SELECT b.number AS number, b.slack AS slack, CAST($sum AS BIGINT) AS cost FROM borne AS b",
        sum=borne_so_far,
    ).join(strained.subquery("s"), on=same)


def still_lost(frame: Frame, pass_: int, round_: int) -> Step:
    """One row per occurrence of a guarded transaction that is lost after so many passes."""
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
        code=code_at(frame, "a", "m", "gap"),
        round=round_,
    )
    return Step(f"lost_{pass_}", "what stays suppressed", query)


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
    return Step("suppressed", "what the release leaves out", query)


# What a change does


def _gained_rules(frame: Frame, changes: exp.Table, *, whole: bool = False) -> exp.Select:
    """One row per change and rule of what returns: the supports that stand, and its own to come."""
    rows = duck(
        """
        SELECT x.number AS number, x.part AS part, $secret AS secret,
            CASE WHEN f.place = x.place THEN 0 ELSE 1 END AS own
        FROM $changes AS x
        JOIN member AS m ON m.place = x.place AND m.top <= x.held
        JOIN facet AS f ON f.mask = m.mask AND f.place > x.known
        """,
        changes=changes,
        secret=code_at(frame, "x", "f"),
    ).select(*packed(frame, "x", "m"), *packed(frame, "x", "f", "q"))
    if whole:
        rows = rows.where(term("m.size = x.held"))
    joined = duck(
        """
        SELECT r.number AS number, r.part AS part, r.secret AS secret, r.own AS own,
            COALESCE(h.support, 0) AS support,
            COALESCE(q.support, 0) + COALESCE(e.support, 0) AS known
        FROM $rows AS r
        """,
        rows=first(rows),
    ).select(*_questions(frame, "r"))
    for owner, relation, prefix in (
        ("h", "counted", "k"), ("q", "counted", "q"), ("e", "elsewhere", "q"),
    ):  # fmt: skip
        same = same_itemset(frame, owner, "r", prefix)
        joined = joined.join(exp.to_table(relation).as_(owner), on=same, join_type="left")
    return joined


def _unsafe(frame: Frame, changes: exp.Table, *, whole: bool) -> exp.Select:
    """One row per change after which a rule of what returns is unsafe."""
    return duck(
        """
        SELECT g.number AS number FROM $rows AS g
        WHERE (g.support + 1) * $den > $num * (g.known + g.own)
        """,
        rows=_gained_rules(frame, changes, whole=whole).subquery(),
        num=frame.rho.numerator,
        den=frame.rho.denominator,
    )


def _bared(frame: Frame, changes: exp.Table, judged: exp.Table) -> exp.Select:
    """One row per change and rule whose known items lose what goes, and whose secret is no part."""
    rows = duck(
        """
        SELECT x.number AS number, x.part AS part
        FROM $changes AS x
        JOIN arranged AS a ON a.tid = x.tid
        JOIN member AS m ON m.place = x.gap AND m.top <= a.held
        """,
        changes=changes,
    ).select(*packed(frame, "a", "m", "q"), *_codes(frame, "a"))
    query = duck(
        """
        SELECT r.number AS number, r.part AS part, u.secret AS secret, u.slack AS slack
        FROM $rows AS r
        """,
        rows=first(rows),
    ).select(*_questions(frame, "r"))
    pairs = ("part", *_question_names(frame))
    same = exp.and_(*(exp.column(n, table="u").eq(exp.column(n, table="r")) for n in pairs))
    query = query.join(judged.copy().as_("u"), on=same)
    return query.where(
        *(term("u.secret <> $code", code=exp.column(place_name(n), table="r"))
          for n in frame.columns)
    )  # fmt: skip


def _safe(frame: Frame) -> exp.Select:
    """One row per transaction: the first change of it that no rule of what stands forbids."""
    return duck(
        """
        SELECT p.tid AS tid, MIN(p.number) AS number FROM promising AS p
        WHERE NOT EXISTS (SELECT 1 FROM $gained AS g WHERE g.number = p.number)
            AND NOT EXISTS (
                SELECT 1 FROM $bared AS b WHERE b.number = p.number AND b.slack < $num
            )
        GROUP BY p.tid
        """,
        gained=_unsafe(frame, exp.to_table("promising"), whole=False).subquery(),
        bared=_bared(frame, exp.to_table("promising"), exp.to_table("standing")).subquery(),
        num=frame.rho.numerator,
    )


# Columns


def _at(pass_: int) -> exp.Table:
    return exp.to_table(f"lost_{pass_}")


def _codes(frame: Frame, owner: str) -> list[exp.Expr]:
    return [exp.column(place_name(n), table=owner).as_(place_name(n)) for n in frame.columns]


def _question_names(frame: Frame) -> list[str]:
    return [f"q_{n}" for n in frame.keys]


def _questions(frame: Frame, owner: str) -> list[exp.Expr]:
    return [exp.column(name, table=owner).as_(name) for name in _question_names(frame)]

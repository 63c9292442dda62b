"""List the changes that a pass tries: occurrences that return, alone or in exchange for another."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import cases, duck, duck_union, each, term
from setveil.sql.subsets import Frame, code_at, die, rolled, with_persons


def tried(frame: Frame, pass_: int, seed: int, swaps: int, parts: int, evenly: bool) -> exp.Select:
    """One row per change that is tried, with the codes of the transaction after it.

    With several workers, each can order a part of its own.
    """
    before = cases("+ CASE WHEN t.p_{n} > 0 AND t.p_{n} < t.back THEN 1 ELSE 0 END", frame.columns)
    return duck(
        """
        SELECT s.tid AS tid, s.part AS part, s.back AS back, s.gap AS gap, s.held AS held,
            s.known AS known, s.place AS place, $owner,
            ROW_NUMBER() OVER (
                PARTITION BY s.part
                ORDER BY CASE WHEN s.gap = 0 THEN 0 ELSE 1 END, s.turn, $rolled,
                    s.tid, s.back, s.gap
            ) * $parts - s.part AS number,
            $with_back
        FROM (
            SELECT t.tid AS tid, t.part AS part, t.back AS back, t.gap AS gap, t.turn AS turn,
                t.held AS held, t.known AS known, $die AS die, $place AS place, $given, $codes
            FROM $ways AS t
        ) AS s
        """,
        parts=parts,
        rolled=rolled("s.die"),
        owner=with_persons(frame, "s.person"),
        given=with_persons(frame, "t.person"),
        with_back=_with_back(frame),
        die=die(seed - pass_, "t", "(t.back * 64 + t.gap)"),
        place=term(f"1 {before}"),
        codes=each("t.p_{n} AS p_{n}", frame.columns),
        ways=_changed(frame, _ways(frame, pass_, seed, swaps), evenly),
    )


def _with_back(frame: Frame) -> list[exp.Expr]:
    """Codes in columns, with the returned code at its place."""
    text = """
        CASE WHEN s.place > {n} THEN s.p_{n} WHEN s.place = {n} THEN s.back
            ELSE s.p_{before} END AS p_{n}
        """
    return [
        *each("CASE WHEN s.place > 1 THEN s.p_1 ELSE s.back END AS p_{n}", [1]),
        *each(text, frame.columns[1:]),
    ]


def _ways(frame: Frame, pass_: int, seed: int, swaps: int) -> exp.SetOperation:
    """One row per return: with the place of the code that is suppressed for it, or 0."""
    return duck_union(
        """
        SELECT l.tid AS tid, l.code AS back, 0 AS gap
        FROM $lost AS l JOIN arranged AS a ON a.tid = l.tid AND a.held < $places
        UNION ALL
        SELECT d.tid AS tid, d.back AS back, d.gap AS gap
        FROM (
            SELECT l.tid AS tid, l.code AS back, m.top AS gap, a.held AS held, $die AS die
            FROM $lost AS l
            JOIN arranged AS a ON a.tid = l.tid
            JOIN mask AS m ON m.size = 1 AND m.top <= a.held
        ) AS d
        WHERE $rolled % d.held < $swaps
        """,
        lost=f"lost_{pass_ - 1}",
        places=frame.places,
        die=die(seed + pass_, "l", "(l.code * 64 + m.top)"),
        rolled=rolled("d.die"),
        swaps=swaps,
    )


def _changed(frame: Frame, ways: exp.SetOperation, evenly: bool) -> exp.Select:
    """Each way with the codes of its transaction, without the suppressed one; `turn` orders them.

    With `evenly`, only ways after which fewer items have too large or too small a share.
    """
    shown = """
        SELECT w.tid AS tid, a.part AS part, w.back AS back, w.gap AS gap, $turn AS turn,
            a.held + CASE WHEN w.gap = 0 THEN 1 ELSE 0 END AS held,
            a.known + CASE WHEN w.back <= $harmless THEN 1 ELSE 0 END
                - CASE WHEN w.gap > 0 AND w.gap <= a.known THEN 1 ELSE 0 END AS known,
            $owner, $without_gap
        FROM $ways AS w JOIN arranged AS a ON a.tid = w.tid
        """
    levelling = """
        JOIN leftover AS b ON b.code = w.back
        LEFT JOIN leftover AS o ON o.code = $out
        WHERE CASE
            WHEN w.gap = 0 THEN b.remaining * b.all_support <= b.support * b.all_remaining
            ELSE (2 * b.remaining + 1) * o.support < (2 * o.remaining - 1) * b.support
        END
        """
    return duck(
        shown + levelling if evenly else shown,
        turn=term("b.remaining * 1000 // b.support") if evenly else 0,
        harmless=frame.harmless,
        owner=with_persons(frame, "a.person"),
        without_gap=_without_gap(frame),
        ways=ways,
        out=code_at(frame, "a", "w.gap"),
    )


def _without_gap(frame: Frame) -> list[exp.Expr]:
    """Codes in columns; codes behind the gap move one place to the front."""
    text = "CASE WHEN w.gap > 0 AND w.gap <= {n} THEN a.p_{after} ELSE a.p_{n} END AS p_{n}"
    last = "CASE WHEN w.gap > 0 THEN 0 ELSE a.p_{n} END AS p_{n}"
    return [*each(text, frame.columns[:-1]), *each(last, frame.columns[-1:])]

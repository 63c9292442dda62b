"""Find unsafe rules by their number of known items, in transactions of any length.

Reads held(tid, part, code), with `person` where persons are counted. Codes above `harmless` are of
sensitive items, the secrets. Makes `placed`, and for each size N

  set_N(id, part, c_1 … c_N, support)   one row per itemset: a transaction with a secret holds it
  met_N(tid, id, last, …)               one row per transaction and such a set

A set grows by codes above its last one. It is left out if it has the support of the set that it
grew from: both have the same transactions, so it has no other rules. Every itemset has a smallest
subset with the same transactions, and no set on the way to that subset is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.sql.step import PAIR, Step, duck, each, shown, term, together


@dataclass(frozen=True, slots=True)
class Scope:
    """Which codes are secrets, and the share that no rule may pass."""

    harmless: int
    rho: Fraction
    persons: bool = False  # rules are counted in persons too

    @property
    def num(self) -> int:
        return self.rho.numerator

    @property
    def den(self) -> int:
        return self.rho.denominator

    def owner(self, text: str) -> list[exp.Expr]:
        """A column about persons, where they are counted."""
        return [shown(text)] if self.persons else []


@dataclass(frozen=True, slots=True)
class Slice:
    """The sets of one size whose numbers are above `after`, and up to `upto`."""

    size: int
    after: int = 0
    upto: int = 2**53


def placed(scope: Scope) -> Step:
    """One row per occurrence: how many codes follow, and the secrets of its transaction."""
    query = duck(
        """
        SELECT h.tid AS tid, h.part AS part, h.code AS code, $person,
            COUNT(*) OVER (PARTITION BY h.tid)
                - ROW_NUMBER() OVER (PARTITION BY h.tid ORDER BY h.code) AS rest,
            COUNT(CASE WHEN h.code > $harmless THEN 1 END) OVER (PARTITION BY h.tid) AS secrets
        FROM held AS h
        """,
        person=scope.owner("h.person AS person"),
        harmless=scope.harmless,
    )
    why = "each row is an occurrence, with the number of later codes and secrets beside it"
    return Step("placed", why, query)


def sets(scope: Scope, size: int) -> Step:
    """One row per itemset of `size`, numbered, with its support."""
    number = scope.owner("COUNT(DISTINCT {}.person) AS persons".format("p" if size == 1 else "m"))
    persons = scope.owner("g.persons AS persons")
    if size == 1:
        query = duck(
            """
            SELECT ROW_NUMBER() OVER (ORDER BY g.part, g.c_1) AS id, g.part AS part, g.c_1 AS c_1,
                g.support AS support, $persons
            FROM (
                SELECT p.part AS part, p.code AS c_1, COUNT(*) AS support, $number
                FROM placed AS p GROUP BY p.part, p.code HAVING MAX(p.secrets) > 0
            ) AS g
            """,
            persons=persons,
            number=number,
        )
    else:
        query = duck(
            """
            SELECT ROW_NUMBER() OVER (ORDER BY g.parent, g.code) AS id, s.part AS part,
                g.parent AS parent, $before, g.code AS $last, g.support AS support, $persons
            FROM (
                SELECT m.id AS parent, p.code AS code, COUNT(*) AS support, $number
                FROM $met AS m JOIN placed AS p ON p.tid = m.tid AND p.code > m.last
                WHERE m.support > 1
                GROUP BY m.id, p.code HAVING MAX(p.secrets) > 0
            ) AS g
            JOIN $parents AS s ON s.id = g.parent
            WHERE g.support < s.support
            """,
            before=each("s.c_{n} AS c_{n}", range(1, size)),
            last=f"c_{size}",
            met=f"met_{size - 1}",
            parents=f"set_{size - 1}",
            persons=persons,
            number=number,
        )
    why = f"each row is a set of {size} items that a transaction with a secret holds, with support"
    return Step(f"set_{size}", why, query)


def met(scope: Scope, size: int) -> Step:
    """One row per transaction and itemset of `size` that it holds."""
    at = "JOIN placed AS p ON p.part = s.part AND p.code = s.c_1"
    if size > 1:
        at = """
            JOIN $met AS m ON m.id = s.parent AND m.support > 1
            JOIN placed AS p ON p.tid = m.tid AND p.code = s.$last
            """
    query = duck(
        f"""
        SELECT p.tid AS tid, s.id AS id, p.code AS last, p.rest AS rest, p.secrets AS secrets,
            s.support AS support, $persons
        FROM $sets AS s {at}
        """,  # noqa: S608
        sets=f"set_{size}",
        **({"met": f"met_{size - 1}", "last": f"c_{size}"} if size > 1 else {}),
        persons=[*scope.owner("p.person AS person"), *scope.owner("s.persons AS persons")],
    )
    why = f"each row is a transaction and a set of {size} items that it holds"
    return Step(f"met_{size}", why, query)


def outlook(size: int) -> Step:
    """One row: the rows that the next size joins, and those that are counted for rules."""
    query = duck(
        """
        SELECT CAST(COALESCE(SUM(CASE WHEN m.support > 1 THEN m.rest ELSE 0 END), 0) AS BIGINT)
                AS larger,
            CAST(COALESCE(SUM(m.secrets), 0) AS BIGINT) AS rules
        FROM $met AS m
        """,
        met=f"met_{size}",
    )
    return Step(f"outlook_{size}", "counts rows to be joined: the run refuses too many", query)


def unsafe(scope: Scope, part: Slice) -> Step:
    """One row per unsafe rule of these sets: its set, its secret, and both supports."""
    above = "COUNT(*) * $den > $num * w.known"
    if scope.persons:
        above += " OR COUNT(DISTINCT w.person) * $den > $num * w.persons"
    owners = [*scope.owner("m.person AS person"), *scope.owner("m.persons AS persons")]
    query = duck(
        """
        SELECT $size AS size, r.id AS id, s.part AS part, r.secret AS secret,
            r.support AS support, s.support AS known, $codes
        FROM (
            SELECT HIGH(w.rule, $base) AS id, LOW(w.rule, $base) AS secret, COUNT(*) AS support
            FROM (
                SELECT m.id * $base + p.code AS rule, m.support AS known, $owners
                FROM $met AS m JOIN placed AS p ON p.tid = m.tid AND p.code > $harmless
                WHERE m.id > $after AND m.id <= $upto
            ) AS w
            GROUP BY w.rule, w.known, $persons
            HAVING $above
        ) AS r
        JOIN $sets AS s ON s.id = r.id
        WHERE $elsewhere
        """,
        size=part.size,
        codes=each("s.c_{n} AS c_{n}", range(1, part.size + 1)),
        base=PAIR,
        owners=owners,
        met=f"met_{part.size}",
        sets=f"set_{part.size}",
        harmless=scope.harmless,
        after=part.after,
        upto=part.upto,
        persons=[term("w.persons")] if scope.persons else [],
        above=term(above, num=scope.num, den=scope.den),
        elsewhere=each("r.secret <> s.c_{n}", range(1, part.size + 1)),
    )
    why = f"each row is a rule above rho: a set of {part.size} known items and a secret"
    return Step(f"unsafe_{part.size}", why, query)


def all_unsafe(sizes: Sequence[int]) -> Step:
    """One row per unsafe rule of any of these sizes; codes that it lacks are 0."""
    text = """
        SELECT u.size AS size, u.id AS id, u.part AS part, u.secret AS secret,
            u.support AS support, u.known AS known, $codes, $padding
        FROM $unsafe AS u
        """
    rows = [
        duck(
            text,
            codes=each("u.c_{n} AS c_{n}", range(1, size + 1)),
            padding=each("0 AS c_{n}", range(size + 1, max(sizes) + 1)),
            unsafe=f"unsafe_{size}",
        )
        for size in sizes
    ]
    return Step("unsafe", "each row is an unsafe rule, whatever its size", together(rows))

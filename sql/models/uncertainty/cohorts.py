"""Count how many transactions hold each harmless itemset that a guarded transaction holds.

`listed` has the harmless itemsets of guarded transactions with their supports there, `elsewhere`
those in all other transactions, and `cohort` both. An itemset of one transaction alone is left out:
a set that `cohort` lacks has the support 1. Large data takes several turns, each with the itemsets
whose rarest item has the number of the turn, so that no turn needs much memory.

A turn of large data reads the other transactions in shares. An itemset is *settled* once a share
has shown so many transactions that no rule from it can ever be unsafe: it is not counted further,
and its support stays below the true one. Each decision is that of the true support.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from setveil.sql.step import Step, duck, duck_union, each, shown, term, together
from setveil.sql.subsets import Frame, packed, with_persons


@dataclass(frozen=True, slots=True)
class Pick:
    """The itemsets, and the other transactions, that are counted at once."""

    turn: int = 0
    turns: int = 1  # one turn has all itemsets
    share: range | None = None  # numbers of transactions; None: all
    sought: str = "listed"  # the itemsets and their rarest items

    def has_code(self, code: str, **values: int) -> list[exp.Expr]:
        """The condition that a rarest item belongs to the turn."""
        if self.turns == 1:
            return []
        return [term(f"{code} % $turns = $turn", turn=self.turn, turns=self.turns, **values)]

    def has_transaction(self, tid: str) -> list[exp.Expr]:
        """The condition that a transaction belongs to the share."""
        if self.share is None:
            return []
        first, end = self.share.start, self.share.stop
        return [term(f"{tid} >= $first AND {tid} < $end", first=first, end=end)]


ALL = Pick()


def begun(frame: Frame) -> Step:
    """One row per guarded transaction: its harmless codes before the first round."""
    query = duck(
        "SELECT a.tid AS tid, a.part AS part, a.known AS known, $codes FROM arranged AS a",
        codes=each("a.p_{n} AS p_{n}", frame.columns),
    )
    return Step(
        "begun", "each row is a guarded transaction with its codes before the first round", query
    )


def listed(frame: Frame, pick: Pick = ALL) -> Step:
    """One row per harmless itemset of guarded transactions that a rule may ask for."""
    query = duck(
        """
        SELECT s.part AS part, CAST(SUM(s.weight) AS BIGINT) AS support,
            CAST(MAX(s.size) AS INT) AS size, $keys
        FROM (
            SELECT a.part AS part, a.weight AS weight, m.size AS size, $packed
            FROM arranged AS a JOIN mask AS m ON m.top <= a.known AND m.size < $most
            WHERE a.tid = a.alike
        ) AS s
        WHERE $own
        GROUP BY s.part, $keys
        """,
        keys=each("s.k_{n} AS k_{n}", frame.keys),
        packed=packed(frame, "a", "m"),
        most=frame.most,
        own=pick.has_code("s.k_0 % $radix", radix=frame.radix),
    )
    return Step(
        "listed",
        "each row is a harmless itemset of guarded transactions with its support there",
        query,
    )


def sought(frame: Frame) -> Step:
    """One row per itemset of `listed` that is not settled, and per set of its rarest items.

    Of L guarded transactions with the set, s hold the secret too, and E others hold the set. A rule
    is safe if s * den <= (E + s) * num, as it is if E * num >= L * (den - num): s is at most L. The
    sets of rarest items are there since `reached` grows by ever more frequent items.
    """
    sizes = range(frame.most - 1, 0, -1)
    open_ = duck(
        """
        SELECT l.part AS part, l.size AS size, $keys
        FROM listed AS l LEFT JOIN $elsewhere AS e ON e.part = l.part AND $same
        WHERE COALESCE(e.support, 0) * $num < l.support * $rest
        """,
        elsewhere=_summed(frame),
        keys=each("l.k_{n} AS k_{n}", frame.keys),
        same=each("e.k_{n} = l.k_{n}", frame.keys),
        num=frame.rho.numerator,
        rest=frame.rho.denominator - frame.rho.numerator,
    )
    query = duck(
        """
        WITH open AS ($open), parts AS ($parts)
        SELECT n.part AS part, n.size AS size, $keys FROM $all AS n
        """,
        open=open_,
        parts={f"of_{size}": _rarest(frame, size) for size in sizes},
        keys=each("n.k_{n} AS k_{n}", frame.keys),
        all=together([_of_size(frame, size) for size in sizes]).subquery(),
    )
    return Step(
        "sought",
        "each row is an itemset whose support a rule may still need, or the rarest items of one",
        query,
    )


def _summed(frame: Frame) -> exp.Subquery:
    """One row per itemset of `elsewhere`: its support in all shares that were counted."""
    keys = each("s.k_{n} AS k_{n}", frame.keys)
    query = duck(
        """
        SELECT s.part AS part, CAST(SUM(s.support) AS BIGINT) AS support, $keys
        FROM elsewhere AS s GROUP BY s.part, $keys
        """,
        keys=keys,
    )
    return query.subquery()


def _of_size(frame: Frame, size: int) -> exp.Select:
    return duck(
        "SELECT w.part AS part, $size AS size, $keys FROM $of AS w",
        size=size,
        keys=each("w.k_{n} AS k_{n}", frame.keys),
        of=f"of_{size}",
    )


def _rarest(frame: Frame, size: int) -> exp.Query:
    """The open itemsets of a size, and so many of the rarest items of the next larger ones."""
    whole = duck(
        "SELECT o.part AS part, $keys FROM open AS o WHERE o.size = $size",
        keys=each("o.k_{n} AS k_{n}", frame.keys),
        size=size,
    )
    if size + 1 == frame.most:
        return whole
    last, places = (size - 1) // frame.per_key, (size - 1) % frame.per_key + 1
    kept = [
        *each("m.k_{n} AS k_{n}", range(last)),
        shown("m.$key % $power AS $key", key=f"k_{last}", power=frame.radix**places),
        *_nothing(frame, size),
    ]
    part = duck("SELECT m.part AS part, $kept FROM $of AS m", kept=kept, of=f"of_{size + 1}")
    return whole.union(part)


def reached(frame: Frame, size: int, pick: Pick = ALL) -> Step:
    """One row per other transaction and harmless itemset of `size` that a guarded one holds."""
    used = _used(frame, size)
    query = duck(
        """
        SELECT n.tid AS tid, n.part AS part, n.last AS last, $owner, $keys
        FROM $grown AS n
        WHERE EXISTS (
            SELECT 1 FROM $sought AS c WHERE c.size = $size AND c.part = n.part AND $same
        )
        """,
        sought=pick.sought,
        owner=with_persons(frame, "n.again"),
        keys=each("n.k_{n} AS k_{n}", used),
        grown=_grown(frame, size, pick),
        same=each("c.k_{n} = n.k_{n}", used),
        size=size,
    )
    return Step(
        f"reached_{size}",
        f"each row is a transaction that is not guarded, and such an itemset of {size} items",
        query,
    )


def _used(frame: Frame, size: int) -> range:
    """The keys that an itemset of this size fills; the others are 0."""
    return frame.keys[: -(-size // frame.per_key)]


def _grown(frame: Frame, size: int, pick: Pick) -> exp.Select:
    """One row per other transaction and itemset of `size` that could be counted."""
    if size == 1:
        return duck(
            """
            SELECT a.tid AS tid, a.part AS part, a.code AS last, $owner, a.code AS k_0
            FROM apart AS a
            WHERE $own AND $shared
            """,
            owner=with_persons(frame, "a.again"),
            own=pick.has_code("a.code"),
            shared=pick.has_transaction("a.tid"),
        )
    added, power = divmod(size - 1, frame.per_key)
    return duck(
        """
        SELECT r.tid AS tid, r.part AS part, a.code AS last, $owner, $before, $key AS $name
        FROM $smaller AS r JOIN apart AS a
            ON a.tid = r.tid AND a.code > r.last AND $shared
        """,
        owner=[shown("LEAST(r.again, a.again) AS again")] if frame.persons else [],
        before=each("r.k_{n} AS k_{n}", range(added)),
        key=term(f"r.k_{added} + a.code * $power" if power else "a.code", power=frame.radix**power),
        name=f"k_{added}",
        smaller=f"reached_{size - 1}",
        shared=pick.has_transaction("a.tid"),
    )


def elsewhere(frame: Frame, size: int) -> Step:
    """One row per harmless itemset of guarded transactions: its support in all others."""
    reached, used = f"reached_{size}", _used(frame, size)
    grouped = each("r.k_{n}", used)
    keys = [*each("r.k_{n} AS k_{n}", used), *_nothing(frame, size)]
    query = duck(
        """
        SELECT r.part AS part, COUNT(*) AS support, $keys FROM $reached AS r
        GROUP BY r.part, $grouped
        """,
        reached=reached,
        keys=keys,
        grouped=grouped,
    )
    if frame.persons:
        query = _elsewhere_of_persons(reached, keys, grouped)
    return Step(
        "elsewhere",
        "each row is an itemset with its support among transactions that are not guarded",
        query,
    )


def in_all_sizes(steps: Iterable[Step]) -> Step:
    """The rows of steps that differ in the size of itemsets."""
    first, *others = steps
    return Step(first.name, first.why, together([one.query for one in (first, *others)]))


def _nothing(frame: Frame, size: int) -> list[exp.Expr]:
    """The keys that an itemset of this size leaves empty."""
    return each("CAST(0 AS BIGINT) AS k_{n}", frame.keys[len(_used(frame, size)) :])


def _elsewhere_of_persons(
    reached: str, keys: list[exp.Expr], grouped: list[exp.Expr]
) -> exp.Select:
    """The rows of `elsewhere` with persons.

    A person holds an itemset in several transactions only if several hold each of its items. All
    other transactions with the itemset are of different persons, so no person is looked up.
    """
    return duck(
        """
        SELECT r.part AS part, CAST(SUM(r.held) AS BIGINT) AS support,
            CAST(SUM(r.persons) AS BIGINT) AS persons, $keys
        FROM $rows AS r
        GROUP BY r.part, $grouped
        """,
        keys=keys,
        grouped=grouped,
        rows=duck_union(
            """
            SELECT r.part AS part, COUNT(*) AS held, COUNT(*) AS persons, $grouped
            FROM $reached AS r WHERE r.again = 0 GROUP BY r.part, $grouped
            UNION ALL
            SELECT r.part AS part, COUNT(*) AS held, 1 AS persons, $grouped
            FROM $reached AS r JOIN basket AS b ON b.tid = r.tid
            WHERE r.again > 0 GROUP BY r.part, b.person, $grouped
            """,
            reached=reached,
            grouped=grouped,
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
        keys=[*each("r.k_{n} AS k_{n}", _used(frame, size)), *_nothing(frame, size)],
    )
    return Step(
        "outer_holder",
        "each row is an itemset and a person: a transaction that is not guarded holds it, and a "
        "guarded one may too",
        query,
    )


def cohorts(frame: Frame, pick: Pick = ALL) -> Step:
    """One row per itemset of `listed` that several transactions hold: its support in all."""
    elsewhere = exp.to_table("elsewhere") if pick.share is None else _summed(frame)
    query = duck(
        """
        SELECT l.part AS part, l.support + COALESCE(e.support, 0) AS support, $persons, $keys
        FROM listed AS l LEFT JOIN $elsewhere AS e ON e.part = l.part AND $same
        WHERE l.support + COALESCE(e.support, 0) > 1
        """,
        elsewhere=elsewhere,
        persons=[shown("l.support + COALESCE(e.persons, 0) AS persons")] if frame.persons else [],
        keys=each("l.k_{n} AS k_{n}", frame.keys),
        same=each("e.k_{n} = l.k_{n}", frame.keys),
    )
    return Step(
        "cohort",
        "each row is a harmless itemset that several transactions hold, with its support",
        query,
    )

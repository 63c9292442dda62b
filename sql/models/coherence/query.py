"""Check (h, k, p)-coherence at a fixed p in one query, by the relations of the checker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from setveil.sql.models.coherence import check
from setveil.sql.models.coherence.check import Rule, at
from setveil.sql.models.coherence.violations import members, most, names
from setveil.sql.query.violations import beside, either, named, told
from setveil.sql.step import Step, duck, each, term

FAULTS = ("fewer than k hold these items", "these items reveal an item")
OF_ALL = ("the release has fewer than k", "an item is too frequent")
OF_PART = ("a slice, or all of them, has fewer than k", OF_ALL[1])
FULL = 63  # transactions in a word whose transactions are of one person


def relations(
    cells: exp.Expr, roles: exp.Expr, rule: Rule, p: int, *, private: bool
) -> Iterator[Step]:
    """The relations of the checker, up to sets of p items.

    Without persons a word holds one transaction: this is right for any data, and best for sparse.
    Without `private` items no set has a suspect. A database would see this too late: it would join
    the words of all sets first.
    """
    width = FULL if rule.persons else 1
    yield check.keys_of_persons() if rule.persons else check.keys(cells)
    if rule.many:
        yield check.whose()
    yield check.items(cells, roles)
    yield check.holdings(cells)
    yield check.words("check_word", private=False, width=width)
    yield check.words("check_secret", private=True, width=width)
    for size in range(p + 1):
        if size > 1:
            yield check.cohorts(size - 1)
        for step in check.level(size, rule, packed=private and width > 1, last=size == p):
            yield step if private or step.name != at("suspect", size) else _nobody(step, rule)


def _nobody(suspects: Step, rule: Rule) -> Step:
    """The relation of suspects, without a row."""
    query = duck(
        "SELECT 0 AS id, 0 AS secret, 0 AS hits, $persons WHERE FALSE",
        persons=rule.also("0 AS persons"),
    )
    return replace(suspects, query=query)


def found(rule: Rule, p: int, *, sliced: bool = False) -> Iterator[exp.Select]:
    """The violations: the empty itemset stands before all others.

    With slices, an item that is a part stands for the empty itemset of that part.
    """
    few = term(f"v.{rule.counted} < $k", k=rule.k)
    for size in range(1 if sliced else 0, p + 1):
        items = [named(f"v.item_{n}", sliced=sliced) for n in range(1, size + 1)]
        fault = either(few, *(FAULTS if size else OF_ALL))
        if sliced and size == 1:
            of_part = term(f"{items[0]} IS NULL")
            fault = term(
                "CASE WHEN $of_part THEN $all ELSE $other END",
                of_part=of_part,
                all=either(few, *OF_PART),
                other=fault,
            )
        yield told(
            fault,
            _violations(size, rule),
            place=2 if size else 1,
            part="v.item_1" if sliced else None,
            items=beside(items) if size else None,
            transactions="v.support",
            persons="v.persons" if rule.persons else None,
            reveals=named("v.secret", sliced=sliced),
            revealed_transactions="v.hits",
            revealed_persons="v.revealed" if rule.persons else None,
        )


def _violations(size: int, rule: Rule) -> exp.Select:
    """One row per violation: its figures, the names of its items, and what it reveals most.

    Sets that fewer than k hold were not asked what they reveal.
    """
    return duck(
        """
        WITH name AS ($names), violation AS (
            SELECT t.id AS id, t.parent AS parent, t.item AS item, t.support AS support, $persons
            FROM $set AS t
            WHERE NOT EXISTS(SELECT 1 AS one FROM $fine AS f WHERE f.id = t.id)
        ), breached AS (
            SELECT s.id AS id, s.secret AS secret, s.hits AS hits, $revealed,
                ROW_NUMBER() OVER (PARTITION BY s.id ORDER BY $most DESC, s.secret) AS place
            FROM violation AS v JOIN $suspect AS s ON s.id = v.id
            WHERE $breach
        )
        SELECT v.support AS support, b.hits AS hits, $both, x.label AS secret, $labels
        FROM violation AS v
        LEFT JOIN breached AS b ON b.id = v.id AND b.place = 1
        LEFT JOIN name AS x ON x.item = b.secret
        JOIN $members
        """,
        names=names(),
        persons=rule.also("t.persons AS persons"),
        revealed=rule.also("s.persons AS persons"),
        both=rule.also("v.persons AS persons", "b.persons AS revealed"),
        set=at("set", size),
        fine=at("fine", size),
        suspect=at("suspect", size),
        most=most(rule, "s"),
        breach=[rule.breach("s", "v")],
        labels=each("n{n}.label AS item_{n}", range(1, size + 1)),
        members=members(size),
    )

"""Verification: read a release again and judge it by the definition of its model.

A release is (h, k, p)-coherent when every set of at most p public items that some transaction
holds, the empty set included, is held by k transactions or more, and no private item by more than
a share h of those. Xu, Wang, Fu, Yu: Anonymizing transaction databases for publication, KDD 2008.
Reads <relation>_cell(key, name), private_name(name) and public_name(name).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from setveil.backends import Row
from setveil.errors import InputError
from setveil.session import Session
from setveil.sql import verification as ask
from setveil.sql.step import Step

# Transactions in a full word: a BIGINT without its sign.
FULL = 63


@dataclass(frozen=True, slots=True)
class Violation:
    """A public itemset that tells too much though none of its subsets does."""

    items: tuple[str, ...]  # names as text, in order; none for the empty itemset
    support: int
    reveals: str | None  # the private item of the highest share, if that is above h
    share: float  # the highest breach probability


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checker found. `violations` holds the worst: smallest, then rarest, then by name."""

    holds: bool
    violations: tuple[Violation, ...]
    found: int  # minimal violations in all
    checked: int  # itemsets that some transaction holds and whose subsets are all fine
    transactions: int


def check_coherence(
    session: Session,
    relation: str = "release",
    *,
    h: Fraction,
    k: int,
    p: int,
    limit: int = 20,
    width: int | None = None,
) -> Verdict:
    """Judge `<relation>_cell`: rows that repeat count once; a NULL name marks a transaction only.

    Names are compared as text with `public_name` and `private_name`; an item in neither is left
    out, its transaction is not. `width`, transactions per word, is chosen where it is not given.
    """
    _refuse_nonsense(h, k, p)
    rule = ask.Rule(h.numerator, h.denominator, k)
    work = _Work(session)
    transactions, packed = _encode(work, relation, width)
    found = checked = 0
    worst: list[Violation] = []
    for size in range(p + 1):
        held, fine = _level(work, size, rule, packed=packed)
        checked, found = checked + held, found + held - fine
        if held > fine and len(worst) < limit:
            rows = session.ask(ask.violations(size, limit - len(worst)))
            worst += [_violation(row, h) for row in rows]
        if not fine:
            break
    work.clear()
    return Verdict(not found, tuple(worst), found, checked, transactions)


@dataclass(frozen=True, slots=True)
class _Work:
    """The relations that the checker has made and not dropped."""

    session: Session
    made: list[str] = field(default_factory=list)

    def create(self, step: Step) -> int:
        self.made.append(step.name)
        return self.session.create(step)

    def drop(self, name: str) -> None:
        self.made.remove(name)
        self.session.drop(name)

    def clear(self) -> None:
        while self.made:
            self.drop(self.made[-1])


def _refuse_nonsense(h: Fraction, k: int, p: int) -> None:
    """A rule that every release keeps, or that BIGINT cannot compare exactly, is no rule."""
    if not 0 <= h <= 1 or h.denominator > 10**9:
        raise InputError(f"h must be a share from 0 to 1 with at most 9 decimals, not {h}")
    if k < 1 or p < 0:
        raise InputError(f"k must be at least 1 and p at least 0, not k={k} and p={p}")


def _encode(work: _Work, relation: str, width: int | None) -> tuple[int, bool]:
    """Number transactions and items and make the words; answer how many, and whether packed."""
    transactions = work.create(ask.keys(relation))
    work.create(ask.items(relation))
    work.create(ask.holdings(relation))
    single, packed, unkeyed = work.session.one(ask.sizes(relation))
    if unkeyed and not work.session.dry:
        work.clear()
        raise InputError(f"{unkeyed} rows of {relation} have no transaction: their key is NULL")
    if width is None:
        width = FULL if single > 2 * packed else 1
    work.create(ask.words("check_word", private=False, width=width))
    work.create(ask.words("check_secret", private=True, width=width))
    return transactions, width > 1


def _level(work: _Work, size: int, rule: ask.Rule, *, packed: bool) -> tuple[int, int]:
    """Judge the sets of `size` without a smaller violation; answer how many, and how many pass."""
    if size == 0:
        held = work.create(ask.empty_set())
        work.create(ask.secrets(rule))
        return held, work.create(ask.fine(0, rule))
    work.create(ask.cohorts(size - 1) if size > 1 else ask.everyone())
    held = work.create(ask.sets(size))
    work.create(ask.links(size))
    bounded = packed and size > 1
    if bounded:
        work.create(ask.bounds(size, rule))
    work.create(ask.suspects(size, rule, bounded=bounded))
    if size > 3:  # the first cohorts are the words of single items, and stay
        work.drop(f"check_cohort_{size - 2}")
    return held, work.create(ask.fine(size, rule))


def _violation(row: Row, h: Fraction) -> Violation:
    support, hits, secret, *items = row
    breached = hits * h.denominator > h.numerator * support
    return Violation(tuple(items), support, secret if breached else None, hits / support)

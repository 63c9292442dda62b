"""Find the names that a code may have, from pairs of published and mined itemsets.

The renamed data is mined for itemsets of the published sizes and frequencies. Pairs are pruned in
the database to a fixed point, and are returned as numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from sqlglot import exp

from setveil.attack.program import Floats, Ints, Itemsets, Pairs, Problem, Unmatched
from setveil.backends import integers
from setveil.errors import UnreachableError
from setveil.mine.itemsets import Support, least_support
from setveil.mine.search import frequent_itemsets
from setveil.run.reading import Baskets
from setveil.run.session import Session
from setveil.sql.attack import candidates as sql
from setveil.sql.attack import costs
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True)
class Candidates:
    """The problem after pruning, and the pairs of items before it."""

    problem: Problem
    unpruned: Pairs
    itemset_pairs: int  # pairs of itemsets of all sizes before pruning
    rounds: int


def published_support(
    session: Session, transactions: int, known: str, tolerance: int, given: Support | None
) -> int:
    """The support at which to mine: by default that of the least published frequency.

    The tolerance is subtracted, since published frequencies may be too high by as much.
    """
    if given is not None:
        return least_support(given, transactions)
    sizes = session.ask(sql.sizes(known))
    if not sizes:
        return 1
    nano = min(int(nano) for _, _, nano in sizes) - tolerance - sql.ROUNDED
    return max(1, math.ceil(Fraction(nano * transactions, sql.BILLION)))


def mine(baskets: Baskets, support: int, known: str) -> None:
    """Make mined_set and mined_member: the frequent itemsets of the published sizes."""
    session = baskets.session
    published = {int(size) for size, _, _ in session.ask(sql.sizes(known))} | {1}
    found = frequent_itemsets(
        session,
        exp.to_table("occurrence"),
        items=baskets.items,
        transactions=baskets.transactions,
        least=support,
        max_size=max(published),
    )
    if not found.counts:
        raise UnreachableError(
            f"no item of the data is in {support:,} transactions like the published items: the "
            "itemsets are of other data"
        )
    sizes = [size for size in sorted(published) if size <= len(found.counts)]
    levels = {size: found.relation(size) for size in sizes}
    session.create(sql.mined_sets(levels, baskets.transactions))
    session.create(sql.mined_members(levels))


def find_candidates(
    session: Session,
    known: str,
    tolerance: int,
    *,
    unmatched: float | None,
    faithful: bool = False,
    reach: int | None = None,
) -> Candidates:
    """Make the pairs that fit, and prune them to a fixed point.

    Frequencies of a pair differ by up to `reach`, by default the tolerance. Itemsets with a cost of
    their own, see `published.find_costs`, have it in the place of `unmatched`.
    """
    strict, reach = unmatched is None, tolerance if reach is None else reach
    if strict:
        _refuse_unequal(session, known)
    items = session.counted(sql.item_pairs(known, reach))
    sets = session.counted(sql.set_pairs(known, reach))
    unpruned = _pairs(session, sql.item_choices(0, known))
    last, rounds, itemset_pairs = (0, 0), 0, items + sets
    while last != (items, sets):
        last, rounds = (items, sets), rounds + 1
        sets = session.counted(sql.pruned_sets(rounds, all_matched=strict))
        items = session.counted(sql.pruned_items(rounds, known, all_matched=strict))
    published = _itemsets(session, known, "known_member")
    mined = _itemsets(session, "mined_set", "mined_member")
    problem = Problem(
        published,
        mined,
        _pairs(session, sql.item_choices(rounds, known)),
        _pairs(session, sql.set_choices(rounds, known)),
        tolerance,
        None if unmatched is None else _unmatched(session, published, mined, unmatched),
        faithful,
    )
    return Candidates(problem, unpruned, itemset_pairs, rounds)


def _unmatched(session: Session, known: Itemsets, mined: Itemsets, unmatched: float) -> Unmatched:
    """The cost of each itemset: its own, or that of all others."""
    sides = (("known", known), ("mined", mined))
    return Unmatched(*(_costs(session, side, sets, unmatched) for side, sets in sides))


def _costs(session: Session, side: str, itemsets: Itemsets, unmatched: float) -> Floats:
    found = np.full(len(itemsets.ids), unmatched, dtype=float)
    if f"{side}_cost" in session.relations:
        columns = session.arrays(costs.costs(side))
        if columns:
            own = integers(columns["id"])
            here = np.isin(own, itemsets.ids)
            parts = integers(columns["parts"])[here]
            found[np.searchsorted(itemsets.ids, own[here])] = parts / sql.MILLION
    return found


def _refuse_unequal(session: Session, known: str) -> None:
    """Refuse unequal numbers of itemsets, unless some may be missing or false."""
    published, mined = (
        {int(size): int(count) for size, count, _ in session.ask(sql.sizes(sets))}
        for sets in (known, "mined_set")
    )
    for size in sorted(published.keys() | mined.keys()):
        here, there = published.get(size, 0), mined.get(size, 0)
        if here != there:
            raise UnreachableError(
                f"of the itemsets of {size}, {here:,} were published and {there:,} are frequent in "
                "the data: set --min-support to the support of the published itemsets, or let "
                "itemsets be missing or false with --unmatched"
            )


def _itemsets(session: Session, sets: str, members: str) -> Itemsets:
    numbers = session.arrays(sql.set_numbers(sets))
    held = session.arrays(sql.member_numbers(members, sets))
    if not numbers or not held:
        nothing: Ints = np.empty(0, dtype=np.int64)
        return Itemsets(nothing, nothing, nothing, nothing, nothing)
    ids, sizes, nano = (integers(numbers[name]) for name in ("id", "size", "nano"))
    return Itemsets(ids, sizes, nano, integers(held["id"]), integers(held["item"]))


def _pairs(session: Session, step: Step) -> Pairs:
    found = session.arrays(step)
    if not found:
        nothing: Ints = np.empty(0, dtype=np.int64)
        return Pairs(nothing, nothing, nothing)
    return Pairs(*(integers(found[name]) for name in ("known", "mined", "apart")))

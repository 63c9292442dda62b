"""The sanitizing algorithms of Oliveira and Zaïane, step by step, in plain Python.

A database is a dict from keys to sets of items. The paper leaves two choices open. Ties go to the
smaller item and the smaller key. The number of transactions to sanitize is rounded up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil

from hypothesis import strategies as st

Itemset = frozenset[str]
Database = dict[int, Itemset]


def support(database: Mapping[int, Itemset], items: Itemset) -> int:
    return len(find_sensitive_transactions(items, database))


def find_sensitive_transactions(pattern: Itemset, database: Mapping[int, Itemset]) -> list[int]:
    return [tid for tid, basket in sorted(database.items()) if pattern <= basket]


def conflict(database: Database, patterns: Sequence[Itemset], tid: int) -> int:
    """The degree of conflict: the number of restrictive patterns in the transaction."""
    return sum(pattern <= database[tid] for pattern in patterns)


def rarest(database: Database, items: Itemset) -> str:
    return min(sorted(items), key=lambda item: support(database, frozenset({item})))


def most_frequent(database: Database, items: Itemset) -> str:
    return max(sorted(items), key=lambda item: support(database, frozenset({item})))


Groups = list[tuple[str, set[int]]]


def groups_of(database: Database, patterns: Sequence[Itemset]) -> Groups:
    """Steps 2.1 and 2.2 of IGA: (label, members), the largest group first."""
    found: dict[Itemset, str] = {}
    for item in sorted(frozenset().union(*patterns)):
        members = frozenset(str(n) for n, pattern in enumerate(patterns) if item in pattern)
        if len(members) >= 2:
            shared = frozenset.intersection(*(patterns[int(n)] for n in members))
            found[members] = rarest(database, shared)
    groups = [(label, {int(n) for n in members}) for members, label in found.items()]

    def order(group: tuple[str, set[int]]) -> tuple[object, ...]:
        label, members = group
        return (-len(members), -support(database, frozenset({label})), label, sorted(members))

    return sorted(groups, key=order)


def without_overlap(database: Database, groups: Groups) -> Groups:
    """Step 2.3: a restrictive pattern of two groups stays in one of them."""
    for (one, first), (other, second) in combinations(groups, 2):
        for pattern in sorted(first & second):
            if len(first) > len(second):
                second.remove(pattern)
            elif len(first) < len(second):
                first.remove(pattern)
            elif support(database, frozenset({one})) < support(database, frozenset({other})):
                first.remove(pattern)
            else:
                second.remove(pattern)
    return groups


def victims(database: Database, patterns: Sequence[Itemset], method: str) -> list[Itemset]:
    """Step 2: the victim items of each pattern."""
    if method == "naive":
        return list(patterns)
    if method == "minfia":
        return [frozenset({rarest(database, pattern)}) for pattern in patterns]
    if method == "maxfia":
        return [frozenset({most_frequent(database, pattern)}) for pattern in patterns]
    chosen = {n: rarest(database, pattern) for n, pattern in enumerate(patterns)}
    for label, members in without_overlap(database, groups_of(database, patterns)):
        chosen |= dict.fromkeys(members, label)
    return [frozenset({chosen[n]}) for n in range(len(patterns))]


def to_sanitize(support: int, psi: Fraction, min_support: int | None) -> int:
    """Step 3: the transactions to sanitize."""
    if min_support is not None:
        return max(0, support - (min_support - 1))
    return ceil(support * (1 - psi))


def sanitized(
    database: Database,
    patterns: Sequence[Itemset],
    method: str,
    psi: Sequence[Fraction],
    min_support: int | None = None,
) -> Database:
    """Step 4: the sanitized database. `psi` holds a share for each pattern."""
    after = dict(database)
    direction = -1 if method == "iga" else 1
    gone = victims(database, patterns, method)
    for pattern, items, share in zip(patterns, gone, psi, strict=True):
        transactions = find_sensitive_transactions(pattern, database)
        number = to_sanitize(len(transactions), share, min_support)
        order = sorted(
            transactions, key=lambda tid: (direction * conflict(database, patterns, tid), tid)
        )
        for tid in order[:number]:
            after[tid] -= items
    if method == "naive":
        for tid, items in database.items():
            harmless = [item for item in items if frozenset({item}) not in patterns]
            if harmless and not after[tid]:
                after[tid] = frozenset({most_frequent(database, frozenset(harmless))})
    return after


def is_hidden(
    before: Mapping[int, Itemset],
    after: Mapping[int, Itemset],
    patterns: Sequence[Itemset],
    allowed: Sequence[int],
) -> bool:
    """Is each pattern hidden? A transaction that the release lacks counts as empty."""
    if any(support(after, pattern) > most for pattern, most in zip(patterns, allowed, strict=True)):
        return False
    nothing: Itemset = frozenset()
    return all(
        after.get(tid, nothing) <= before.get(tid, nothing)
        and before.get(tid, nothing) - after.get(tid, nothing)
        <= nothing.union(*(one for one in patterns if one <= before.get(tid, nothing)))
        for tid in {*before, *after}
    )


# Small data

NAMES = ("", "10", "9", "B", "a", "b,c")
SHARES = tuple(Fraction(n, 6) for n in range(7))


@st.composite
def databases(draw: st.DrawFn) -> Database:
    """Up to 9 transactions of up to 6 items, some of them empty."""
    baskets = draw(st.lists(st.frozensets(st.sampled_from(NAMES)), min_size=1, max_size=9))
    return dict(enumerate(baskets))


@st.composite
def restricted(draw: st.DrawFn, database: Database) -> list[Itemset]:
    """Up to 5 patterns of items that occur, together or not."""
    present = sorted(frozenset().union(*database.values()))
    pattern = st.frozensets(st.sampled_from(present), min_size=1, max_size=4)
    return draw(st.lists(pattern, min_size=1, max_size=5, unique=True))


# The itemsets that others mine


def frequent(database: Mapping[int, Itemset], least: int) -> dict[Itemset, int]:
    """All itemsets with a support of at least `least`."""
    present = sorted(frozenset().union(*database.values()))
    supports = {
        frozenset(chosen): support(database, frozenset(chosen))
        for size in range(1, len(present) + 1)
        for chosen in combinations(present, size)
    }
    return {items: held for items, held in supports.items() if held >= least}


def parted(
    database: Mapping[int, Itemset], patterns: Sequence[Itemset], least: int
) -> tuple[set[Itemset], set[Itemset]]:
    """The frequent itemsets with a restrictive pattern, and the others."""
    mined = frequent(database, least)
    restrictive = {items for items in mined if any(one <= items for one in patterns)}
    return restrictive, set(mined) - restrictive


def least_lost(
    database: Database, patterns: Sequence[Itemset], min_support: int
) -> tuple[int, int]:
    """The fewest legitimate itemsets that hiding loses, then occurrences, over all ways."""
    _, legitimate = parted(database, patterns, min_support)
    cells = [
        (tid, item)
        for tid, basket in sorted(database.items())
        for item in sorted(frozenset().union(*(one for one in patterns if one <= basket)))
    ]
    best: tuple[int, int] | None = None
    for chosen in range(2 ** len(cells)):
        gone = [cell for n, cell in enumerate(cells) if chosen >> n & 1]
        after = dict(database)
        for tid, item in gone:
            after[tid] = after[tid] - {item}
        if all(support(after, one) < min_support for one in patterns):
            lost = sum(support(after, items) < min_support for items in legitimate)
            best = min(best or (lost, len(gone)), (lost, len(gone)))
    assert best is not None
    return best

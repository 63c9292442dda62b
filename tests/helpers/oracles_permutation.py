"""Permutation by its definition, over plain Python values. No code of setveil is used here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log

from hypothesis import strategies as st

Baskets = Mapping[str, frozenset[str]]
Groups = Mapping[str, frozenset[str]]  # the transactions of each group
Counts = Mapping[tuple[str, str], int]  # transactions of a group that hold an item

NAMES = ("a", "b", "c", "d", "o'brien", 'q"q', "group", "x y", "", "NULL")
LONGEST = 4


@st.composite
def data(draw: st.DrawFn) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """Baskets of a few items, and the sensitive ones among these; some have only those."""
    number = draw(st.integers(1, 14))
    sets = st.frozensets(st.sampled_from(NAMES), min_size=1, max_size=LONGEST)
    baskets = {f"t{n}": draw(sets) for n in range(number)}
    held = sorted(frozenset().union(*baskets.values()))
    sensitive = draw(st.frozensets(st.sampled_from(held), max_size=3))
    return baskets, sensitive


def others(baskets: Baskets, sensitive: frozenset[str]) -> dict[str, frozenset[str]]:
    """The transactions with other items, and these."""
    return {tid: held - sensitive for tid, held in baskets.items() if held - sensitive}


def reachable(baskets: Baskets, sensitive: frozenset[str], degree: int) -> bool:
    """Is there a grouping? If there is any, all transactions in one group are one."""
    shown = others(baskets, sensitive)
    held = Counter(item for tid in shown for item in baskets[tid] & sensitive)
    return all(count * degree <= len(shown) for count in held.values())


def counted(
    baskets: Baskets, sensitive: frozenset[str], groups: Groups
) -> dict[tuple[str, str], int]:
    """The transactions of each group that hold each sensitive item."""
    return dict(
        Counter(
            (group, item)
            for group, tids in groups.items()
            for tid in tids
            for item in baskets[tid] & sensitive
        )
    )


def keeps(
    shown: Sequence[tuple[str, str | None, str | None]],
    counts: Sequence[tuple[str | None, str | None, int | None]],
    sensitive: frozenset[str],
    degree: int,
    persons: Mapping[str, str] | None = None,
) -> bool:
    """Do rows (tid, item, group) and (group, item, count) keep the promise?"""
    groups: dict[str, set[str | None]] = defaultdict(set)
    for tid, _, group in shown:
        groups[tid].add(group)
    if any(len(found) != 1 or None in found for found in groups.values()):
        return False
    if any(item in sensitive for _, item, _ in shown):
        return False
    sizes = Counter(group for (group,) in groups.values())
    sums: dict[tuple[str | None, str | None], int] = defaultdict(int)
    for group, item, count in counts:
        if item is None or count is None or count < 1:
            return False
        sums[group, item] += count
    if any(count * degree > sizes[group] for (group, _), count in sums.items()):
        return False
    owned = Counter((group, (persons or {}).get(tid, tid)) for tid, (group,) in groups.items())
    return persons is None or max(owned.values(), default=1) == 1


def divergence(before: Mapping[object, float], after: Mapping[object, float]) -> float:
    """The symmetric divergence of two distributions, given as weights."""
    if not before or not after:
        return 0.0
    p = {key: value / sum(before.values()) for key, value in before.items()}
    q = {key: value / sum(after.values()) for key, value in after.items()}
    mean = {key: (p.get(key, 0) + q.get(key, 0)) / 2 for key in {*p, *q}}
    return sum(
        value * log(value / mean[key]) / 2
        for side in (p, q)
        for key, value in side.items()
        if value
    )


def pairs(baskets: Baskets, sensitive: frozenset[str]) -> Counter[tuple[str, str]]:
    """The supports of pairs of a sensitive item and another."""
    return Counter(
        (e, q) for held in baskets.values() for e in held & sensitive for q in held - sensitive
    )


def expected(shown: Baskets, groups: Groups, counts: Counts) -> dict[tuple[str, str], float]:
    """The sum of count(e) n(q) / |group| over the groups."""
    found: dict[tuple[str, str], float] = defaultdict(float)
    for (group, e), count in counts.items():
        held = Counter(item for tid in groups[group] for item in shown[tid])
        for q, number in held.items():
            found[e, q] += count * number / len(groups[group])
    return found


def cuthill_mckee(shown: Baskets, tids: Iterable[str]) -> list[str]:
    """The reverse order of a search in breadth of the graph of transactions and items.

    `tids` are all transactions in the order of ids. Items are compared by their names.
    """
    order = [tid for tid in tids if tid in shown]
    degree = Counter(item for held in shown.values() for item in held)
    first = {tid: (len(shown[tid]), place) for place, tid in enumerate(order)}
    found: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(order, key=first.__getitem__):
        if start in seen:
            continue
        part, items = [start], set[str]()
        seen.add(start)
        level = [start]
        while level:
            new: list[str] = []
            for tid in level:
                for item in sorted(shown[tid] - items, key=lambda one: (degree[one], one)):
                    items.add(item)
                    new.append(item)
            level = []
            for item in new:
                holders = [tid for tid in order if item in shown[tid] and tid not in seen]
                level += sorted(holders, key=first.__getitem__)
                seen.update(holders)
            part += level
        found.append(part)
    return [tid for part in reversed(found) for tid in reversed(part)]

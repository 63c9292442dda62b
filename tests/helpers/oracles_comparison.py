"""The measures of a comparison, computed from their formulas one transaction at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import log, log2

Table = Mapping[object, frozenset[str]]  # items by the transaction's key
Itemset = tuple[str, ...]
Path = tuple[tuple[int, str], ...]  # an item's nodes, upwards, itself first


def support(table: Table, items: Itemset | frozenset[str]) -> int:
    return sum(held.issuperset(items) for held in table.values())


def items_of(table: Table) -> set[str]:
    return {item for held in table.values() for item in held}


def occurrences(table: Table) -> int:
    return sum(len(held) for held in table.values())


def information_loss(original: Table, release: Table) -> Fraction:
    """Suppressed occurrences / occurrences of the original."""
    lost = sum(len(held - release.get(key, frozenset())) for key, held in original.items())
    return Fraction(lost, max(1, occurrences(original)))


def distortion(original: Table, release: Table) -> Fraction:
    """S/N: the support of the items suppressed everywhere / all occurrences."""
    gone = items_of(original) - items_of(release)
    return Fraction(sum(support(original, (item,)) for item in gone), max(1, occurrences(original)))


def information_lost(
    original: Table,
    nodes: Mapping[object, frozenset[tuple[int, str]]],
    paths: Mapping[str, Path],
    leaving: frozenset[str] = frozenset(),
) -> float | None:
    """Bits left untold, one occurrence after the other; None if an item lacks only some nodes.

    The leaves of a node are all items below it, but those of `leaving`.
    """
    held = [(key, item) for key, items in original.items() for item in items]
    occ = Counter(item for _, item in held)
    lost = whole = 0.0
    covered: dict[str, set[bool]] = {}
    for key, item in held:
        above = [node for node in paths[item] if node in nodes.get(key, frozenset())]
        if item in leaving:
            above = [node for node in above if node == paths[item][0]]
        covered.setdefault(item, set()).add(bool(above))
        below = [it for it in paths if above and above[0] in paths[it] and it in occ]
        below = [it for it in below if it not in leaving or above[0] == paths[it][0]]
        among = sum(occ[it] for it in below) if above else len(held)
        lost += log2(among / occ[item])
        whole += log2(len(held) / occ[item])
    if any(len(found) > 1 for found in covered.values()):
        return None
    return lost / whole if whole else 0.0


def suppression_lost(original: Table, release: Table) -> float:
    """Bits of suppressed occurrences, also where an item is suppressed in places."""
    occ = Counter(item for items in original.values() for item in items)
    every = sum(occ.values())
    bits = {item: log2(every / n) for item, n in occ.items()}
    whole = sum(bits[item] for items in original.values() for item in items)
    lost = sum(
        bits[item]
        for key, items in original.items()
        for item in items - release.get(key, frozenset())
    )
    return lost / whole if whole else 0.0


def as_they_were(original: Table, release: Table) -> Fraction:
    kept = sum(len(held & release.get(key, frozenset())) for key, held in original.items())
    return Fraction(kept, max(1, occurrences(original)))


def pairs_kept(original: Table, release: Table, least: int) -> Fraction | None:
    """Pairs of items that are frequent before and after; None if none was."""
    before, after = (
        {pair for pair in frequent(one, least) if len(pair) == 2} for one in (original, release)
    )
    return Fraction(len(before & after), len(before)) if before else None


def transactions_lost(original: Table, release: Table) -> Fraction:
    return Fraction(len(original.keys() - release.keys()), max(1, len(original)))


def _divergence(p: dict[str, Fraction], q: dict[str, Fraction]) -> float:
    return sum(float(p[i]) * log(p[i] / q[i]) for i in p if p[i])


def _distribution(table: Table, items: set[str]) -> dict[str, Fraction]:
    return {item: Fraction(support(table, (item,)), occurrences(table)) for item in items}


def kl(original: Table, release: Table) -> float:
    """KL(T' || T) = sum P'(i) log (P'(i) / P(i)); 0 if nothing is left."""
    if not occurrences(release):
        return 0.0
    items = items_of(original)
    return _divergence(_distribution(release, items), _distribution(original, items))


def distribution_objective(original: Table, release: Table) -> float:
    """NS KL, NS being the support that all items lose / all support."""
    items = items_of(original)
    lost = sum(support(original, (one,)) - support(release, (one,)) for one in items)
    return lost / max(1, occurrences(original)) * kl(original, release)


def symmetric_kl(original: Table, release: Table) -> float:
    """The mean of the divergences of both databases from their mean."""
    if not occurrences(release):
        return 0.0
    p, q = (_distribution(table, items_of(original)) for table in (original, release))
    mean = {item: (p[item] + q[item]) / 2 for item in p}
    return (_divergence(p, mean) + _divergence(q, mean)) / 2


def discernibility(table: Table) -> int:
    """The number of transactions equal to each one, summed over all."""
    return sum(one == other for one in table.values() for other in table.values())


def is_suppression(original: Table, release: Table) -> bool:
    """Is the release the original without some occurrences?"""
    return all(key in original and held <= original[key] for key, held in release.items())


def frequent(table: Table, least: int) -> dict[Itemset, int]:
    names = sorted(items_of(table))
    found = {
        chosen: support(table, chosen)
        for size in range(1, len(names) + 1)
        for chosen in combinations(names, size)
    }
    return {chosen: count for chosen, count in found.items() if count >= max(1, least)}


def itemsets_kept(original: Table, release: Table, least: int) -> Fraction:
    before, after = frequent(original, least), frequent(release, least)
    return Fraction(len(before.keys() & after.keys()), max(1, len(before)))


def itemsets_new(original: Table, release: Table, least: int) -> Fraction:
    before, after = frequent(original, least), frequent(release, least)
    return Fraction(len(after.keys() - before.keys()), max(1, len(after)))


def singled_out(table: Table, public: set[str], k: int, power: int) -> Fraction:
    """The share of transactions with some set of up to `power` public items of support below k."""
    out = [
        held
        for held in table.values()
        if any(
            support(table, chosen) < k
            for size in range(1, power + 1)
            for chosen in combinations(sorted(held & public), size)
        )
    ]
    return Fraction(len(out), max(1, len(table)))


def highest_breach(table: Table, public: set[str], private: set[str], power: int) -> Fraction:
    """The largest Sup(b + e) / Sup(b) of any set b of up to `power` public items that occurs."""
    shares = [Fraction(0)]
    for size in range(power + 1):
        for chosen in combinations(sorted(public), size):
            if cohort := support(table, chosen):
                shares += [Fraction(support(table, (*chosen, e)), cohort) for e in private]
    return max(shares)


def rules(table: Table, least: int, confidence: Fraction) -> set[tuple[frozenset[str], str]]:
    """Rules with one item on the right: the itemset is frequent, the confidence high enough."""
    return {
        (frozenset(items) - {one}, one)
        for items, held in frequent(table, least).items()
        for one in items
        if len(items) > 1 and Fraction(held, support(table, frozenset(items) - {one})) >= confidence
    }


def rules_jaccard(before: set[object], after: set[object]) -> Fraction:
    """|R n R'| / |R u R'|; 1 for two empty sets."""
    return Fraction(len(before & after), len(before | after)) if before | after else Fraction(1)


def patterns_found(
    original: Table, release: Table, patterns: list[Itemset], least: int
) -> dict[str, Fraction]:
    """HF, MC and AP, with the denominators of the paper."""
    before, after = (set(frequent(one, least)) for one in (original, release))
    restrictive = {one for one in before if any(set(one) >= set(it) for it in patterns)}
    legitimate = before - restrictive
    return {
        "hiding_failure": Fraction(len(restrictive & after), max(1, len(restrictive))),
        "misses_cost": Fraction(len(legitimate - after), max(1, len(legitimate))),
        "artifactual_patterns": Fraction(len(after - before), max(1, len(after))),
    }


def dissimilarity(original: Table, release: Table) -> Fraction | None:
    """sum (f_D(i) - f_D'(i)) / sum f_D(i); None if some item has gained support."""
    changes = [
        support(original, (item,)) - support(release, (item,))
        for item in items_of(original) | items_of(release)
    ]
    if any(one < 0 for one in changes):
        return None
    return Fraction(sum(changes), max(1, occurrences(original)))


def highest_confidence(table: Table, sensitive: set[str]) -> Fraction:
    """The largest conf(q -> e) of any nonempty itemset q that occurs, and e not in q."""
    return max(
        (
            Fraction(support(table, (*known, secret)), support(table, known))
            for held in table.values()
            for secret in sensitive
            for size in range(1, len(held) + 1)
            for known in combinations(sorted(held - {secret}), size)
        ),
        default=Fraction(0),
    )


def ncp(
    original: Table, nodes: Mapping[object, frozenset[tuple[int, str]]], paths: Mapping[str, Path]
) -> Fraction | None:
    """The mean NCP of each occurrence at its lowest published node; 1 if it has none.

    None if an item has a node in some transactions only, or a node stands for no item.
    """
    below = {
        node: [item for item in paths if node in paths[item]]
        for node in set().union(*paths.values())
    }
    costs, covered, used = [], dict[str, set[bool]](), 0
    for key, held in original.items():
        taken = set()
        for item in held:
            above = [node for node in paths[item] if node in nodes.get(key, frozenset())]
            covered.setdefault(item, set()).add(bool(above))
            if not above:
                costs.append(Fraction(1))
                continue
            taken.add(above[0])
            leaves = len(below[above[0]])
            costs.append(Fraction(leaves, len(paths)) if leaves > 1 else Fraction(0))
        used += len(nodes.get(key, frozenset()) - taken)
    partly = any(len(found) > 1 for found in covered.values())
    if any(False in found for found in covered.values()) and (partly or used):
        return None
    return sum(costs, Fraction(0)) / max(1, len(costs))

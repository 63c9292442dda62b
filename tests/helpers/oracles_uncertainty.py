"""rho-uncertainty over every subset, from the paper's definition.

Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

Itemset = frozenset[int]


@dataclass(frozen=True, slots=True)
class Rule:
    """q -> e: an attacker who knows `known` infers `secret` with this confidence."""

    known: Itemset
    secret: int
    support: int  # of known and secret together
    of: int  # of known

    @property
    def confidence(self) -> Fraction:
        return Fraction(self.support, self.of)


def subsets(items: Iterable[int]) -> Iterator[Itemset]:
    """All itemsets except the empty one, the smallest first."""
    listed = sorted(items)
    for size in range(1, len(listed) + 1):
        for chosen in combinations(listed, size):
            yield frozenset(chosen)


def rules(
    baskets: Iterable[Itemset], sensitive: Iterable[int], max_knowledge: int | None = None
) -> list[Rule]:
    """Every sensitive rule of some transaction: q is a nonempty itemset, and e is not in q."""
    held = [frozenset(basket) for basket in baskets]
    secrets = frozenset(sensitive)
    found = []
    for known in {known for basket in held for known in subsets(basket)}:
        if max_knowledge is not None and len(known) > max_knowledge:
            continue
        cohort = [basket for basket in held if known <= basket]
        for secret in sorted(frozenset().union(*cohort) & secrets - known):
            support = sum(secret in basket for basket in cohort)
            found.append(Rule(known, secret, support, len(cohort)))
    return sorted(found, key=lambda rule: (len(rule.known), sorted(rule.known), rule.secret))


def unsafe_rules(
    baskets: Iterable[Itemset],
    sensitive: Iterable[int],
    rho: Fraction,
    max_knowledge: int | None = None,
) -> list[Rule]:
    """The rules with a confidence strictly above rho."""
    return [rule for rule in rules(baskets, sensitive, max_knowledge) if rule.confidence > rho]


def least_suppression(baskets: Iterable[Itemset], sensitive: Iterable[int], rho: Fraction) -> int:
    """The fewest occurrences to suppress until tiny data is safe; tries the fewest first."""
    held = [frozenset(basket) for basket in baskets]
    cells = [(tid, item) for tid, basket in enumerate(held) for item in sorted(basket)]
    for number in range(len(cells) + 1):
        for gone in combinations(cells, number):
            left = [basket - {i for t, i in gone if t == tid} for tid, basket in enumerate(held)]
            if not unsafe_rules(left, sensitive, rho):
                return number
    raise AssertionError("no data at all is safe")

"""rho-uncertainty over every subset, from the paper's definition.

With persons, a share must hold twice: in transactions, and in persons. A person holds an itemset
if one of the person's transactions holds it.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

Itemset = frozenset[int]


@dataclass(frozen=True, slots=True)
class Rule:
    """q -> e: an attacker who knows `known` infers `secret` with this confidence."""

    known: Itemset
    secret: int
    support: int  # transactions with known and secret together
    of: int  # transactions with known
    persons: int  # persons with such a transaction
    of_persons: int

    @property
    def confidence(self) -> Fraction:
        """The larger of both shares: an attacker may count transactions or persons."""
        return max(Fraction(self.support, self.of), Fraction(self.persons, self.of_persons))


def subsets(items: Iterable[int]) -> Iterator[Itemset]:
    """All itemsets except the empty one, the smallest first."""
    listed = sorted(items)
    for size in range(1, len(listed) + 1):
        for chosen in combinations(listed, size):
            yield frozenset(chosen)


def rules(
    baskets: Iterable[Itemset],
    sensitive: Iterable[int],
    max_knowledge: int | None = None,
    owners: Sequence[int] | None = None,
) -> list[Rule]:
    """Every sensitive rule of some transaction: q is a nonempty itemset, and e is not in q.

    `owners` has the person of each transaction; without it, each has a person of its own.
    """
    held = [frozenset(basket) for basket in baskets]
    whose = range(len(held)) if owners is None else owners
    secrets = frozenset(sensitive)
    found = []
    for known in {known for basket in held for known in subsets(basket)}:
        if max_knowledge is not None and len(known) > max_knowledge:
            continue
        cohort = [tid for tid, basket in enumerate(held) if known <= basket]
        for secret in sorted(frozenset().union(*(held[tid] for tid in cohort)) & secrets - known):
            hits = [tid for tid in cohort if secret in held[tid]]
            persons, of_persons = ({whose[tid] for tid in tids} for tids in (hits, cohort))
            found.append(Rule(known, secret, len(hits), len(cohort), len(persons), len(of_persons)))
    return sorted(found, key=lambda rule: (len(rule.known), sorted(rule.known), rule.secret))


def unsafe_rules(
    baskets: Iterable[Itemset],
    sensitive: Iterable[int],
    rho: Fraction,
    max_knowledge: int | None = None,
    owners: Sequence[int] | None = None,
) -> list[Rule]:
    """The rules with a confidence strictly above rho."""
    found = rules(baskets, sensitive, max_knowledge, owners)
    return [rule for rule in found if rule.confidence > rho]


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

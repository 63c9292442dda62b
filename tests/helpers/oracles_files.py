"""The promises of all models, from their definitions, over transactions as sets of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Transaction = frozenset[str]


def cohorts(
    held: Sequence[Transaction], most: int, *, least: int = 1, without: Transaction = frozenset()
) -> Iterator[tuple[Transaction, list[Transaction]]]:
    """Every set of this many items with the transactions that contain it, if any."""
    known = {
        frozenset(chosen)
        for one in held
        for size in range(least, most + 1)
        for chosen in combinations(sorted(one - without), size)
    }
    for chosen in known:
        yield chosen, [one for one in held if one >= chosen]


def coherent(
    held: Sequence[Transaction], private: Transaction, h: Fraction, k: int, p: int
) -> bool:
    """Any set of up to p public items has support 0 or at least k, and no confidence above h."""
    return all(
        len(cohort) >= k
        and all(sum(one in other for other in cohort) <= h * len(cohort) for one in private)
        for _, cohort in cohorts(held, p, least=0, without=private)
    )


def k_anonymous(held: Sequence[Transaction], k: int) -> bool:
    """Every transaction is equal to at least k - 1 others."""
    return all(count >= k for count in Counter(held).values())


def km_anonymous(held: Sequence[Transaction], k: int, m: int) -> bool:
    """Every set of up to m nodes has support 0 or at least k."""
    return all(len(cohort) >= k for _, cohort in cohorts(held, m))


def certain(held: Sequence[Transaction], sensitive: Transaction, rho: Fraction) -> bool:
    """No sensitive item follows from any other items with a confidence above rho."""
    longest = max(map(len, held), default=0)
    return all(
        sum(secret in one for one in cohort) <= rho * len(cohort)
        for known, cohort in cohorts(held, longest)
        for secret in sensitive - known
    )


def hidden(
    before: Sequence[Transaction], after: Sequence[Transaction], pattern: Transaction, psi: Fraction
) -> bool:
    """The pattern keeps at most a share psi of its support."""
    return sum(one >= pattern for one in after) <= psi * sum(one >= pattern for one in before)


def within(before: Mapping[str, Transaction], after: Mapping[str, Transaction]) -> bool:
    """Every released transaction has only items of its original."""
    return all(names <= before.get(key, frozenset()) for key, names in after.items())

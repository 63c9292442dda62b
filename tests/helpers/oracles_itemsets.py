"""Frequent itemsets and rules by their definitions, over every subset; nothing fast or clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

Itemset = tuple[int, ...]
Rule = tuple[Itemset, Itemset]


def frequent(
    baskets: Iterable[Iterable[int]], least: int, max_size: int | None = None
) -> dict[Itemset, int]:
    """Every itemset with at least this support, with its support."""
    held: Counter[Itemset] = Counter()
    for basket in baskets:
        items = sorted(set(basket))
        for size in range(1, min(len(items), max_size or len(items)) + 1):
            held.update(combinations(items, size))
    return {items: support for items, support in held.items() if support >= least}


def rules(
    supports: dict[Itemset, int], confidence: Fraction, max_consequent: int
) -> dict[Rule, tuple[int, int, int]]:
    """Every rule that splits a frequent itemset in two, with its support and confidence."""
    found = {}
    for whole, support in supports.items():
        for size in range(1, min(max_consequent, len(whole) - 1) + 1):
            for right in combinations(whole, size):
                left = tuple(item for item in whole if item not in right)
                if Fraction(support, supports[left]) >= confidence:
                    found[left, right] = support, supports[left], supports[right]
    return found


def share_to_least(share: Fraction, transactions: int) -> int:
    """The smallest whole number of transactions that is at least this share of all."""
    return next(n for n in range(1, transactions + 2) if n >= share * transactions)


def as_rows(baskets: Sequence[Iterable[int]]) -> list[tuple[int, int]]:
    """The baskets in long form, which has no empty baskets."""
    return [(tid, item) for tid, basket in enumerate(baskets) for item in sorted(basket)]

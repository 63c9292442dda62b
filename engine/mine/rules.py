"""Find the association rules of any frequent itemsets in a run, as `setveil itemsets --rules`.

    rules = association_rules(session, found, confidence=Fraction(1, 2))

makes rules_a_c for every (a, c) in rules.counts: one row per rule with a items on the left, c items
on the right and enough confidence. Its columns are `(antecedent_1 … antecedent_a, consequent_1 …
consequent_c, support, antecedent_support, consequent_support)`; items are numbers, ascending on
either side. `rules.relation(a, c)` is such a relation. Searches with different names (`rules=`)
keep their relations; a search drops those of an earlier one with the same name.

A rule has one item on the right unless `max_consequent` allows more. Rules to several items are
weaker than the rules to each of them, and far more numerous.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.errors import UnreachableError
from setveil.mine.search import LIMIT, Frequent
from setveil.run.session import Session
from setveil.sql.mine import rules as sql

Sizes = tuple[int, int]  # items on the left, and on the right


@dataclass(frozen=True, slots=True)
class Rules:
    """The relations of a search, and the number of rules of each size."""

    rules: str
    counts: dict[Sizes, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def relation(self, antecedent: int, consequent: int) -> exp.Table:
        """The rules of one size."""
        return exp.to_table(sql.relation(self.rules, antecedent, consequent))


def association_rules(
    session: Session,
    found: Frequent,
    *,
    confidence: Fraction,
    max_consequent: int = 1,
    rules: str = "rules",
    limit: int = LIMIT,
) -> Rules:
    """Make the rules that hold in at least this share of the transactions with their left side.

    UnreachableError: there may be more than `limit`.
    """
    _forget(session, rules)
    counts: dict[Sizes, int] = {}
    for size in range(2, len(found.counts) + 1):
        step = sql.to_one_item(rules, found.found, size, confidence)
        counts[size - 1, 1] = session.counted(step)
        for consequent in range(2, min(max_consequent, size - 1) + 1):
            antecedent = size - consequent
            before = counts[antecedent + 1, consequent - 1]
            if not before:
                break
            # Each such rule follows from a confident rule with one item less on the right.
            more = before * (antecedent + 1) // consequent
            _refuse_too_many(session, sum(counts.values()), more, limit)
            step = sql.to_more_items(rules, found.found, antecedent, consequent, confidence)
            counts[antecedent, consequent] = session.counted(step)
    return Rules(rules, counts)


def _forget(session: Session, rules: str) -> None:
    """Drop the relations of an earlier search with the same name."""
    of_a_search = re.compile(rf"{re.escape(rules)}_\d+_\d+")
    for name in [name for name in session.relations if of_a_search.fullmatch(name)]:
        session.drop(name)


def _refuse_too_many(session: Session, known: int, more: int, limit: int) -> None:
    if known + more > limit:
        session.refuse(
            UnreachableError(
                f"there can be {more:,} more rules besides {known:,}: more than the limit of "
                f"{limit:,}; raise --min-confidence or --min-support, or lower --max-consequent"
            )
        )

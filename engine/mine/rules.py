"""Association rules of any frequent itemsets in a run: the engine under `setveil itemsets --rules`.

    rules = association_rules(session, found, confidence=Fraction(1, 2))

leaves rules_a_c for every (a, c) in rules.counts: one row per rule with a items on the left and c
on the right whose confidence is enough, `(antecedent_1 … antecedent_a, consequent_1 … consequent_c,
support, antecedent_support, consequent_support)`, items as numbers, ascending on either side. Both
sides hold something. Ask `rules.relation(a, c)` for the names. Searches with different names
(`rules=`) stand side by side; one with the same name drops what the one before it left.

A rule has one item on the right unless `max_consequent` allows more: rules to several items are
weaker than those to each of them, and far more.
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
    """What was found: relations, and how many rules of each size they hold."""

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
    """Leave the rules that hold in at least this share of the transactions with their left side.

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
            # Each has as many rules with one item less on the right, all of them confident.
            more = before * (antecedent + 1) // consequent
            _refuse_too_many(session, sum(counts.values()), more, limit)
            step = sql.to_more_items(rules, found.found, antecedent, consequent, confidence)
            counts[antecedent, consequent] = session.counted(step)
    return Rules(rules, counts)


def _forget(session: Session, rules: str) -> None:
    """Drop what an earlier search of the same name left."""
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

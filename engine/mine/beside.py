"""What a miner would still find: frequent itemsets, rules and patterns, before and after.

The release is mined in the numbers of the original, so that what is the same is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from setveil.comparison.findings import Changed, Compared, Itemsets, LostItemset
from setveil.comparison.sides import Beside
from setveil.mine.patterns import artifactual_patterns, measured
from setveil.mine.rules import Rules, association_rules
from setveil.mine.search import Frequent, frequent_itemsets
from setveil.models.hiding.patterns import Items
from setveil.run.reading import Baskets
from setveil.run.session import Session
from setveil.sql.comparison import changes as sql
from setveil.sql.comparison.measures import common_rules
from setveil.sql.mine import patterns as pattern_measures
from setveil.sql.models.hiding.anonymize import restricted

SHOWN = 10  # itemsets that lost most


@dataclass(frozen=True, slots=True)
class Mining:
    """What is mined: itemsets in `least` transactions, and rules of `confidence`, if any."""

    least: int
    max_size: int | None
    confidence: Fraction | None


def mine_original(original: Baskets, mining: Mining) -> Frequent:
    """Leave frequent_n in the original's run."""
    return _mine(original, "occurrence", original.items, mining)


def mine_release(beside: Beside, mining: Mining, new: int) -> Frequent:
    """The same in the release's run, where `new` items are none of the original's."""
    return _mine(beside.run, "after", beside.original.items + new, mining)


def _mine(baskets: Baskets, relation: str, items: int, mining: Mining) -> Frequent:
    return frequent_itemsets(
        baskets.session, exp.to_table(relation), items=items,
        transactions=baskets.transactions, least=mining.least, max_size=mining.max_size,
    )  # fmt: skip


def rules_of(baskets: Baskets, frequent: Frequent, confidence: Fraction) -> Rules:
    """Leave the rules to one item of what was mined, as rules_a_c."""
    return association_rules(baskets.session, frequent, confidence=confidence)


def with_itemsets(found: Compared, beside: Beside, before: Frequent, after: Frequent) -> Compared:
    """Itemsets that were and are frequent, by size, and those that lost most support."""
    session = beside.run.session
    sizes, lost = list[Itemsets](), list[LostItemset]()
    for size in range(1, max(len(before.counts), len(after.counts)) + 1):
        had, has = _count(before, size), _count(after, size)
        theirs = beside.of_original(before.relation(size).name)
        ours = after.relation(size) if has else None
        kept = 0
        if had and ours is not None:
            (kept,) = session.one(sql.itemsets_kept(theirs, ours, size))
        if had and size > 1:
            rows = session.ask(sql.itemsets_lost_most(theirs, ours, size, SHOWN))
            lost += [LostItemset(tuple(names), had, has) for had, has, *names in rows]
        sizes.append(Itemsets(had, has, kept, size))
    lost.sort(key=lambda one: ((one.after or 0) - one.before, len(one.items), one.items))
    return replace(found, itemsets=tuple(sizes), itemsets_lost_most=tuple(lost[:SHOWN]))


def _count(found: Frequent, size: int) -> int:
    return found.counts[size - 1] if size <= len(found.counts) else 0


def with_rules(found: Compared, beside: Beside, before: Rules, after: Rules) -> Compared:
    """Rules that held and hold: the same if their sides are."""
    sizes, kept = sorted(before.counts.keys() & after.counts.keys()), 0
    if sizes:
        theirs = {size: beside.of_original(before.relation(*size).name) for size in sizes}
        ours = {size: after.relation(*size) for size in sizes}
        (kept,) = beside.run.session.one(common_rules(theirs, ours))
    return replace(found, rules=Changed(before.total, after.total, kept))


def mark_restrictive(session: Session, mined: Frequent, patterns: Sequence[Items]) -> int:
    """Leave restrictive itemsets in frequent_restrictive; answer how many there are."""
    session.create(restricted(patterns))
    session.create(pattern_measures.members(mined.found, len(mined.counts)))
    made = session.counted(pattern_measures.restrictive(mined.found))
    session.give_back(f"{mined.found}_member")
    return made


def with_patterns(
    found: Compared, beside: Beside, before: Frequent, after: Frequent, restrictive: int
) -> Compared:
    """The measures of `itemsets`, of which so many were restrictive in the original.

    Disclosed and found are patterns of the original only: where something was added, what that made
    frequent would make up for what was lost.
    """
    theirs = [beside.of_original(one.name) for one in _relations(before)]
    (disclosed,) = beside.run.session.one(sql.disclosed(theirs, _relations(after), after.found))
    common = sum(one.kept for one in found.itemsets)
    made = measured(
        before.least, restrictive, disclosed, before.itemsets - restrictive, common - disclosed,
        artifactual_patterns(common, after.itemsets),
    )  # fmt: skip
    return replace(found, patterns=made)


def _relations(mined: Frequent) -> list[exp.Table]:
    return [mined.relation(size) for size in range(1, len(mined.counts) + 1)]

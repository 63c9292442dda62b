"""Frequent itemsets, rules and patterns that a miner finds in the original and in a release.

The release is mined in the numbers of the original, so that equal itemsets have equal numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from setveil.comparison.figures import Section
from setveil.comparison.findings import Changed, Itemsets, LostItemset
from setveil.comparison.sides import Beside
from setveil.mine.patterns import PatternMeasures, artifactual_patterns, measured
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
    """Itemsets in `least` transactions of up to `max_size` items, and rules of `confidence`."""

    least: int
    max_size: int | None
    confidence: Fraction | None


@dataclass(frozen=True, slots=True)
class Found:
    """Itemsets, rules if asked for, and the number of itemsets that hold a pattern to hide."""

    frequent: Frequent
    rules: Rules | None
    restrictive: int | None


@dataclass(frozen=True, slots=True)
class Mined:
    """The itemsets, rules and patterns of a release beside those of its original."""

    itemsets: tuple[Itemsets, ...] = ()
    itemsets_lost_most: tuple[LostItemset, ...] = ()
    rules: Changed | None = None
    patterns: PatternMeasures | None = None
    pairs: tuple[int, int] | None = None  # frequent pairs of items, and those still frequent


def mine_original(
    original: Baskets, mining: Mining, patterns: Sequence[Items] | None, section: Section
) -> Found:
    """Leave frequent_n, rules_a_c and frequent_restrictive in the original's run."""
    rules, restrictive = None, None
    with section("itemsets"):
        frequent = _mine(original, "occurrence", original.items, mining)
    if mining.confidence is not None:
        with section("rules"):
            rules = association_rules(original.session, frequent, confidence=mining.confidence)
    if patterns is not None:
        with section("patterns"):
            restrictive = _mark_restrictive(original.session, frequent, patterns)
    return Found(frequent, rules, restrictive)


def mine_release(
    beside: Beside,
    mining: Mining,
    patterns: Sequence[Items] | None,
    before: Found,
    new: int,
    section: Section,
) -> Mined:
    """Mine the release, of which `new` items are none of the original's, and compare."""
    rules, hidden = None, None
    with section("itemsets"):
        after = _mine(beside.run, "after", beside.original.items + new, mining)
        sizes, lost = _itemsets(beside, before.frequent, after)
    if mining.confidence is not None and before.rules is not None:
        with section("rules"):
            found = association_rules(beside.run.session, after, confidence=mining.confidence)
            rules = _rules(beside, before.rules, found)
    if patterns is not None and before.restrictive is not None:
        with section("patterns"):
            _mark_restrictive(beside.run.session, after, patterns)
            common = sum(one.kept for one in sizes)
            hidden = _patterns(beside, before.frequent, after, before.restrictive, common)
    two = next((one for one in sizes if one.size == 2), None)
    return Mined(sizes, lost, rules, hidden, (two.before, two.kept) if two else None)


def pairs_of_nodes(beside: Beside, mining: Mining, before: Found, section: Section) -> Mined:
    """Count the frequent pairs that a generalized release still has as items."""
    had = _count(before.frequent, 2)
    if not had:
        return Mined()
    with section("itemsets"):
        pairs = replace(mining, max_size=2)
        after = _mine(beside.run, "after", beside.original.items, pairs)
        kept = 0
        if _count(after, 2):
            theirs = beside.of_original(before.frequent.relation(2).name)
            (kept,) = beside.run.session.one(sql.itemsets_kept(theirs, after.relation(2), 2))
    return Mined(pairs=(had, kept))


def _mine(baskets: Baskets, relation: str, items: int, mining: Mining) -> Frequent:
    return frequent_itemsets(
        baskets.session,
        exp.to_table(relation),
        items=items,
        transactions=baskets.transactions,
        least=mining.least,
        max_size=mining.max_size,
    )


def _itemsets(
    beside: Beside, before: Frequent, after: Frequent
) -> tuple[tuple[Itemsets, ...], tuple[LostItemset, ...]]:
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
    return tuple(sizes), tuple(lost[:SHOWN])


def _count(found: Frequent, size: int) -> int:
    return found.counts[size - 1] if size <= len(found.counts) else 0


def _rules(beside: Beside, before: Rules, after: Rules) -> Changed:
    """Rules that held and hold; two rules are equal if their sides are."""
    sizes, kept = sorted(before.counts.keys() & after.counts.keys()), 0
    if sizes:
        theirs = {size: beside.of_original(before.relation(*size).name) for size in sizes}
        ours = {size: after.relation(*size) for size in sizes}
        (kept,) = beside.run.session.one(common_rules(theirs, ours))
    return Changed(before.total, after.total, kept)


def _mark_restrictive(session: Session, mined: Frequent, patterns: Sequence[Items]) -> int:
    """Leave restrictive itemsets in frequent_restrictive; answer how many there are."""
    session.create(restricted(patterns))
    session.create(pattern_measures.members(mined.found, len(mined.counts)))
    made = session.counted(pattern_measures.restrictive(mined.found))
    session.give_back(f"{mined.found}_member")
    return made


def _patterns(
    beside: Beside, before: Frequent, after: Frequent, restrictive: int, common: int
) -> PatternMeasures:
    """The counts of patterns; `common` itemsets are frequent in the original and the release.

    Disclosed and found are patterns of the original only: where something was added, itemsets that
    it made frequent would make up for lost ones.
    """
    theirs = [beside.of_original(one.name) for one in _relations(before)]
    (disclosed,) = beside.run.session.one(sql.disclosed(theirs, _relations(after), after.found))
    return measured(
        before.least,
        restrictive,
        disclosed,
        before.itemsets - restrictive,
        common - disclosed,
        artifactual_patterns(common, after.itemsets),
    )


def _relations(mined: Frequent) -> list[exp.Table]:
    return [mined.relation(size) for size in range(1, len(mined.counts) + 1)]

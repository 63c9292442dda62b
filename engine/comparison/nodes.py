"""Pairs of items and nodes, and rules between them, that a recipient still learns from a release.

A transaction holds its items and all nodes above them. So a release that suppresses and a release
that generalizes can be set side by side: both tell of bakery and milk, if one told of bread alone.
Pairs of a node and one above it say nothing, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from setveil.comparison.figures import Section
from setveil.comparison.findings import Changed
from setveil.comparison.sides import Beside
from setveil.hierarchy.trees import Hierarchy
from setveil.mine.search import Frequent, frequent_itemsets
from setveil.run.reading import Baskets
from setveil.sql.comparison import nodes as sql

PAIR = 2
FOUND = "learned"  # the name of the search


@dataclass(frozen=True, slots=True)
class Learned:
    """Pairs that were and are frequent, and rules, if they were asked for."""

    pairs: Changed
    rules: Changed | None
    specialized: Changed | None = None  # of items; rules of published nodes say so for all below


@dataclass(frozen=True, slots=True)
class Lesson:
    """The frequent pairs of the original, in its run, and how its nodes are numbered."""

    frequent: Frequent
    nodes: int
    least: int
    confidence: Fraction | None


def lesson_of(
    original: Baskets,
    hierarchy: Hierarchy,
    least: int,
    confidence: Fraction | None,
    section: Section,
) -> Lesson:
    """Leave above, spread and the frequent pairs in the original's run."""
    session = original.session
    with section("itemsets"):
        session.create(sql.above(hierarchy.root))
        session.create(sql.spread())
        frequent = _mine(original, hierarchy.nodes, least)
    return Lesson(frequent, hierarchy.nodes, least, confidence)


def learned(beside: Beside, lesson: Lesson, section: Section) -> Learned:
    """Find the pairs and rules in the release, and count those that are left."""
    session = beside.run.session
    above = beside.of_original("above")
    with section("itemsets"):
        step = sql.released_spread(beside.of_original("node"), above, levels=beside.generalized)
        session.create(step)
        after = _mine(beside.run, lesson.nodes, lesson.least)
        if len(lesson.frequent.counts) < PAIR:
            return Learned(Changed(0, 0, 0), None)
        theirs = [beside.of_original(lesson.frequent.relation(n).name) for n in (1, PAIR)]
        ours = [after.relation(n) for n in range(1, 1 + len(after.counts))]
        old = sql.pairs_of(theirs[1], above)
        new = sql.pairs_of(ours[1], above) if len(ours) == PAIR else None
        step = sql.in_common(
            "pairs_learned",
            "counts frequent pairs of nodes in the original and the release",
            old,
            new,
        )
        pairs = Changed(*map(int, session.one(step)))
    if lesson.confidence is None:
        return Learned(pairs, None)
    with section("rules"):
        bound = lesson.confidence.numerator, lesson.confidence.denominator
        before = sql.rules_of(theirs[0], old, *bound)
        rules = None if new is None else sql.rules_of(ours[0], new, *bound)
        step = sql.in_common(
            "rules_learned",
            "counts rules between nodes in the original and the release",
            before,
            rules,
        )
        found = Changed(*map(int, session.one(step)))
        if not beside.generalized:
            return Learned(pairs, found)
        node, path = beside.of_original("node"), beside.of_original("path")
        step = sql.in_common(
            "rules_specialized",
            "counts rules between items in the original, and those that rules of nodes stand for",
            sql.rules_of_items(before, node),
            None if rules is None else sql.specialized(rules, node, path),
        )
        return Learned(pairs, found, Changed(*map(int, session.one(step))))


def _mine(baskets: Baskets, nodes: int, least: int) -> Frequent:
    return frequent_itemsets(
        baskets.session,
        exp.to_table("spread"),
        items=nodes,
        transactions=baskets.transactions,
        least=least,
        max_size=PAIR,
        found=FOUND,
    )

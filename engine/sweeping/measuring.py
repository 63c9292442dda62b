"""Measure a release that lives beside its original: only what was asked for, and no risk."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setveil.arguments.shares import Share
from setveil.comparison.changes import changes_of, match_items
from setveil.comparison.figures import Section
from setveil.comparison.itemsets import (
    Mined,
    Mining,
    mine_original,
    mine_release,
    pairs_of_nodes,
)
from setveil.comparison.judging import name_items
from setveil.comparison.measures import MEASURES, Seen
from setveil.comparison.nodes import learned, lesson_of
from setveil.comparison.penalties import penalties_of
from setveil.comparison.sides import Beside, Reading, read_releases
from setveil.hierarchy.trees import read_hierarchy
from setveil.mine.itemsets import Support, confidence_of, least_support
from setveil.models.hiding.patterns import Patterns, named_patterns, numbered
from setveil.run.reading import Baskets
from setveil.run.release import Release
from setveil.run.roles.lists import Items, item_numbers
from setveil.sql.run import lists

HERE = Reading(None, None, False)
# Measures that need the nodes above the items.
NODES = frozenset({"node_pairs_kept", "node_rules_jaccard", "specialized_rules_jaccard"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The measures to take, and what they need to know beside the release."""

    names: Sequence[str]
    min_support: Support | None = None
    max_size: int | None = None
    min_confidence: Share | None = None
    sensitive: Items | None = None
    patterns: Patterns | None = None
    hierarchy: str | Path | None = None
    fanout: int | None = None
    private: Items | None = None
    public: Items | None = None
    ignore_unknown: bool = False


def measured(original: Baskets, release: Release[Any], asked: Asked) -> dict[str, float]:
    """The measures that can be taken of this release of these baskets."""
    with contextlib.ExitStack() as runs:
        (beside,) = read_releases(runs, original, [release], (), HERE)
        session = original.session
        session.begin()
        seen = _seen(beside, asked)
        wanted = [MEASURES[name] for name in asked.names]
        return {one.name: one.formula(seen) for one in wanted if one.when(seen)}


def _seen(beside: Beside, asked: Asked) -> Seen:
    original, section = beside.original, Section({}, "", ())
    session, patterns = original.session, None
    if asked.sensitive is not None:
        name_items(original, "sensitive", asked.sensitive, ignore_unknown=asked.ignore_unknown)
    if asked.patterns is not None:
        named = named_patterns(session, asked.patterns)
        patterns = numbered(session, named, ignore_unknown=asked.ignore_unknown)[1]
    tree = (asked.hierarchy, asked.fanout)
    by_nodes = asked.min_support is not None and not NODES.isdisjoint(asked.names)
    known = (beside.generalized or by_nodes) and tree != (None, None)
    hierarchy = read_hierarchy(original, *tree) if known else None
    if known:
        _take_roles(original, asked)
    if not beside.generalized:
        match_items(beside)
    changes = changes_of(beside)
    mined, lessons = Mined(), None
    if asked.min_support is not None:
        least = least_support(asked.min_support, original.transactions)
        sure = None if asked.min_confidence is None else confidence_of(asked.min_confidence)
        mining = Mining(least, asked.max_size, sure)
        before = mine_original(original, mining, patterns, section)
        if beside.generalized:
            mined = pairs_of_nodes(beside, mining, before, section)
        else:
            new = changes.items_new or 0
            mined = mine_release(beside, mining, patterns, before, new, section)
        if by_nodes and hierarchy is not None:
            lesson = lesson_of(original, hierarchy, least, sure, section)
            lessons = learned(beside, lesson, section)
    penalties = penalties_of(beside, hierarchy, matched=changes.transactions_kept is not None)
    return Seen(
        beside,
        original,
        beside.run,
        changes,
        mined,
        penalties,
        patterns is not None,
        asked.sensitive is not None,
        lessons,
    )


def _take_roles(original: Baskets, asked: Asked) -> None:
    """Make private_item and public_item: items that nobody knows may have left the tree."""
    session, missing = original.session, asked.ignore_unknown
    private = () if asked.private is None else asked.private
    secret = item_numbers(session, private, "private", ignore_unknown=missing)
    session.decide("private_item", "the items that must not be inferred", secret)
    if asked.public is None:
        session.create(lists.all_but_private())
        return
    known = item_numbers(session, asked.public, "public", ignore_unknown=missing)
    session.decide("public_item", "the items that an attacker can know", known)

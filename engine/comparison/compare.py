"""Set releases beside their original: what use is left of them, and what they still give away.

The original and each release are read into runs of one instance, items are matched by name and
transactions by key. What is found is in `findings`, the formulas of all measures in `formulas`;
what is asked for them in `changes`, `mining`, `penalties`, `risk`, `inference` and `guarantees`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from setveil.arguments.lists import Items
from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.comparison.changes import match_items, with_changes
from setveil.comparison.findings import Compared, Comparison, Side
from setveil.comparison.formulas import measured
from setveil.comparison.inference import surest_rule
from setveil.comparison.inspection import Band
from setveil.comparison.judging import Terms, check_kind, check_terms, judge, name_items
from setveil.comparison.penalties import with_penalties
from setveil.comparison.risk import risk_of
from setveil.comparison.sides import Beside, Named, Reading, read_release
from setveil.errors import InputError, UnreachableError
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.mine.beside import (
    Mining,
    mark_restrictive,
    mine_original,
    mine_release,
    rules_of,
    with_itemsets,
    with_patterns,
    with_rules,
)
from setveil.mine.itemsets import Support, confidence_of, least_support
from setveil.mine.rules import Rules
from setveil.mine.search import Frequent
from setveil.models.coherence.promise import Promise, promised
from setveil.models.hiding.patterns import Items as Numbers
from setveil.models.hiding.patterns import Patterns, named_patterns, numbered
from setveil.run.notes import note_persons
from setveil.run.reading import Baskets, cells_of
from setveil.run.words import counted
from setveil.show.figures import Figures, noting
from setveil.sql.comparison import changes as sql
from setveil.sql.comparison import inspection
from setveil.sql.run import lists
from setveil.verify import beside as in_run

ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class _Ask:
    """What is asked of every release."""

    promise: Promise
    known: bool  # were public items named?
    mining: Mining | None
    patterns: Sequence[Numbers] | None
    verify: str | None
    terms: Terms
    ignore_unknown: bool
    plan: str


@dataclass(frozen=True, slots=True)
class _Before:
    """What is known of the original when the releases are looked at."""

    side: Side
    frequent: Frequent | None
    rules: Rules | None
    restrictive: int | None
    hierarchy: Hierarchy | None


@strict
def compare(
    original: Baskets,
    *releases: Named,
    k: int = 2,
    p: int = 2,
    h: Share | None = None,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    min_support: Support | None = None,
    max_size: int | None = None,
    min_confidence: Share | None = None,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    verify: str | None = None,
    sensitive: Items | None = None,
    patterns: Patterns | None = None,
    psi: Share | None = None,
    tid: str | None = None,
    item: str | None = None,
    drop_nulls: bool = False,
    plan: str = "auto",
    keys: Sequence[str | Path | None] = (),
    **terms: Any,
) -> Comparison:
    """Measure the use that is left of each release, and the risk of it and of the original.

    A release is a file, a relation beside the original's, or a `Release` of these very baskets.
    `min_support` is a number of transactions or a share of the original's: with it, frequent
    itemsets are compared, of up to `max_size` items; with `min_confidence`, the rules among them;
    with `patterns`, what became of the restrictive ones and of the others. `sensitive` items are
    looked for at the end of rules. By the `hierarchy`, or an even one of this `fanout`, generalized
    releases have their penalty. With `verify`, the name of a model, its checker judges each release
    by the parameters of its promise, which are given by name.
    `tid` and `item` name the columns of the releases where they are other than the original's.
    `keys` are of renumbered releases: one for each release in their order, None where ids were
    kept.
    """
    if not releases:
        raise InputError("there is no release to compare with the original: name one or more")
    if keys and len(keys) != len(releases):
        raise InputError(
            f"{counted(len(keys), 'key')} for {counted(len(releases), 'release')}; name one for "
            "each, in their order, and none where ids were kept"
        )
    if patterns is not None and not isinstance(patterns, str | Path):
        patterns = list(patterns)
    mining = _mining(original, min_support, max_size, min_confidence)
    least = mining.least if mining else None
    terms |= {"h": h, "k": k, "p": p, "private": private, "public": public}
    terms |= {"sensitive": sensitive, "patterns": patterns, "psi": psi}
    check_terms(verify, terms)
    with contextlib.ExitStack() as runs:
        how = Reading(tid, item, drop_nulls)
        given = [
            read_release(runs, original, one, how, ids)
            for one, ids in zip(releases, keys or [None] * len(releases), strict=True)
        ]
        for one in given:
            check_kind(verify, one.name, generalized=one.generalized)
        session, figures = original.session, Figures()
        session.begin()
        note_persons(session)
        promise = promised(session, k, p, h, private, public, ignore_unknown=ignore_unknown)
        named = [] if patterns is None else named_patterns(session, patterns)
        if psi is None and not any(one.psi is not None for one in named):
            terms["min_support"] = least
        secrets = None
        if sensitive is not None:
            secrets = name_items(original, "sensitive", sensitive, ignore_unknown=ignore_unknown)
        ask = _Ask(
            promise,
            public is not None,
            mining,
            numbered(session, named, ignore_unknown=ignore_unknown)[1] if named else None,
            verify,
            terms,
            ignore_unknown,
            plan,
        )
        if ask.patterns is not None and mining is None and verify != "hiding":
            session.chat("--patterns: add --min-support to see what became of itemsets with them")
        before = _original(original, ask, figures)
        if hierarchy is not None or fanout is not None:
            if not session.dry and not any(one.generalized for one in given):
                session.chat("no release is generalized: the hierarchy says nothing of any")
            with noting(figures, f"{ORIGINAL}.loss", session):
                before = replace(before, hierarchy=read_hierarchy(original, hierarchy, fanout))
        found = [
            _release(one, before, ask, figures, f"release_{number}")
            for number, one in enumerate(given, 1)
        ]
    parameters = _parameters(ask) | {"sensitive_items": secrets, "fanout": fanout}
    return Comparison(
        original.source.name, parameters, before.side, tuple(found), figures,
        inputs=session.inputs,
    )  # fmt: skip


def _parameters(ask: _Ask) -> dict[str, object]:
    promise, mining = ask.promise, ask.mining
    return {
        "k": promise.k, "p": promise.p, "h": float(promise.h),
        "private_items": promise.private, "public_items": promise.public,
        "min_support": mining.least if mining else None,
        "max_size": mining.max_size if mining else None,
        "min_confidence": float(mining.confidence) if mining and mining.confidence else None,
        "patterns": None if ask.patterns is None else len(ask.patterns), "verify": ask.verify,
    }  # fmt: skip


def _mining(
    original: Baskets,
    min_support: Support | None,
    max_size: int | None,
    min_confidence: Share | None,
) -> Mining | None:
    if min_support is None:
        if min_confidence is not None:
            raise InputError("--min-confidence needs --min-support: rules are of frequent itemsets")
        if max_size is not None:
            raise InputError("--max-size needs --min-support: it is of frequent itemsets")
        return None
    confidence = None if min_confidence is None else confidence_of(min_confidence)
    return Mining(least_support(min_support, original.transactions), max_size, confidence)


# The original


def _original(original: Baskets, ask: _Ask, figures: Figures) -> _Before:
    session = original.session
    side = _side(original, ask.promise, ask, figures, ORIGINAL)
    if ask.terms["sensitive"] is not None:
        side = _with_inference(side, original, original, figures, ORIGINAL)
    frequent, rules, restrictive = None, None, None
    if ask.mining is not None:
        with noting(figures, f"{ORIGINAL}.itemsets", session):
            frequent = mine_original(original, ask.mining)
        if ask.mining.confidence is not None:
            with noting(figures, f"{ORIGINAL}.rules", session):
                rules = rules_of(original, frequent, ask.mining.confidence)
        if ask.patterns is not None:
            with noting(figures, f"{ORIGINAL}.patterns", session):
                restrictive = mark_restrictive(session, frequent, ask.patterns)
    return _Before(side, frequent, rules, restrictive, None)


def _side(baskets: Baskets, promise: Promise, ask: _Ask, figures: Figures, name: str) -> Side:
    session = baskets.session
    with noting(figures, f"{name}.supports", session):
        bands = tuple(Band.of(*row) for row in session.ask(inspection.histogram()))
    with noting(figures, f"{name}.risk", session):
        risk = risk_of(baskets, promise, plan=ask.plan)
    return Side(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        mean_length=baskets.occurrences / max(1, baskets.transactions),
        supports=bands,
        risk=risk,
    )


def _with_inference(
    side: Side, baskets: Baskets, original: Baskets, figures: Figures, name: str
) -> Side:
    """The surest rule of a side; who is sensitive is said of the original."""
    session = baskets.session
    with noting(figures, f"{name}.inference", session):
        cells = cells_of(session, baskets.shape, "source")
        secrets = in_run(original, lists.labels("sensitive_item"))
        try:
            rule = surest_rule(session, cells, secrets)
        except UnreachableError:
            session.note(
                f"{baskets.source.name}: there are too many rules to find the surest that tells a "
                "sensitive item; it is left out"
            )
            return side
    return replace(side, confidence=rule.confidence if rule else 0.0, surest_rule=rule)


# A release


def _release(beside: Beside, before: _Before, ask: _Ask, figures: Figures, name: str) -> Compared:
    look = _nodes if beside.generalized else _items
    found = look(beside, before, ask, figures, name)
    if ask.verify is not None:
        with noting(figures, f"{name}.guarantee", beside.run.session):
            verdict = judge(
                ask.verify, beside.original, beside.run, ask.terms,
                ignore_unknown=ask.ignore_unknown,
            )  # fmt: skip
            found = replace(found, guarantee=verdict)
    _note_strangers(beside, found)
    return measured(before.side, found)


def _note_strangers(beside: Beside, found: Compared) -> None:
    """Say so where a release may be one of other data."""
    session, original = beside.original.session, beside.original
    if session.dry:
        return
    both = f"{beside.name} and {original.source.name}"
    if found.side.items and found.items_gone == original.items:
        session.note(f"{both} share no item: are these the release's names, and its original?")
    if found.transactions_kept is None:
        session.note(f"{both} cannot be matched by transactions: what needs that is left out")
    elif found.side.transactions and original.transactions and not found.transactions_kept:
        session.note(f"{both} share no transaction: is --tid the column that both have them by?")


def _items(beside: Beside, before: _Before, ask: _Ask, figures: Figures, name: str) -> Compared:
    run, session = beside.run, beside.run.session
    with noting(figures, f"{name}.loss", session):
        match_items(beside)
    _take_roles(beside, ask)
    side = _side(run, ask.promise, ask, figures, name)
    if ask.terms["sensitive"] is not None:
        side = _with_inference(side, run, beside.original, figures, name)
    with noting(figures, f"{name}.loss", session):
        found = with_changes(Compared(beside.name, False, side), beside)
    if ask.patterns is None:
        found = replace(found, dissimilarity=None)
    return _mined(found, beside, before, ask, figures, name)


def _mined(
    found: Compared, beside: Beside, before: _Before, ask: _Ask, figures: Figures, name: str
) -> Compared:
    session = beside.run.session
    if ask.mining is None or before.frequent is None:
        return found
    with noting(figures, f"{name}.itemsets", session):
        after = mine_release(beside, ask.mining, found.items_new or 0)
        found = with_itemsets(found, beside, before.frequent, after)
    if ask.mining.confidence is not None and before.rules is not None:
        with noting(figures, f"{name}.rules", session):
            rules = rules_of(beside.run, after, ask.mining.confidence)
            found = with_rules(found, beside, before.rules, rules)
    if ask.patterns is not None and before.restrictive is not None:
        with noting(figures, f"{name}.patterns", session):
            mark_restrictive(session, after, ask.patterns)
            found = with_patterns(found, beside, before.frequent, after, before.restrictive)
    return found


def _nodes(beside: Beside, before: _Before, ask: _Ask, figures: Figures, name: str) -> Compared:
    """The same of nodes: nothing that would take them for items."""
    run = beside.run
    run.session.create(
        sql.private_nodes(beside.of_original("item"), beside.of_original("private_item"))
    )
    run.session.create(lists.all_but_private())
    side = _side(run, ask.promise.without_secrets(), ask, figures, name)
    with noting(figures, f"{name}.loss", run.session, beside.original.session):
        return with_penalties(Compared(beside.name, True, side), beside, before.hierarchy)


def _take_roles(beside: Beside, ask: _Ask) -> None:
    """Items keep the parts that they play in the original."""
    session = beside.run.session
    session.create(sql.parts("private", beside.of_original("private_item")))
    if ask.known:
        session.create(sql.parts("public", beside.of_original("public_item")))
    else:
        session.create(lists.all_but_private())

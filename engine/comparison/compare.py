"""Set releases beside their original: what use is left of them, and what they still give away.

The original and each release are read into runs of one instance. Items are matched by name and
transactions by key. `measures` has the formulas, `findings` the result; the questions are in
`changes`, `itemsets`, `penalties`, `risk`, `inference` and `judging`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.comparison import risk
from setveil.comparison.changes import Changes, changes_of, match_items
from setveil.comparison.evidence.gather import check_evidence, evidence_of
from setveil.comparison.evidence.repeating import Run
from setveil.comparison.figures import Figures, Section
from setveil.comparison.findings import Compared, Comparison, Side
from setveil.comparison.history import history_of, refuse_unjoined
from setveil.comparison.inference import sureness, surest_rule
from setveil.comparison.inspection import Band
from setveil.comparison.itemsets import (
    Found,
    Mined,
    Mining,
    mine_original,
    mine_release,
    pairs_of_nodes,
)
from setveil.comparison.judging import (
    Guarantee,
    Terms,
    check_kind,
    check_terms,
    judge,
    name_items,
)
from setveil.comparison.measures import Seen, take
from setveil.comparison.nodes import Lesson, learned, lesson_of
from setveil.comparison.penalties import penalties_of
from setveil.comparison.sides import Beside, Named, Reading, read_releases
from setveil.errors import InputError, UnreachableError
from setveil.hierarchy.trees import Hierarchy, read_hierarchy
from setveil.mine.itemsets import Support, confidence_of, least_support
from setveil.models import REGISTRY
from setveil.models.coherence.promise import Promise, promised
from setveil.models.hiding.patterns import Items as Numbers
from setveil.models.hiding.patterns import Patterns, named_patterns, numbered
from setveil.models.uncertainty.check import UnsafeRule
from setveil.run.notes import NOT_JUDGED, NOT_JUDGED_TOGETHER
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets, cells_of
from setveil.run.roles.keys import Tid
from setveil.run.roles.lists import Items
from setveil.run.words import counted
from setveil.sql.comparison import changes as sql
from setveil.sql.comparison import inspection
from setveil.sql.run import lists
from setveil.verify import beside as in_run

ORIGINAL = "original"
Tree = tuple[str | Path | None, int | None]  # a hierarchy by its file, or an even one by its fanout


@dataclass(frozen=True, slots=True)
class _Ask:
    """The questions to every release, in the numbers of the original."""

    promise: Promise
    mining: Mining | None
    patterns: Sequence[Numbers] | None
    sensitive: int | None  # items
    verify: str | None
    terms: Terms
    ignore_unknown: bool
    plan: str
    intruder: risk.Intruder | None = None  # None: no evidence is asked for


@dataclass(frozen=True, slots=True)
class _Before:
    """The answers of the original, which those of the releases are compared with."""

    side: Side
    mined: Found | None
    hierarchy: Hierarchy | None
    lesson: Lesson | None  # None: no tree, or nothing to mine


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
    tid: Tid | None = None,
    item: str | None = None,
    drop_nulls: bool = False,
    plan: str = "auto",
    keys: Sequence[str | Path | None] = (),
    history: bool = False,
    evidence: bool = False,
    draws: int = risk.DRAWS,
    seed: int = risk.SEED,
    **terms: Any,
) -> Comparison:
    """Measure the use that is left of each release, and the risk of it and of the original.

    A release is a file, a relation beside the original's, or a `Release` of these very baskets.
    `min_support` compares frequent itemsets of up to `max_size` items, `min_confidence` rules among
    them, `patterns` those with restrictive ones, `sensitive` rules that tell a sensitive item. A
    `hierarchy` or `fanout` gives generalized releases their penalty. `verify` names a model whose
    checker judges each release. `keys` has a key for each release, None where ids were kept. With
    `history` the releases are joined by id: what does each add for somebody who has all of them?
    With `evidence` an intruder looks for `draws` transactions, and all measures of risk are taken.
    """
    given = patterns if patterns is None or isinstance(patterns, str | Path) else list(patterns)
    terms |= {"h": h, "k": k, "p": p, "private": private, "public": public}
    terms |= {"sensitive": sensitive, "patterns": given, "psi": psi}
    mining = _mining(original, min_support, max_size, min_confidence)
    check_terms(verify, terms)
    if evidence:
        check_evidence(verify)
    intruder = risk.Intruder(draws, seed) if evidence else None
    with contextlib.ExitStack() as runs:
        how = Reading(tid, item, drop_nulls)
        beside = read_releases(runs, original, releases, keys, how)
        for one in beside:
            check_kind(verify, one.name, generalized=one.generalized)
        if history:
            refuse_unjoined(beside, verify)
        ask = _ask(original, terms, mining, verify, plan, ignore_unknown=ignore_unknown)
        ask = replace(ask, intruder=intruder)
        if verify is not None:
            original.session.note(NOT_JUDGED_TOGETHER if history else NOT_JUDGED)
        found = _compared(original, beside, ask, (hierarchy, fanout))
        told = {"person": original.shape.person, "guests": original.guests}
        parameters = found.parameters | told | {"drop_nulls": drop_nulls}
        found = replace(found, parameters=parameters)
        if history:
            found = _with_history(found, beside, ask, hierarchy)
        if intruder is None or not original.session.has_rows:
            return found
        again = Run(
            terms=ask.terms,
            keys=keys or [None] * len(beside),
            intruder=intruder,
            hierarchy=hierarchy,
            fanout=fanout,
            drop_nulls=drop_nulls,
            ignore_unknown=ignore_unknown,
            history=history,
        )
        gathered = evidence_of(found, original, releases, beside, again)
        return replace(found, evidence=gathered)


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


def _ask(
    original: Baskets,
    terms: Terms,
    mining: Mining | None,
    verify: str | None,
    plan: str,
    *,
    ignore_unknown: bool,
) -> _Ask:
    """Start a run on the original, and find the items that the parameters name."""
    session = original.session
    session.begin()
    note_persons(session, original.shape, original.persons)
    k, p, h, private, public = (terms[name] for name in ("k", "p", "h", "private", "public"))
    if h is None and verify is not None and not REGISTRY[verify].bounds_shares:
        h = 1  # the promise has no such bound
    promise = promised(session, k, p, h, private, public, ignore_unknown=ignore_unknown)
    named = [] if terms["patterns"] is None else named_patterns(session, terms["patterns"])
    if mining and terms["psi"] is None and not any(one.psi is not None for one in named):
        terms = {**terms, "min_support": mining.least}
    secrets, patterns = None, None
    if terms["sensitive"] is not None:
        secrets = name_items(
            original, "sensitive", terms["sensitive"], ignore_unknown=ignore_unknown
        )
    if named:
        patterns = numbered(session, named, ignore_unknown=ignore_unknown)[1]
        if mining is None and verify != "hiding":
            session.chat("--patterns: add --min-support to see what became of itemsets with them")
    return _Ask(promise, mining, patterns, secrets, verify, terms, ignore_unknown, plan)


def _compared(original: Baskets, releases: Sequence[Beside], ask: _Ask, tree: Tree) -> Comparison:
    figures, session = Figures(), original.session
    idle = tree != (None, None) and not any(one.generalized for one in releases)
    idle = idle and ask.mining is None
    if session.supposed(idle, False):
        session.chat("no release is generalized: the hierarchy says nothing of any")
    before = _original(original, ask, tree, Section(figures, ORIGINAL, (session,)))
    session.course.expect("release", len(releases))
    found = []
    for number, one in enumerate(releases, 1):
        section = Section(figures, f"release_{number}", (one.run.session, session))
        found.append(_release(one, before, ask, section))
        session.course.count()
    return Comparison(
        source=original.source.name,
        parameters=_parameters(ask) | {"fanout": tree[1]},
        original=before.side,
        releases=tuple(found),
        sql=figures,
        inputs=session.inputs,
    )


def _with_history(
    found: Comparison, releases: Sequence[Beside], ask: _Ask, hierarchy: str | Path | None
) -> Comparison:
    """The comparison with that of all releases together."""
    section = Section(found.sql, "history", ())
    public = ask.terms["public"] is not None
    joint = history_of(
        releases,
        ask.promise,
        ask.plan,
        public=public,
        verify=ask.verify,
        terms=dict(ask.terms),
        hierarchy=hierarchy,
        section=section,
    )
    return replace(found, history=joint)


def _parameters(ask: _Ask) -> dict[str, object]:
    promise, mining = ask.promise, ask.mining
    return {
        "k": promise.k,
        "p": promise.p,
        "h": float(promise.h),
        "private_items": promise.private,
        "public_items": promise.public,
        "min_support": mining.least if mining else None,
        "max_size": mining.max_size if mining else None,
        "min_confidence": float(mining.confidence) if mining and mining.confidence else None,
        "patterns": None if ask.patterns is None else len(ask.patterns),
        "verify": ask.verify,
        "sensitive_items": ask.sensitive,
    }


# The original and a release


def _original(original: Baskets, ask: _Ask, tree: Tree, section: Section) -> _Before:
    side = _side(original, original, ask.promise, ask, section)
    mined, hierarchy, lesson = None, None, None
    if ask.mining is not None:
        mined = mine_original(original, ask.mining, ask.patterns, section)
    if tree != (None, None):
        with section("loss"):
            hierarchy = read_hierarchy(original, *tree)
        if ask.mining is not None:
            least, confidence = ask.mining.least, ask.mining.confidence
            lesson = lesson_of(original, hierarchy, least, confidence, section)
    return _Before(side, mined, hierarchy, lesson)


def _side(
    baskets: Baskets, original: Baskets | None, promise: Promise, ask: _Ask, section: Section
) -> Side:
    """Sizes, supports and risk; rules about the sensitive items of the `original`, if it is given.

    A release of nodes gives None: no node is an item.
    """
    session = baskets.session
    with section("supports"):
        bands = tuple(Band.of(*row) for row in session.ask(inspection.histogram()))
    with section("risk"):
        risks = risk.take(risk.Exposed(baskets, promise, ask.plan, ask.intruder))
    confidence, rule = None, None
    if original is not None and ask.sensitive is not None:
        with section("inference"):
            confidence, rule = _inference(baskets, original)
    return Side(
        transactions=baskets.transactions,
        persons=baskets.persons,
        items=baskets.items,
        occurrences=baskets.occurrences,
        mean_length=baskets.occurrences / max(1, baskets.transactions),
        supports=bands,
        risk=risks,
        confidence=confidence,
        surest_rule=rule,
    )


def _inference(baskets: Baskets, original: Baskets) -> tuple[float | None, UnsafeRule | None]:
    """The surest rule of a side, and its confidence: 0 without any, None if there are too many."""
    session = baskets.session
    cells = cells_of(session, baskets.shape, "source")
    secrets = in_run(original, lists.labels("sensitive_item"))
    try:
        rule = surest_rule(session, cells, secrets, baskets.owners)
    except UnreachableError:
        session.note(
            f"{baskets.source.name}: there are too many rules to find the surest that tells a "
            "sensitive item; it is left out"
        )
        return None, None
    return float(sureness(rule)) if rule else 0.0, rule


def _release(beside: Beside, before: _Before, ask: _Ask, section: Section) -> Compared:
    """Ask all that there is to ask of a release, and build its result."""
    promise = take_roles(beside, ask.promise, section, known=ask.terms["public"] is not None)
    original = None if beside.generalized or beside.parts else beside.original
    side = _side(beside.run, original, promise, ask, section)
    with section("loss"):
        changes = changes_of(beside)
        matched = changes.transactions_kept is not None
        penalties = penalties_of(beside, before.hierarchy, matched=matched)
    mined = _mined(beside, before, changes, ask, section)
    guarantee = _guarantee(beside, ask, section)
    _note_strangers(beside, side, changes)
    seen = Seen(
        beside,
        before.side,
        side,
        changes,
        mined,
        penalties,
        ask.patterns is not None,
        ask.sensitive is not None,
        None if before.lesson is None else learned(beside, before.lesson, section),
    )
    with section("loss"):
        measures = take(seen)
    return Compared(
        name=beside.name,
        generalized=beside.generalized,
        side=side,
        items_gone=changes.items_gone,
        items_new=changes.items_new,
        gone_support=changes.gone_support,
        transactions_kept=changes.transactions_kept,
        occurrences_kept=changes.occurrences_kept,
        ncp_by_level=penalties.ncp_by_level,
        ncp_of_suppressed=penalties.suppressed,
        items_lost_most=changes.items_lost_most,
        itemsets=mined.itemsets,
        itemsets_lost_most=mined.itemsets_lost_most,
        rules=mined.rules,
        patterns=mined.patterns,
        guarantee=guarantee,
        measures=measures,
    )


def take_roles(beside: Beside, promise: Promise, section: Section, *, known: bool) -> Promise:
    """Match items, which keep the roles of the original; attackers know all nodes but private.

    `known` says that the items that attackers know were listed.
    """
    session = beside.run.session
    items, private = beside.of_original("item"), beside.of_original("private_item")
    if beside.generalized:
        session.create(sql.private_nodes(items, private))
        session.create(lists.all_but_private())
        return promise.without_secrets()
    with section("loss"):
        match_items(beside)
    session.create(sql.parts("private", private))
    session.create(
        sql.parts("public", beside.of_original("public_item")) if known else lists.all_but_private()
    )
    return promise


def _mined(beside: Beside, before: _Before, changes: Changes, ask: _Ask, section: Section) -> Mined:
    if ask.mining is None or before.mined is None:
        return Mined()
    if beside.generalized:
        return pairs_of_nodes(beside, ask.mining, before.mined, section)
    new = changes.items_new or 0
    return mine_release(beside, ask.mining, ask.patterns, before.mined, new, section)


def _guarantee(beside: Beside, ask: _Ask, section: Section) -> Guarantee | None:
    if ask.verify is None:
        return None
    with section("guarantee"):
        return judge(
            ask.verify,
            beside.original,
            beside.run,
            ask.terms,
            ignore_unknown=ask.ignore_unknown,
            parts=beside.parts,
        )


def _note_strangers(beside: Beside, side: Side, changes: Changes) -> None:
    """Say so where a release may be one of other data."""
    session, original = beside.original.session, beside.original
    both = f"{beside.name} and {original.source.name}"
    if side.items and changes.items_gone == original.items:
        session.note(f"{both} share no item: are these the release's names, and its original?")
    if changes.transactions_kept is None:
        session.note(f"{both} cannot be matched by transactions: what needs that is left out")
    elif side.transactions and original.transactions and not changes.transactions_kept:
        session.note(
            f"{both} share no transaction: is --tid the column that both have them by? If its ids "
            "were replaced, name its key with --key"
        )
    elif changes.items_gone != original.items and not beside.generalized and not beside.parts:
        others = side.occurrences - (changes.occurrences_kept or 0)
        if others:
            session.note(
                f"{both} differ: {counted(others, 'occurrence')} of the release are in no "
                "transaction of the same id; if its ids were replaced, name its key with --key"
            )

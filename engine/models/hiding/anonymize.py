"""Hide restrictive patterns: suppress items in some of the transactions that hold them.

A retailer that shares baskets can keep patterns secret in this way. All but a share psi of the
transactions that hold a pattern lose an item of it. With `min_support`, so many lose one that the
support falls below it. Nothing is added, and other transactions do not change. `method` chooses the
items: Oliveira and Zaïane, A framework for enforcing privacy in mining frequent patterns, TR 02-13,
2002.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.errors import InputError
from setveil.hierarchy.information import information_suppressed
from setveil.mine.patterns import PatternMeasures, mine_original, pattern_measures
from setveil.models.hiding.border import Kind, Plan, Task, choose
from setveil.models.hiding.check import (
    HiddenPattern,
    HidingVerdict,
    Target,
    check_hidden,
    target_of,
)
from setveil.models.hiding.patterns import Items, Patterns, named_patterns, numbered, shown
from setveil.run.persons import refuse_persons
from setveil.run.reading import Baskets, cells_of
from setveil.run.release import Release, kept, make_release
from setveil.run.roles.promise import Pattern, Promise
from setveil.run.session import Session
from setveil.sql.models.hiding import anonymize as sql
from setveil.sql.models.hiding import border
from setveil.sql.step import decided


@dataclass(frozen=True, slots=True)
class HidingMetrics:
    """The hidden patterns and the loss.

    `dissimilarity` is the suppressed share of all occurrences: the sum of f_D(i) - f_D'(i) over
    the items, divided by the sum of f_D(i). `degrees` counts the sensitive transactions that hold
    1, 2, … restrictive patterns. `lost` counts the legitimate itemsets that the method border makes
    rare. No choice of victims makes fewer than `lost_bound` rare; None is unknown.
    """

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    patterns: tuple[HiddenPattern, ...]
    sensitive_transactions: int
    conflicting_transactions: int
    degrees: tuple[tuple[int, int], ...]
    suppressed_occurrences: int
    information_lost: float  # the share of all bits
    emptied_transactions: int
    dissimilarity: float
    lost: int | None
    lost_bound: int | None
    mined: PatternMeasures | None


@dataclass(frozen=True, slots=True)
class Restricted:
    """The restrictive patterns as ascending item numbers, with their supports."""

    patterns: list[Pattern]
    items: list[Items]
    supports: list[int]
    of_item: dict[int, int]  # the support of each of their items


@strict
def hiding(
    baskets: Baskets,
    *,
    patterns: Patterns,
    psi: Share | None = None,
    min_support: int | None = None,
    method: str = "iga",
    mining_support: int | None = None,
    ignore_unknown: bool = False,
) -> Release[HidingMetrics]:
    """Lower the support of every pattern to its limit; the release has passed the checker.

    `patterns` are sequences of names, or a file of them. psi defaults to 0: no transaction holds a
    pattern any more. With `mining_support`, original and release are mined at that support and
    compared.
    """
    session = baskets.session
    _check_options(method, mining_support)
    refuse_persons(baskets.shape, "hiding is about patterns, whose supports are transactions")
    session.begin()
    named = named_patterns(session, patterns)
    target = target_of(named, psi, min_support)
    if method == BORDER and target.min_support is None:
        raise InputError("--method border keeps frequent itemsets; set the limit by --min-support")
    restricted = _retrieve(session, named, ignore_unknown=ignore_unknown)
    quotas = [
        support - target.allowed(one, support)
        for one, support in zip(restricted.patterns, restricted.supports, strict=True)
    ]
    why = "the number of transactions that lose an item of the pattern"
    quota = decided("quota", why, ("pattern", "transactions"), enumerate(quotas))
    session.create(quota)
    plan = measured = None
    if method == BORDER:
        mined = mine_original(baskets, target.min_support or 1)
        plan = _keep_border(baskets, restricted, quotas, target.min_support or 1)
    else:
        _suppress(session, restricted, HEURISTICS[method])
    if mining_support is not None:
        if plan is None or mining_support != target.min_support:
            mined = mine_original(baskets, mining_support)
        measured = pattern_measures(baskets, mined)
    degrees = tuple((int(d), int(n)) for d, n in session.ask(sql.degrees()))
    gone, emptied = session.one(sql.losses())
    untold = information_suppressed(session)
    original = cells_of(session, baskets.shape, "source")
    verdict = make_release(
        baskets,
        kept(baskets),
        lambda cells: check_hidden(session, cells, original, restricted.patterns, target),
        beside_source=True,
    )
    psi = None if target.min_support is not None else str(target.psi)
    terms = {"psi": psi, "min_support": target.min_support}
    return Release(
        baskets,
        promise=Promise("hiding", terms, patterns=tuple(named)),
        model="hiding",
        parameters=_parameters(target, method, named),
        verdict=verdict,
        metrics=_metrics(baskets, degrees, gone, untold, emptied, verdict, plan, measured),
        run=session.runs,
    )


def _retrieve(session: Session, patterns: Sequence[Pattern], *, ignore_unknown: bool) -> Restricted:
    """Find the sensitive transactions of all patterns together, by the inverted index."""
    known, items = numbered(session, patterns, ignore_unknown=ignore_unknown)
    session.create(sql.restricted(items))
    session.create(sql.index())
    session.create(sql.places())
    session.create(sql.retrieved())
    session.create(sql.sensitive())
    session.create(sql.conflicts())
    for name in ("posting", "retrieved"):
        session.give_back(name)
    found = {int(pattern): int(support) for pattern, support in session.ask(sql.supports())}
    supports = [found.get(number, 0) for number in range(len(known))]
    absent = [one for one, support in zip(known, supports, strict=True) if not support]
    if absent:
        session.note(f"{shown(absent)}: no transaction holds the pattern: nothing to hide")
    of_item = {int(item): int(support) for item, support in session.ask(sql.item_supports())}
    return Restricted(known, items, supports, of_item)


# Victims: the items of each pattern that are suppressed


def naive(restricted: Restricted) -> list[Items]:
    """All items of the pattern."""
    return restricted.items


def min_fia(restricted: Restricted) -> list[Items]:
    """The least frequent item of the pattern; among equals the smaller."""
    return [(_rarest(restricted, one),) for one in restricted.items]


def max_fia(restricted: Restricted) -> list[Items]:
    """The most frequent item of the pattern; among equals the smaller."""
    return [(_most_frequent(restricted, one),) for one in restricted.items]


def iga(restricted: Restricted) -> list[Items]:
    """The label of the pattern's group, so that one item breaks many patterns together.

    A group is all patterns that hold an item, if there are several. Its label is the least frequent
    item that they all share. Groups are compared from the largest on. Patterns in two groups leave
    the smaller one, and of equal groups the one with the less frequent label.
    """
    groups = sorted(
        _groups(restricted).items(),
        key=lambda group: (
            -len(group[0]),
            -restricted.of_item[group[1]],
            group[1],
            sorted(group[0]),
        ),
    )
    members = [set(group) for group, _ in groups]
    labels = [label for _, label in groups]
    for first in range(len(members)):
        for second in range(first + 1, len(members)):
            loser = second if len(members[first]) >= len(members[second]) else first
            if len(members[first]) == len(members[second]):
                rarer = restricted.of_item[labels[first]] < restricted.of_item[labels[second]]
                loser = first if rarer else second
            members[loser] -= members[first] & members[second]
    victims = {
        pattern: label for group, label in zip(members, labels, strict=True) for pattern in group
    }
    return [(victims.get(n, _rarest(restricted, one)),) for n, one in enumerate(restricted.items)]


def _groups(restricted: Restricted) -> dict[frozenset[int], int]:
    """Groups of patterns that share an item, each with its label."""
    holders: dict[int, set[int]] = {}
    for pattern, items in enumerate(restricted.items):
        for item in items:
            holders.setdefault(item, set()).add(pattern)
    groups = {frozenset(group) for group in holders.values() if len(group) > 1}
    return {
        group: _rarest(
            restricted,
            tuple(set.intersection(*(set(restricted.items[one]) for one in group))),
        )
        for group in groups
    }


def _rarest(restricted: Restricted, items: Items) -> int:
    return min(items, key=lambda item: (restricted.of_item[item], item))


def _most_frequent(restricted: Restricted, items: Items) -> int:
    return min(items, key=lambda item: (-restricted.of_item[item], item))


@dataclass(frozen=True, slots=True)
class Heuristic:
    """One of the paper's algorithms: its victims, and its order of transactions."""

    victims: Callable[[Restricted], list[Items]]
    most_conflicts_first: bool = False
    leaves_one: bool = False  # keep an item of a transaction that would lose all


HEURISTICS = {
    "naive": Heuristic(naive, leaves_one=True),
    "minfia": Heuristic(min_fia),
    "maxfia": Heuristic(max_fia),
    "iga": Heuristic(iga, most_conflicts_first=True),
}
BORDER = "border"
ALGORITHMS = (*HEURISTICS, BORDER)


def _suppress(session: Session, restricted: Restricted, heuristic: Heuristic) -> None:
    """Make suppressed(tid, item, round)."""
    victims = enumerate(heuristic.victims(restricted))
    rows = [(pattern, item) for pattern, items in victims for item in items]
    why = "the items that transactions with a pattern lose"
    session.create(decided("victim", why, ("pattern", "item"), rows))
    session.create(sql.sanitized(most_conflicts_first=heuristic.most_conflicts_first))
    session.create(sql.suppressed_but_one() if heuristic.leaves_one else sql.suppressed())


def _keep_border(
    baskets: Baskets, restricted: Restricted, quotas: Sequence[int], least: int
) -> Plan:
    """Make suppressed(tid, item, round) so that few mined itemsets fall below `least`."""
    session = baskets.session
    for step in (
        border.legitimate(least),
        border.held(),
        border.exposed(),
        border.threats(least),
        border.traits(len(restricted.items)),
    ):
        session.create(step)
    _sort_into_kinds(session)
    plan = choose(_task(session, restricted, quotas))
    why = "the items that transactions of a kind lose, by ranges of their places"
    step = decided("loss", why, ("kind", "item", "above", "upto"), _ranges(plan))
    session.create(step)
    session.create(border.suppressed())
    return plan


def _sort_into_kinds(session: Session) -> None:
    """Sort transactions into kinds by hashes of their traits; on a collision, hash anew."""
    for seed in itertools.count():
        session.create(border.kinds(seed))
        (mixed,) = session.one(border.mixed())
        if not mixed:
            return
        session.drop("kind")


def _task(session: Session, restricted: Restricted, quotas: Sequence[int]) -> Task:
    patterns = len(restricted.items)
    traits: dict[int, list[int]] = {}
    for kind, trait in session.ask(border.kind_traits()):
        traits.setdefault(int(kind), []).append(int(trait))
    kinds = [
        Kind(
            int(transactions),
            tuple(trait for trait in traits[int(kind)] if trait < patterns),
            tuple(trait - patterns for trait in traits[int(kind)] if trait >= patterns),
        )
        for kind, transactions in session.ask(border.kind_sizes())
    ]
    slack: dict[int, int] = {}
    items: dict[int, set[int]] = {}
    for number, bearable, item in session.ask(border.threat_items()):
        slack[int(number)] = int(bearable)
        items.setdefault(int(number), set()).add(int(item))
    return Task(kinds, quotas, restricted.items, slack, {n: frozenset(i) for n, i in items.items()})


def _ranges(plan: Plan) -> list[tuple[int, int, int, int]]:
    """Ranges of places in a kind: its first transactions take the first loss, and so on."""
    taken: dict[int, int] = {}
    rows = []
    for kind, items, times in plan.losses:
        above = taken.get(kind, 0)
        taken[kind] = above + times
        rows += [(kind, item, above, above + times) for item in items]
    return rows


def _check_options(method: str, mining_support: int | None) -> None:
    if mining_support is not None and mining_support < 1:
        raise InputError(f"mining_support is a whole number of at least 1, not {mining_support}")
    if method not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise InputError(f"there is no method {method!r}; choose one of {known}")


def _parameters(target: Target, method: str, patterns: Sequence[Pattern]) -> dict[str, object]:
    own = any(one.psi is not None for one in patterns)
    stays = None if target.min_support is not None or own else float(target.psi)
    return {
        "method": method,
        "patterns": len(patterns),
        "psi": stays,
        "min_support": target.min_support,
    }


def _metrics(
    baskets: Baskets,
    degrees: tuple[tuple[int, int], ...],
    gone: int,
    untold: float,
    emptied: int,
    verdict: HidingVerdict,
    plan: Plan | None,
    measured: PatternMeasures | None,
) -> HidingMetrics:
    return HidingMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        patterns=verdict.patterns,
        sensitive_transactions=sum(transactions for _, transactions in degrees),
        conflicting_transactions=sum(number for degree, number in degrees if degree > 1),
        degrees=degrees,
        suppressed_occurrences=gone,
        information_lost=untold,
        emptied_transactions=emptied,
        dissimilarity=gone / max(1, baskets.occurrences),
        lost=plan.lost if plan else None,
        lost_bound=plan.bound if plan else None,
        mined=measured,
    )

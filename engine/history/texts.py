"""The output of `setveil verify MODEL --history`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

from setveil.history.told import Broken, HistoryVerdict
from setveil.models.coherence.check import Violation as Mole
from setveil.models.hiding.check import HiddenPattern
from setveil.models.k_anonymity.check import Violation as SmallClass
from setveil.models.km_anonymity.check import Violation as RareSet
from setveil.models.permutation.check import GroupFault
from setveil.models.uncertainty.check import UnsafeRule
from setveil.run.words import Blocks, counted, names, printable

GROUPS, SETS = 10, 5  # groups that are shown, and violations of each


def verdict(found: HistoryVerdict) -> Blocks:
    """The verdict, and for each group that breaks the promise the worst violations."""
    owned = "" if found.persons is None else f" of {counted(found.persons, 'person')}"
    releases = counted(len(found.releases), "release")
    groups = counted(found.judged, "group of transactions", "groups of transactions")
    if found.holds:
        held = counted(found.transactions, "transaction")
        yield f"holds: {releases}, {held}{owned}, in {groups} by the releases that hold them"
        return
    yield f"does not hold: {len(found.broken):,} of {groups} of {releases} break the promise"
    yield from _worst(found)


def slices(found: HistoryVerdict) -> Blocks:
    """The verdict on each slice of a release by itself."""
    if found.holds:
        yield f"holds in each slice by itself: {counted(found.judged, 'slice')}"
        return
    broken = f"{len(found.broken):,} of {counted(found.judged, 'slice')}"
    yield f"does not hold in each slice by itself: {broken} break the promise"
    yield from _worst(found)


def _worst(found: HistoryVerdict) -> Blocks:
    shown = found.broken[:GROUPS]
    if len(shown) < len(found.broken):
        yield f"the first {len(shown)} of them:"
    for one in shown:
        yield _exposed(one)
        yield [_row(violation) for violation in one.violations[:SETS]]


def _exposed(one: Broken) -> str:
    """Where a group is, and how many of it are exposed."""
    more = "" if one.complete else "at least "
    exposed, held = f"{one.exposed:,}", counted(one.transactions, "transaction")
    found = counted(one.found, "violation")
    if one.exposed_persons is not None and one.persons is not None:
        held += f", {one.exposed_persons:,} of {counted(one.persons, 'person')}"
    return f"{place(one)}: {more}{exposed} of {held} exposed by {more}{found}"


def place(one: Broken, names: Mapping[str, str] | None = None) -> str:
    """The releases that hold the transactions of a group, and those that lack them.

    `names` are other names for them.
    """
    shown, lacking = ([(names or {}).get(a, a) for a in part] for part in (one.shown, one.lacking))
    told = _listed(shown) if len(shown) < 2 else f"{_listed(shown)} together"
    if lacking:
        told += f", of transactions that {_listed(lacking)} {_lack(one)}"
    return told if one.slices is None else f"{told}, slice {printable(one.slices)}"


def _lack(one: Broken) -> str:
    return "lacks" if len(one.lacking) == 1 else "lack"


def _listed(releases: Sequence[str]) -> str:
    *first, last = map(printable, releases)
    return f"{', '.join(first)} and {last}" if first else last


@singledispatch
def _row(violation: Any) -> tuple[object, ...]:
    raise TypeError(f"no violation of a checker: {violation!r}")


@_row.register
def _(one: Mole) -> tuple[object, ...]:
    reveals = f"{printable(one.reveals)} in {one.share:.1%}" if one.reveals else ""
    return names(one.items) or "(nothing known)", f"in {one.held}", reveals


@_row.register
def _(one: SmallClass) -> tuple[object, ...]:
    nodes = [_node(label, level) for level, label in one.nodes]
    more = ["…"] if one.size > len(nodes) else []
    return names(nodes + more) or "(nothing)", f"of {one.held}"


@_row.register
def _(one: RareSet) -> tuple[object, ...]:
    return names([_node(node.label, node.level) for node in one.nodes]), f"in {one.held}"


@_row.register
def _(one: UnsafeRule) -> tuple[object, ...]:
    persons = (
        ""
        if one.persons is None or one.of_persons is None
        else f", {one.persons:,} of {one.of_persons:,} persons"
    )
    rule = f"{names(one.known)} -> {printable(one.secret)}"
    return rule, f"in {one.support:,} of {one.of:,}{persons}", f"{one.confidence:.1%}"


@_row.register
def _(one: GroupFault) -> tuple[object, ...]:
    return (printable(str(one)),)


@_row.register
def _(one: HiddenPattern) -> tuple[object, ...]:
    return names(one.items), f"in {one.remaining:,}, and may be in {one.allowed:,}"


def _node(label: str, level: int) -> str:
    return f"{label} (level {level})" if level else label

"""Judge the findings of a paper by the rows of a run: each holds, does not, or cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from setveil.reproducing.recipes import Finding
from setveil.run.words import counted, number

Row = Mapping[str, Any]  # the parameters and figures of a point


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding and its judgement: `holds` is None where no row tells. `ours` are our numbers."""

    says: str
    holds: bool | None
    ours: str
    reason: str


def judge(finding: Finding, rows: Sequence[Row]) -> Judged:
    """The judgement of one finding."""
    known = [row for row in rows if row.get(finding.measure) is not None]
    way = WAYS[finding.judge]
    try:
        holds, ours = way(finding, known)
    except ValueError as error:  # there are no rows to compare
        return Judged(finding.says, None, "", finding.reason or str(error))
    return Judged(finding.says, holds, ours, "" if holds else finding.reason)


def _matching(rows: Sequence[Row], where: Mapping[str, Any]) -> list[Row]:
    """The rows with these values; a value is equal if it is written alike."""
    return [
        row for row in rows if all(str(row.get(name)) == str(one) for name, one in where.items())
    ]


def _those(rows: Sequence[Row], where: Mapping[str, Any]) -> list[Row]:
    """The rows with these values, of which there must be some."""
    found = _matching(rows, where)
    if not found:
        shown = ", ".join(f"{name} {one}" for name, one in where.items())
        raise ValueError(f"no point with {shown or 'any value'} was reached")
    return found


def _values(finding: Finding, rows: Sequence[Row]) -> list[float]:
    return [float(row[finding.measure]) for row in rows]


def below(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The rows `where` are below those `than` with equal other parameters, by a factor.

    A share of the pairs is enough.
    """
    low, high = _those(rows, finding.where), _those(rows, finding.than)
    apart = {*finding.where, *finding.than}
    common = _common(low[0], high[0]) - apart
    pairs = [
        (float(one[finding.measure]), float(other[finding.measure]))
        for one in low
        for other in high
        if all(one[name] == other[name] for name in common)
    ]
    if not pairs:
        raise ValueError("no two points differ in this alone")
    held = [one * finding.factor <= other + finding.within for one, other in pairs]
    told = f"{number(fmean(one for one, _ in pairs))} and {number(fmean(b for _, b in pairs))}"
    ours = f"{told} on average; {sum(held)} of {counted(len(held), 'pair')}"
    return sum(held) >= finding.share * len(held), ours


def _common(one: Row, other: Row) -> set[str]:
    """The parameters that both have."""
    return {*one.get("axes", ())} & {*other.get("axes", ())}


def rises(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The figure grows along an axis, from its first to its last value, by at least a factor."""
    first, last = _ends(finding, rows)
    return first * finding.factor <= last + finding.within, _from_to(first, last)


def falls(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The figure shrinks along an axis, from its first to its last value, by at least a factor."""
    first, last = _ends(finding, rows)
    return last * finding.factor <= first + finding.within, _from_to(first, last)


def level(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The figure changes by no more than `within` along an axis."""
    first, last = _ends(finding, rows)
    return abs(first - last) <= finding.within, _from_to(first, last)


def linear(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The figure grows no faster than the axis, times a factor."""
    chosen = _those(rows, finding.where)
    places = sorted({float(row[finding.along]) for row in chosen})
    first, last = _ends(finding, rows)
    if len(places) < 2 or first <= 0:
        raise ValueError(f"there are no two values of {finding.along}")
    growth, size = last / first, places[-1] / places[0]
    return growth <= finding.factor * size, f"{growth:.1f} times for {size:.1f} times the size"


def _ends(finding: Finding, rows: Sequence[Row]) -> tuple[float, float]:
    """The mean figures at the first and the last value of the axis."""
    chosen = _those(rows, finding.where)
    places = list(dict.fromkeys(row[finding.along] for row in chosen))
    if len(places) < 2:
        raise ValueError(f"there are no two values of {finding.along}")
    ends = (places[0], places[-1])
    first, last = (
        fmean(_values(finding, [row for row in chosen if row[finding.along] == place]))
        for place in ends
    )
    return first, last


def _from_to(first: float, last: float) -> str:
    return f"from {number(first)} to {number(last)}"


def printed(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The number that the paper prints, within some distance; the mean of all such rows."""
    ours = fmean(_values(finding, _those(rows, finding.where)))
    return abs(ours - finding.value) <= finding.within, (
        f"{number(ours)}, in the paper {number(finding.value)}"
    )


def most(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """No such row has more than this value."""
    highest = max(_values(finding, _those(rows, finding.where)))
    return highest <= finding.value, f"{number(highest)} at most"


def least(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """No such row has less than this value."""
    lowest = min(_values(finding, _those(rows, finding.where)))
    return lowest >= finding.value, f"{number(lowest)} at least"


def ends(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """A run with these values ended."""
    ended = len(_matching(rows, finding.where))
    return ended > 0, f"{counted(ended, 'run')} ended"


def bump(finding: Finding, rows: Sequence[Row]) -> tuple[bool, str]:
    """The figure is higher at `value` of an axis than beside it."""
    chosen = _those(rows, finding.where)
    places = list(dict.fromkeys(row[finding.along] for row in chosen))
    means = [fmean(_values(finding, _those(chosen, {finding.along: one}))) for one in places]
    at = next((n for n, one in enumerate(places) if float(one) == finding.value), 0)
    if not 0 < at < len(places) - 1:
        raise ValueError(f"{finding.along} has no value beside {number(finding.value)}")
    ours = ", ".join(f"{place}: {number(one)}" for place, one in zip(places, means, strict=True))
    return means[at] > max(means[at - 1], means[at + 1]), ours


WAYS: dict[str, Callable[[Finding, Sequence[Row]], tuple[bool, str]]] = {
    one.__name__: one
    for one in (below, rises, falls, level, linear, printed, most, least, ends, bump)
}

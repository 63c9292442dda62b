"""The verdict on several releases, and the violations of a checker in the names of a reader.

A checker that judges several releases sees numbers in place of names: see `sql.history.joint`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from setveil.models.coherence.check import Violation as Mole
from setveil.models.k_anonymity.check import Violation as SmallClass
from setveil.models.km_anonymity.check import Node
from setveil.models.km_anonymity.check import Violation as RareSet
from setveil.models.uncertainty.check import UnsafeRule
from setveil.run.session import Statement
from setveil.sql.step import PAIR

Number = tuple[int, int]  # the part, and the node in it
Name = tuple[int, str]  # a level and a label
Names = Mapping[int, Name]
PLAIN = 0  # the level of items


@dataclass(frozen=True, slots=True)
class Broken:
    """Transactions in exactly the same releases, which together break the promise for them.

    `shown` are the releases that hold them, and `lacking` releases that do not. With slices, they
    share their slice in each release that has slices. `exposed` counts those that a violation is
    of, as far as violations were listed.
    """

    shown: tuple[str, ...]
    lacking: tuple[str, ...]
    slices: str | None
    transactions: int
    persons: int | None
    exposed: int
    exposed_persons: int | None
    found: int  # violations
    complete: bool  # False: there may be more violations, and more transactions exposed
    violations: tuple[Any, ...]  # the worst of them, as the checker of the model tells them

    @property
    def together(self) -> bool:
        """Is a set of releases at fault, rather than one of them alone?"""
        return len(self.shown) > 1 or bool(self.lacking)


@dataclass(frozen=True, slots=True)
class HistoryVerdict:
    """The result of judging every set of releases, group by group."""

    model: str
    holds: bool
    releases: tuple[str, ...]
    judged: int  # groups, and parts of groups by slices
    transactions: int
    persons: int | None
    broken: tuple[Broken, ...]
    sql: tuple[Statement, ...] = field(default=(), repr=False, compare=False)


def number_of(text: str) -> Number:
    """The part and the node of a name that a checker reports."""
    part, node = divmod(int(text), PAIR)
    return part, node


@singledispatch
def numbers(violation: Any) -> list[Number]:
    """The items of a violation; none if an attacker who knows nothing is enough."""
    raise TypeError(f"no violation of a checker: {violation!r}")


@singledispatch
def named(violation: Any, name: Callable[[str], Name]) -> Any:
    """The violation with names for the numbers of its items."""
    raise TypeError(f"no violation of a checker: {violation!r}")


@numbers.register
def _(violation: Mole) -> list[Number]:
    return [number_of(one) for one in violation.items]


@named.register
def _(violation: Mole, name: Callable[[str], Name]) -> Mole:
    items = tuple(_label(name(one)) for one in violation.items if number_of(one)[1])
    reveals = None if violation.reveals is None else _label(name(violation.reveals))
    return replace(violation, items=items, reveals=reveals)


@numbers.register
def _(violation: SmallClass) -> list[Number]:
    return [number_of(label) for _, label in violation.nodes]


@named.register
def _(violation: SmallClass, name: Callable[[str], Name]) -> SmallClass:
    nodes = tuple(name(label) for _, label in violation.nodes if number_of(label)[1])
    return replace(violation, nodes=nodes, size=violation.size - 1)


@numbers.register
def _(violation: RareSet) -> list[Number]:
    return [number_of(one.label) for one in violation.nodes]


@named.register
def _(violation: RareSet, name: Callable[[str], Name]) -> RareSet:
    nodes = [name(one.label) for one in violation.nodes]
    return replace(violation, nodes=tuple(Node(label, level) for level, label in nodes))


@numbers.register
def _(violation: UnsafeRule) -> list[Number]:
    return [number_of(one) for one in (*violation.known, violation.secret)]


@named.register
def _(violation: UnsafeRule, name: Callable[[str], Name]) -> UnsafeRule:
    known = tuple(_label(name(one)) for one in violation.known)
    return replace(violation, known=known, secret=_label(name(violation.secret)))


def _label(name: Name) -> str:
    level, label = name
    return label if level == PLAIN else f"{label} (level {level})"


def by_part(violations: Iterable[Any], alone: int) -> dict[int, list[Any]]:
    """The violations of each part, in their order; those without items are of the part `alone`.

    If to know nothing is enough in a part, that is its only violation: no smaller set is one.
    """
    found: dict[int, list[Any]] = {}
    for one in violations:
        if not (held := numbers(one)):
            one = replace(one, items=(str(alone * PAIR),))
        found.setdefault(held[0][0] if held else alone, []).append(one)
    return {
        part: [one for one in some if _knows_nothing(one)] or some for part, some in found.items()
    }


def _knows_nothing(violation: Any) -> bool:
    """Is the violation a mole without items, but for node 0?"""
    return isinstance(violation, Mole) and not any(node for _, node in numbers(violation))

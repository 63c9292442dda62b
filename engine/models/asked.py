"""A release as one query reads it, and what a model adds to that query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from setveil.run.roles.promise import Pattern
from setveil.sql.query import given
from setveil.sql.step import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A release to check in one query.

    `lists` has, for each parameter that lists items, the relation with the labels. `patterns` are
    those of the caller, if they are not in a table. With `sliced` each slice is judged by itself,
    and all of them together. The last five name the relations with the rows of the release, of its
    original, of its two parts, and of the slices of these.
    """

    levels: bool = False
    persons: bool = False
    sliced: bool = False
    ignore_unknown: bool = False
    lists: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[Pattern, ...] = ()
    cells: str = given.GIVEN
    original: str = "check_before"
    groups: str = "check_grouped"
    counts: str = "check_counted"
    of_slices: str = "check_group_slice"

    def unlisted(self, option: str, names: str) -> list[exp.Select]:
        """The fault of a list that names no item of the release, unless that is allowed."""
        if self.ignore_unknown or option not in self.lists:
            return []
        return [given.unlisted(self.lists[option], option, names)]


@dataclass(frozen=True, slots=True)
class Parts:
    """The relations of a checker, by name, and the violations that it finds in them."""

    relations: Mapping[str, exp.Query]
    violations: tuple[exp.Select, ...]
    unproven: str | None = None  # cases that an answer without rows leaves open


def parts(
    steps: Iterable[Step],
    violations: Iterable[exp.Select],
    *,
    before: Mapping[str, exp.Query] | None = None,
    after: Mapping[str, exp.Query] | None = None,
    unproven: str | None = None,
) -> Parts:
    """The parts of a query: the relations of the steps, of those before and after, violations."""
    made = {step.name: step.query for step in steps}
    return Parts({**(before or {}), **made, **(after or {})}, tuple(violations), unproven)


def table(name: str) -> exp.Table:
    """A relation of the query."""
    return exp.to_table(name)

"""A case: the rows of a release as a checker reads them, with the roles of its items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.errors import InputError
from setveil.run.roles.lists import Items
from setveil.run.session import Session


def _no_original() -> exp.Expr:
    raise InputError("the release is checked against its original: name it with --original")


class Parts(NamedTuple):
    """A release in two relations: rows (key, number) of groups, and (number, name, held) of counts.

    `slices` has rows (number, slice) of both, if the release has slices.
    """

    groups: exp.Expr
    counts: exp.Expr
    slices: exp.Expr | None = None


def _no_parts() -> Parts:
    raise InputError("the release has one relation: name one that has groups")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A release to check: its session, its rows (key, name[, level]), and queries for roles.

    `named(parameter, items)` returns one row (label) per item that a parameter of the promise
    lists. `roles(k, p, h, private, public)` returns one row (label, private) per item with a role.
    `original()` returns the rows (key, name) of the original. `owners` has the rows (key, person)
    of the transactions, where promises count persons. `parts()` returns both relations of a
    release in two.
    """

    session: Session
    cells: exp.Expr
    named: Callable[[str, Items], exp.Expr]
    roles: Callable[[int, int, Share | None, Items, Items | None], exp.Expr]
    original: Callable[[], exp.Expr] = _no_original
    owners: exp.Expr | None = None
    parts: Callable[[], Parts] = _no_parts
    levels: bool = False
    level_named: bool = True  # False: a column was taken for the levels by its name
    ignore_unknown: bool = False
    limit: int = 20

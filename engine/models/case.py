"""A case: a release as a checker reads it, and who its items are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from setveil.arguments.lists import Items
from setveil.arguments.shares import Share
from setveil.errors import InputError
from setveil.run.session import Session


def _no_original() -> exp.Expr:
    raise InputError("--original: name the source of the release; hiding is judged beside it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The run of a release, its rows (key, name[, level]), and its roles.

    `named(parameter, items)` answers one row (label) per item that a parameter of the promise
    names. `roles(k, p, h, private, public)` answers one row (label, private) per item with a role.
    `original()` answers the rows (key, name) that the release was made from.
    """

    session: Session
    cells: exp.Expr
    named: Callable[[str, Items], exp.Expr]
    roles: Callable[[int, int, Share | None, Items, Items | None], exp.Expr]
    original: Callable[[], exp.Expr] = _no_original
    levels: bool = False
    ignore_unknown: bool = False
    limit: int = 20

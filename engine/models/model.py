"""The plug of a model: one entry says what it promises, how it is made, and how it is judged.

The command, `verify`, `compare --verify`, `sweep`, the help and the README row derive from it. An
entry imports nothing heavy: functions are named and imported when they are first called.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from setveil.errors import InputError

NEEDED = object()  # the default of a parameter that has none


@dataclass(frozen=True, slots=True)
class Late:
    """A function of a module that is imported by the first call."""

    module: str
    name: str

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.get()(*given, **named)

    def get(self) -> Any:
        return getattr(importlib.import_module(self.module), self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One parameter of a model: its name in Python, and `--name` on the command line.

    `kind` is one of count, share, items, patterns, hierarchy, choice, flag, number, text. `words`
    are the values beside a number, such as max; `choices` those of a choice.
    """

    name: str
    kind: str
    help: str
    default: object = NEEDED
    metavar: str | None = None
    words: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def needed(self) -> bool:
        return self.default is NEEDED


def count(name: str, help: str, default: object = NEEDED, *, words: tuple[str, ...] = ()) -> Param:
    """A whole number of at least 1, or one of some words."""
    return Param(name=name, kind="count", help=help, default=default, metavar="N", words=words)


def number(name: str, help: str, default: object = NEEDED, *, metavar: str = "N") -> Param:
    """A number of any size: a limit of the work, not of the promise."""
    return Param(name=name, kind="number", help=help, default=default, metavar=metavar)


def share(name: str, help: str, default: object = NEEDED) -> Param:
    """A share between 0 and 1, kept exactly as it is written."""
    return Param(name=name, kind="share", help=help, default=default, metavar="SHARE")


def items(name: str, help: str, default: object = NEEDED) -> Param:
    """A list of items: a file, names, or `where:` and a condition."""
    return Param(name=name, kind="items", help=help, default=default, metavar="LIST")


def patterns(name: str, help: str) -> Param:
    """A list of itemsets: a file, or sequences of names."""
    return Param(name=name, kind="patterns", help=help, metavar="FILE")


def choice(name: str, help: str, *choices: str) -> Param:
    """One of some words; the first is the default."""
    return Param(
        name=name, kind="choice", help=help, default=choices[0], metavar="WORD", choices=choices
    )


def flag(name: str, help: str) -> Param:
    """On or off; off by default."""
    return Param(name=name, kind="flag", help=help, default=False)


def text(name: str, help: str, default: object, *, metavar: str) -> Param:
    """A text that the model reads by itself."""
    return Param(name=name, kind="text", help=help, default=default, metavar=metavar)


def seed() -> Param:
    """The number that all choices by chance follow from."""
    return number("seed", "The same seed gives the same bytes.", 0)


def tree() -> tuple[Param, ...]:
    """The two ways to name a hierarchy."""
    return (
        Param(
            name="hierarchy",
            kind="hierarchy",
            help="A Parquet or CSV file with item, level1, level2, … upwards without the root; "
            "with --database, also a table, view or query.",
            default=None,
            metavar="FILE",
        ),
        number("fanout", "An even hierarchy over the items in their order instead.", None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A promise: what is judged, how a release is made, what it costs.

    `judge(case, **promise)` is the checker; it shares no query with `anonymize`. `texts` is the
    module that says a release and a verdict in words. `axes` are the parameters that a sweep can
    vary, the first the slowest; `points` yields its points where they share work.
    """

    name: str
    title: str
    paper: str
    short: str
    about: str
    guarantee: str
    violation: str
    promise: tuple[Param, ...]
    method: tuple[Param, ...] = ()
    anonymize: Late
    judge: Late
    texts: str
    axes: tuple[str, ...]
    cost: str
    counts: tuple[str, str]
    points: Late | None = None
    of_nodes: bool = False  # a release publishes nodes of a hierarchy, and they are judged
    reads_nodes: bool = False  # a source that is a release of nodes stays as it is
    beside_original: bool = False  # the checker needs what the release was made from

    @property
    def params(self) -> tuple[Param, ...]:
        return self.promise + self.method

    @property
    def lists_items(self) -> bool:
        """Does a parameter name items, which the data may not hold?"""
        return any(one.kind in ("items", "patterns") for one in self.params)

    @property
    def function(self) -> str:
        """The name of its function in Python."""
        return self.name.replace("-", "_")

    def refuse_lacking(self, given: dict[str, object], where: str) -> None:
        """Refuse a promise of which a parameter is not given."""
        for one in self.promise:
            if one.needed and given.get(one.name) is None:
                raise InputError(f"{where} {self.name} needs {one.option}")

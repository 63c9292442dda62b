"""The plug of a model: one entry says what it promises, how it is made, and how it is judged.

The command, `verify`, `compare --verify`, `sweep`, the help and the README row derive from it. An
entry imports nothing heavy: functions are named and imported when they are first called.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """A number that limits the work, not the promise."""
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
    """The seed of all random choices."""
    return number("seed", "Runs with the same seed give the same bytes.", 0)


def tree() -> tuple[Param, ...]:
    """The two ways to name a hierarchy."""
    return (
        Param(
            name="hierarchy",
            kind="hierarchy",
            help="A Parquet or CSV file with columns item, level1, level2, …: the nodes above an "
            "item, without the root. With --database, also a table, view or query.",
            default=None,
            metavar="FILE",
        ),
        number(
            "fanout",
            "Instead of --hierarchy: an artificial one, with N items or nodes in alphabetical "
            "order below each node. Its nodes mean nothing to a reader.",
            None,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """How several releases are judged together, by all that they show of a transaction."""

    twins: bool = False  # twins agree in every release; else the items of all releases count
    empty: bool = False  # the promise covers transactions without items
    all_sizes: bool = False  # the checker finds violations of every size, not of the least alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A promise with its parameters, its anonymizer, its checker and its texts.

    `judge(case, **promise)` is the checker; it shares no query with `anonymize`. `cost` names the
    loss among the metrics; `counts` names a number there, and the number it is a part of. `texts`
    is the module that prints a release and a verdict. The usual axes of a sweep are in `axes`,
    the first the slowest; any other parameter can be one. `points` yields the points of a sweep
    where they share work. `advised` are the parameters with which `advise` tries the model; `h`
    among them needs private items. `readable` notes what a release shows of listed items.
    """

    name: str
    title: str
    paper: str
    short: str
    about: str
    guarantee: str
    violation: str
    attacker: str = "sees the release and nothing else"
    readable: str | None = None  # None: a release shows listed items like any other
    promise: tuple[Param, ...]
    method: tuple[Param, ...] = ()
    anonymize: Late
    judge: Late
    texts: str
    axes: tuple[str, ...]
    cost: str
    counts: tuple[str, str]
    points: Late | None = None
    refuse: Late | None = None  # refuses data of which no release can keep the promise
    forecast: Late | None = None  # its work on data of some sizes: `forecast(sizes, **given)`
    query: Late | None = None  # the checker as one query: its relations and its violations
    query_needs: str | None = None  # a parameter that may be left out, but not of the query
    advised: tuple[Mapping[str, object], ...] = field(default=(), hash=False)
    of_nodes: bool = False  # a release publishes nodes of a hierarchy, and they are judged
    node_methods: tuple[str, ...] = ()  # methods of which that is so, where it is not of all
    item_methods: tuple[str, ...] = ()  # methods that publish items where no hierarchy is named
    reads_nodes: bool = False  # a source may be a generalized release, with nodes for items
    beside_original: bool = False  # the checker needs the original of the release
    guarantee_in_persons: str | None = None  # the promise in persons; None: it counts transactions
    cost_is_share: bool = True  # else the cost is a plain number
    from_paper: bool = False  # it serves to compare with, and stands apart in the help
    joined: Joined | None = None  # None: the promise is of one release
    in_parts: bool = False  # a release has two relations: a folder of two files, or two tables

    @property
    def params(self) -> tuple[Param, ...]:
        return self.promise + self.method

    @property
    def of_persons(self) -> bool:
        """Can the promise count persons instead of transactions?"""
        return self.guarantee_in_persons is not None

    @property
    def lists_items(self) -> bool:
        """Does a parameter list items? The data may lack some of them."""
        return any(one.kind in ("items", "patterns") for one in self.params)

    @property
    def bounds_shares(self) -> bool:
        """Does it bound the share of private items? Else their list only leaves them out."""
        return any(one.kind == "share" for one in self.promise)

    @property
    def function(self) -> str:
        """The name of its function in Python."""
        return self.name.replace("-", "_")

    @property
    def judges_nodes(self) -> bool:
        """May a release publish nodes?"""
        return self.of_nodes or bool(self.node_methods)

    def publishes_nodes(self, given: Mapping[str, object]) -> bool:
        """Does a release with these options publish nodes?"""
        method = given.get("method")
        if method in self.item_methods:
            return any(given.get(one) is not None for one in ("hierarchy", "fanout"))
        return self.of_nodes or method in self.node_methods

    @property
    def leaves_out(self) -> bool:
        """May a release of nodes lack items of the original?"""
        return not self.of_nodes or any(one.name == "suppress" for one in self.method)

    @property
    def listed(self) -> Param | None:
        """The list of what the promise protects."""
        return next((one for one in self.promise if one.kind in ("items", "patterns")), None)

    def refuse_lacking(
        self, given: Mapping[str, object], where: str, *, but: Param | None = None
    ) -> None:
        """Refuse a promise that lacks a needed parameter, `but` for one."""
        for one in self.promise:
            if one.needed and one is not but and given.get(one.name) is None:
                raise InputError(f"{where} {self.name} needs {one.option}")

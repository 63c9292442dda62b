"""The promise of a target: every slice keeps the promise of the first one.

It is kept as text in the ledger: parameters, conditions, and digests of files. Lists may grow by
items that no slice had, since no item changes its role.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from setveil.errors import InputError
from setveil.run.roles.lists import CONDITION, Items

TREE = "a hierarchy"  # it may grow by items that no slice had
LIST = "a list"  # the promise of a parameter whose items are in a list
ITEMS = ("private", "public", "sensitive")


@dataclass(frozen=True, slots=True)
class Appending:
    """The target of a run, and the promise that its slices keep.

    `lists` are the parameters whose items come from a list instead of a condition.
    """

    target: str
    model: str
    terms: Mapping[str, object]
    lists: Mapping[str, Items] = field(default_factory=dict)
    renumber: bool = False
    accept_new: bool = False
    wait: int | None = None
    max_age: int | None = None
    in_parts: bool = False  # has a slice two relations?
    of_tree: bool = False  # do items have places in a hierarchy?
    of_shares: bool = False  # does the promise bound shares, which do not add up over persons?

    def __post_init__(self) -> None:
        for name, value in (("wait", self.wait), ("max_age", self.max_age)):
            if value is not None and value < 0:
                option = name.replace("_", "-")
                raise InputError(f"--{option} is a whole number of at least 0, not {value}")
        if self.wait is not None and not self.renumber:
            raise InputError(
                "--wait needs --renumber: the id of a transaction shows on which day it came, and "
                "so that it waited"
            )

    @property
    def text(self) -> str:
        """The promise as it stands in the ledger."""
        return json.dumps({"model": self.model, **self.terms}, sort_keys=True)


def refuse_support(option: str, items: Items) -> None:
    """Refuse a condition on support: every slice has other supports, and so other roles."""
    if not isinstance(items, str) or not items.startswith(CONDITION):
        return
    try:
        tree = sqlglot.parse_one(
            items.removeprefix(CONDITION), into=exp.Condition, dialect="duckdb"
        )
    except SqlglotError:
        return  # the list is refused with a better message when it is read
    if any(one.name.lower() == "support" for one in tree.find_all(exp.Column)):
        raise InputError(
            f"--{option}: a condition on support chooses other items in every slice, and no item "
            "of a target changes its role; write a condition on name, or a list"
        )


def refuse_other(wanted: Appending, kept: str) -> None:
    """Refuse another promise than that of the slices before."""
    if kept == wanted.text:
        return
    before, now = json.loads(kept), json.loads(wanted.text)
    names = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
    shown = "; ".join(f"{one} was {before.get(one)!r}, now {now.get(one)!r}" for one in names)
    raise InputError(
        f"{wanted.target} keeps another promise: {shown}; give the promise of its slices, or "
        "append to a new target"
    )

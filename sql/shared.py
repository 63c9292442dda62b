"""Share trees: a text with the values in its holes is filled once, and so is a statement written.

Else a run on little data would spend more time on the writing of queries than on their answers. A
shared tree must never be changed: copy it first.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from sqlglot import exp

Value = int | str | exp.Expr | Sequence[exp.Expr] | Mapping[str, exp.Query]

MOST = 512  # trees that are kept


class Same:
    """A tree that equals only itself: to compare all its nodes takes longer than to make them."""

    __slots__ = ("tree",)

    def __init__(self, tree: exp.Expr) -> None:
        self.tree = tree

    def __hash__(self) -> int:
        return id(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.tree is other.tree


class Values:
    """The values for the holes of a text; they equal values with the same trees."""

    __slots__ = ("_key", "by_name")

    def __init__(self, by_name: Mapping[str, Value]) -> None:
        self.by_name = by_name
        self._key = tuple((name, _key(value)) for name, value in by_name.items())

    @property
    def may_return(self) -> bool:
        """False: rows that Python decided on, which may be many, and are of one run."""
        return not any(isinstance(one, exp.Values) for one in self.by_name.values())

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._key == other._key


def may_return(query: exp.Query) -> bool:
    """False: the query reads rows that Python decided on."""
    rows = query.args.get("from_")
    return rows is None or not isinstance(rows.this, exp.Values)


def _key(value: Value) -> Hashable:
    if isinstance(value, (int, str)):
        return value
    if isinstance(value, exp.Expr):
        return Same(value)
    if isinstance(value, Mapping):
        return tuple((name, Same(query)) for name, query in value.items())
    return tuple(Same(one) for one in value)

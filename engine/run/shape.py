"""The layout of transactions, which a release shares with its source.

Long form has one row per transaction and item. LIST form has one row per transaction, with a list
of items. Without transaction ids each row is a transaction, and its line number is its key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from setveil.errors import InputError

ALL = "all"
# The names of other columns to publish; by default there are none.
Carry = Sequence[str]
# The names of columns that a release can add.
LEVEL, SLICE = "level", "slice"
ADDED = (LEVEL, SLICE, "group")
LINE, NUMBER, KEY = "setveil_line", "setveil_item", "setveil_key"
NUMBERED = "tid"  # the column of random numbers that replace ids of several columns


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a source and their roles."""

    given: tuple[str, ...]  # all columns of the source
    columns: tuple[str, ...]  # published columns, in their order
    key: str | None  # None: every row is a transaction of its own
    item: str
    lists: bool
    format: str  # parquet, csv, basket or table
    delimiter: str = ","
    by_text: frozenset[str] = frozenset()  # columns that are sorted by the text of their values
    mended: frozenset[str] = frozenset()  # columns in which a value was read in another form
    level: str | None = None  # the level column of a generalized release
    person: str | None = None  # the column of persons, which is never published
    group: str | None = None  # the column of groups of a release in two relations
    keys: tuple[str, ...] = ()  # columns of the ids, where they are several: `key` has their text
    origin: tuple[str, ...] = ()  # columns of the ids in the source of a renumbered release

    @property
    def line(self) -> str:
        """A name for the line number that no column of the source has."""
        return self._free(LINE)

    @property
    def number(self) -> str:
        """A name for the item's number that no column of the source has."""
        return self._free(NUMBER)

    @property
    def tid(self) -> str | tuple[str, ...] | None:
        """The columns of transaction ids, as `read` takes them."""
        return self.origin or self.keys or self.key

    @property
    def numbered(self) -> str | None:
        """The column of random numbers in place of several columns of ids; None for one column."""
        return NUMBERED if self.keys else None

    @property
    def parts(self) -> tuple[str, ...]:
        """The columns of ids, where they are several, in the order of the source."""
        return tuple(name for name in self.given if name in self.keys)

    @property
    def ids(self) -> str:
        """The columns of transaction ids, for a message."""
        return ", ".join(self.keys) or str(self.key)

    @property
    def stored(self) -> tuple[str, ...]:
        """The columns of `source`, without line numbers."""
        assert not self.keys or self.key is not None
        return (*self.given, self.key) if self.keys and self.key else self.given

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of a release that keeps its ids, as its readers see them."""
        each = [self.parts if self.keys and one == self.key else (one,) for one in self.columns]
        return tuple(name for names in each for name in names)

    @property
    def beside(self) -> tuple[str, ...]:
        """The source's columns besides the transaction and the item."""
        own = (self.key, self.item, *self.keys)
        return tuple(name for name in self.given if name not in own)

    @property
    def others(self) -> tuple[str, ...]:
        """The published columns that no promise covers."""
        return tuple(name for name in self.columns if name not in (self.key, self.item))

    @property
    def judged(self) -> tuple[str, ...]:
        """The columns that a promise covers: transaction ids, if any, and items."""
        keys = self.keys or (self.key,)
        return tuple(name for name in (*keys, self.item) if name is not None)

    def of_keys(self, keys: tuple[str, ...]) -> Shape:
        """The shape whose ids are in several columns, and in one text in a run."""
        return replace(self, keys=keys, key=self._free(KEY))

    def _free(self, name: str) -> str:
        taken = {column.casefold() for column in (*self.given, *self.columns)}
        while name in taken:
            name += "_"
        return name


def published(
    source: str,
    given: tuple[str, ...],
    own: tuple[str, ...],
    carry: Carry,
    person: str | None = None,
) -> tuple[str, ...]:
    """The columns of a release: transaction, item, and the columns of --carry, but no persons."""
    if person is not None and not isinstance(carry, str) and person in carry:
        raise InputError(
            f"{source}: column {person!r} names persons and is never published: it would join the "
            "transactions of a person; leave it out of --carry"
        )
    others = [name for name in given if name not in (*own, person)]
    if not isinstance(carry, str):
        _refuse_uncarried(source, carry, own, others)
        others = [name for name in others if name in carry]
    elif carry != ALL:
        raise InputError(f"carry is a list of columns, or {ALL!r}: write [{carry!r}]")
    added = [name for name in others if name.casefold() in ADDED]
    if added:
        raise InputError(
            f"{source}: column {added[0]!r} cannot be carried along: a release can add a column of "
            "that name; rename it in a query, or name other columns with --carry"
        )
    return tuple(name for name in given if name in own or name in others)


def _refuse_uncarried(source: str, carry: Carry, own: tuple[str, ...], others: list[str]) -> None:
    for name in carry:
        if name in own:
            raise InputError(
                f"{source}: column {name!r} is published as a transaction or an item: leave it out "
                "of --carry"
            )
        if name not in others:
            shown = ", ".join(map(repr, others)) or "none besides the transaction and the item"
            raise InputError(
                f"{source}: no column {name!r} to carry along; there is {shown}: name it with "
                "--carry"
            )


def generalized_shape(shape: Shape) -> Shape:
    """The shape of a generalized release of a source."""
    level = LEVEL
    while level in {name.casefold() for name in shape.given}:
        level += "_"
    if not shape.lists:
        assert shape.key is not None
        return replace(shape, columns=(shape.key, shape.item, level), level=level)
    place = shape.columns.index(shape.item) + 1
    columns = (*shape.columns[:place], level, *shape.columns[place:])
    return replace(shape, columns=columns, level=level)

"""How transactions are laid out: what a release must look like again.

Long form has one row per transaction and item; LIST form one row per transaction, with a list of
items. Where rows name no transaction, each row is one, and its line number is its key.
"""

from __future__ import annotations

from dataclasses import dataclass

LINE, NUMBER = "setveil_line", "setveil_item"


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a source, and the parts they play."""

    columns: tuple[str, ...]
    key: str | None  # None: every row is a transaction of its own
    item: str
    lists: bool
    format: str  # parquet, csv, basket or table
    delimiter: str = ","
    by_text: frozenset[str] = frozenset()  # columns of values that have no order; their text has
    mended: frozenset[str] = frozenset()  # columns in which a value was read in another form
    level: str | None = None  # of a generalized release: the level of the node that `item` names

    @property
    def line(self) -> str:
        """The name of the line number, which no column of the source has."""
        return self._free(LINE)

    @property
    def number(self) -> str:
        """The name of the item's number, which no column of the source has."""
        return self._free(NUMBER)

    @property
    def others(self) -> tuple[str, ...]:
        """The columns that are carried along unjudged."""
        return tuple(name for name in self.columns if name not in (self.key, self.item))

    @property
    def judged(self) -> tuple[str, ...]:
        """The columns that a promise is about: that of the transactions, if any, and the items."""
        return tuple(name for name in (self.key, self.item) if name is not None)

    def _free(self, name: str) -> str:
        taken = {column.casefold() for column in self.columns}
        while name in taken:
            name += "_"
        return name

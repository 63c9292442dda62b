"""The relations that a query reads: a release, its lists, its persons and its original."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.backends import registry
from setveil.backends.opening import open_here
from setveil.errors import InputError
from setveil.models.asked import Asked
from setveil.models.hiding.patterns import named_patterns
from setveil.models.model import Model, Param
from setveil.run.files.parts import COUNT, GROUP, parts_of
from setveil.run.files.source import is_file_name
from setveil.run.roles.keys import Tid, key_columns
from setveil.run.roles.lists import CONDITION, condition_of, named
from setveil.run.roles.promise import Pattern
from setveil.run.session import Session
from setveil.run.shape import KEY, SLICE
from setveil.sql.dialects import TESTED, stored
from setveil.sql.models.hiding import query as hiding
from setveil.sql.models.permutation import check as permutation
from setveil.sql.models.permutation import query as in_parts
from setveil.sql.query import given, names, slices
from setveil.sql.run import conditions, reading
from setveil.sql.run import persons as owners
from setveil.sql.run.keys import with_text

LISTED = "check_listed"  # the patterns; with the name of a parameter, its items
OWN = "check_"  # the relations of the query itself
OWNER, OF_WHOLE = "check_owner", "check_whole_owner"

Relations = dict[str, exp.Query]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Where a query finds the release, its columns, and what stands beside it.

    With `lists` a row is a transaction with a list of items. With `slices` each slice of the
    release is judged by itself too. `persons` has the persons of transactions by their ids, if the
    release has none; `guests` are read as in `setveil.read`. `list` has the items of the promise in
    a column `item`, or patterns in columns `pattern` and `item`. `original` is the source of the
    release, and `counts` the second relation of its two.
    """

    release: str
    tid: Tid = "tid"
    item: str = "item"
    level: str | None = None
    lists: bool = False
    slices: bool = False
    person: str | None = None
    guests: str | None = None
    persons: str | None = None
    list: str | None = None
    original: str | None = None
    counts: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """The tables of a query in the words of a dialect."""

    model: Model
    tables: Tables
    dialect: str

    @property
    def item(self) -> exp.Column:
        return _column(self.tables.item, self.dialect)

    @property
    def _parts(self) -> tuple[str, str | None]:
        """The table of the release, and its second table, if a release has two."""
        first = self.tables.release
        if not self.model.in_parts:
            return first, None
        first, second = parts_of(first, is_file=_may_be_file(first, self.dialect))
        return first, self.tables.counts or second

    @property
    def release(self) -> tuple[exp.Expr, exp.Column]:
        """The release, and the column of its ids."""
        return self._with_ids(self._parts[0])

    def cells(self, place: exp.Expr, key: exp.Column, level: exp.Column | None = None) -> exp.Expr:
        """One row (key, name[, level]) per item of a transaction, in the types of the columns."""
        if self.tables.lists:
            return reading.elements(place, key, self.item, level).subquery()
        return reading.cells(place, key, self.item, level)

    def rows(self, ask: Asked) -> Relations:
        """The rows of the release, and those of its original or of its two parts."""
        level = self.tables.level
        place, key = self.release
        cells = self.cells(place, key, None if level is None else _column(level, self.dialect))
        found: Relations = {ask.cells: given.rows(cells, levels=ask.levels)}
        if self.tables.original is not None:
            cells = self.cells(*self._with_ids(self.tables.original))
            found[ask.original] = given.rows(cells)
        if self.model.in_parts:
            groups = permutation.groups_of(place, key, _column(GROUP, self.dialect))
            found[ask.groups] = given.keyed(groups.this)
            found[ask.counts] = self._counts().this
        if ask.sliced:
            found |= self._sliced(ask)
        return found

    def _counts(self) -> exp.Subquery:
        """The rows (number, name, held) of the second table."""
        group, item, count = (stored(one, self.dialect) for one in (GROUP, self.tables.item, COUNT))
        return permutation.counts_of(self._second(), group, item, count)

    def _second(self) -> exp.Table:
        name = self._parts[1]
        assert name is not None
        return _relation(name, self.dialect)

    def _sliced(self, ask: Asked) -> Relations:
        """The slices of transactions, or of the groups of a release in two parts."""
        place, key = self.release
        if self.model.in_parts:
            group, column = stored(GROUP, self.dialect), stored(SLICE, self.dialect)
            both = permutation.slices_of(place, self._second(), group, column)
            return {ask.of_slices: both.this}
        rows = slices.sliced(place, key, _column(SLICE, self.dialect))
        return {slices.SLICES: rows, slices.PARTS: slices.parts()}

    def faults(self, ask: Asked) -> list[exp.Select]:
        """The faults of these relations, which `verify` refuses."""
        lists = self.tables.lists
        found = [given.empty()]
        found += given.unread_lists(*self.release, self.item) if lists else given.unread()
        if not lists and self.dialect in TESTED:
            found.append(given.unlisted_lists(self.release[0], self.item))
        if ask.levels and self.model.name != "k-anonymity":
            found.append(given.unlevelled())
        if ask.persons:
            found += given.unowned(guests=self.tables.guests is not None)
        if ask.sliced and not self.model.in_parts:
            found.append(slices.torn())
        return found

    def persons(self) -> Relations:
        """The person of each transaction, from the release itself or from another table."""
        if self.tables.person is None:
            return {}
        place = self._with_ids(self.tables.persons or self._parts[0])
        person = _column(self.tables.person, self.dialect)
        known = given.owners(guests=self.tables.guests is not None)
        whole = owners.matched(OWNER, exp.to_table(given.GIVEN), known).query
        found: Relations = {given.NAMED: given.named_persons(*place, person)}
        if self.tables.slices and not self.model.in_parts:
            return found | {OF_WHOLE: whole, OWNER: slices.owners(exp.to_table(OF_WHOLE))}
        return found | {OWNER: whole}

    # Lists

    def listed(
        self, terms: dict[str, Any]
    ) -> tuple[Relations, dict[str, str], tuple[Pattern, ...]]:
        """The relations of lists, their names by parameter, and the patterns."""
        relations: Relations = {}
        lists: dict[str, str] = {}
        patterns: tuple[Pattern, ...] = ()
        for one in self.model.promise:
            name = f"{LISTED}_{one.name}"
            if self.tables.list is not None and one is self.model.listed:
                place = _relation(self.tables.list, self.dialect)
                column = _column("item", self.dialect)
                if one.kind == "patterns":
                    pattern = _column("pattern", self.dialect)
                    relations[LISTED] = hiding.listed(place, pattern, column)
                    continue
                relations[name], lists[one.name] = given.labels(place, column), name
            elif one.kind == "items" and one.name in terms:
                relations[name] = self._labels(one, terms[one.name])
                lists[one.name] = name
            elif one.kind == "patterns" and one.name in terms:
                patterns = _patterns(terms[one.name], self.dialect)
                relations[LISTED] = hiding.numbered([pattern.names for pattern in patterns])
        return relations, lists, patterns

    def _labels(self, param: Param, items: Any) -> exp.Select:
        """One row (label) per item of a list or condition."""
        if isinstance(items, str) and items.startswith(CONDITION):
            return self._chosen(param, items.removeprefix(CONDITION))
        return given.labels(given.texts("item", _names(param, items, self.dialect)), "item")

    def _chosen(self, param: Param, text: str) -> exp.Select:
        """The items of the release that a condition on their name and support chooses."""
        if self.dialect not in TESTED:
            raise InputError(
                f"{param.option}: a condition is not written for {self.dialect}, where no query "
                "was run; list the items in a file, or in a table with --list-table"
            )
        condition = conditions.of_items(condition_of(text, param.name), self.dialect)
        supports: exp.Query = given.supports(self.cells(*self.release))
        if self.model.in_parts:
            supports = in_parts.supports(supports, self._counts())
        return given.chosen(supports.subquery(), condition)

    def _with_ids(self, name: str) -> tuple[exp.Expr, exp.Column]:
        """A relation and the column of its ids; several columns are one text."""
        place: exp.Expr = _relation(name, self.dialect)
        columns = [_column(one, self.dialect) for one in key_columns(self.tables.tid)]
        if len(columns) == 1:
            return place, columns[0]
        key = _column(KEY, self.dialect)
        return with_text(place, columns, key), key


def _names(param: Param, items: Any, dialect: str) -> list[str]:
    with _files() as session:
        found = named(session, items, param.name)
    if isinstance(items, str | Path) and not found:
        raise InputError(f"{param.option}: {str(items)!r} names no item; correct it")
    return [_writable(one, dialect) for one in found]


def _patterns(items: Any, dialect: str) -> tuple[Pattern, ...]:
    with _files() as session:
        found: Sequence[Pattern] = named_patterns(session, items)
    for pattern in found:
        for one in pattern.names:
            _writable(one, dialect)
    return tuple(found)


class _files:
    """A session that reads the files of lists, and nothing else."""

    def __enter__(self) -> Session:
        backend = open_here(None, threads=None, memory_limit=None, note=lambda text: None)
        self.session = Session(backend)
        return self.session

    def __exit__(self, *error: object) -> None:
        self.session.close()


# Names


def _may_be_file(name: str, dialect: str) -> bool:
    """Does the name stand for a file or folder, which only the database in this process reads?"""
    is_file = is_file_name(name)
    if is_file and dialect != registry.HERE.trail.dialect:
        raise InputError(f"{name!r} is a file: a query for {dialect} reads tables")
    return is_file or (name != "" and Path(name).is_dir())


def _relation(name: str, dialect: str) -> exp.Table:
    is_file = _may_be_file(name, dialect)
    found = names.relation(_writable(name, dialect), dialect, is_file=is_file)
    if found is None:
        raise InputError(
            f"{name!r} is no name of a table: --query takes TABLE or SCHEMA.TABLE, with quotes "
            "around other characters than letters, digits and _"
        )
    if found.name.casefold().startswith(OWN) and not found.db:
        raise InputError(
            f"{name}: the query itself has relations whose names begin with {OWN}: name the schema"
        )
    return found


def _column(name: str, dialect: str) -> exp.Column:
    return names.column(_writable(name, dialect), dialect)


def _writable(text: str, dialect: str) -> str:
    """Refuse a name that a dialect in which no query was run could read as another."""
    if "\0" in text:
        raise InputError(f"{text!r}: a name cannot hold a NUL character")
    if dialect not in TESTED and not re.fullmatch(r"[ -\[\]-~]*", text):
        raise InputError(
            f"{text!r}: names with a backslash, a control character or a character outside ASCII "
            f"are not written for {dialect}, where no query was run; put the list into a table "
            "(--list-table)"
        )
    return text

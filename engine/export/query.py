"""Write the checker of a release as one query over its table, without reading the data.

The query returns the violations, and no row if the promise holds. An empty release is a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.strict import checked
from setveil.backends import registry
from setveil.backends.opening import open_here
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.asked import Asked, Parts
from setveil.models.hiding.patterns import named_patterns
from setveil.models.model import NEEDED, Model, Param
from setveil.run.files.parts import COUNT, GROUP, parts_of
from setveil.run.files.source import is_file_name
from setveil.run.roles.keys import Tid, key_columns
from setveil.run.roles.lists import CONDITION, named
from setveil.run.roles.promise import Pattern
from setveil.run.session import Session
from setveil.run.shape import KEY
from setveil.sql.dialects import EXPORTS, TESTED, settled, stored
from setveil.sql.models.hiding import query as hiding
from setveil.sql.models.permutation import check as permutation
from setveil.sql.query import given, names
from setveil.sql.query.violations import whole
from setveil.sql.run import persons as owners
from setveil.sql.run.keys import with_text
from setveil.sql.step import render

LISTED = "check_listed"  # the patterns; with the name of a parameter, its items
OWN = "check_"  # the relations of the query itself
OWNER = "check_owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Where a query finds the release, its columns, and what stands beside it.

    `persons` has the persons of transactions by their ids, if the release has none. `list` has
    the items of the promise in a column `item`, or patterns in columns `pattern` and `item`.
    `original` is the source of the release, and `counts` the second relation of its two.
    """

    release: str
    tid: Tid = "tid"
    item: str = "item"
    level: str | None = None
    person: str | None = None
    persons: str | None = None
    list: str | None = None
    original: str | None = None
    counts: str | None = None


def query(
    model: str,
    table: str | Path,
    *,
    tid: Tid = "tid",
    item: str = "item",
    level: str | None = None,
    person: str | None = None,
    persons_table: str | None = None,
    list_table: str | None = None,
    original_table: str | None = None,
    counts: str | None = None,
    dialect: str = "duckdb",
    ignore_unknown: bool = False,
    **promise: Any,
) -> str:
    """Return the checker of a model as one SELECT over the table of a release in long form.

    It returns a row per violation, and no row if the release keeps the promise. Nothing is read
    but the files of lists.
    """
    tables = Tables(
        release=str(table),
        tid=tid,
        item=item,
        level=level,
        person=person,
        persons=persons_table,
        list=list_table,
        original=original_table,
        counts=counts,
    )
    known = REGISTRY[model]
    return asked(known, tables, promise, dialect=dialect, ignore_unknown=ignore_unknown)


def asked(
    model: Model,
    tables: Tables,
    promise: Mapping[str, Any],
    *,
    dialect: str,
    ignore_unknown: bool = False,
) -> str:
    """The text of the query, below a head that names the promise and its limits."""
    tree, made = built(model, tables, promise, dialect=dialect, ignore_unknown=ignore_unknown)
    head = "".join(f"-- {line}\n" for line in _head(model, promise, made, dialect))
    return f"{head}{render(settled(tree, dialect), dialect)}"


def limits(model: Model, tables: Tables, promise: Mapping[str, Any]) -> Iterator[str]:
    """Notes on what an answer without rows does not cover."""
    if model.of_persons and tables.person is None:
        yield "the query counts transactions, not persons: name their column with --person"
    if model.judges_nodes and tables.level is None:
        yield "nodes of one label on several levels count as one: name the column with --level"
    yield "slices of a release are judged together: to judge one, name a view of its rows"
    listed = any(one.kind == "items" and promise.get(one.name) for one in model.promise)
    if (listed or tables.list is not None) and not model.beside_original:
        yield "listed names that the release lacks are skipped: a misspelt name is not covered"


def built(
    model: Model,
    tables: Tables,
    promise: Mapping[str, Any],
    *,
    dialect: str,
    ignore_unknown: bool = False,
) -> tuple[exp.Select, Parts]:
    """The query as a tree, and its parts."""
    _refuse(model, tables, promise, dialect)
    terms = _checked(model, promise)
    relations, lists, patterns = _listed(model, tables, terms, dialect)
    if not model.beside_original:
        relations |= _persons(tables, dialect)
    ask = Asked(
        levels=tables.level is not None,
        persons=tables.person is not None,
        ignore_unknown=ignore_unknown,
        lists=lists,
        patterns=patterns,
    )
    assert model.query is not None
    made: Parts = model.query(ask, **terms)
    relations = _rows(model, tables, ask, dialect) | relations
    faults = given.unread(levels=ask.levels and model.name != "k-anonymity")
    faults += given.unowned() if ask.persons else []
    return whole({**relations, **made.relations}, [*faults, *made.violations]), made


# The promise


def _refuse(model: Model, tables: Tables, promise: Mapping[str, Any], dialect: str) -> None:
    """Refuse a query that would not check the promise as it is meant."""
    if dialect not in TESTED + EXPORTS:
        raise InputError(f"--dialect {dialect!r} is none of {', '.join(sorted(TESTED + EXPORTS))}")
    if model.query is None:
        raise InputError(f"{model.name} has no checker that is one query")
    if tables.person is not None and not model.of_persons:
        raise InputError(f"{model.name} does not count persons: leave --person out")
    if tables.persons is not None and tables.person is None:
        raise InputError("--persons-table needs --person: the column of persons in that table")
    if tables.level is not None and not model.judges_nodes:
        raise InputError(f"{model.name} judges no levels: leave --level out")
    if model.beside_original and tables.original is None:
        raise InputError("the release is checked against its original: name --original-table")
    if tables.original is not None and not model.beside_original:
        raise InputError(f"{model.name} needs no original: leave --original-table out")
    if tables.list is not None:
        _refuse_two_lists(model, promise)
    model.refuse_lacking(promise, "verify", but=model.listed if tables.list else None)


def _refuse_two_lists(model: Model, promise: Mapping[str, Any]) -> None:
    if model.listed is None:
        raise InputError(f"{model.name} has no list: leave --list-table out")
    if promise.get(model.listed.name) is not None:
        raise InputError(
            f"--list-table and {model.listed.option} both name the list: give one of them"
        )


def _checked(model: Model, promise: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the promise, as strictly as `verify` takes them."""
    unknown = sorted(promise.keys() - {one.name for one in model.promise})
    if unknown:
        raise InputError(f"{model.name} has no parameter {unknown[0]!r}")
    terms = {}
    for one in model.promise:
        if promise.get(one.name) is not None:
            default = None if one.default is NEEDED else one.default
            terms[one.name] = checked(model.name, one.name, promise[one.name], default)
    return terms


# The relations that the query reads


def _rows(model: Model, tables: Tables, ask: Asked, dialect: str) -> dict[str, exp.Query]:
    """The rows of the release, and those of its original or of its two parts."""
    item = _column(tables.item, dialect)
    level = None if tables.level is None else _column(tables.level, dialect)
    first, counts = tables.release, tables.counts
    if model.in_parts:
        first, second = parts_of(first, is_file=_may_be_file(first, dialect))
        counts = counts or second
    release, key = _with_ids(_relation(first, dialect), tables.tid, dialect)
    found: dict[str, exp.Query] = {ask.cells: given.rows(release, key, item, level)}
    if tables.original is not None:
        original, _ = _with_ids(_relation(tables.original, dialect), tables.tid, dialect)
        found[ask.original] = given.rows(original, key, item)
    if model.in_parts and counts is not None:
        group, count = stored(GROUP, dialect), stored(COUNT, dialect)
        groups = permutation.groups_of(release, key, _column(GROUP, dialect))
        found[ask.groups] = given.keyed(groups.this)
        place = _relation(counts, dialect)
        rows = permutation.counts_of(place, group, stored(tables.item, dialect), count)
        found[ask.counts] = rows.this
    return found


def _persons(tables: Tables, dialect: str) -> dict[str, exp.Query]:
    """The person of each transaction, from the release itself or from another table."""
    if tables.person is None:
        return {}
    place, key = _with_ids(
        _relation(tables.persons or tables.release, dialect), tables.tid, dialect
    )
    person = _column(tables.person, dialect)
    return {
        given.NAMED: given.named_persons(place, key, person),
        OWNER: owners.matched(OWNER, exp.to_table(given.GIVEN), given.owners()).query,
    }


def _listed(
    model: Model, tables: Tables, terms: dict[str, Any], dialect: str
) -> tuple[dict[str, exp.Query], dict[str, str], tuple[Pattern, ...]]:
    """The relations of lists, their names by parameter, and the patterns."""
    relations: dict[str, exp.Query] = {}
    lists: dict[str, str] = {}
    patterns: tuple[Pattern, ...] = ()
    for one in model.promise:
        name = f"{LISTED}_{one.name}"
        if tables.list is not None and one is model.listed:
            place = _relation(tables.list, dialect)
            column = _column("item", dialect)
            if one.kind == "patterns":
                pattern = _column("pattern", dialect)
                relations[LISTED] = hiding.listed(place, pattern, column)
                continue
            relations[name], lists[one.name] = given.labels(place, column), name
        elif one.kind == "items" and one.name in terms:
            texts = _names(one, terms[one.name], dialect)
            relations[name] = given.labels(given.texts("item", texts), "item")
            lists[one.name] = name
        elif one.kind == "patterns" and one.name in terms:
            patterns = _patterns(terms[one.name], dialect)
            relations[LISTED] = hiding.numbered([pattern.names for pattern in patterns])
    return relations, lists, patterns


def _names(param: Param, items: Any, dialect: str) -> list[str]:
    if isinstance(items, str) and items.startswith(CONDITION):
        raise InputError(
            f"{param.option}: a query cannot hold a condition; list the items in a file, or in a "
            "table with --list-table"
        )
    with _files() as session:
        found = named(session, items, param.name)
    if isinstance(items, str | Path) and not found:
        raise InputError(f"{param.option}: {str(items)!r} names no item; correct it")
    return [_writable(one, dialect) for one in found]


def _patterns(items: Any, dialect: str) -> tuple[Pattern, ...]:
    with _files() as session:
        found = named_patterns(session, items)
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


def _with_ids(place: exp.Expr, tid: Tid, dialect: str) -> tuple[exp.Expr, exp.Column]:
    """The relation and the column of its ids; several columns are one text."""
    columns = [_column(name, dialect) for name in key_columns(tid)]
    if len(columns) == 1:
        return place, columns[0]
    key = _column(KEY, dialect)
    return with_text(place, columns, key), key


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


# The head


def _head(model: Model, promise: Mapping[str, Any], made: Parts, dialect: str) -> Iterator[str]:
    terms = ", ".join(
        f"{one.name} = {promise[one.name]}"
        for one in model.promise
        if one.kind in ("share", "count") and promise.get(one.name) is not None
    )
    yield f"setveil {version('setveil')}: the checker of {model.title} ({terms}) as one query."
    yield from _lines(f"Promise: {model.guarantee}.")
    yield "It returns a row per violation. No row: the release keeps the promise."
    if made.unproven is not None:
        yield f"Not proven: {made.unproven}."
    if dialect not in TESTED:
        yield f"Not run: no query of this form was run on {dialect}."


def _lines(text: str) -> Iterable[str]:
    words, line = text.replace("\u2212", "-").split(), ""
    for word in words:
        if len(line) + len(word) > 90:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line

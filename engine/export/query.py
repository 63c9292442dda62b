"""Write the checker of a release as one query over its table, without reading the data.

The query returns the violations, and no row if the promise holds. An empty release is a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.strict import checked
from setveil.errors import InputError
from setveil.export.tables import Given, Tables
from setveil.models import REGISTRY
from setveil.models.asked import Asked, Parts
from setveil.models.model import NEEDED, Model
from setveil.models.wording import promised_by
from setveil.run.notes import NOT_JUDGED
from setveil.run.persons import check_guests
from setveil.run.roles.keys import Tid
from setveil.sql.dialects import EXPORTS, TESTED, settled
from setveil.sql.query import slices as sql
from setveil.sql.query.violations import whole
from setveil.sql.step import limited, render


@dataclass(frozen=True, slots=True)
class Options:
    """The dialect of a query, whether it allows lists without a known name, and its most rows."""

    dialect: str
    ignore_unknown: bool = False
    limit: int | None = None


def query(
    model: str,
    table: str | Path,
    *,
    tid: Tid = "tid",
    item: str = "item",
    level: str | None = None,
    lists: bool = False,
    slices: bool = False,
    person: str | None = None,
    guests: str | None = None,
    persons_table: str | None = None,
    list_table: str | None = None,
    original_table: str | None = None,
    counts: str | None = None,
    limit: int | None = None,
    dialect: str = "duckdb",
    ignore_unknown: bool = False,
    **promise: Any,
) -> str:
    """Return the checker of a model as one SELECT over the table of a release.

    It returns a row per violation, and no row if the release keeps the promise. Nothing is read
    but the files of lists. With `lists` a row of the table is a transaction with a list of items.
    With `slices` each slice is judged by itself, and then all of them. At most `limit` rows are
    returned, of those that the fewest hold; their column `total` counts all.
    """
    tables = Tables(
        release=str(table),
        tid=tid,
        item=item,
        level=level,
        lists=lists,
        slices=slices,
        person=person,
        guests=guests,
        persons=persons_table,
        list=list_table,
        original=original_table,
        counts=counts,
    )
    known = REGISTRY[model]
    options = Options(dialect, ignore_unknown, limit)
    return asked(known, tables, promise, options)


def asked(
    model: Model,
    tables: Tables,
    promise: Mapping[str, Any],
    options: Options,
) -> str:
    """The text of the query, below a head that names the promise and its limits."""
    tree, made = built(model, tables, promise, options)
    head = "".join(f"-- {line}\n" for line in _head(model, tables, promise, made, options))
    return f"{head}{render(settled(tree, options.dialect), options.dialect)}"


def limits(model: Model, tables: Tables, promise: Mapping[str, Any]) -> Iterator[str]:
    """Notes on what an answer without rows does not cover."""
    if model.of_persons and tables.person is None:
        yield "the query counts transactions, not persons: name their column with --person"
    if model.judges_nodes and tables.level is None:
        yield "nodes of one label on several levels count as one: name the column with --level"
    if not tables.slices and not model.beside_original:
        yield "slices of a release are judged together: to judge each of them too, add --slices"
    if tables.guests is not None:
        yield "each transaction without a person counts as a person of its own: an assumption"
    listed = any(one.kind == "items" and promise.get(one.name) for one in model.promise)
    if (listed or tables.list is not None) and not model.beside_original:
        yield "listed names that the release lacks are skipped: a misspelt name is not covered"
        if model.readable is not None:
            yield model.readable
    yield NOT_JUDGED


def built(
    model: Model,
    tables: Tables,
    promise: Mapping[str, Any],
    options: Options,
) -> tuple[exp.Select, Parts]:
    """The query as a tree, and its parts."""
    _refuse(model, tables, promise, options)
    terms = _checked(model, promise)
    read = Given(model, tables, options.dialect)
    relations, lists, patterns = read.listed(terms)
    relations |= read.persons()
    ask = Asked(
        levels=tables.level is not None,
        persons=tables.person is not None,
        sliced=tables.slices,
        ignore_unknown=options.ignore_unknown,
        lists=lists,
        patterns=patterns,
    )
    assert model.query is not None
    made: Parts = model.query(ask, **terms)
    every = {**read.rows(ask), **relations, **made.relations}
    of_slices = sql.named() if tables.slices and not model.in_parts else None
    tree = whole(every, [*read.faults(ask), *made.violations], of_slices)
    return limited(tree, options.limit), made


# The promise


def _refuse(model: Model, tables: Tables, promise: Mapping[str, Any], options: Options) -> None:
    """Refuse a query that would not check the promise as it is meant."""
    dialect = options.dialect
    if options.limit is not None and options.limit < 1:
        raise InputError(f"--limit is at least 1, not {options.limit}")
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
    if tables.slices and model.beside_original:
        raise InputError(f"{model.name} is judged over all slices together: leave --slices out")
    check_guests(tables.person, tables.guests)
    if tables.lists:
        _refuse_lists(model, dialect)
    if tables.list is not None:
        _refuse_two_lists(model, promise)
    model.refuse_lacking(promise, "verify", but=model.listed if tables.list else None)


def _refuse_lists(model: Model, dialect: str) -> None:
    """Refuse the LIST form where a query cannot read it."""
    if model.in_parts:
        raise InputError(f"a release of {model.name} has one item per row: leave --lists out")
    if dialect not in TESTED:
        raise InputError(
            f"--lists: no query that reads lists is written for {dialect}, where no query was run; "
            "name a view with one item per row, and leave --lists out"
        )


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


# The head


def _head(
    model: Model, tables: Tables, promise: Mapping[str, Any], made: Parts, options: Options
) -> Iterator[str]:
    terms = ", ".join(
        f"{one.name} = {promise[one.name]}"
        for one in model.promise
        if one.kind in ("share", "count") and promise.get(one.name) is not None
    )
    yield f"setveil {version('setveil')}: the checker of {model.title} ({terms}) as one query."
    yield from _lines(f"Promise: {promised_by(model, tables.person, tables.guests)}.")
    yield f"Its dialect is {options.dialect}: for another database add --dialect."
    most = "" if options.limit is None else f", {options.limit:,} at most"
    yield f"It returns a row per violation{most}. No row: the release keeps the promise."
    if made.unproven is not None:
        yield f"Not proven: {made.unproven}."
    if options.dialect not in TESTED:
        yield f"Not run: no query of this form was run on {options.dialect}."


def _lines(text: str) -> Iterable[str]:
    words, line = text.replace("\u2212", "-").split(), ""
    for word in words:
        if len(line) + len(word) > 90:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line

"""Results at home in a notebook: three lines of text, an HTML table, and frames of other libraries.

Frames are for the caller: a run itself never takes rows to Python. A library is imported when its
frame is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from html import escape
from typing import Any

from setveil.errors import InputError, pip_install
from setveil.run.words import number, printable

LINES = 3  # of a repr
FIRST = 10  # rows of an HTML table

Record = Mapping[str, Any]


class Shown:
    """A result with three lines of text and the first rows of a table."""

    __slots__ = ()

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        raise NotImplementedError

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The columns and the first rows of the table; no columns if there is no table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join([*self.lines()][:LINES])

    def _repr_html_(self) -> str:
        """The lines and the first rows, for a notebook."""
        columns, rows = self.head_of_table(FIRST + 1)
        shown = "<br>".join(escape(line) for line in self.lines())
        table = _table(columns, rows[:FIRST]) if columns else ""
        more = f"<p>The first {FIRST} rows.</p>" if len(rows) > FIRST else ""
        return f"<div><p>{shown}</p>{table}{more}</div>"


class Framed(Shown):
    """A result whose rows are in a database, read by one DuckDB relation."""

    __slots__ = ()

    def taken(self) -> Any:
        """The rows as a DuckDB relation, to be fetched at once."""
        raise NotImplementedError

    def to_arrow(self) -> Any:
        """The rows as an Arrow table; needs pyarrow."""
        _library("pyarrow", "to_arrow")
        return self.taken().to_arrow_table()

    def to_df(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        _library("pandas", "to_df")
        return self.taken().df()

    def to_polars(self) -> Any:
        """The rows as a Polars DataFrame; needs polars."""
        return _library("polars", "to_polars").DataFrame(self.taken())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows as an Arrow stream, which any library of frames can read."""
        return self.taken().__arrow_c_stream__(requested_schema)


class Listed(Shown):
    """A result whose rows are in Python: figures, violations, points of a sweep."""

    __slots__ = ()

    def records(self) -> list[dict[str, Any]]:
        """The rows of the table, each with its columns by name."""
        raise NotImplementedError

    def to_arrow(self) -> Any:
        """The rows as an Arrow table; needs pyarrow."""
        return _library("pyarrow", "to_arrow").table(columns_of(self.records()))

    def to_df(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        return _library("pandas", "to_df").DataFrame(columns_of(self.records()))

    def to_polars(self) -> Any:
        """The rows as a Polars DataFrame; needs polars."""
        columns = columns_of(self.records())
        return _library("polars", "to_polars").DataFrame(columns, strict=False)

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        columns = columns_of(self.records()[:most])
        return list(columns), list(zip(*columns.values(), strict=True))


class Judgement(Listed):
    """A verdict: its rows are the violations that it lists."""

    __slots__ = ()

    def lines(self) -> Iterator[str]:
        told = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        yield "the promise holds" if told.pop("holds") else "the promise does not hold"
        plain = {name: one for name, one in told.items() if isinstance(one, int)}
        yield ", ".join(f"{_words(name)}: {number(one)}" for name, one in plain.items())

    def records(self) -> list[dict[str, Any]]:
        return [asdict(one) for one in getattr(self, "violations", ())]


def columns_of(records: Sequence[Record]) -> dict[str, list[Any]]:
    """The values of each column; text where a column has values of several kinds."""
    names = list(dict.fromkeys(name for one in records for name in one))
    columns = {name: [_plain(one.get(name)) for one in records] for name in names}
    return {name: _of_one_kind(values) for name, values in columns.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _of_one_kind(values: list[Any]) -> list[Any]:
    kinds = {type(one) for one in values if one is not None}
    if len(kinds) < 2 or kinds == {int, float}:
        return values
    return [None if one is None else str(one) for one in values]


def _library(name: str, method: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise InputError(
            f"{method}() needs {name}, which is not installed: {pip_install(name)}"
        ) from error


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(printable(name))}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(one))}</td>" for one in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(_cell(one) for one in value)
    if isinstance(value, dict):
        return " ".join(_cell(one) for one in value.values())
    return number(value) if isinstance(value, float) else printable(str(value))


def _words(name: str) -> str:
    return name.replace("_", " ")

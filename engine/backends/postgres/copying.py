"""Copy rows between PostgreSQL and DuckDB: by COPY, as CSV with every value as text.

Values arrive unchanged, and NULL differs from empty text. A column gets the equivalent type of
DuckDB. If no type of DuckDB holds all its values, the column is text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from sqlglot import exp

from setveil.backends import Columns
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.duckdb.formats import reading
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres.types import FOREIGN
from setveil.sql.step import duck, render, term

Described = Mapping[str, tuple[str, int]]  # the kind and modifier of every column

POSTGRES = "postgres"
NULL = "\\N"
LONGEST = 2**29  # most bytes of a row
DIGITS = 38  # most digits of a DECIMAL


def copied(query: exp.Query, columns: Described, *, of_caller: bool) -> str:
    """The COPY that sends the rows of a query: lists as JSON, bytes in hexadecimal."""
    shown = [_sent(name, kind) for name, (kind, _) in columns.items()]
    asked = exp.Select().select(*shown).from_(query.subquery("taken"))
    text = render(postgres_paths.exact(asked) if of_caller else asked, POSTGRES)
    return f"COPY (\n{text}\n) TO STDOUT (FORMAT csv, NULL '{NULL}', FORCE_QUOTE *)"


def received(local: DuckDB, relation: str, path: Path, columns: Described) -> None:
    """Make a relation from the copied rows, in their order."""
    names = {f"column_{n}": exp.Literal.string("VARCHAR") for n in range(len(columns))}
    file = (
        duck(
            """
        SELECT 1 FROM READ_CSV(
            $path, header = FALSE, auto_detect = FALSE, columns = $columns, delim = ',',
            quote = '"', escape = '"', comment = '', nullstr = $null, allow_quoted_nulls = FALSE,
            parallel = FALSE, new_line = '\\n', max_line_size = $longest, buffer_size = $longest
        )
        """,
            path=exp.Literal.string(str(path)),
            columns=exp.Struct(
                expressions=[
                    exp.PropertyEQ(this=exp.Literal.string(name), expression=kind)
                    for name, kind in names.items()
                ]
            ),
            null=exp.Literal.string(NULL),
            longest=min(LONGEST, max(2**21, path.stat().st_size)),
        )
        .args["from_"]
        .this
    )
    shown = [
        _arrived(exp.column(number), kind, modifier).as_(name, quoted=True)
        for number, (name, (kind, modifier)) in zip(names, columns.items(), strict=True)
    ]
    query = exp.Select().select(*shown).from_(file)
    place = local.of_run(relation)
    text = render(exp.Create(this=place, kind="TABLE", expression=query))
    with reading(f"the rows of {relation!r} from the server"), local.in_order():
        local.execute(relation, text)


def written(local: DuckDB, query: exp.Query, path: Path) -> list[exp.ColumnDef]:
    """Write the rows for the server to a file; return the columns of a table for them."""
    kinds = local.columns_of(query.subquery("given"))
    columns = local.connection.sql(render(query))
    shown = [_given(name, kind).as_(name, quoted=True) for name, kind in kinds.items()]
    rows = render(exp.Select().select(*shown).from_(query.subquery("given")))
    place = render(exp.Literal.string(str(path)))
    options = f"FORMAT csv, HEADER false, NULLSTR '{NULL}', FORCE_QUOTE *"
    with local.in_order():
        local.execute("publish", f"COPY (\n{rows}\n) TO {place} ({options})")
    return [
        exp.ColumnDef(
            this=exp.to_identifier(name, quoted=True),
            kind=exp.DataType.build(str(kind), dialect="duckdb"),
        )
        for name, kind in zip(columns.columns, columns.types, strict=True)
    ]


def _given(name: str, kind: str) -> exp.Expr:
    """A value of DuckDB, in the text form that PostgreSQL reads."""
    value: exp.Expr = exp.column(name, quoted=True)
    if kind == "blob":
        return term("'\\x' || HEX($value)", value=value)
    if _is_list(kind):
        return term(
            """
            '{' || ARRAY_TO_STRING(LIST_TRANSFORM($value, lambda one: COALESCE(
                '"' || REPLACE(REPLACE(CAST(one AS TEXT), '\\', '\\\\'), '"', '\\"') || '"', 'NULL'
            )), ',') || '}'
            """,
            value=value,
        )
    return value


def packed(kinds: Mapping[str, str]) -> str:
    """The select list for a number of rows, and for each column's values as one byte string."""
    shown = ["COUNT(*) AS n"]
    for number, (name, kind) in enumerate(kinds.items()):
        column = render(exp.column(name, quoted=True), POSTGRES)
        shown.append(f"STRING_AGG({kind}SEND({column}), '') AS c{number}")
    return ", ".join(shown)


def unpacked(
    kinds: Mapping[str, str], count: int, values: Sequence[bytes | None]
) -> Columns | None:
    """The arrays of these byte strings; None if a column has NULL, which has no bytes."""
    found: Columns = {}
    for (name, kind), value in zip(kinds.items(), values, strict=True):
        array = np.frombuffer(value or b"", dtype=f">{kind[0]}{kind[-1]}")
        if len(array) != count:
            return None
        found[name] = array.astype(array.dtype.newbyteorder("="))
    return found


def _is_list(kind: str) -> bool:
    return kind.startswith("list ")


def is_text_in_duckdb(kind: str, modifier: int) -> bool:
    """Is the column no text on the server, but text in DuckDB for lack of a type?"""
    element = kind.removeprefix("list ")
    return not element.endswith(("varchar", "blob")) and duckdb_type(element, modifier) == "VARCHAR"


def is_whole(name: str) -> exp.Expr:
    """Are all numbers of a column whole, with at most DIGITS digits?"""
    text = f"""
        COALESCE(MAX(SCALE(TRIM_SCALE($column))), 0) = 0
        AND COALESCE(MAX(ABS($column)), 0) < {10**DIGITS}
    """
    return term(text, column=exp.column(name, table="r", quoted=True)).as_(name, quoted=True)


def as_whole(name: str) -> exp.Expr:
    """A column of whole numbers, cast to a DECIMAL without digits after the point."""
    value = exp.cast(exp.column(name, quoted=True), f"DECIMAL({DIGITS}, 0)")
    return value.as_(name, quoted=True)


def as_text(value: exp.Expr, kind: str) -> exp.Expr:
    """A value as text, without a cast: the owner of a type can define the cast to text."""
    text = term("CASE WHEN NUM_NULLS($value) = 0 THEN FORMAT('%s', $value) END", value=value)
    return exp.cast(text, exp.DataType.build("TEXT[]", POSTGRES)) if _is_list(kind) else text


def _sent(name: str, kind: str) -> exp.Expr:
    value: exp.Expr = exp.column(name, quoted=True)
    if kind.endswith(FOREIGN):
        value = as_text(value, kind)
    if kind.endswith("varchar") and not _is_list(kind):
        value = exp.cast(value, "TEXT")  # without the blanks that fill a char(n)
    elif kind == "blob":
        value = exp.Anonymous(this="ENCODE", expressions=[value, exp.Literal.string("hex")])
    elif _is_list(kind):
        texts = exp.cast(value, exp.DataType.build("TEXT[]", dialect=POSTGRES))
        value = exp.Anonymous(this="ARRAY_TO_JSON", expressions=[texts])
    return value.as_(name, quoted=True)


def _arrived(value: exp.Expr, kind: str, modifier: int) -> exp.Expr:
    if kind == "blob":
        return term("FROM_HEX($value)", value=value)
    if _is_list(kind):
        texts = term("""FROM_JSON($value, '["VARCHAR"]')""", value=value)
        return exp.cast(texts, f"{duckdb_type(kind[5:], modifier)}[]", dialect="duckdb")
    return exp.cast(value, duckdb_type(kind, modifier), dialect="duckdb")


def duckdb_type(kind: str, modifier: int) -> str:
    """DuckDB's type for a column of this kind."""
    if kind.startswith("decimal"):
        precision, scale = (modifier - 4) >> 16, (modifier - 4) & 0x7FF
        exact = modifier >= 4 and precision <= DIGITS and scale <= precision
        return f"DECIMAL({precision}, {scale})" if exact else "VARCHAR"
    if kind.endswith("varchar") or kind in ("enum", "struct", "unordered", "blob"):
        return "VARCHAR"
    return kind.upper()

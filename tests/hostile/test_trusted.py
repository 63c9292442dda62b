"""A replay trusts exactly the SQL that our builders write."""

from __future__ import annotations

from functools import cache

import pytest
from sqlglot import exp, parse_one

import steps
from setveil.backends import names
from setveil.sql.run import values
from setveil.sql.run.reading import column
from setveil.sql.step import Step, parsed, render, term
from setveil.sql.trail import trusted

DIALECTS = ("duckdb", "postgres", "spark")
# Columns of types that this database lacks.
OTHERS = {
    "duckdb": {"TRIM_SCALE"},
    "postgres": {"TO_JSON"},
    "spark": {"TRIM_SCALE"},
}

# A query that no trail holds: it looks for what a ledger lacks.
WITHOUT_TRAIL = {"run_slices_choosing.arrived"}


@cache
def texts(dialect: str) -> dict[str, str]:
    """Every query of every builder, as text for a database."""
    return {
        f"{steps.called(module)}.{name}": step.sql(dialect)
        if isinstance(step, Step)
        else render(step, dialect)
        for module in steps.TRAVELLING
        for name, step in steps.steps(module).items()
        if f"{steps.called(module)}.{name}" not in WITHOUT_TRAIL
    }


@cache
def emitted(dialect: str) -> tuple[frozenset[str], frozenset[str]]:
    """The kinds and functions of all nodes, and the types."""
    nodes = [
        node for text in texts(dialect).values() for node in parse_one(text, dialect=dialect).walk()
    ]
    kinds = {trusted.called(one) for one in nodes if not isinstance(one, exp.DataType)}
    types = {one.this.name for one in nodes if isinstance(one, exp.DataType)}
    return frozenset(kinds), frozenset(types)


@pytest.mark.few(1)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_functions_and_types_are_those_of_the_builders(dialect: str) -> None:
    kinds, types = emitted(dialect)
    functions = kinds - trusted.KINDS - trusted.EDGES[dialect] - OTHERS[dialect]
    assert functions <= trusted.FUNCTIONS[dialect]
    assert trusted.FUNCTIONS[dialect] - trusted.COMMON == functions - trusted.COMMON
    assert not OTHERS[dialect] & (trusted.FUNCTIONS[dialect] | trusted.EDGES[dialect])
    assert types == trusted.TYPES[dialect]


def test_kinds_are_those_of_the_builders() -> None:
    everywhere = frozenset.union(*(emitted(one)[0] for one in DIALECTS))
    assert trusted.KINDS <= everywhere | {"DataType"}
    assert everywhere >= trusted.COMMON
    assert not {"Command", "Func", "Anonymous", "Var", "Into", "Lock", "Properties"} & trusted.KINDS


@pytest.mark.few(1)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_query_is_taken_for_what_it_is(dialect: str) -> None:
    """A replay parses each statement of a run to the same text."""
    for name, text in texts(dialect).items():
        tree = parsed(text, dialect)
        assert tree is not None, name
        if OTHERS[dialect] & {trusted.called(node) for node in tree.walk()}:
            continue
        tables = list(tree.find_all(exp.Table))
        if not any(table.db for table in tables):  # of two runs, which no trail is of
            known = {table.name for table in tables}
            assert trusted.foreign(tree, dialect, known, edge=True) is None, name


def test_rows_of_numbers_are_parsed_by_one_of_them() -> None:
    rows = ",\n".join(f"  ({n}, {-n})" for n in range(4_000))
    text = f"SELECT\n  v.a AS a,\n  v.b AS b\nFROM (VALUES\n{rows}) AS v(a, b)"
    assert parsed(text, "duckdb") is not None
    other = parsed(text.replace("(7, -7)", "(7, READ_TEXT('x'))"), "duckdb")
    assert other is not None and trusted.foreign(other, "duckdb", ()) is not None


@pytest.mark.parametrize(
    "text",
    [
        "SELECT\n  1 /* a */ AS one",
        "SELECT 1 AS one",
        "SELECT\n  1 AS one -- a",
        "SELECT\n  1 AS one;\nSELECT\n  2 AS two",
        "select\n  1 AS one",
        "SELECT\n  1 AS one\nFROM",
        "",
    ],
)
def test_another_form_is_not_ours(text: str) -> None:
    assert parsed(text, "duckdb") is None


def whole(text: str) -> str | None:
    tree = parse_one(f"SELECT {text} AS y FROM t", dialect="duckdb")  # noqa: S608
    return trusted.foreign(tree, "duckdb", {"t"}, edge=True)


def test_whole_names_are_those_that_reading_emits() -> None:
    kinds = ("double", "list double")
    read = [values.plain(column("x"), kind) for kind in kinds]
    read.append(term("ROW_NUMBER() OVER ()").as_("line"))
    text = render(names.with_full_names(exp.Select().select(*read).from_("t")))
    tree = parsed(text, "duckdb")
    assert tree is not None and trusted.foreign(tree, "duckdb", {"t"}, edge=True) is None
    assert {trusted.called(one) for one in tree.find_all(exp.Anonymous)} == trusted.WHOLE
    assert trusted.foreign(tree, "duckdb", {"t"}) is not None


@pytest.mark.parametrize(
    "text",
    [
        "system.main.READ_TEXT(x)",
        "system.main.GETENV('HOME')",
        "original.main.ABS(x)",
        "main.ABS(x)",
        "system.ABS(x)",
        "system.main.other.ABS(x)",
        '"SYSTEM"."MAIN".ABS(READ_TEXT(x))',
        "ARRAY_EXTRACT(x, 1)",
    ],
)
def test_other_whole_names_are_not_ours(text: str) -> None:
    assert whole("system.main.ABS(x)") is None
    assert whole(text) is not None

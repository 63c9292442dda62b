"""SQL of the models uses only features that every known engine understands.

Reading and publishing may use DuckDB's readers and lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from sqlglot import parse_one

import oracles
import reference
import setveil
import setveil.sql
from setveil.comparison import inspection
from setveil.run.session import Statement
from setveil.sql.dialects import lower
from setveil.sql.step import duck, first, render
from travelling import (
    OPENING,
    PUBLISHING,
    READING,
    RULES,
    Rule,
    anti_joins,
    divisions,
    functions,
    joins,
    kinds,
    parsed,
    sums,
    unnamed_columns,
)

pytestmark = pytest.mark.only_on("duckdb", reason="the text that every dialect is made of")

BUDGET = 60  # statements of a coherence run: each costs 0.2 s on Spark


def coherence_run(connection: duckdb.DuckDBPyConnection, **options: object) -> list[Statement]:
    data = oracles.seeded(21, 200)
    roles = {"private": sorted(data.private), "public": sorted(data.public)}
    with oracles.read(connection, data) as baskets:
        setveil.coherence(baskets, **({"h": Fraction("0.45"), "k": 6, "p": 4} | roles | options))
        return baskets.session.statements


def hide_run(connection: duckdb.DuckDBPyConnection, **options: object) -> list[Statement]:
    data = oracles.seeded(21, 60)
    patterns = list(combinations(data.items[:6], 2))
    with oracles.read(connection, data) as baskets:
        setveil.hiding(baskets, patterns=patterns, **options)
        estimates = (
            "frequent_prospects",
            "refound_prospects",
        )  # decide how the miner counts, and nothing that it finds
        return [s for s in baskets.session.statements if not s.name.startswith(estimates)]


def long_run(connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    connection.execute("CREATE OR REPLACE TABLE long_form (tid INTEGER, item VARCHAR)")
    connection.execute("INSERT INTO long_form VALUES (1, 'a'), (1, 'b'), (2, 'a'), (2, 's')")
    with setveil.read(connection, "long_form") as baskets:
        setveil.coherence(baskets, k=2, p=3, h=1, private=["s"])
        return baskets.session.statements


def inspection_run(connection: duckdb.DuckDBPyConnection, plan: str) -> list[Statement]:
    data = oracles.seeded(21, 200)
    with oracles.read(connection, data) as baskets:
        inspection.inspect(baskets, k=6, p=4, h="0.45", private=sorted(data.private), plan=plan)
        return baskets.session.statements


def itemsets_run(connection: duckdb.DuckDBPyConnection, plan: str) -> list[Statement]:
    options = {"rules": True, "min_confidence": 0.5, "max_consequent": 2}
    with oracles.read(connection, oracles.seeded(21, 200)) as baskets:
        setveil.itemsets(baskets, min_support=10, max_size=5, limit=2000, plan=plan, **options)
        return baskets.session.statements


def uncertainty_run(connection: duckdb.DuckDBPyConnection, **options: object) -> list[Statement]:
    data = oracles.seeded(21, 60)
    with oracles.read(connection, data) as baskets:
        setveil.uncertainty(baskets, sensitive=sorted(data.private), rho="0.6", **options)
        return baskets.session.statements


def partition_run(connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    data = oracles.seeded(21, 200)
    with oracles.read(connection, data) as baskets:
        setveil.k_anonymity(baskets, k=3, fanout=2, refine=True)
        return baskets.session.statements


def dry_run(connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    connection.execute("CREATE OR REPLACE TABLE long_form (tid INTEGER, item VARCHAR)")
    with setveil.read(connection, "long_form", explain=True) as baskets:
        setveil.coherence(baskets, k=2, p=4, h=1, private=["s"])
        return baskets.session.statements


def comparison_runs(connection: duckdb.DuckDBPyConnection) -> Iterator[list[Statement]]:
    data = oracles.seeded(21, 200)
    for plan in ("lists", "bits"):
        with oracles.read(connection, data) as baskets:
            found = setveil.compare(
                baskets, "given_lists", item="items", k=6, p=3, h="0.45", plan=plan,
                private=sorted(data.private), min_support=0.2, min_confidence=0.1,
                patterns=[sorted(data.private)[:2]], sensitive=sorted(data.private),
                verify="coherence",
            )  # fmt: skip
            made = [one for made in found.sql.values() for one in made]
            yield [one for one in made if not one.name.startswith("frequent_")]
            setveil.sweep(baskets, "coherence", {"k": [4, 8], "p": [2, 3]}, plan=plan)
            yield baskets.session.statements
    with oracles.read(connection, data) as baskets:
        nodes = setveil.k_anonymity(baskets, k=3, fanout=2)
        found = setveil.compare(baskets, nodes, fanout=2)
        yield [one for made in found.sql.values() for one in made]


@pytest.fixture(scope="module")
def statements(connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    """Every statement of whole runs, each text once."""
    runs = [
        coherence_run(connection, plan="lists"),
        coherence_run(connection, plan="bits"),
        coherence_run(connection, plan="bits", private=(), method="optimal"),
        coherence_run(connection, plan="lists", private=(), method="rm-all"),
        coherence_run(connection, public=None, private="where:support < 40"),
        hide_run(connection, method="naive", psi=0.5),
        hide_run(connection, method="iga", min_support=3, mining_support=5),
        hide_run(connection, method="border", min_support=8),
        long_run(connection),
        inspection_run(connection, "lists"),
        partition_run(connection),
        inspection_run(connection, "bits"),
        itemsets_run(connection, "lists"),
        itemsets_run(connection, "bits"),
        uncertainty_run(connection),
        uncertainty_run(connection, keep="distribution"),
        uncertainty_run(connection, method="global"),
        uncertainty_run(connection, refine=True),
        dry_run(connection),
        *comparison_runs(connection),
    ]
    unique = {one.text: one for run in runs for one in run if one.name not in OPENING}
    return [one for text, one in unique.items() if text]


def test_the_runs_hold_every_kind_of_step(statements: list[Statement]) -> None:
    names = {statement.name for statement in statements}
    levels = {f"{name}_{n}" for name in ("counted", "judged", "link", "moles") for n in (2, 3, 4)}
    levels |= {f"{name}_{n}" for name in ("posting", "cohort", "exposed") for n in (2, 3)}
    levels |= {f"{name}_{n}" for name in ("candidate", "bound", "exact") for n in (3, 4)}
    levels |= {"frequent_5", "frequent_posting_2", "frequent_cohort_4", "rules_3_1", "rules_2_2"}
    assert levels | {"item", "suppressed_item", "secret_posting", "density", "histogram"} <= names
    assert sum(name.startswith("check_") for name in names) > 15


# The rules: each answers what offends it in one statement


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_statement_travels(statements: list[Statement], rule: Rule) -> None:
    exempt = READING + (() if rule in (kinds, sums, unnamed_columns) else PUBLISHING)
    for statement in statements:
        if statement.name not in exempt:
            offenders = [str(one) for one in rule(parsed(statement.text))]
            where = f"{rule.__name__} in tests/helpers/travelling.py refuses {offenders}"
            assert not offenders, f"{where} in {statement.name}:\n{statement.text}"


@pytest.mark.parametrize(
    "rule, text",
    [
        (kinds, "DELETE FROM a WHERE a.x = 1"),
        (kinds, "UPDATE a SET x = 1"),
        (kinds, "MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN DELETE"),
        (kinds, "CREATE OR REPLACE TABLE a AS SELECT b.x FROM b"),
        (kinds, "CREATE TEMP TABLE a AS SELECT b.x FROM b"),
        (kinds, "CREATE TABLE IF NOT EXISTS a AS SELECT b.x FROM b"),
        (kinds, "CREATE VIEW a AS SELECT b.x FROM b"),
        (kinds, "CREATE TABLE a (x INT)"),
        (kinds, "INSERT INTO a VALUES (1)"),
        (kinds, "DROP TABLE IF EXISTS a"),
        (kinds, "DROP VIEW a"),
        (kinds, "ALTER TABLE a RENAME TO b"),
        (joins, "SELECT a.x FROM a JOIN b ON a.x = b.x OR a.y = b.y"),
        (joins, "SELECT a.x FROM a JOIN b USING (x)"),
        (joins, "SELECT a.x FROM a, b"),
        (unnamed_columns, "SELECT COUNT(*) FROM a"),
        (unnamed_columns, "SELECT * FROM a"),
        (unnamed_columns, "SELECT a.* FROM a"),
        (unnamed_columns, "SELECT n.x FROM (SELECT a.x + 1 FROM a) AS n"),
        (sums, "SELECT SUM(a.x) AS total FROM a"),
        (sums, "SELECT CAST(SUM(a.x) AS DOUBLE) AS total FROM a"),
        (sums, "SELECT COALESCE(SUM(a.x), 0) AS total FROM a"),
        (anti_joins, "SELECT a.x FROM a WHERE a.x IN (SELECT b.x FROM b)"),
        (anti_joins, "SELECT a.x FROM a WHERE a.x NOT IN (1, 2)"),
        (functions, "SELECT LIST(a.x) AS xs FROM a"),
        (functions, "SELECT UNNEST(a.xs) AS x FROM a"),
        (functions, "SELECT [1, 2] AS xs"),
        (functions, "SELECT g.x FROM GENERATE_SERIES(1, 3) AS g(x)"),
        (functions, "SELECT LIST_FILTER(a.xs, lambda x: x > 1) AS xs FROM a"),
        (functions, "SELECT a.xs[1] AS x FROM a"),
        (functions, "SELECT HASH(a.x) AS x FROM a"),
        (functions, "SELECT ARG_MAX(a.x, a.y) AS x FROM a"),
        (divisions, "SELECT a.x / 2 AS half FROM a"),
        (divisions, "SELECT SUM(a.x) // 2 AS half FROM a"),
        (divisions, "SELECT (a.x - a.x % 3) / 2 AS half FROM a"),
    ],
)
def test_the_rules_see_what_does_not_travel(rule: Rule, text: str) -> None:
    assert list(rule(parse_one(text, dialect="duckdb")))


def test_no_transaction_is_asked_for(statements: list[Statement]) -> None:
    """Answers to Python are aggregates, scores, names and moles; no column is a tid."""
    for statement in statements:
        if statement.question:
            tree = parsed(statement.text)
            assert not {"tid", "key"}.intersection(tree.named_selects), statement.name


def test_pack_is_the_only_word_of_our_own() -> None:
    query = duck("SELECT PACK(tid % 64, 64) AS bits FROM occurrence")
    text = lower(query, "duckdb").sql(dialect="duckdb")
    assert text == "SELECT BITSTRING_AGG(CAST(tid % 64 AS INT), 0, 63) AS bits FROM occurrence"
    again = duck("SELECT BIT_COUNT(a.bits & b.bits) AS n FROM a JOIN b ON b.block = a.block")
    assert lower(again, "duckdb") == again


def test_a_planner_keeps_apart_what_is_made_first() -> None:
    """PostgreSQL alone needs the fence. Rendering does not change the query."""
    rows = first(duck("SELECT a.x + b.y AS sum FROM a JOIN b ON b.n = a.n"))
    query = duck("SELECT r.sum AS sum FROM $rows AS r JOIN c ON c.sum = r.sum", rows=rows)
    for _ in range(2):
        assert "OFFSET 0\n) AS r" in render(query, "postgres")
        assert "OFFSET" not in render(query) + render(query, "spark")


# Text in builder calls: sqlglot's own dialect would read it

FOLDER = Path(setveil.sql.__file__).parent
BUILDERS = {
    "select", "where", "group_by", "order_by", "having", "join", "from_", "qualify", "on", "limit",
    "and_", "or_", "not_", "cast", "func", "condition", "distinct", "union",
}  # fmt: skip


def texts(call: ast.Call, builder: str) -> Iterator[ast.expr]:
    """Text arguments, except the names of functions and types."""
    given = [*call.args, *(word.value for word in call.keywords if word.arg in ("on", "this"))]
    names = {"func": call.args[:1], "cast": call.args[1:2]}.get(builder, [])
    for value in given:
        if value in names:
            continue
        if isinstance(value, ast.JoinedStr) or (
            isinstance(value, ast.Constant) and isinstance(value.value, str)
        ):
            yield value


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.name)
def test_no_text_in_builder_calls(path: Path) -> None:
    offenders = [
        f"{path.name}:{call.lineno} {call.func.attr}"
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr in BUILDERS
        if any(texts(call, call.func.attr))
    ]
    assert not offenders


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.name)
def test_text_enters_by_one_door(path: Path) -> None:
    """Only text.py parses queries, and only step.py parses parts of a trail."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    parsers = called & {"parse", "parse_one", "maybe_parse", "condition", "transpile"}
    assert not parsers or path.name in ("step.py", "text.py")


# How many statements


def counted(statements: list[Statement]) -> int:
    return sum(bool(statement.text) for statement in statements)


@pytest.mark.parametrize("plan", ["lists", "bits"])
def test_statements_do_not_grow_with_the_data(
    connection: duckdb.DuckDBPyConnection, plan: str
) -> None:
    """Their number depends on the levels, but not on items, itemsets or transactions."""
    counts = set()
    for transactions, public in ((200, 9), (400, 14)):
        data = oracles.seeded(21, transactions, public=public)
        roles = {"private": sorted(data.private), "public": sorted(data.public)}
        with oracles.read(connection, data) as baskets:
            release = setveil.coherence(baskets, k=6, p=4, h="0.6", plan=plan, **roles)
            assert release.metrics.moles[3] > 0
            counts.add(counted(baskets.session.statements))
    assert len(counts) == 1


def test_budget_on_retail(tmp_path: Path) -> None:
    prepared = reference.prepared("retail", tmp_path)
    with setveil.read(prepared.data) as baskets:
        prepared.release(baskets)
        found = counted(baskets.session.statements)
    print(f"coherence on retail: {found} statements")  # noqa: T201
    assert found <= BUDGET, f"{found} statements"

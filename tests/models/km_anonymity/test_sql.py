"""The SQL of k^m-anonymity and hierarchies travels, asks for no transaction, and stays within few
statements."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

import oracles
import setveil
from setveil.run.session import Statement
from travelling import (
    OPENING,
    PUBLISHING,
    READING,
    RULES,
    Rule,
    kinds,
    parsed,
    sums,
    unnamed_columns,
)

pytestmark = pytest.mark.only_on("duckdb", reason="the text that every dialect is made of")

BUDGET = 250
READ = (*READING, "given_hierarchy")
ORDERED_TEXT = ("check_kind",)  # STRING_AGG with an order: Spark has it under another name


def run(connection: duckdb.DuckDBPyConnection, m: int | str, **options: object) -> list[Statement]:
    with oracles.read(connection, oracles.seeded(21, 200)) as baskets:
        setveil.km_anonymity(baskets, k=6, m=m, **options)
        return baskets.session.statements


@pytest.fixture(scope="module")
def statements(connection: duckdb.DuckDBPyConnection) -> list[Statement]:
    connection.execute(
        "CREATE OR REPLACE TABLE tree AS "
        "SELECT range AS item, range // 90 AS level1, range // 270 AS level2 FROM RANGE(1000)"
    )
    runs = [
        run(connection, 1, hierarchy="tree"),
        run(connection, 3, hierarchy="tree"),
        run(connection, "max", fanout=2),
    ]
    unique = {one.text: one for made in runs for one in made if one.name not in OPENING}
    return [one for text, one in unique.items() if text]


def test_the_runs_hold_every_kind_of_step(statements: list[Statement]) -> None:
    names = {statement.name for statement in statements}
    assert {"tree", "split_1", "recoded_1", "general_1", "violations_1_2", "lengths_1"} <= names
    assert {"recoded_item", "ncp", "check_set_1", "check_set_0", "check_kind", "path"} <= names


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_statement_travels(statements: list[Statement], rule: Rule) -> None:
    exempt = READ + (() if rule in (kinds, sums, unnamed_columns) else PUBLISHING)
    for statement in statements:
        if statement.name not in exempt + ("release_node",):
            offenders = list(rule(parsed(statement.text)))
            if statement.name in ORDERED_TEXT:
                offenders = [one for one in offenders if not isinstance(one, exp.GroupConcat)]
            assert not offenders, (statement.name, statement.text)


def test_no_transaction_is_asked_for(statements: list[Statement]) -> None:
    for statement in statements:
        if statement.question:
            tree = parsed(statement.text)
            assert not {"tid", "key"}.intersection(tree.named_selects), statement.name


def test_statements_are_few(connection: duckdb.DuckDBPyConnection) -> None:
    """Some per round and size, and none per item, node or itemset."""
    for m in (1, 2, 4, "max"):
        found = sum(bool(one.text) for one in run(connection, m, fanout=2))
        assert found <= BUDGET, (m, found)

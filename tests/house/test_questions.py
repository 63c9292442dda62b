"""Python never sees a transaction: what a run asks of one is aggregated in the database.

A statement is a question when its rows go to Python. Of relations with a row per transaction, or
made of such rows, only aggregates and distinct items may be asked.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from sqlglot import exp, parse_one

import setveil
from setveil.errors import UnreachableError
from travelling import shows_rows

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        ("SELECT item FROM item", False),
        ("SELECT COUNT(*) AS n FROM occurrence", False),
        ("SELECT CAST(COALESCE(SUM(x), 0) AS BIGINT) / 2 AS n FROM occurrence", False),
        ("SELECT item, COUNT(*) AS n FROM occurrence GROUP BY item", False),
        ("SELECT MAX(n) AS n FROM (SELECT COUNT(*) AS n FROM occurrence GROUP BY tid) AS c", False),
        ("SELECT item FROM occurrence", True),
        ("SELECT * FROM source", True),
        ("SELECT s.x FROM source AS s", True),
        ("SELECT tid, COUNT(*) AS n FROM occurrence GROUP BY tid", True),
        ("SELECT COUNT(*) AS n FROM occurrence GROUP BY tid", True),
        ("SELECT item + COUNT(*) AS n, x FROM occurrence GROUP BY item", True),
        ("SELECT COUNT(*) OVER () AS n FROM occurrence", True),
        ("SELECT i.item FROM item AS i JOIN occurrence AS o ON o.item = i.item", True),
        ("SELECT a.item FROM (SELECT item FROM cohort_2) AS a", True),
        ("WITH a AS (SELECT tid FROM basket) SELECT tid FROM a", True),
        ("WITH a AS (SELECT tid FROM basket) SELECT COUNT(*) AS n FROM a", False),
        ("SELECT item FROM item UNION ALL SELECT item FROM occurrence", True),
        ("SELECT (SELECT MIN(tid) FROM basket) AS n, COUNT(*) AS m FROM item", False),
        ("SELECT (SELECT tid FROM basket LIMIT 1) AS n FROM item", True),
        ("SELECT i.item FROM item AS i WHERE EXISTS (SELECT 1 FROM occurrence AS o)", False),
    ],
)
def test_the_watcher_knows_rows_when_it_sees_them(text, shows):
    assert shows_rows(parse_one(text, dialect="duckdb")) == shows


def made(folder, form):
    """Transactions with and without private items, dense enough for every kind of step."""
    with duckdb.connect() as connection:
        connection.execute(
            """
            CREATE TABLE t AS
            SELECT range // 20 AS tid,
                CASE WHEN range % 23 = 3 THEN 'Rx ' || range % 5
                    ELSE 'i' || range * range % 41 END AS item
            FROM RANGE(4000)
            """
        )
        lists = "SELECT LIST(item) AS item FROM t GROUP BY tid" if form == "lists" else "FROM t"
        connection.execute(f"COPY ({lists}) TO '{folder / 'a.parquet'}'")
    return folder / "a.parquet"


def asked(path, out, **options):
    seen = []
    with setveil.read(path, trace=seen.append) as baskets:
        release = setveil.coherence(baskets, **options)
        release.write(out, force=True)
    return seen


RUNS = [
    {"k": 3, "p": 3},
    {"k": 3, "p": 3, "plan": "bits"},
    {"k": 3, "p": 3, "plan": "lists"},
    {"k": 2, "p": 2, "h": "0.6", "private": "where:name LIKE 'Rx %'"},
    {"k": 2, "p": 3, "h": "0.6", "private": "where:name LIKE 'Rx %'", "plan": "bits"},
    {"k": 2, "p": 2, "h": "0.7", "private": ["Rx 1"], "method": "optimal", "loss": "unit"},
    {"k": 2, "p": 2, "method": "rm-all"},
]


@pytest.mark.few(4)
@pytest.mark.parametrize("form", ["long", "lists"])
@pytest.mark.parametrize("options", RUNS, ids=str)
def test_no_question_is_answered_with_rows_of_transactions(tmp_path, form, options):
    questions = [
        one
        for one in asked(made(tmp_path, form), tmp_path / "b.parquet", **options)
        if one.question
    ]
    assert len(questions) > 3
    for one in questions:
        assert not shows_rows(parse_one(one.text, dialect="duckdb")), one.text


@pytest.mark.parametrize("plan", ["lists", "bits"])
def test_mining_is_answered_with_counts_alone(tmp_path, plan):
    with setveil.read(made(tmp_path, "long")) as baskets:
        options = {"rules": True, "min_confidence": 0.5}
        setveil.itemsets(baskets, min_support=20, max_size=3, limit=20_000, plan=plan, **options)
        questions = [one for one in baskets.session.statements if one.question]
    assert len(questions) > 2
    for one in questions:
        assert not shows_rows(parse_one(one.text, dialect="duckdb")), one.text


def test_what_is_not_a_question_answers_with_counts_alone(tmp_path):
    """Statements that make relations, settings and the release itself: no row leaves by them."""
    others = [
        one for one in asked(made(tmp_path, "long"), tmp_path / "b.parquet", k=3, p=2)
        if not one.question and one.text
    ]  # fmt: skip
    starts = ("CREATE TABLE", "INSERT INTO", "DROP TABLE", "SET ", "USE ", "COPY (")
    assert not [one.text for one in others if not one.text.startswith(starts)]


def test_what_a_run_looks_up_beside_its_trail_are_names_alone(tmp_path, monkeypatch):
    """`look_up` is out of the trail's sight: it serves the names that the caller gave."""
    seen = []
    real = setveil.Session.look_up
    monkeypatch.setattr(
        setveil.Session, "look_up", lambda session, step: seen.append(step) or real(session, step)
    )
    asked(made(tmp_path, "long"), tmp_path / "b.parquet", k=2, p=1, h="0.9", private=["Rx 1"])
    assert seen
    for step in seen:
        tables = {table.name for table in step.query.find_all(exp.Table)}
        assert tables <= {"named", "item"}


def test_errors_tell_of_items_and_counts_alone(tmp_path):
    with setveil.read(made(tmp_path, "long")) as baskets:
        with pytest.raises(UnreachableError, match="of 200 transactions"):
            setveil.coherence(baskets, k=2, p=1, h="0.01", private=["Rx 1"])
        for one in baskets.session.statements:
            if one.question:
                assert not shows_rows(parse_one(one.text, dialect="duckdb")), one.text

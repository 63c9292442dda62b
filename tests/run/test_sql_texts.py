"""Holes in SQL text: what they take, what is left out, and the halves of a packed key."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from setveil.sql.step import duck, each, joins, query_of, render, term, together

DIVIDED = {
    "duckdb": "SELECT (r.a + 1) // 7 AS high, (r.a + 1) % 7 AS low FROM r",
    "postgres": "SELECT (r.a + 1) / 7 AS high, (r.a + 1) % 7 AS low FROM r",
    "spark": "SELECT (r.a + 1) DIV 7 AS high, (r.a + 1) % 7 AS low FROM r",
    "snowflake": "SELECT CAST(((r.a + 1) - (r.a + 1) % 7) / 7 AS BIGINT) AS high,"
    " (r.a + 1) % 7 AS low FROM r",
    "trino": "SELECT (r.a + 1) / 7 AS high, (r.a + 1) % 7 AS low FROM r",
    "clickhouse": "SELECT intDiv((r.a + 1), 7) AS high, (r.a + 1) % 7 AS low FROM r",
}


def said(query: exp.Expr, dialect: str = "duckdb") -> str:
    return (
        " ".join(render(query, dialect).replace("( ", "(").split())
        .replace("( ", "(")
        .replace(" )", ")")
    )


def test_a_list_is_spliced_wherever_columns_stand() -> None:
    query = duck(
        """
        SELECT r.part AS part, $keys,
            ROW_NUMBER() OVER (PARTITION BY $keys ORDER BY $keys DESC) AS n
        FROM r GROUP BY r.part, $keys ORDER BY $keys
        """,
        keys=each("r.k_{n} AS k_{n}", [1, 2]),
    )
    assert said(query) == (
        "SELECT r.part AS part, r.k_1 AS k_1, r.k_2 AS k_2, ROW_NUMBER() OVER ("
        "PARTITION BY r.k_1, r.k_2 ORDER BY r.k_1 DESC, r.k_2 DESC) AS n "
        "FROM r GROUP BY r.part, r.k_1, r.k_2 ORDER BY r.k_1, r.k_2"
    )


def test_an_empty_list_leaves_nothing() -> None:
    text = "SELECT 1 AS one, $keys FROM r JOIN $others WHERE $conditions ORDER BY $keys"
    query = duck(text, keys=[], others=[], conditions=[])
    assert said(query) == "SELECT 1 AS one FROM r"


def test_all_conditions_of_a_list_hold_beside_others() -> None:
    query = duck(
        "SELECT 1 AS one FROM r JOIN s ON $same WHERE r.x > 1 AND $more",
        same=each("r.k_{n} = s.k_{n}", [1, 2]),
        more=term("r.y = 1 OR r.z = 1"),
    )
    assert said(query) == (
        "SELECT 1 AS one FROM r JOIN s ON r.k_1 = s.k_1 AND r.k_2 = s.k_2 "
        "WHERE r.x > 1 AND (r.y = 1 OR r.z = 1)"
    )


def test_names_stand_for_relations_and_columns() -> None:
    query = duck(
        "SELECT r.$from AS $to FROM $rows AS r",
        **{"from": exp.column("a b"), "to": "c", "rows": "t"},
    )
    assert said(query) == 'SELECT r."a b" AS c FROM t AS r'


def test_queries_stand_in_with_from_and_alone() -> None:
    one, two = duck("SELECT 1 AS x"), duck("SELECT 2 AS x")
    query = query_of("WITH a AS ($one) FROM $all", one=one, all=[one, two])
    assert said(query) == "WITH a AS (SELECT 1 AS x) SELECT 1 AS x UNION ALL SELECT 2 AS x"
    assert said(duck("SELECT s.x AS x FROM $rows AS s", rows=[one, two])) == (
        "SELECT s.x AS x FROM (SELECT 1 AS x UNION ALL SELECT 2 AS x) AS s"
    )
    assert said(together([one])) == "SELECT 1 AS x"


def test_joins_stand_one_after_the_other() -> None:
    more = joins("JOIN $t_{n} AS t{n} ON t{n}.id = t{before}.id", [1, 2], t_1="one", t_2="two")
    assert said(duck("SELECT 1 AS x FROM r AS t0 JOIN $more", more=more)) == (
        "SELECT 1 AS x FROM r AS t0 JOIN one AS t1 ON t1.id = t0.id JOIN two AS t2 ON t2.id = t1.id"
    )


@pytest.mark.parametrize(
    ("text", "number", "left"),
    [
        ("r.x % $n", 1, "0"),
        ("r.x * $n + r.y", 1, "r.x + r.y"),
        ("r.x + $n", 0, "r.x"),
        ("r.x // $n", 1, "r.x"),
        ("1 << CAST(r.x - $n AS INT)", 0, "1 << CAST(r.x AS INT)"),
        ("HIGH(r.x, $n) + LOW(r.y, $n)", 1, "r.x"),
        ("r.x > 0 AND $n < 2", 1, "r.x > 0"),
        ("r.x > 0 AND $n < 2", 3, "r.x > 0 AND FALSE"),
        ("r.x * $n", 2, "r.x * 2"),
        ("r.x % $n", 2, "r.x % 2"),
        ("r.x - $n", 1, "r.x - 1"),
    ],
)
def test_what_has_no_effect_is_left_out(text: str, number: int, left: str) -> None:
    assert term(text, n=number).sql(dialect="duckdb") == left


def test_the_simpler_term_is_worth_the_same() -> None:
    """Terms without effect are left out; the value of the term stays."""
    text = "(r.x * $n + r.y) % $m + (r.x // $m) * $n - $z + HIGH(r.y, $m) + LOW(r.y, $m) * $n"
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE r AS SELECT 1000 + i AS x, 7 * i AS y FROM RANGE(50) AS t(i)"
        )
        for n, m, z in ((0, 1, 0), (1, 1, 0), (1, 2, 1), (3, 5, 0), (2, 1, 9)):
            full = text.replace("$n", str(n)).replace("$m", str(m)).replace("$z", str(z))
            full = full.replace("HIGH(r.y, ", "(r.y // ").replace("LOW(r.y, ", "(r.y % ")
            short = render(duck("SELECT $term AS x FROM r", term=term(text, n=n, m=m, z=z)))
            expected = connection.execute(f"SELECT {full} FROM r").fetchall()  # noqa: S608
            assert connection.execute(short).fetchall() == expected


@pytest.mark.parametrize("dialect", DIVIDED)
def test_the_halves_of_a_key_are_named_in_every_dialect(dialect: str) -> None:
    query = duck("SELECT HIGH(r.a + 1, $n) AS high, LOW(r.a + 1, $n) AS low FROM r", n=7)
    assert said(query, dialect) == DIVIDED[dialect]


def test_a_half_within_our_other_words_is_lowered_too() -> None:
    text = said(duck("SELECT PACK(LOW(r.tid, 64), 64) AS bits FROM r"))
    assert "LOW" not in text and "r.tid % 64" in text


def test_a_list_stands_for_no_single_value() -> None:
    with pytest.raises(TypeError, match="a list cannot stand here"):
        duck("SELECT $x + 1 AS x", x=each("r.x_{n}", [1, 2]))

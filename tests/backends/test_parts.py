"""A query too wide for an engine is split into parts, and gives the same rows."""

from __future__ import annotations

import duckdb

from setveil.sql.parts import in_parts
from setveil.sql.step import Step, duck

GIVEN = "SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'b')) AS t (x, name)"
QUERY = """
    WITH one AS (SELECT g.x AS x, g.name AS name FROM given AS g),
    once AS (SELECT o.x + 1 AS x FROM one AS o),
    two AS (SELECT o.x AS x, p.name AS name FROM once AS o JOIN one AS p ON p.x = o.x),
    spare AS (SELECT t.x AS x FROM two AS t)
    SELECT t.x AS x, two.name AS name
    FROM two AS t JOIN two ON two.x = t.x
    WHERE EXISTS (SELECT 1 FROM one AS o WHERE o.x = t.x)
    ORDER BY x
"""


def step() -> Step:
    return Step("wide", "to see", duck(QUERY))


def test_what_is_named_twice_is_made_before() -> None:
    parts = in_parts(step(), 4)
    assert [part.name for part in parts] == ["wide_one", "wide_two", "wide"]
    assert all("spare" not in part.sql() for part in parts)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE given AS {GIVEN}")
        expected = connection.execute(step().sql()).fetchall()
        for part in parts:
            connection.execute(part.create())
        assert connection.table("wide").fetchall() == expected == [(2, "b"), (3, "b")]


def test_what_is_not_too_wide_stays_whole() -> None:
    whole = step()
    assert in_parts(whole, 5) == [whole] == in_parts(whole, None)
    plain = Step("plain", "to see", duck("SELECT g.x AS x FROM given AS g"))
    assert in_parts(plain, 0) == [plain]

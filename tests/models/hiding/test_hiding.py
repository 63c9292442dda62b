"""Hiding against the paper's listings, and what must hold of every release."""

from __future__ import annotations

import random
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import oracles_hiding as oracle
import setveil
from examples import tried
from hidings import read, released
from oracles_hiding import Database, Itemset
from setveil.backends.local import Local
from setveil.errors import InputError
from setveil.models.hiding.anonymize import HEURISTICS
from setveil.models.hiding.patterns import named_patterns
from setveil.run.session import Session

PAPER: Database = {
    1: frozenset("ABCD"),
    2: frozenset("ABC"),
    3: frozenset("ABD"),
    4: frozenset("ACD"),
    5: frozenset("AB"),
    6: frozenset("BD"),
}
RESTRICTED = [frozenset("ABD"), frozenset("ACD")]


def shown(database: Database) -> Database:
    """What long form shows: a transaction without items has no rows."""
    return {tid: items for tid, items in database.items() if items}


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Database, list[Itemset]]:
    database = draw(oracle.databases())
    assume(any(database.values()))
    return database, draw(oracle.restricted(database))


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "method",
    [pytest.param(one, marks=[pytest.mark.everywhere] * (one == "naive")) for one in HEURISTICS],
)
def test_more_transactions_than_a_block_holds(
    connection: duckdb.DuckDBPyConnection, method: str
) -> None:
    """300 transactions, some items in some blocks only: the last quarter of them lacks A."""
    chance = random.Random(7)
    database = {
        tid: frozenset(one for one in "ABCDEF" if chance.random() < 0.5)
        - {"A" if tid > 225 else ""}
        for tid in range(300)
    }
    patterns = [frozenset(one) for one in ("AB", "BC", "ACD", "BDEF", "F")]
    expected = oracle.sanitized(database, patterns, method, [Fraction(1, 3)] * 5)
    with read(connection, database) as baskets:
        release = setveil.hiding(baskets, patterns=patterns, psi="1/3", method=method)
        assert released(release) == expected


@tried(
    2,
    12,
    task=tasks(),
    psi=st.sampled_from(oracle.SHARES),
    min_support=st.sampled_from([None, None, 1, 2, 3]),
    lists=st.booleans(),
)
@pytest.mark.parametrize("method", HEURISTICS)
def test_tiny_databases(
    connection: duckdb.DuckDBPyConnection,
    task: tuple[Database, list[Itemset]],
    method: str,
    psi: Fraction,
    min_support: int | None,
    lists: bool,
) -> None:
    """The release is the sanitized database of the paper's listing, and what is told of it true."""
    database, patterns = task
    shares = [psi] * len(patterns)
    expected = oracle.sanitized(database, patterns, method, shares, min_support)
    far = {"psi": psi} if min_support is None else {"min_support": min_support}
    with read(connection, database, lists=lists) as baskets:
        release = setveil.hiding(baskets, patterns=patterns, method=method, **far)
        after = released(release, lists=lists)
        metrics = release.metrics
    assert after == (expected if lists else shown(expected))
    allowed = [
        oracle.support(database, one)
        - oracle.to_sanitize(oracle.support(database, one), psi, min_support)
        for one in patterns
    ]
    assert oracle.is_hidden(database, after, patterns, allowed)
    assert [set(one.items) for one in metrics.patterns] == list(map(set, patterns))
    assert [one.support for one in metrics.patterns] == [
        oracle.support(database, one) for one in patterns
    ]
    assert [one.remaining for one in metrics.patterns] == [
        oracle.support(after, one) for one in patterns
    ]
    assert [one.allowed for one in metrics.patterns] == allowed
    degrees = [oracle.conflict(database, patterns, tid) for tid in database]
    assert metrics.degrees == tuple(
        (degree, degrees.count(degree)) for degree in sorted(set(degrees) - {0})
    )
    assert metrics.sensitive_transactions == sum(degree > 0 for degree in degrees)
    assert metrics.conflicting_transactions == sum(degree > 1 for degree in degrees)
    before, gone = (sum(map(len, one.values())) for one in (database, after))
    assert metrics.suppressed_occurrences == before - gone
    assert metrics.dissimilarity == (before - gone) / before
    assert metrics.emptied_transactions == sum(
        bool(items) and not expected[tid] for tid, items in database.items()
    )


RULES = [
    ("A,B => C", ("A", "B", "C")),
    ("A => B,C", ("A", "B", "C")),
    ('"A => B",C', ("A => B", "C")),  # a name with an arrow is in quotes
    ('"A,1" => "B => C"', ("A,1", "B => C")),
    ('5" disk => B', ('5" disk', "B")),
    ("A=>B,C", ("A=>B", "C")),  # an arrow has blanks around it
    ("A , B => C", ("A ", " B", "C")),
]


@pytest.mark.parametrize(("line", "names"), RULES)
def test_a_rule_hides_all_its_items_together(tmp_path: Path, line: str, names: Itemset) -> None:
    (tmp_path / "rules.txt").write_text(f"{line}\nX,Y\n")
    with closing(Session(Local())) as session:
        found = named_patterns(session, tmp_path / "rules.txt")
        assert [one.names for one in found] == [names, ("X", "Y")]
        if " => " in line and not line.startswith('"A => B"'):
            assert named_patterns(session, [line])[0].names == names


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A => B => C", "two arrows"),
        (" => B", "lacks a side"),
        ("A => ", "lacks a side"),
        ("A,B => B", "'B' on both sides"),
        ("A,\0,B", "NUL"),
    ],
)
def test_faults_of_rules_are_told(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "rules.txt").write_text(f"{line}\n")
    with closing(Session(Local())) as session, pytest.raises(InputError, match=said):
        named_patterns(session, tmp_path / "rules.txt")


def test_no_rule_between_its_items_is_left(connection: duckdb.DuckDBPyConnection) -> None:
    """Neither the rule that was given nor another one of its items has support."""
    database = {n: frozenset("ABCD"[: 2 + n % 3]) for n in range(12)}
    with read(connection, database) as baskets:
        release = setveil.hiding(baskets, patterns=["A,B => C"])
        after = released(release)
        assert release.metrics.patterns[0].items == ("A", "B", "C")
    assert oracle.support(after, frozenset("ABC")) == 0 < oracle.support(after, frozenset("AB"))

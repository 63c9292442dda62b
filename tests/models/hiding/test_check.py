"""The checker of hidden patterns against its definition, on releases good and bad."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_hiding as oracle
import setveil
from examples import tried
from oracles_hiding import Database, Itemset
from setveil.errors import InputError
from setveil.models.hiding.patterns import Pattern, named_patterns

PAPER: Database = {1: frozenset("ABCD"), 3: frozenset("ABD"), 4: frozenset("ACD")}
RESTRICTED = ["ABD", "ACD"]


def fill(connection: duckdb.DuckDBPyConnection, name: str, database: Database, text: str) -> None:
    """Long form; keys as `text` says, every other row twice."""
    rows = [(tid, item) for tid, items in database.items() for item in sorted(items)]
    rows += rows[::2]
    connection.execute(f"CREATE OR REPLACE TABLE {name} (tid {text}, item VARCHAR)")
    connection.execute(
        f"INSERT INTO {name} SELECT UNNEST($1::INTEGER[]), UNNEST($2::VARCHAR[])",  # noqa: S608
        [[tid for tid, _ in rows], [item for _, item in rows]],
    )


def verify(
    connection: duckdb.DuckDBPyConnection,
    before: Database,
    after: Database,
    patterns: list[Itemset],
    **far: object,
) -> setveil.HidingVerdict:
    fill(connection, "original", before, "INTEGER")
    fill(connection, "released", after, "VARCHAR")
    with setveil.read(connection, "released") as baskets:
        return setveil.verify.hiding(
            baskets, original="original", patterns=patterns, ignore_unknown=True, **far
        )


@st.composite
def releases(draw: st.DrawFn) -> tuple[Database, Database, list[Itemset]]:
    """A database, what may have come of it, and patterns that may be restrictive."""
    before = draw(oracle.databases())
    patterns = draw(
        st.lists(
            st.frozensets(st.sampled_from(oracle.NAMES), min_size=1, max_size=3),
            min_size=1,
            max_size=3,
            unique=True,
        )  # fmt: skip
    )
    after = {}
    for tid, items in before.items():
        excused = frozenset().union(*(one for one in patterns if one <= items))
        choice = draw(st.sampled_from(["same", "same", "excused", "any"]))
        lost = {"same": frozenset(), "excused": excused, "any": frozenset(oracle.NAMES)}[choice]
        after[tid] = items - draw(st.frozensets(st.sampled_from(sorted(lost) or [""]))) & (
            lost | items
        )
    if draw(st.integers(0, 4)) == 0:
        after[draw(st.integers(0, 9))] = draw(st.frozensets(st.sampled_from(oracle.NAMES)))
    return before, after, patterns


@pytest.mark.everywhere
@tried(3, 15, given_=releases(), psi=st.sampled_from(oracle.SHARES))
def test_the_verdict_is_that_of_the_definition(
    connection: duckdb.DuckDBPyConnection,
    given_: tuple[Database, Database, list[Itemset]],
    psi: Fraction,
) -> None:
    before, after, patterns = given_
    verdict = verify(connection, before, after, patterns, psi=psi)
    supports = [oracle.support(before, one) for one in patterns]
    allowed = [int(support * psi) for support in supports]
    assert verdict.holds == oracle.is_hidden(before, after, patterns, allowed)
    empty: Itemset = frozenset()
    pairs = [(before.get(n, empty), after.get(n, empty)) for n in {*before, *after}]
    assert verdict.added == sum(len(new - old) for old, new in pairs)
    assert verdict.removed == sum(len(old - new) for old, new in pairs)
    assert verdict.stray == sum(
        len(old - new - empty.union(*(one for one in patterns if one <= old))) for old, new in pairs
    )


def test_what_the_checker_says(connection: duckdb.DuckDBPyConnection) -> None:
    after = PAPER | {1: frozenset("ABCX"), 3: frozenset("AD"), 4: frozenset("ACD")}
    verdict = verify(connection, PAPER, after, [*map(frozenset, RESTRICTED)], min_support=1)
    assert not verdict.holds
    assert [(one.support, one.remaining, one.allowed) for one in verdict.patterns] == [
        (2, 0, 0), (2, 1, 0),
    ]  # fmt: skip
    assert (verdict.disclosed, verdict.added, verdict.removed, verdict.stray) == (1, 1, 2, 0)
    assert verdict.tampered == ("X",)
    assert "defect" in str(verdict.refusal())


def test_an_item_may_only_leave_transactions_that_held_its_pattern(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    before = PAPER | {2: frozenset("BD")}
    after = {1: frozenset("AC"), 2: frozenset("B"), 3: frozenset("AB"), 4: frozenset("AC")}
    verdict = verify(connection, before, after, [*map(frozenset, RESTRICTED)])
    assert (verdict.holds, verdict.stray, verdict.tampered) == (False, 1, ("D",))


@pytest.mark.parametrize("kept", ["files", "tables", "both"])
def test_where_release_and_original_can_be(tmp_path: Path, kept: str) -> None:
    """Files, relations of one database, or one of each."""
    before, after = tmp_path / "before.parquet", tmp_path / "after.parquet"
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        fill(connection, "original", PAPER, "INTEGER")
        fill(connection, "released", {1: frozenset("BC"), 3: frozenset("AB")}, "INTEGER")
        connection.execute(f"COPY original TO '{before}'")
        connection.execute(f"COPY released TO '{after}'")
    database = tmp_path / "a.duckdb"
    options: dict[str, object] = {}
    source: object = after
    original: object = before
    if kept == "tables":
        source, original, options = "released", "original", {"database": database}
    elif kept == "both":
        source, original, options = "released", before, {"database": database}
    with setveil.read(source, **options) as baskets:
        verdict = setveil.verify.hiding(
            baskets, original=original, patterns=["ABD", "ACD"] and [list("ABD"), list("ACD")]
        )
        again = setveil.verify.hiding(baskets, original=original, patterns=[list("ABD")])
    assert (verdict.holds, verdict.removed, verdict.stray) == (True, 6, 0)
    assert not again.holds and again.stray == 3
    if kept == "files":
        with setveil.read(after) as baskets:
            verdict = setveil.verify.hiding(
                baskets, original="original", original_database=database,
                patterns=[list("ABD"), list("ACD")],
            )  # fmt: skip
        assert verdict.holds


def test_without_keys_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("a b c\n\na b\nc\n")
    with setveil.read(tmp_path / "a.dat") as baskets:
        release = setveil.hiding(baskets, patterns=[["a", "b"], ["c"]], method="minfia")
        release.write(tmp_path / "b.dat")
        assert setveil.verify.hiding(release, patterns=[["a", "b"], ["c"]]).holds
    assert (tmp_path / "b.dat").read_text() == "b\n\nb\n\n"
    with setveil.read(tmp_path / "b.dat") as baskets:
        options = {"original": tmp_path / "a.dat", "patterns": [["a", "b"], ["c"]]}
        assert setveil.verify.hiding(baskets, **options).removed == 4
    (tmp_path / "b.dat").write_text("b\n\nb\n")
    with setveil.read(tmp_path / "b.dat") as baskets:
        with pytest.raises(InputError, match="has 4 lines and .* 3: without transaction ids"):
            setveil.verify.hiding(baskets, **options)
    (tmp_path / "keyed.parquet").unlink(missing_ok=True)
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 1 AS tid, ['a'] AS items) TO $1", [str(tmp_path / "keyed.parquet")]
        )
    with setveil.read(tmp_path / "b.dat") as baskets:
        with pytest.raises(InputError, match="one of them has no transaction ids"):
            setveil.verify.hiding(baskets, original=tmp_path / "keyed.parquet", patterns=[["a"]])


def test_a_release_verifies_beside_its_own_source(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        fill(connection, "original", PAPER, "INTEGER")
        connection.execute(f"COPY original TO '{tmp_path}/a.parquet'")
    with setveil.read(tmp_path / "a.parquet") as baskets:
        release = setveil.hiding(baskets, patterns=[list("ABD"), list("ACD")])
        assert setveil.verify.hiding(release, patterns=[list("ABD"), list("ACD")]).holds
        assert setveil.verify.coherence(release, k=1, p=1).holds


# Patterns as they are named


def patterns_of(given: object) -> list[Pattern]:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid, 'a' AS item")
        with setveil.read(connection, "t") as baskets:
            return named_patterns(baskets.session, given)


def test_patterns_in_files(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes(b'\xef\xbb\xbfa,b\r\n\r\n"b,c",a\n"say ""x""\ny"\n""\nb,a,a\n')
    expected = [("a", "b"), ("b,c", "a"), ('say "x"\ny',), ("",)]
    assert [one.names for one in patterns_of(tmp_path / "p.txt")] == expected
    (tmp_path / "p.csv").write_text("psi,item,pattern\n0.1,b,2\n,z,1\n0.1,a,2\n1/3,q,3\n")
    expected_rows = [
        Pattern(("z",), None),
        Pattern(("a", "b"), Fraction(1, 10)),
        Pattern(("q",), Fraction(1, 3)),
    ]
    assert patterns_of(tmp_path / "p.csv") == expected_rows
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 7 AS pattern, UNNEST([3, 10]) AS item) TO $1",
            [str(tmp_path / "p.parquet")],
        )
    assert patterns_of(tmp_path / "p.parquet") == [Pattern(("10", "3"))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the list has no pattern"),
        ('"a\n', "is not a list of patterns"),
        ("pattern,item\n1,\n", "without a pattern or an item"),
        ("pattern,item,psi\n1,a,0.2\n1,b,0.3\n", "two psi for the pattern '1'"),
        ("pattern,item,psi\n1,a,0.2\n2,a,0.3\n", "twice with different psi"),
        ("pattern,item,psi\n1,a,2\n", "write 40 % as 0.4"),
        ("pattern,name\n1,a\n", "has no column 'item'"),
    ],
)
def test_files_that_name_no_patterns(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / ("p.csv" if text.startswith("pattern") else "p.txt")
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        patterns_of(path)


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        (["ab"], "not the text 'ab'"),
        ([[]], "without items"),
        ([["a", None]], "None is no item"),
        ([], "the list has no pattern"),
        ("nowhere.txt", "no such file"),
    ],
)
def test_sequences_that_name_no_patterns(given_: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        patterns_of(given_)

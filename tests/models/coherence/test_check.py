"""The checker against the definition, written out over every subset."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from duckdb import DuckDBPyConnection
from hypothesis import HealthCheck
from hypothesis import strategies as st
from sqlglot import exp, parse_one

import harness
from examples import tried
from setveil.backends.duckdb.backend import DuckDB
from setveil.errors import InputError
from setveil.models.coherence.check import Verdict, Violation, check_coherence
from setveil.run.session import Session, Statement
from setveil.sql.step import duck_union

Baskets = list[frozenset[str]]
PUBLIC, PRIVATE = frozenset("abcdefgxyz"), frozenset({"Diabetes", "Hepatitis", "HIV"})
FIGURE_1 = [
    frozenset({"a", "c", "d", "f", "g", "Diabetes"}),
    frozenset({"a", "b", "c", "f", "Hepatitis"}),
    frozenset({"b", "d", "f", "x", "Hepatitis"}),
    frozenset({"b", "c", "g", "y", "z", "HIV"}),
    frozenset({"a", "c", "f", "g", "HIV"}),
]
WIDTHS = pytest.mark.parametrize("width", [1, 63])


def by_definition(
    baskets: Baskets, public: frozenset[str], private: frozenset[str], h: Fraction, k: int, p: int
) -> list[Violation]:
    """Every minimal violation: smallest first, then rarest, then by name."""
    found: list[Violation] = []
    for items in (c for size in range(p + 1) for c in combinations(sorted(public), size)):
        cohort = [basket for basket in baskets if basket.issuperset(items)]
        hits = Counter(e for basket in cohort for e in basket & private)
        most = max(hits.values(), default=0)
        breached = most > h * len(cohort)
        if cohort and (len(cohort) < k or breached):
            reveals = min(e for e in hits if hits[e] == most) if breached else None
            if not any(set(v.items) < set(items) for v in found):
                found.append(Violation(items, len(cohort), reveals, most / len(cohort)))
    return sorted(found, key=lambda v: (len(v.items), v.support, v.items))


@pytest.fixture(scope="module")
def session(connection: DuckDBPyConnection) -> Iterator[Session]:
    with harness.prepared(connection) as session:
        yield session


def fill(
    session: Session,
    baskets: Baskets,
    public: frozenset[str] = PUBLIC,
    private: frozenset[str] = PRIVATE,
    types: tuple[str, str] = ("INTEGER", "VARCHAR"),
) -> None:
    """The release as cells: every other basket marked by a NULL name, every third cell twice."""
    marks = [None]
    cells = [
        (key, name)
        for key, basket in enumerate(baskets)
        for name in [*sorted(basket), *(marks if key % 2 or not basket else [])]
    ]
    cells += cells[::3]
    key, name = types
    harness.fill(session, "release_cell", f"key {key}, name {name}", cells)
    for table, names in (("public_name", public), ("private_name", private)):
        listed = [None, *sorted(names), *sorted(names)]
        harness.fill(session, table, "name VARCHAR", [[one] for one in listed])


def check(session: Session, **parameters: Any) -> Verdict:
    """What the checker says of the tables that `fill` leaves."""
    roles = duck_union(
        """
        SELECT name AS label, 0 AS private FROM public_name
        UNION
        SELECT name AS label, 1 AS private FROM private_name
        """
    )
    cells = exp.to_table("release_cell")
    return check_coherence(session, cells, roles.subquery(), **parameters)


def agree(
    session: Session,
    baskets: Baskets,
    public: frozenset[str],
    private: frozenset[str],
    h: Fraction,
    k: int,
    p: int,
    width: int | None,
) -> None:
    fill(session, baskets, public, private)
    verdict = check(session, h=h, k=k, p=p, limit=10_000, width=width)
    expected = by_definition(baskets, public, private, h, k, p)
    assert list(verdict.violations) == expected
    assert verdict.found == len(expected)
    assert verdict.holds == (not expected)
    assert verdict.transactions == len(baskets)


@st.composite
def judged(draw: st.DrawFn) -> tuple[Baskets, frozenset[str], frozenset[str]]:
    """Up to 8 baskets, some of them many times over, of up to 6 items with a role, both or none."""
    names = ["", "a", "B", "b,c", "é", "x'); DROP"]
    basket = st.frozensets(st.sampled_from(names), max_size=5)
    counted = draw(st.lists(st.tuples(basket, st.sampled_from([1, 1, 1, 2, 40])), max_size=8))
    role = st.sampled_from(["public"] * 7 + ["private", "private", "", "public private"])
    roles = {name: draw(role) for name in names}
    public = frozenset(name for name, role in roles.items() if "public" in role)
    private = frozenset(name for name, role in roles.items() if "private" in role)
    return [basket for basket, times in counted for _ in range(times)], public, private


@tried(
    5,
    50,
    unchecked=list(HealthCheck),
    data=judged(),
    h=st.sampled_from([Fraction(tenths, 10) for tenths in (10, 9, 8, 7, 6, 5, 5, 4, 3, 2, 1, 0)]),
    k=st.sampled_from([1, 1, 2, 2, 3, 4]),
    p=st.integers(1, 4),
)
@WIDTHS
def test_tiny_databases(
    session: Session,
    data: tuple[Baskets, frozenset[str], frozenset[str]],
    h: Fraction,
    k: int,
    p: int,
    width: int,
) -> None:
    agree(session, *data, h, k, p, width)


@pytest.mark.few(3)
@WIDTHS
@pytest.mark.parametrize("seed", range(8))
def test_many_sets_at_once(session: Session, seed: int, width: int) -> None:
    """Bounds, links and words matter once sets of three and four survive; odd seeds are sparse."""
    chance = random.Random(seed)
    public, private = frozenset("abcdefghij"), frozenset("uvwxyz")
    shares = [0.02, 0.1, 0.3] if seed % 2 else [0.3, 0.6, 0.9]
    often = {item: chance.choice(shares) for item in sorted(public)}
    often |= {item: chance.choice([0.1, 0.3, 0.4]) for item in sorted(private)}
    baskets = [
        frozenset(item for item in sorted(often) if chance.random() < often[item])
        for _ in range(chance.choice([60, 130, 200]))
    ]
    h = Fraction(chance.choice(["0.5", "0.45", "0.6", "0.9"]))
    agree(session, baskets, public, private, h, chance.choice([1, 2, 3, 5]), 4, width)


@WIDTHS
def test_running_example(session: Session, width: int) -> None:
    fill(session, FIGURE_1)
    verdict = check(session, h=Fraction("0.8"), k=2, p=2, width=width)
    sets = ["".join(v.items) for v in verdict.violations]
    assert sets[:3] == ["x", "y", "z"]
    assert sorted(sets[3:]) == ["ab", "ad", "bd", "bf", "bg", "cd", "dg"]
    bf = next(v for v in verdict.violations if v.items == ("b", "f"))
    assert bf == Violation(("b", "f"), 2, "Hepatitis", 1.0)
    assert (verdict.holds, verdict.found, verdict.transactions) == (False, 10, 5)


def test_running_example_released(session: Session) -> None:
    fill(session, [basket - set("bdxyz") for basket in FIGURE_1])
    verdict = check(session, h=Fraction("0.8"), k=2, p=2)
    assert (verdict.holds, verdict.violations, verdict.found) == (True, (), 0)
    assert verdict.checked == 1 + 4 + 6  # acfg, and nothing of it is rare


@WIDTHS
def test_a_bound_that_just_passes_is_kept_for_larger_sets(session: Session, width: int) -> None:
    """Half of each pair's transactions hold HIV, which is no breach; two thirds of abc's do."""
    telling = [frozenset("abc") | {"HIV"}] * 2
    baskets = telling + [frozenset("abc"), frozenset("ab"), frozenset("ac"), frozenset("bc")]
    fill(session, baskets)
    verdict = check(session, h=Fraction("0.5"), k=2, p=3, width=width)
    assert verdict.violations == (Violation(("a", "b", "c"), 3, "HIV", 2 / 3),)


@pytest.mark.parametrize("h, holds", [("0.5", True), ("0.499999999", False)])
@WIDTHS
def test_share_is_compared_strictly_and_exactly(
    session: Session, h: str, holds: bool, width: int
) -> None:
    fill(session, [frozenset({"a", "HIV"}), frozenset({"a"})] * 50)
    verdict = check(session, h=Fraction(h), k=100, p=1, width=width)
    assert verdict.holds is holds
    if not holds:
        assert verdict.violations == (Violation((), 100, "HIV", 0.5),)


def test_a_share_of_h_reveals_nothing(session: Session) -> None:
    fill(session, [frozenset({"a", "HIV"}), frozenset({"a"}), frozenset()])
    verdict = check(session, h=Fraction("0.5"), k=3, p=1)
    assert verdict.violations == (Violation(("a",), 2, None, 0.5),)


@pytest.mark.parametrize(
    "baskets, k, violations",
    [
        ([], 2, ()),
        ([frozenset()], 1, ()),
        ([frozenset()] * 2, 3, (Violation((), 2, None, 0.0),)),
        ([frozenset({"?"}), frozenset({"?", "a"})], 1, ()),
        ([frozenset({"?"}), frozenset({"?", "a"})], 2, (Violation(("a",), 1, None, 0.0),)),
    ],
    ids=["no transaction", "one empty", "two empty", "unjudged", "unjudged, counted"],
)
def test_little_to_judge(
    session: Session, baskets: Baskets, k: int, violations: tuple[Violation, ...]
) -> None:
    fill(session, baskets)
    verdict = check(session, h=Fraction(0), k=k, p=3)
    assert verdict.violations == violations
    assert verdict.transactions == len(baskets)


def test_numbers_and_other_types_are_compared_as_text(session: Session) -> None:
    baskets = [frozenset({"9", "10"})] * 3 + [frozenset({"9", "77"}), frozenset({"10", "77"})]
    fill(session, baskets, frozenset({"9", "10"}), frozenset({"77"}), ("VARCHAR", "BIGINT"))
    verdict = check(session, h=Fraction("0.3"), k=5, p=2)
    assert verdict.violations == (Violation((), 5, "77", 0.4),)
    verdict = check(session, h=Fraction(1), k=4, p=2)
    assert verdict.violations == (Violation(("10", "9"), 3, None, 0.0),)


def test_the_limit_keeps_the_worst(session: Session) -> None:
    fill(session, FIGURE_1)
    expected = by_definition(FIGURE_1, PUBLIC, PRIVATE, Fraction("0.8"), 2, 2)
    for limit in (1, 3, 7):  # by name, bf comes before the rarer bg
        verdict = check(session, h=Fraction("0.8"), k=2, p=2, limit=limit)
        assert list(verdict.violations) == expected[:limit]
        assert verdict.found == len(expected)


def test_a_second_check_in_a_session_starts_afresh(session: Session) -> None:
    fill(session, FIGURE_1)
    first = check(session, h=Fraction("0.8"), k=2, p=4)
    assert check(session, h=Fraction("0.8"), k=1, p=1).holds is False
    assert check(session, h=Fraction("0.8"), k=2, p=4) == first


@pytest.mark.parametrize(
    "h, k, p", [("1.1", 2, 2), ("-0.1", 2, 2), ("1e-10", 2, 2), ("0.5", 0, 2), ("0.5", 2, -1)]
)
def test_nonsense_is_refused(session: Session, h: str, k: int, p: int) -> None:
    with pytest.raises(InputError):
        check(session, h=Fraction(h), k=k, p=p)


def traced(session: Session, p: int) -> list[Statement]:
    before = len(session.statements)
    check(session, h=Fraction("0.8"), k=2, p=p)
    return session.statements[before:]


@pytest.mark.parametrize("copies, packed", [(1, "CAST(1 AS SMALLINT)"), (80, "h.tid % 63")])
def test_the_cheaper_width_is_chosen(session: Session, copies: int, packed: str) -> None:
    fill(session, FIGURE_1 * copies)
    [word] = [s for s in traced(session, p=1) if s.name == "check_word" and "SELECT" in s.text]
    assert packed in word.text


def test_a_dry_session_lists_every_level() -> None:
    backend = DuckDB()
    dry = Session(backend, dry=True)
    names = [s.name for s in traced(dry, p=4)]
    backend.close()
    assert [f"check_set_{size}" in names for size in range(1, 6)] == [True] * 4 + [False]


@pytest.mark.only_on("duckdb", reason="the text that every dialect is made of")
def test_only_sql_that_travels(session: Session) -> None:
    """Every statement makes, drops or asks; columns are named; few per level; no row comes out."""
    fill(session, FIGURE_1 * 80)
    statements = traced(session, p=4)
    made = [s for s in statements if not s.text.startswith("DROP")]
    assert len(made) <= 8 + 8 * 5
    for statement in made:
        tree = parse_one(statement.text, dialect="duckdb")
        assert isinstance(tree, (exp.Create, exp.Query))
        assert not list(tree.find_all(exp.Or, exp.Array, exp.GenerateSeries))
        for select in tree.find_all(exp.Select):
            assert all(isinstance(column, exp.Alias) for column in select.expressions)
    asked = {s.name.rstrip("0123456789") for s in made if s.question}
    assert asked == {"check_sizes", "check_nothing", "check_violations_"}

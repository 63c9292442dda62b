"""The measures against the paper's formulas and its table 1."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import inf, log

import pytest
from duckdb import DuckDBPyConnection

import harness
import setveil
from printed import APPROACH_1, APPROACH_2, GLOBAL, TABLE_1, Baskets
from runs import FINE
from setveil.comparison import measures
from setveil.errors import InputError
from setveil.run.release import kept, make_release
from setveil.sql.step import Step, duck

Cells = Iterable[tuple[int, str]]


def suppressed(
    connection: DuckDBPyConnection, baskets: Baskets, cells: Cells, *, lists: bool = False
) -> setveil.Release[None]:
    """The release without these cells, which the checker is told to pass."""
    rows = [(tid, item) for tid, basket in enumerate(baskets) for item in sorted(basket)]
    connection.execute("CREATE OR REPLACE TABLE original (tid INTEGER, item VARCHAR)")
    connection.executemany("INSERT INTO original VALUES (?, ?)", rows)
    if lists:
        connection.execute(
            "CREATE OR REPLACE TABLE original AS "
            "SELECT tid, LIST(item ORDER BY item) AS item FROM original GROUP BY tid"
        )
    read = setveil.read(connection, "original")
    read.session.begin()
    gone = list(cells) or [(-1, "none")]
    harness.fill(read.session, "gone", "key INTEGER, name VARCHAR", gone)
    query = duck(
        """
        SELECT b.tid AS tid, i.item AS item, 1 AS round
        FROM gone AS g JOIN basket AS b ON b.key = g.key JOIN item AS i ON i.name = g.name
        """
    )
    read.session.create(Step("suppressed", "chosen by the test", query))
    make_release(read, kept(read), lambda cells: FINE)
    return setveil.Release(read, "test", {}, FINE, None, read.session.runs)


@pytest.fixture
def random_release(connection: DuckDBPyConnection) -> Iterator[tuple[Baskets, Baskets, object]]:
    chance = random.Random(5)
    names = "abcdefgh"
    baskets = [frozenset(n for n in names if chance.random() < 0.5) or {"a"} for _ in range(60)]
    cells = [(t, n) for t, basket in enumerate(baskets) for n in sorted(basket)]
    gone = chance.sample(cells, len(cells) // 6)
    after = [frozenset(n for n in b if (t, n) not in gone) for t, b in enumerate(baskets)]
    release = suppressed(connection, [frozenset(b) for b in baskets], gone)
    yield [frozenset(b) for b in baskets], after, release
    release.baskets.close()


@pytest.mark.parametrize("lists", [False, True], ids=["long", "LIST"])
@pytest.mark.parametrize("cells, loss", [(GLOBAL, 4), (APPROACH_1, 2), (APPROACH_2, 2), ([], 0)])
def test_table_1_loses_what_the_paper_says(
    connection: DuckDBPyConnection, cells: Cells, loss: int, lists: bool
) -> None:
    """Two deletions of the fifteen occurrences against four."""
    release = suppressed(connection, TABLE_1, cells, lists=lists)
    assert measures.distribution(release).information_loss == loss / 15
    release.baskets.close()


def test_table_1_distribution(connection: DuckDBPyConnection) -> None:
    """Approach 1 keeps 3 condoms of 4 and no flour; all else has 13 instead of 15 around it."""
    release = suppressed(connection, TABLE_1, APPROACH_1)
    found = measures.distribution(release)
    same = {"bread": 2, "beer": 2, "coffee": 3, "fruits": 3}
    p = [n / 13 for n in same.values()] + [3 / 13, 0.0]
    q = [n / 15 for n in same.values()] + [4 / 15, 1 / 15]
    expected = 10 / 13 * log(15 / 13) + 3 / 13 * log((3 / 13) / (4 / 15))
    assert found.kl == pytest.approx(expected, abs=1e-12)
    mean = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    halves = [sum(x * log(x / m) for x, m in zip(one, mean, strict=True) if x) for one in (p, q)]
    assert found.symmetric_kl == pytest.approx(sum(halves) / 2, abs=1e-12)
    release.baskets.close()


def test_table_1_rules(connection: DuckDBPyConnection) -> None:
    """Of the original's rules of two transactions, what is about condom goes with all of it."""
    release = suppressed(connection, TABLE_1, GLOBAL)
    found = measures.mined_rules(release, min_support=2, min_confidence="0.5")
    # before: beer <-> condom, coffee <-> fruits
    assert (found.least, found.before, found.after, found.common) == (2, 4, 2, 2)
    assert found.jaccard == 0.5
    release.baskets.close()


def rules_of(baskets: Baskets, least: int, confidence: Fraction) -> set[tuple[object, str]]:
    """Rules to one item, written out."""
    found = set()
    held = {frozenset(c) for b in baskets for n in range(2, len(b) + 1) for c in combinations(b, n)}
    for itemset in held:
        support = sum(itemset <= basket for basket in baskets)
        for one in itemset:
            of = sum(itemset - {one} <= basket for basket in baskets)
            if support >= least and Fraction(support, of) >= confidence:
                found.add((itemset - {one}, one))
    return found


@pytest.mark.parametrize("least, confidence", [(5, "0.6"), (12, "0.5"), (40, "0.9")])
def test_rules_as_by_definition(
    random_release: tuple[Baskets, Baskets, setveil.Release[None]], least: int, confidence: str
) -> None:
    before, after, release = random_release
    found = measures.mined_rules(release, min_support=least, min_confidence=confidence)
    sets = [rules_of(one, least, Fraction(confidence)) for one in (before, after)]
    common, union = sets[0] & sets[1], sets[0] | sets[1]
    assert (found.before, found.after, found.common) == (len(sets[0]), len(sets[1]), len(common))
    assert found.jaccard == (len(common) / len(union) if union else 1.0)


def test_divergence_of_the_same_is_nothing(connection: DuckDBPyConnection) -> None:
    release = suppressed(connection, TABLE_1, [])
    assert measures.distribution(release) == measures.Distribution(0.0, 0.0, 0.0)
    release.baskets.close()


def test_where_there_is_zero() -> None:
    assert measures.kl([0.0, 1.0], [0.5, 0.5]) == pytest.approx(log(2))
    assert measures.kl([0.5, 0.5], [0.0, 1.0]) == inf
    assert measures.symmetric_kl([0.0, 1.0], [1.0, 0.0]) == pytest.approx(log(2))
    assert measures.jaccard(0, 0, 0) == 1.0
    assert measures.jaccard(0, 1, 0) == 0.0  # as the paper has it at rho = 0.9
    assert measures.information_loss([], []) == 0.0


def test_a_release_that_is_gone_is_refused(connection: DuckDBPyConnection) -> None:
    release = suppressed(connection, TABLE_1, APPROACH_1)
    release.baskets.session.begin()
    with pytest.raises(InputError, match="gone"):
        measures.distribution(release)
    release.baskets.close()

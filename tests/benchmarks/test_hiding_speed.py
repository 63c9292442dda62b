"""The paper's experiment again, and how fast patterns are hidden. Run with `-m benchmark -s`.

The paper has 100,000 transactions of 500 items, at least 40 each, from the IBM generator, and ten
restrictive patterns of 2 to 5 items with supports of 20 to 40 %. So have we, from a generator of
our own: the figures are other ones, but what they say of the algorithms must be the same.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

import setveil
from reference import SHARED
from setveil.mine.search import Frequent, frequent_itemsets
from setveil.models.hiding.anonymize import ALGORITHMS, HEURISTICS

pytestmark = pytest.mark.benchmark

RETAIL = SHARED / "data" / "retail.parquet"
TRANSACTIONS = 100_000
SHORTEST = 40
PATTERNS = {2: 3, 3: 3, 4: 2, 5: 2}  # of each size so many
PAPER = {  # misses cost and dissimilarity, in percent
    "iga": (44, 3.55),
    "minfia": (65, 6.35),
    "maxfia": (69, 6.78),
    "naive": (90, 16.41),
}
LIMIT = 2.0  # seconds of a run, after reading; of processors, where others keep them busy
RESTRICTED = [(39, 229), (38, 225), (39, 812), (48, 2118), (32, 39, 271), (32, 438)]

Patterns = list[tuple[str, ...]]


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 100,000 transactions of 40 items or more, among 115,000 of 50 on average."""
    folder = tmp_path_factory.mktemp("quest")
    setveil.generate(
        folder / "all.parquet", transactions=TRANSACTIONS * 23 // 20, items=500, length=50,
        patterns=100, pattern_length=10, seed=1,
    )  # fmt: skip
    with duckdb.connect() as connection:
        connection.execute(
            f"""
            COPY (
                SELECT a.tid, a.item FROM '{folder}/all.parquet' AS a
                JOIN (
                    SELECT tid, ROW_NUMBER() OVER (ORDER BY tid) AS place
                    FROM '{folder}/all.parquet' GROUP BY tid HAVING COUNT(*) >= {SHORTEST}
                ) AS n ON n.tid = a.tid
                WHERE n.place <= {TRANSACTIONS} ORDER BY a.tid, a.item
            ) TO '{folder}/quest.parquet'
            """  # noqa: S608
        )
    return folder / "quest.parquet"


@pytest.fixture(scope="module")
def restrictive(quest: Path) -> Patterns:
    """Ten frequent itemsets, by lot, of 20 to 40 % support."""
    chance = random.Random(2002)
    chosen: Patterns = []
    with setveil.read(quest) as baskets:
        assert baskets.transactions == TRANSACTIONS
        found = frequent_itemsets(
            baskets.session, exp.to_table("occurrence"), items=baskets.items,
            transactions=baskets.transactions, least=TRANSACTIONS // 5, max_size=max(PATTERNS),
        )  # fmt: skip
        rows = baskets.session.backend.rows
        names = dict(rows("names", "SELECT item, name FROM item"))
        for size, number in PATTERNS.items():
            held = f"support <= {TRANSACTIONS * 2 // 5}"
            chosen += chance.sample(named_itemsets(rows, found, size, names, held), number)
    return chosen


def named_itemsets(
    rows: Callable[[str, str], list[tuple[int, ...]]],
    found: Frequent,
    size: int,
    names: dict[int, str],
    condition: str = "TRUE",
) -> Patterns:
    columns = ", ".join(f"item_{n}" for n in range(1, size + 1))
    relation = found.relation(size).name
    text = f"SELECT {columns} FROM {relation} WHERE {condition} ORDER BY ALL"  # noqa: S608
    return [tuple(names[item] for item in items) for items in rows("patterns", text)]


def hidden(path: Path, patterns: Sequence[object], **options: object) -> tuple[object, float]:
    """The metrics of a run, and its seconds after reading."""
    with setveil.read(path) as baskets:
        start, used = time.perf_counter(), time.process_time()
        release = setveil.hiding(baskets, patterns=patterns, **options)
        seconds, used = time.perf_counter() - start, time.process_time() - used
        return release.metrics, min(seconds, used)


def test_the_experiment_of_the_paper(quest: Path, restrictive: Patterns) -> None:
    """Nothing is disclosed or made up, and the algorithms stand in the paper's order."""
    measured = {}
    print("\n             misses cost       dissimilarity   (the paper's beside)")
    for name, (misses, dissimilarity) in PAPER.items():
        metrics, _ = hidden(quest, restrictive, method=name, mining_support=TRANSACTIONS // 10)
        mined = metrics.mined
        measured[name] = (mined.misses_cost, metrics.dissimilarity)
        print(
            f"  {name:8} {mined.misses_cost:8.1%} {misses:6} % {metrics.dissimilarity:12.2%} "
            f"{dissimilarity:6} %   restrictive {mined.restrictive:,} of "
            f"{mined.restrictive + mined.legitimate:,}"
        )
        assert all(one.remaining == 0 for one in metrics.patterns)
        assert all(0.2 <= one.support / TRANSACTIONS <= 0.4 for one in metrics.patterns)
        assert (mined.hiding_failure, mined.artifactual_patterns) == (0, 0)
    for place in (0, 1):
        iga, minfia, maxfia, naive = (measured[name][place] for name in PAPER)
        assert iga < min(minfia, maxfia) and max(minfia, maxfia) < naive


def test_psi_trades_one_for_the_other(quest: Path, restrictive: Patterns) -> None:
    support, before = TRANSACTIONS // 10, None
    print("\n  psi    hiding failure  misses cost  dissimilarity")
    for psi in (0, 0.25, 0.5, 0.75, 1):
        metrics, _ = hidden(quest, restrictive, psi=psi, method="iga", mining_support=support)
        mined = metrics.mined
        print(
            f"  {psi:4.0%} {mined.hiding_failure:15.1%} {mined.misses_cost:12.1%} "
            f"{metrics.dissimilarity:14.2%}"
        )
        now = (mined.hiding_failure, -mined.misses_cost, -metrics.dissimilarity)
        assert before is None or all(a <= b for a, b in zip(before, now, strict=True))
        before = now
    assert before == (1, 0, 0)


def test_a_run_takes_little_time(quest: Path, restrictive: Patterns) -> None:
    for name in HEURISTICS:
        seconds = min(hidden(quest, restrictive, method=name)[1] for _ in range(2))
        print(f"\n  {name}: {seconds:.2f} s after reading", end="")
        assert seconds < LIMIT


@pytest.fixture(scope="module")
def parts(quest: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Path]]:
    folder = tmp_path_factory.mktemp("parts")
    sizes = (20_000, 40_000, 60_000, 80_000, 100_000)
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE numbered AS SELECT *, DENSE_RANK() OVER (ORDER BY tid) AS n FROM '{quest}'"  # noqa: S608, E501
        )
        for size in sizes:
            text = f"COPY (SELECT tid, item FROM numbered WHERE n <= {size} ORDER BY tid, item) TO '{folder}/{size}.parquet'"  # noqa: S608, E501
            connection.execute(text)
    yield {size: folder / f"{size}.parquet" for size in sizes}


def test_time_grows_with_transactions_and_patterns(
    parts: dict[int, Path], restrictive: Patterns
) -> None:
    """In line, at most: five times as many take five times as long, and half as much for noise."""
    times = {}
    for size, path in parts.items():
        times[size] = min(hidden(path, restrictive)[1] for _ in range(2))
        print(f"\n  {size:7,} transactions: {times[size]:.2f} s", end="")
    assert times[100_000] < 1.5 * 5 * times[20_000]
    of_patterns = {}
    for number in (2, 4, 6, 8, 10):
        path = parts[100_000]
        of_patterns[number] = min(hidden(path, restrictive[:number])[1] for _ in range(2))
        print(f"\n  {number:2} patterns: {of_patterns[number]:.2f} s", end="")
    assert of_patterns[10] < 1.5 * 5 * of_patterns[2]


def need_retail() -> Path:
    if not RETAIL.exists():
        pytest.skip(f"{RETAIL} is not there")
    return RETAIL


def test_a_thousand_patterns() -> None:
    path, chosen = need_retail(), []
    with setveil.read(path) as baskets:
        found = frequent_itemsets(
            baskets.session, exp.to_table("occurrence"), items=baskets.items,
            transactions=baskets.transactions, least=200,
        )  # fmt: skip
        rows = baskets.session.backend.rows
        names = dict(rows("names", "SELECT item, name FROM item"))
        for size in range(2, len(found.counts) + 1):
            chosen += named_itemsets(rows, found, size, names)
    for name in HEURISTICS:
        metrics, seconds = hidden(path, chosen[:1000], method=name)
        print(f"\n  1,000 patterns on retail, {name}: {seconds:.2f} s", end="")
        assert len(metrics.patterns) == 1000
        assert seconds < 30


def test_border_keeps_what_the_others_lose() -> None:
    path = need_retail()
    print("\n            disclosed    lost of 2,176  suppressed  seconds")
    for name in ALGORITHMS:
        options = {"min_support": 200, "method": name}
        seconds = min(hidden(path, RESTRICTED, **options)[1] for _ in range(2))
        metrics, _ = hidden(path, RESTRICTED, mining_support=200, **options)
        mined = metrics.mined
        lost = mined.legitimate - mined.found
        print(
            f"  {name:8} {mined.disclosed:10} {lost:10} ({mined.misses_cost:.2%}) "
            f"{metrics.suppressed_occurrences:10,} {seconds:8.2f}"
        )
        assert (mined.disclosed, mined.legitimate) == (0, 2176)
        if name == "border":
            assert (lost, metrics.lost, metrics.lost_bound) == (0, 0, 0)
            assert metrics.suppressed_occurrences <= 1461
            assert seconds < 2.5 * LIMIT

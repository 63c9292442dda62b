"""Top-down specialization against a plain search, and k-anonymity in public items alone."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from hypothesis import strategies as st

import oracles_generalize
import oracles_km
import oracles_tds as oracle
import setveil
from calls import shop
from examples import tried
from runs import parquet, read_parquet
from setveil import verify
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError

FIGURE_1 = {1: "acdfg", 2: "abcf", 3: "bdfx", 4: "bcgyz", 5: "acfg"}
ILL = {1: "Diabetes", 2: "Hepatitis", 3: "Hepatitis", 4: "HIV", 5: "HIV"}
TABLE_2 = {1: "a1", 2: "a1 a2", 3: "b1 b2", 4: "b1 b2", 5: "a1 a2 b2", 6: "a1 a2 b2",
           7: "a1 a2 b1 b2"}  # fmt: skip


def rows(sets: dict[int, list[str]]) -> str:
    values = ", ".join(f"({tid}, '{item}')" for tid, items in sets.items() for item in items)
    return f"SELECT * FROM (VALUES {values}) AS v(tid, item)"  # noqa: S608


def sets_of(path: Path) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for tid, item, *_ in read_parquet(path):
        found.setdefault(tid, set()).add(item)
    return found


def test_the_example_of_the_coherence_paper(tmp_path: Path) -> None:
    """Section 1.2: two classes, {T1, T2, T5} and {T3, T4}; only the item a remains."""
    path = parquet(
        tmp_path / "a.parquet", rows({tid: [*one, ILL[tid]] for tid, one in FIGURE_1.items()})
    )
    ill = sorted(set(ILL.values()))
    with setveil.read(path) as baskets:
        release = setveil.k_anonymity(baskets, k=2, method="tds", private=ill)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
        assert release.verdict.checked == 2
    held = sets_of(tmp_path / "b.parquet")
    assert held == {tid: {ILL[tid]} | ({"a"} if tid in (1, 2, 5) else set()) for tid in ILL}
    assert release.metrics.suppressed_items == 8
    assert release.metrics.information_loss == pytest.approx(19 / 27)
    assert setveil.replay(tmp_path / "b.sql").same


def test_table_2_of_local_generalization(tmp_path: Path) -> None:
    """The last column: the optimal global recoding under 2-anonymity."""
    path = parquet(tmp_path / "a.parquet", rows({t: one.split() for t, one in TABLE_2.items()}))
    tree = parquet(
        tmp_path / "tree.parquet",
        "SELECT * FROM (VALUES ('a1', 'A'), ('a2', 'A'), ('b1', 'B'), ('b2', 'B')) "
        "AS v(item, level1)",
    )
    with setveil.read(path) as baskets:
        release = setveil.k_anonymity(baskets, k=2, method="tds", hierarchy=tree)
        release.write(tmp_path / "b.parquet", trail=tmp_path / "b.sql")
        assert release.metrics.ncp == 0.5 and release.metrics.published == 2
    ab = {"A", "B"}
    wanted = {1: {"A"}, 2: {"A"}, 3: {"B"}, 4: {"B"}, 5: ab, 6: ab, 7: ab}
    assert sets_of(tmp_path / "b.parquet") == wanted
    assert setveil.replay(tmp_path / "b.sql").holds
    words = ["verify", "k-anonymity", str(tmp_path / "b.parquet"), "--k", "2"]
    assert run([*words, "--original", str(path), "--hierarchy", str(tree)]) == 0


asked = (
    oracles_km.cases(),
    st.integers(1, 4),
    st.sampled_from(["", "a", "ab"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.none() | st.lists(st.integers(0, 3), min_size=9, max_size=9),
)


@tried(2, 40, *asked)
def test_every_round_is_the_best(connection, case, k, secrets, unknown, tree, lists, owners):
    check(connection, case, k, secrets, unknown, tree, lists, owners)


@pytest.mark.everywhere
def test_nodes_items_persons_and_both_layouts(connection):
    """One example of all that the queries tell apart, in every database."""
    ways = {item: ((0, item), (1, "a" if item in "abc" else "o'brien"), (4, "*"))
            for item in oracles_km.ITEMS}  # fmt: skip
    sets = ["abd", "abd", "acd", "bcde", "abde", "cdf", "ef", "ade", "bdf", "f", "f", "a"]
    case = oracles_km.Case(tuple(map(frozenset, sets)), ways)
    whose = [0, 1, 2, 0, 1, 2, 3, 3, 2, 4, 5, 0]
    check(connection, case, 2, "f", False, True, True, whose)
    check(connection, case, 2, "f", False, False, False, whose)
    check(connection, case, 2, "", False, False, True, None)


def check(connection, case, k, secrets, unknown, tree, lists, owners):
    """The release has the nodes that the plain search specializes, and its classes keep k."""
    private = sorted(set(secrets) & set(case.items))
    public = frozenset(case.items) - set(private)
    if unknown and len(public) > 1:  # nobody knows the last item, which is not private
        public -= {max(public)}
    if not lists:
        case = oracles_km.Case(tuple(one for one in case.baskets if one), case.ways)
    whose = range(len(case.baskets)) if owners is None else owners[: len(case.baskets)]
    given = oracle.Setting(case, public, whose, tree, lists)
    expected = oracle.specialized(given, k)
    oracles_km.make(connection, case, whose).close()
    connection.execute(
        "CREATE OR REPLACE TABLE given_long AS "
        "SELECT tid, UNNEST(items) AS item, who FROM given_lists"
    )
    person = None if owners is None else "who"
    source = ("given_lists", "items") if lists else ("given_long", "item")
    ask = {"private": private} | ({"public": sorted(public)} if unknown and public else {})
    hierarchy = {"hierarchy": "tree"} if tree else {}
    with setveil.read(connection, source[0], item=source[1], person=person) as baskets:
        if expected is None:
            with pytest.raises(UnreachableError):
                setveil.k_anonymity(baskets, k=k, method="tds", **ask, **hierarchy)
            return
        release = setveil.k_anonymity(baskets, k=k, method="tds", **ask, **hierarchy)
        held, metrics = release.rows(), release.metrics
        listed = ask if private or "public" in ask else {}
        again = verify.k_anonymity(release, k=k, **listed)
    published = given.twins(expected)
    others = [frozenset((0, item) for item in one - public) for one in case.baskets]
    wanted = {n: published[n] | others[n] for n in given.shown(published)}
    assert nodes_of(held, lists, tree) == wanted
    shown = given.shown(published)
    assert oracle.anonymous([published[n] for n in shown], [whose[n] for n in shown], k)
    assert again.holds and again.transactions == len(shown)
    assert metrics.rounds == len(expected)
    losses_are_right(given, expected, metrics)


def losses_are_right(given, split, metrics):
    """The losses of the metrics are those of the definition, one occurrence after the other."""
    at = {given.at(split, item) for item in given.known}
    choice = frozenset(node for node in at if not node[1].startswith(oracle.HIDDEN))
    found = oracles_generalize.losses(given.case, choice, given.public)
    assert metrics.information_lost == pytest.approx(found["information"], abs=1e-9)
    assert metrics.ncp == pytest.approx(found["ncp"], abs=1e-9)


def nodes_of(held, lists, tree):
    """The nodes of each transaction that has a row."""
    found: dict[int, frozenset[tuple[int, str]]] = {}
    for tid, items, *levels in held:
        if not lists:
            items, levels = [items], [levels]
        own = levels[0] if tree else [0] * len(items)
        found[tid] = found.get(tid, frozenset()) | frozenset(zip(own, items, strict=True))
    return found


@tried(2, 30, oracles_km.cases(), st.integers(1, 3), st.sampled_from(["a", "ab"]), st.booleans())
def test_partition_keeps_k_in_public_items(connection, case, k, secrets, refine):
    private = sorted(set(secrets) & set(case.items))
    public = frozenset(case.items) - set(private)
    full = [basket for basket in case.baskets if basket & public]
    with oracles_km.make(connection, case) as baskets:
        ask = {"k": k, "private": private, "hierarchy": "tree", "refine": refine}
        if 0 < len(full) < k or 0 < len(case.baskets) - len(full) < k:
            with pytest.raises(UnreachableError):
                setveil.k_anonymity(baskets, **ask)
            return
        release = setveil.k_anonymity(baskets, **ask)
        held = nodes_of(release.rows(), True, True)
        assert verify.k_anonymity(release, k=k, private=private or None).holds
    secret = {(0, item) for item in private}
    for n, basket in enumerate(case.baskets):
        assert held[n] & secret == {(0, item) for item in basket if item in private}
    sets = [held[n] - secret for n in range(len(case.baskets))]
    assert oracle.anonymous(sets, range(len(sets)), k)


@tried(3, 60, oracles_km.cases(), st.integers(1, 4), st.sampled_from(["a", "ab", ""]),
       st.booleans())  # fmt: skip
def test_the_checker_in_both_directions(connection, case, k, secrets, listed):
    """Any data at all as a release: the checker says what the definition says."""
    private = sorted(set(secrets) & set(case.items))
    public = sorted(set(case.items) - set(private))
    ask = {"private": private or None} | ({"public": public} if listed and public else {})
    known = set(case.items) - set(private)
    held = [frozenset((0, one) for one in basket if one in known) for basket in case.baskets]
    with oracles_km.make(connection, case) as baskets:
        verdict = verify.k_anonymity(baskets, k=k, **ask)
    assert verdict.holds == oracle.anonymous(held, range(len(held)), k)
    assert verdict.checked == len(set(held))


def test_a_node_with_the_name_of_a_private_item_counts(connection) -> None:
    """An item is exempt by its name on level 0 alone."""
    connection.execute(
        "CREATE OR REPLACE TABLE r AS SELECT * FROM "
        "(VALUES (1, 'hiv', 1), (2, 'hiv', 1), (3, 'hiv', 0), (4, 'x', 0)) AS v(tid, item, level)"
    )
    with setveil.read(connection, "r") as baskets:
        assert verify.k_anonymity(baskets, k=2, private=["hiv", "x"]).holds
        assert not verify.k_anonymity(baskets, k=3, private=["hiv", "x"]).holds
        assert not verify.k_anonymity(baskets, k=2, private=["hiv"]).holds


def test_the_command(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = ["k-anonymity", "shop.parquet", "--k", "3", "--method", "tds"]
    listed = ["--private", "private.txt"]
    assert run([*words, *listed, "--out", "b.parquet", "--trail", "b.sql", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert any("not protected" in one for one in printed["notes"])
    assert printed["metrics"]["suppressed_items"] == 1 and printed["metrics"]["rounds"] == 2
    assert duckdb.sql("FROM 'b.parquet'").columns == ["tid", "item"]
    assert run(["verify", "k-anonymity", "b.parquet", "--k", "3", *listed]) == 0
    assert run(["verify", "k-anonymity", "b.parquet", "--k", "3"]) == 0  # here milk does not tell
    capsys.readouterr()
    assert run(["verify", "k-anonymity", "b", "--k", "3", *listed, "--query"]) == 0
    query = capsys.readouterr().out
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE b AS FROM 'b.parquet'")
        assert connection.execute(query).fetchall() == []
    replayed = setveil.replay("b.sql")
    assert replayed.same and replayed.holds


def test_others_are_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    with setveil.read("shop.parquet") as baskets:
        with pytest.raises(InputError, match="is for the method partition"):
            setveil.k_anonymity(baskets, k=2, method="tds", refine=True)
        with pytest.raises(InputError, match="there is no method 'best'"):
            setveil.k_anonymity(baskets, k=2, method="best")
        with pytest.raises(UnreachableError, match="fewer than k = 30"):
            setveil.k_anonymity(baskets, k=30, method="tds", private=["milk", "beer"])


def test_slices_split_no_published_node(tmp_path: Path, monkeypatch) -> None:
    """A node that an earlier slice published stays whole."""
    monkeypatch.chdir(tmp_path)
    kinds = {1: ["a1", "b1"], 2: ["a2", "b1"], 3: ["a1", "b1"], 4: ["a2", "b1"]}
    first = {10 * tid + n: items for tid, items in kinds.items() for n in range(1 + (tid > 3))}
    parquet(tmp_path / "tree.parquet", "SELECT * FROM (VALUES ('a1', 'A'), ('a2', 'A'), "
            "('b1', 'B'), ('b2', 'B')) AS v(item, level1)")  # fmt: skip
    one = {10: ["a1"], 20: ["a2"], 30: ["b1"], 31: ["b1"], 40: ["a1"]}
    parquet(tmp_path / "1.parquet", rows(one))
    more = {100 + tid: items for tid, items in first.items()}
    parquet(tmp_path / "2.parquet", rows(one | more))
    words = ["--k", "2", "--method", "tds", "--hierarchy", "tree.parquet"]
    assert run(["k-anonymity", "1.parquet", *words, "--append", "safe"]) == 0
    assert run(["k-anonymity", "2.parquet", *words, "--append", "safe"]) == 0
    labels = {(item, level) for _, item, level, *_ in read_parquet(tmp_path / "safe" / "*.parquet")}
    assert ("A", 1) in labels and not labels & {("a1", 0), ("a2", 0)}
    assert run(["verify", "k-anonymity", "safe", "--k", "2"]) == 0

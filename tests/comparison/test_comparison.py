"""A release beside its original: every figure against its formula, and against the paper."""

from __future__ import annotations

from dataclasses import asdict
from types import SimpleNamespace

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import parse_one

import harness
import oracles_comparison as oracle
import setveil
from comparisons import compared, pairs, table
from setveil.comparison import risk
from setveil.comparison.measures import MEASURES
from setveil.comparison.views.view import names_of
from setveil.errors import InputError
from setveil.run.persons import TRANSACTIONS as PERSONS
from travelling import shows_rows

FIGURE_1 = {
    "T1": frozenset("acdfg") | {"Diabetes"},
    "T2": frozenset("abcf") | {"Hepatitis"},
    "T3": frozenset("bdfx") | {"Hepatitis"},
    "T4": frozenset("bcgyz") | {"HIV"},
    "T5": frozenset("acfg") | {"HIV"},
}
SECRETS = ["Diabetes", "Hepatitis", "HIV"]
NO_FILES = "a file is not compared with what is on a server"


asked = given(pairs(), st.integers(1, 3), st.integers(2, 4), st.booleans())


@settings(max_examples=4, deadline=None)
@asked
def test_every_measure_is_its_formula(connection, pair, least, k, lists):
    check_measures(connection, pair, least, k, lists)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@asked
def test_every_measure_is_its_formula_on_many(connection, pair, least, k, lists):
    check_measures(connection, pair, least, k, lists)


def check_measures(connection, pair, least, k, lists):
    original, release = pair
    if not lists:
        original, release = (
            {key: held for key, held in one.items() if held} for one in (original, release)
        )
    private = {"b", "B"} & oracle.items_of(original)
    found = compared(
        connection, original, release, lists=lists, k=k, p=2, h="0.5", private=sorted(private),
        min_support=least if least > 1 else None, plan="auto",
    )  # fmt: skip
    expected = {}
    if set(release) <= set(original):
        expected["transactions_lost"] = oracle.transactions_lost(original, release)
        expected["as_they_were"] = oracle.as_they_were(original, release)
    if oracle.is_suppression(original, release):
        expected["information_loss"] = oracle.information_loss(original, release)
        expected["kl"] = oracle.kl(original, release)
        expected["symmetric_kl"] = oracle.symmetric_kl(original, release)
        expected["distribution_objective"] = oracle.distribution_objective(original, release)
        expected["distortion"] = oracle.distortion(original, release)
        expected["information_lost"] = oracle.suppression_lost(original, release)
    if least > 1 and (oracle.frequent(original, least) or oracle.frequent(release, least)):
        expected["itemsets_kept"] = oracle.itemsets_kept(original, release, least)
        expected["itemsets_new"] = oracle.itemsets_new(original, release, least)
        if (kept := oracle.pairs_kept(original, release, least)) is not None:
            expected["pairs_kept"] = kept
    [one] = found.releases
    exact = {name: float(value) for name, value in expected.items()}
    assert one.measures == pytest.approx(exact, rel=1e-12, abs=1e-12)
    for side, data in ((found.original, original), (one.side, release)):
        public = oracle.items_of(data) - private
        assert side.transactions == len(data)
        assert side.occurrences == oracle.occurrences(data)
        for kind, few in (("unique", 2), ("singled_out", k)):
            shares = [float(oracle.singled_out(data, public, few, power)) for power in (1, 2)]
            assert list(side.risk[kind]) == shares
        breach = float(oracle.highest_breach(data, public, private, 2))
        assert side.risk["breach"] == (breach if private else None)
        of_persons = {"unique_persons", "singled_out_persons", "largest_share"}
        assert all(side.risk[one] is None for one in of_persons), "no persons are counted"
        for_evidence = {name for name, it in risk.MEASURES.items() if it.evidence}
        others = side.risk.keys() - of_persons - for_evidence  # see test_intruder.py
        assert others == {"unique", "singled_out", "breach"}, "measures without an oracle"


@settings(max_examples=8, deadline=None)
@given(pairs(), st.integers(1, 3))
def test_what_lost_most(connection, pair, least):
    original, release = pair
    found = compared(connection, original, release, lists=True, min_support=least + 1, max_size=2)
    [one] = found.releases
    before = {item: oracle.support(original, (item,)) for item in oracle.items_of(original)}
    lost = {
        (item, had, oracle.support(release, (item,)))
        for item, had in before.items()
        if had > oracle.support(release, (item,))
    }
    assert {(it.item, it.before, it.after) for it in one.items_lost_most} == lost
    losses = [it.before - it.after for it in one.items_lost_most]
    assert losses == sorted(losses, reverse=True)
    was, is_now = oracle.frequent(original, least + 1), oracle.frequent(release, least + 1)
    expected = {
        (frozenset(items), had, is_now.get(items))
        for items, had in was.items()
        if len(items) == 2 and had > is_now.get(items, 0)
    }
    shown = {(frozenset(it.items), it.before, it.after) for it in one.itemsets_lost_most}
    assert shown <= expected and len(shown) == min(10, len(expected))
    for sized in one.itemsets:
        of_size = [{i for i in sets if len(i) == sized.size} for sets in (was, is_now)]
        kept = of_size[0] & of_size[1]
        assert (sized.before, sized.after, sized.kept) == (*map(len, of_size), len(kept))
        assert (sized.lost, sized.new) == (len(of_size[0] - kept), len(of_size[1] - kept))


def test_figure_1(connection):
    """Example 3: ab and d with a single T2 and T1 out; x, y, z suffice alone; bf tells Hepatitis.

    Section 4: suppressing d, b and the rare x, y, z costs S/N = 8/27.
    """
    release = {key: held - set("bdxyz") for key, held in FIGURE_1.items()}
    found = compared(connection, FIGURE_1, release, k=2, p=2, h=0.8, private=SECRETS,
                     min_support=2, verify="coherence")  # fmt: skip
    assert found.original.risk["unique"] == (0.4, 0.8)
    assert found.original.risk["breach"] == 1.0
    [one] = found.releases
    assert one.measures["information_loss"] == one.measures["distortion"] == 8 / 27
    assert one.side.risk["unique"] == (0.0, 0.0)
    assert one.side.risk["breach"] == 2 / 3  # g is in T1, T4, T5; two of them have HIV
    assert one.guarantee and one.guarantee.holds


def test_a_guarantee_that_does_not_hold_is_told(connection):
    found = compared(connection, FIGURE_1, FIGURE_1, k=2, p=2, h=0.8, private=SECRETS,
                     verify="coherence")  # fmt: skip
    [one] = found.releases
    assert one.guarantee and not one.guarantee.holds
    assert one.measures["information_loss"] == 0 and one.measures.pop("as_they_were") == 1
    assert set(one.measures.values()) == {0}
    assert one.side == found.original


def test_rm_all_of_figure_1(connection):
    """Section 4: S/N is then the share of the public items' occurrences."""
    release = {key: held & set(SECRETS) for key, held in FIGURE_1.items()}
    [one] = compared(connection, FIGURE_1, release).releases
    assert one.measures["distortion"] == 22 / 27


def test_suppression_in_places_is_less_distortion_than_loss(connection):
    """An item that stays somewhere is no suppressed item: S counts those that went everywhere."""
    release = {key: held - {"f"} if key < "T3" else held for key, held in FIGURE_1.items()}
    [one] = compared(connection, FIGURE_1, release).releases
    assert one.measures["information_loss"] == 2 / 27
    assert one.measures["distortion"] == 0
    assert [(it.item, it.before, it.after) for it in one.items_lost_most] == [("f", 4, 2)]


def test_a_generalized_release_has_no_loss_by_suppression(connection):
    """What the original does not name gets a number, and is mined as new."""
    release = {key: {"letter"} if held else held for key, held in FIGURE_1.items()}
    [one] = compared(connection, FIGURE_1, release, min_support=5).releases
    assert "information_loss" not in one.measures
    assert (one.items_gone, one.items_new) == (12, 1)
    assert one.measures["itemsets_new"] == 1.0


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        (["outs.safe", "outs.n1"], ["outs.safe", "outs.n1"]),
        (["outs/safe.parquet", "n.1.csv", "t"], ["safe", "n.1", "t"]),
        (["a/safe.csv", "b/safe.parquet"], ["1 safe", "2 safe"]),
    ],
)
def test_only_the_suffix_of_a_file_is_no_part_of_a_name(named, shown):
    found = SimpleNamespace(releases=[SimpleNamespace(name=name) for name in named])
    assert names_of(found) == shown


def test_a_new_name_is_no_item_of_the_original(connection):
    original = {n: frozenset("ab") for n in range(3)}
    [one] = compared(
        connection, original, dict.fromkeys(original, {"x", "y"}), min_support=3
    ).releases
    assert [(it.before, it.after, it.kept) for it in one.itemsets] == [(2, 2, 0), (1, 1, 0)]


def test_the_largest_losses_come_first_where_there_are_many(connection):
    original = {n: frozenset("abcdefg"[: 7 - n // 2]) for n in range(10)}
    [one] = compared(connection, original, {0: frozenset("z")}, min_support=2).releases
    lost = [it.before for it in one.itemsets_lost_most]
    every = sorted((n for s, n in oracle.frequent(original, 2).items() if len(s) > 1), reverse=True)
    assert lost == every[:10]


def test_roles_are_those_of_the_original(connection):
    """A condition on the support is about the original's: in the release it would choose others."""
    original = {n: frozenset({"a"} | ({"b"} if n < 4 else set())) for n in range(8)}
    release = {n: held - ({"a"} if n < 6 else set()) for n, held in original.items()}
    found = compared(connection, original, release, lists=True, h=0.5, p=1, k=3,
                     private="where:support > 4")  # fmt: skip
    assert found.original.risk["breach"] == 1.0
    assert found.releases[0].side.risk["breach"] == 2 / 8
    assert found.releases[0].side.risk["singled_out"] == (0.0,)  # b is in 4; a, in 2, is private


def test_who_knows_more_than_what_reveals_something_can_infer_more(connection):
    """a tells of e in 1 of 2, b in 1 of 4; both together in 1 of 1."""
    rows = ["abe", "a", "b", "b", "b", "c", "c", "c"]
    data = {n: frozenset(row) for n, row in enumerate(rows)}
    found = compared(connection, data, data, p=2, h=0.5, private=["e"])
    assert found.original.risk["breach"] == 1.0


def test_named_public_items_are_all_that_attackers_know(connection):
    found = compared(connection, FIGURE_1, FIGURE_1, k=2, p=1, public=["a", "x"])
    assert found.original.risk["unique"] == found.releases[0].side.risk["unique"] == (0.2,)


@pytest.mark.parametrize("lists", [False, True])
def test_duplicates_count_once_and_columns_may_differ(connection, lists):
    given = table(connection, FIGURE_1, lists=lists)
    once = f"SELECT tid AS visit, item AS what FROM {given}"  # noqa: S608
    twice = f"{once} UNION ALL SELECT tid, item FROM {given}"  # noqa: S608
    other = once.replace("item", "item || item") if lists else twice
    with setveil.read(connection, given) as baskets:
        [one] = setveil.compare(baskets, other, tid="visit", item="what").releases
    assert one.measures["information_loss"] == 0


def test_types_may_differ(tmp_path, connection):
    """A release as CSV has text where the original has numbers."""
    connection.execute(
        f"COPY (SELECT range % 5 AS tid, range AS item FROM RANGE(20)) TO '{tmp_path}/a.parquet'"  # noqa: S608
    )
    connection.execute(
        f"COPY (SELECT * FROM '{tmp_path}/a.parquet' WHERE item > 1) TO '{tmp_path}/b.csv'"  # noqa: S608
    )
    with setveil.read(tmp_path / "a.parquet") as baskets:
        [one] = setveil.compare(baskets, tmp_path / "b.csv", min_support=1).releases
    assert one.measures["information_loss"] == 2 / 20
    assert one.measures["itemsets_new"] == 0
    assert [it.item for it in one.items_lost_most] == ["0", "1"]


def test_transactions_without_keys_are_matched_by_their_places(tmp_path):
    (tmp_path / "a.dat").write_text("1 2 3\n\n2 3\n")
    (tmp_path / "b.dat").write_text("1 3\n\n3\n")
    (tmp_path / "c.dat").write_text("1 3\n3\n")
    with setveil.read(tmp_path / "a.dat") as baskets:
        found = setveil.compare(baskets, tmp_path / "b.dat", tmp_path / "c.dat")
    same, fewer = found.releases
    assert same.measures["information_loss"] == 2 / 5
    assert "information_loss" not in fewer.measures and fewer.transactions_kept is None


def test_a_release_that_was_just_made(tmp_path, connection):
    """Of a file, of lists without keys, and of an open connection: as it will be written."""
    (tmp_path / "a.dat").write_text("1 2 3\n2 3\n2 3 1\n3\n")
    for source in (tmp_path / "a.dat", table(connection, FIGURE_1)):
        named = (source,) if source != str(source) else (connection, source)
        with setveil.read(*named) as baskets:
            release = setveil.coherence(baskets, k=3, p=2)
            loss = release.metrics.information_loss
            found = setveil.compare(baskets, release, k=3, verify="coherence")
            assert found.releases[0].measures["information_loss"] == loss
            assert found.releases[0].guarantee.holds


def test_tables_of_a_database(tmp_path):
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE sales AS SELECT range % 3 AS tid, range AS item FROM RANGE(9)"
        )
        connection.execute("CREATE TABLE safe AS SELECT * FROM sales WHERE item > 0")
    with setveil.read("sales", database=tmp_path / "shop.duckdb") as baskets:
        found = setveil.compare(baskets, "safe", "SELECT * FROM sales WHERE item > 1")
    assert [one.measures["information_loss"] for one in found.releases] == [1 / 9, 2 / 9]


@pytest.mark.gap("postgres", reason=NO_FILES)
@pytest.mark.gap("spark", reason=NO_FILES)
def test_mistakes_are_told(connection, tmp_path):
    given = table(connection, FIGURE_1)
    with setveil.read(connection, given) as baskets, setveil.read(connection, given) as other:
        release = setveil.coherence(other, k=2, p=1)
        for asked, told in (
            (lambda: setveil.compare(baskets), "no release"),
            (lambda: setveil.compare(baskets, given, verify="magic"), "magic"),
            (lambda: setveil.compare(baskets, given, min_support=1.5), "no point"),
            (lambda: setveil.compare(baskets, given, min_confidence=0.5), "needs min_support="),
            (lambda: setveil.compare(baskets, release), "other baskets"),
            (lambda: setveil.compare(baskets, "gone"), "gone"),
            (lambda: setveil.compare(baskets, tmp_path / "gone.csv"), "no such file"),
        ):
            with pytest.raises(InputError, match=told):
                asked()
        for _ in range(2):  # a comparison leaves the release as it is
            setveil.compare(other, release)


def test_releases_of_other_data_are_told(connection, tmp_path):
    (tmp_path / "long.csv").write_text("tid,item\n1,a\n2,b\n")
    (tmp_path / "other.csv").write_text("tid,item\n3,x\n")
    (tmp_path / "lines.dat").write_text("a b\na\nb\n")
    for release, told in (
        ("long.csv", []),
        ("other.csv", ["share no item", "share no transaction"]),
        ("lines.dat", ["cannot be matched by transactions"]),
    ):
        said = []
        with setveil.read(tmp_path / "long.csv", note=said.append) as baskets:
            setveil.compare(baskets, tmp_path / release)
        assert said.pop(0) == PERSONS
        assert len(said) == len(told)
        assert all(one in note for one, note in zip(told, said, strict=True))


def test_nothing_is_left_behind(connection):
    """Runs beside the original end with the comparison."""
    databases = "SELECT COUNT(*) FROM duckdb_databases()"
    before = connection.execute(databases).fetchall()
    compared(connection, FIGURE_1, FIGURE_1)
    assert connection.execute(databases).fetchall() == before


def everything(path):
    """Options for all there is to say of items."""
    names = [
        one for (one,) in duckdb.read_parquet(str(path)).unique("item").order("item").fetchall()
    ]
    return {"min_support": "2%", "min_confidence": 0.3, "patterns": [names[:2], names[4:7]],
            "sensitive": names[3:6]}  # fmt: skip


@pytest.mark.slow
def test_threads_change_nothing(tmp_path):
    setveil.generate(tmp_path / "a.parquet", transactions=600, items=60, length=6, seed=5)
    with setveil.read(tmp_path / "a.parquet") as baskets:
        setveil.coherence(baskets, k=4, p=2).write(tmp_path / "b.parquet")
        setveil.k_anonymity(baskets, k=4, fanout=4).write(tmp_path / "g.parquet")
    found = []
    for threads in (1, 2, 4):
        with setveil.read(tmp_path / "a.parquet", threads=threads) as baskets:
            one = setveil.compare(
                baskets, tmp_path / "b.parquet", tmp_path / "g.parquet", k=4, fanout=4,
                **everything(tmp_path / "a.parquet"),
            )  # fmt: skip
            sql = {name: [s.text for s in made] for name, made in one.sql.items()}
            found.append(asdict(one) | {"sql": sql})
    assert found[0] == found[1] == found[2]


def test_no_question_is_answered_with_rows_of_transactions(connection):
    found = compared(connection, FIGURE_1, FIGURE_1, k=3, p=2, h=0.8, private=SECRETS,
                     min_support=2, min_confidence=0.5, patterns=[["a", "c"]], sensitive=["HIV"],
                     verify="coherence")  # fmt: skip
    questions = [one for made in found.sql.values() for one in made if one.question]
    assert len(questions) > 10
    for one in questions:
        assert not shows_rows(parse_one(one.text, dialect=harness.current.dialect)), one.text


def test_every_measure_says_what_it_is():
    assert len({one.title for one in MEASURES.values()}) == len(MEASURES)
    for one in MEASURES.values():
        doc = one.formula.__doc__ or ""
        assert one.title and ("/" in doc or "sum" in doc)

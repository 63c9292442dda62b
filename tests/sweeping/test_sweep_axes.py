"""Sweeps over any parameter, of several models, with prepared data, drawn roles and measures."""

from __future__ import annotations

import csv
import json
import statistics

import pytest

import oracles
import setveil
from setveil.cli.main import run
from setveil.errors import InputError
from setveil.preparing.prepare import Preparation, drawn_roles, prepared
from setveil.sweeping.points import spread


@pytest.fixture
def baskets(connection):
    with oracles.read(connection, oracles.seeded(7, 60, 7, 2)) as found:
        yield found


def values(point, *names):
    return [point.measures[name].mean for name in names]


@pytest.mark.few(1)
@pytest.mark.parametrize("shares", [["0.6"], ["0.6", "0.8"]])
def test_any_parameter_is_an_axis(baskets, shares):
    """The kept figures of uncertainty, and parts, beside a run for each."""
    secret = [str(name) for name in drawn_roles(baskets, "0.3", 1, "x").drawn]
    grid = {"keep": ["rules", "distribution"], "method": ["partial"], "rho": shares}
    found = setveil.sweep(baskets, "uncertainty", grid, sensitive=secret, seed=3)
    assert len(found.points) == 2 * len(shares)
    for point in found.points:
        alone = setveil.uncertainty(baskets, sensitive=secret, seed=3, **point.parameters)
        assert point.metrics == alone.metrics


def test_several_models_have_the_axes_that_are_theirs(baskets):
    grid = {"k": [2, 4], "m": [1, 2], "fanout": [3]}
    found = setveil.sweep(baskets, ["k-anonymity", "km-anonymity"], grid)
    shown = [(one.model, *one.parameters.values()) for one in found.points]
    assert shown[:2] == [("k-anonymity", 3, 2), ("k-anonymity", 3, 4)]
    assert shown[2:] == [("km-anonymity", 3, k, m) for k in (2, 4) for m in (1, 2)]
    for one in found.points:
        model = getattr(setveil, one.model.replace("-", "_"))
        assert model(baskets, **one.parameters).metrics == one.metrics
    assert found.cost == "ncp"


@pytest.mark.slow
def test_a_hierarchy_is_for_the_methods_that_publish_nodes(baskets):
    secret = [str(name) for name in drawn_roles(baskets, "0.3", 1, "x").drawn]
    grid = {"method": ["partial", "tdcontrol"]}
    given = {"rho": "0.6", "sensitive": secret, "fanout": 3}
    found = setveil.sweep(baskets, "uncertainty", grid, **given)
    for point, tree in zip(found.points, ({}, {"fanout": 3}), strict=True):
        method = point.parameters["method"]
        alone = setveil.uncertainty(baskets, sensitive=secret, rho="0.6", method=method, **tree)
        assert point.metrics == alone.metrics


def test_draws_are_runs_with_seeds_in_a_row(baskets):
    grid = {"public_share": ["0.4", "0.8"], "k": [3]}
    found = setveil.sweep(baskets, "coherence", grid, p=1, h="1", sample="0.5", draws=3, seed=5)
    for point in found.points:
        losses = []
        for seed in (5, 6, 7):
            with prepared(baskets, Preparation(sample="0.5"), seed) as part:
                roles = drawn_roles(part, point.parameters["public_share"], seed, "x")
                lists = {"public": roles.drawn, "private": roles.private}
                made = setveil.coherence(part, k=3, p=1, h=1, **lists)
                losses.append(made.metrics.information_loss)
        assert point.draws == 3
        told = point.measures["information_loss"]
        assert told.mean == pytest.approx(statistics.fmean(losses))
        assert told.deviation == pytest.approx(statistics.stdev(losses))
        assert (told.lowest, told.highest) == (min(losses), max(losses))


def test_the_spread_of_one_draw_is_nothing():
    assert spread([2.0]).deviation == 0
    assert (spread([1.0, 3.0]).mean, spread([1.0, 3.0]).lowest) == (2, 1)


@pytest.mark.slow
def test_measures_are_those_of_compare(baskets):
    secret = [str(name) for name in drawn_roles(baskets, "0.3", 1, "x").drawn]
    asked = ["symmetric_kl", "rules_jaccard", "itemsets_kept", "information_loss"]
    found = setveil.sweep(
        baskets,
        "uncertainty",
        {"rho": ["0.4", "0.7"], "measure_support": ["6"]},
        measures=asked,
        measure_confidence="0.5",
        sensitive=secret,
    )
    assert len(found.points) == 2
    for point in found.points:
        release = setveil.uncertainty(baskets, sensitive=secret, rho=point.parameters["rho"])
        support = point.parameters["measure_support"]
        beside = setveil.compare(baskets, release, min_support=support, min_confidence="0.5")
        (one,) = beside.releases
        assert values(point, *asked) == [one.measures[name] for name in asked]


@pytest.mark.slow
def test_what_follows_from_the_data_is_made_once(baskets, tmp_path):
    """Mining serves all methods; patterns and decisions enter each run anew."""
    names = [str(one) for (one,) in baskets.session.ask(_items())]
    ran = []
    execute = baskets.session.backend.execute

    def watched(name, text):
        nonlocal ran
        ran += [name] if text.startswith("CREATE") else []
        return execute(name, text)

    baskets.session.backend.execute = watched
    for number in (0, 1, 2):
        (tmp_path / f"{number}.txt").write_text(f"{names[number]},{names[number + 1]}\n")
    grid = {
        "patterns": [str(tmp_path / f"{number}.txt") for number in (0, 1, 2)],
        "method": ["iga", "naive"],
    }
    found = setveil.sweep(baskets, "hiding", grid, mining_support=5)
    assert ran.count("frequent_1") == 1
    assert ran.count("restricted") == 6 and ran.count("release") == 6
    baskets.session.backend.execute = execute
    losses = set()
    for point in found.points:
        alone = setveil.hiding(baskets, mining_support=5, **point.parameters)
        assert alone.metrics == point.metrics
        losses.add(alone.metrics.dissimilarity)
    assert len(losses) > 1


def _items():
    from setveil.sql.hierarchy.trees import names

    return names()


def test_points_tell_what_they_cost(baskets):
    (point,) = setveil.sweep(baskets, "k-anonymity", {"k": [3]}, fanout=3).points
    assert 0 < point.search_seconds < point.seconds
    if baskets.session.backend.is_local:
        assert point.peak_bytes > 10_000_000
    ran = []
    execute = baskets.session.backend.execute
    baskets.session.backend.execute = lambda name, text: (ran.append(name), execute(name, text))[1]
    shared = setveil.sweep(baskets, "coherence", {"k": [2, 3]}, p=2)
    assert len({one.search_seconds for one in shared.points}) == 1
    searches = ran.count("counted_1")
    apart = setveil.sweep(baskets, "coherence", {"k": [2, 3]}, p=2, apart=True)
    assert searches == 1 and ran.count("counted_1") - searches >= len(apart.points)
    baskets.session.backend.execute = execute
    assert [one.metrics for one in apart.points] == [one.metrics for one in shared.points]


@pytest.mark.parametrize(
    ("model", "grid", "options", "told"),
    [
        (["coherence", "magic"], {"k": [2]}, {}, "magic"),
        (["coherence", "coherence"], {"k": [2]}, {}, "different"),
        ("coherence", {"sensitive_share": [0.2]}, {}, "its axes are"),
        ("k-anonymity", {"k": [2]}, {"h": "0.3"}, "no parameter 'h'"),
        ("k-anonymity", {"k": [2]}, {"measures": ["beauty"]}, "no measure 'beauty'"),
        ("coherence", {"k": [2], "sample": ["0"]}, {"p": 1}, "sample"),
        ("coherence", {"k": [2]}, {"p": 1, "draws": 0}, "draws"),
        ("uncertainty", {"rho": ["0.5"]}, {}, "sensitive"),
    ],
)
def test_mistakes_are_told(baskets, model, grid, options, told):
    with pytest.raises(InputError, match=told):
        setveil.sweep(baskets, model, grid, **options)


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    setveil.generate("a.parquet", transactions=100, items=20, length=3, seed=3)


def test_the_command_takes_all_of_it(made, capsys):
    line = "sweep k-anonymity+km-anonymity a.parquet --k 3 --m 1 --fanout 3 --sample 0.5,1"
    words = [*line.split(), "--refine", "no", "--draws", "2", "--out", "a.csv", "--plot", "a.svg"]
    assert run([*words, "--json", "--along", "sample"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "sweep several" and content["csv"] == "a.csv"
    points = content["metrics"]["points"]
    assert len(points) == 4 and all(one["draws"] == 2 for one in points)
    with open("a.csv") as file:
        rows = [*csv.DictReader(file)]
    assert [float(one["ncp"]) for one in rows] == [one["measures"]["ncp"]["mean"] for one in points]
    assert {"seconds", "search_seconds", "peak_bytes", "ncp_deviation"} <= rows[0].keys()
    assert run(words) == 2 and "exists" in capsys.readouterr().err
    assert run([*words, "--force"]) == 0
    assert "km-anonymity" in capsys.readouterr().out


def test_drawn_roles_take_the_place_of_lists(made, capsys):
    line = "sweep uncertainty a.parquet --sensitive-share 0.2,0.4 --rho 0.5 --measures kl,seconds"
    assert run([*line.split(), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["metrics"]["points"]
    assert [one["parameters"]["sensitive_share"] for one in points] == ["0.2", "0.4"]
    assert run("sweep uncertainty a.parquet --rho 0.5".split()) == 2
    assert "sensitive" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("k-anonymity a.parquet --k 2 --refine maybe", "none of yes, no"),
        ("k-anonymity a.parquet --k 2 --out a.txt", "ends with .csv"),
        ("k-anonymity a.parquet --k 2 --fanout 3,x", "whole numbers"),
        ("k-anonymity+magic a.parquet --k 2", "no command"),
        ("k-anonymity+k-anonymity a.parquet --k 2", "no command"),
    ],
)
def test_mistakes_of_the_command(made, capsys, words, told):
    assert run(["sweep", *words.split()]) == 2
    assert told in capsys.readouterr().err


def test_it_is_explained_without_data(made, capsys):
    line = "sweep coherence a.parquet --k 3 --p 1 --public-share 0.4 --min-item-support 0.01"
    assert run([*line.split(), "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "CREATE TABLE prepared" in shown and "CREATE TABLE counted_1" in shown

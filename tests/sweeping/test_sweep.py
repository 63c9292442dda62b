"""A sweep: at every point what a run there would have cost, though the points share their work."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import setveil
from setveil.cli.main import run
from setveil.errors import InputError, UnreachableError
from setveil.models import REGISTRY
from setveil.models.grid import settings as settings_of

GRID = {"k": [4, 2, 3, 9], "p": [3, 1, 2], "method": ["mm-il", "mm", "1-il", "rm-all"]}


def one_run(baskets, setting, **options):
    """What the model says by itself."""
    try:
        return setveil.coherence(baskets, **options, **setting).metrics
    except UnreachableError as error:
        return str(error)


def check_points(connection, data, grid, **options):
    with oracles.read(connection, data) as baskets:
        found = setveil.sweep(baskets, "coherence", grid, **options)
        for point in found.points:
            alone = one_run(baskets, point.parameters, **options)
            assert (point.refused if point.metrics is None else point.metrics) == alone
    return found


@pytest.mark.parametrize(
    ("plan", "faithful"),
    [pytest.param("lists", True, marks=pytest.mark.slow), ("bits", False)],
)
def test_every_point_is_a_run(connection, plan, faithful):
    data = oracles.seeded(18, 60)
    grid = GRID | {"k": [9, 3], "p": [3, 1], "h": ["0.3", "0.6"]}
    roles = {"private": sorted(data.private), "public": sorted(data.public)}
    found = check_points(connection, data, grid, plan=plan, faithful=faithful, **roles)
    assert len(found.points) == 32
    assert any(sum(point.metrics.revealing) for point in found.points if point.metrics)
    assert len({point.metrics for point in found.points}) > 12


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(oracles.databases(), oracles.shares, st.sampled_from(["lists", "bits"]))
def test_every_point_of_any_data_is_a_run(connection, data, h, plan):
    roles = {"private": sorted(data.private), "public": sorted(data.public)}
    check_points(connection, data, GRID | {"h": [h, Fraction(1)]}, plan=plan, **roles)


def test_sets_of_public_items_are_an_axis(connection):
    data = oracles.seeded(4, 50)
    some = sorted(data.public)
    found = check_points(connection, data, {"public": [some[:3], some], "k": [3, 5]}, p=2)
    assert [point.parameters["public"] for point in found.points] == [some[:3]] * 2 + [some] * 2


def test_points_are_in_the_order_of_the_grid(connection):
    data = oracles.seeded(3, 20)
    with oracles.read(connection, data) as baskets:
        found = setveil.sweep(baskets, "coherence", {"k": [3, 2, 3], "p": [2, 1]})
    assert found.axes == {"p": (2, 1), "k": (3, 2)}
    order = [(point.parameters["p"], point.parameters["k"]) for point in found.points]
    assert order == [(2, 3), (2, 2), (1, 3), (1, 2)]


def test_a_point_out_of_reach_is_told_and_the_others_are_there(connection):
    with oracles.read(connection, oracles.seeded(3, 20)) as baskets:
        found = setveil.sweep(baskets, "coherence", {"k": [2, 21]}, p=1)
    near, far = found.points
    assert near.metrics and near.refused is None
    assert far.metrics is None and "fewer than k = 21" in far.refused


def test_points_of_long_form_that_leave_too_few(connection):
    """Emptied transactions do not show: a private item can be in too large a share of the rest."""
    connection.execute(
        """
        CREATE OR REPLACE TABLE long AS
        SELECT n AS tid, i.item AS item
        FROM RANGE(20) AS t (n)
        JOIN (VALUES ('a', 20), ('b', 9), ('c', 1), ('x', 4), ('y', 2)) AS i (item, below)
            ON t.n < i.below
        """
    )
    grid = {"h": [0.5, 1], "p": [1], "method": ["mm-il", "rm-all"], "k": [3, 5]}
    with setveil.read(connection, "long") as baskets:
        found = setveil.sweep(baskets, "coherence", grid, private=["x", "y"])
        for point in found.points:
            alone = one_run(baskets, point.parameters, private=["x", "y"])
            assert (point.refused if point.metrics is None else point.metrics) == alone
    told = [point.refused or "" for point in found.points]
    assert sum("holds the private item 'x'" in one for one in told) == 2
    assert sum("only 4 transactions are left" in one for one in told) == 1


def test_one_search_for_every_k_p_and_strategy(connection):
    with oracles.read(connection, oracles.seeded(3, 40)) as baskets:
        setveil.sweep(baskets, "coherence", GRID)
        names = [one.name for one in baskets.session.statements]
    assert names.count("counted_2") == 1


def test_a_model_with_nothing_to_share_joins_by_its_function(connection, monkeypatch):
    other = replace(REGISTRY["coherence"], name="other", axes=("k",), points=None)
    monkeypatch.setitem(REGISTRY, "other", other)
    with oracles.read(connection, oracles.seeded(3, 20)) as baskets:
        found = setveil.sweep(baskets, "other", {"k": [2, 21]}, p=1)
        alone = setveil.coherence(baskets, k=2, p=1).metrics
    first, last = found.points
    assert (first.parameters, first.metrics, first.refused) == ({"k": 2}, alone, None)
    assert last.refused and not last.draws


def test_mistakes_are_told(connection):
    with oracles.read(connection, oracles.seeded(3, 20)) as baskets:
        for model, grid, told in (
            ("magic", {"k": [2]}, "magic"),
            ("coherence", {"q": [2]}, "its axes are"),
            ("coherence", {"k": []}, "no value"),
            ("coherence", {"k": [2], "method": ["best"]}, "best"),
            ("coherence", {"k": [0]}, "at least 1"),
        ):
            with pytest.raises(InputError, match=told):
                setveil.sweep(baskets, model, grid, **({} if "p" in grid else {"p": 1}))


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    setveil.generate("a.parquet", transactions=400, items=60, length=6, seed=3)


def test_the_command(made, capsys):
    line = "sweep coherence a.parquet --k 2,5 --p 2 --method mm-il,rm-all"
    assert run(line.split()) == 0
    printed = capsys.readouterr().out.splitlines()
    head = ["p", "method", "k", "information loss", "information lost", "suppressed items",
            "emptied transactions"]  # fmt: skip
    assert re.split(r"  +", printed[0].strip()) == [*head, "information loss, as a bar"]
    assert printed[-1].endswith("  " + 30 * "#")  # the largest loss
    assert len(printed) == 5
    assert run([*line.split(), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "sweep coherence"
    assert [point["parameters"]["k"] for point in content["metrics"]["points"]] == [2, 5, 2, 5]
    assert run([*line.split(), "--explain"]) == 0
    assert "CREATE TABLE counted_2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("--k 2,x --p 2", 2, "--k: '2,x'"),
        ("--k 2 --p 2 --h 0.4,40", 2, "write 40 % as 0.4"),
        ("--k 2 --p 2 --private where:support<3", 2, "--h"),
        ("--k 2 --p 2 --report a.txt", 2, ".html"),
    ],
)
def test_mistakes_of_the_command(made, capsys, line, code, told):
    assert run(["sweep", "coherence", "a.parquet", *line.split()]) == code
    assert told in capsys.readouterr().err


def test_nothing_in_reach_is_an_exit_code(made, capsys):
    assert run("sweep coherence a.parquet --k 1000,2000 --p 2".split()) == 3
    assert "out of reach" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "axes", "options"),
    [
        pytest.param("k-anonymity", {"k": [2, 4, 401]}, "--fanout 4", marks=pytest.mark.slow),
        ("km-anonymity", {"m": ["1", "2"], "k": [2, 4]}, "--fanout 4"),
        pytest.param(
            "uncertainty",
            {"method": ["partial", "paper"], "rho": ["0.5", "0.8"]},
            "--sensitive secret.txt",
            marks=pytest.mark.slow,
        ),
        ("hiding", {"psi": ["0", "0.5"]}, "--patterns patterns.txt"),
    ],
)
def test_every_other_model_is_a_run_at_every_point(made, tmp_path, capsys, model, axes, options):
    [(low, high)] = duckdb.sql("SELECT MIN(item), MAX(item) FROM 'a.parquet'").fetchall()
    (tmp_path / "secret.txt").write_text(f"{low}\n")
    (tmp_path / "patterns.txt").write_text(f"{low},{high}\n{high}\n")
    given = [f"--{name}={','.join(map(str, values))}" for name, values in axes.items()]
    line = ["sweep", model, "a.parquet", *given, *options.split()]
    assert run([*line, "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["metrics"]["points"]
    assert [one["parameters"] for one in points] == list(settings_of(axes))
    cost = REGISTRY[model].cost
    for one in points:
        terms = [f"--{name}={value}" for name, value in one["parameters"].items()]
        code = run([model, "a.parquet", *terms, *options.split(), "--json"])
        alone = capsys.readouterr().out
        if one["metrics"] is None:
            assert code == 3
        else:
            assert one["metrics"][cost] == json.loads(alone)["metrics"][cost]
    assert run(line) == 0
    assert cost.replace("_", " ") in capsys.readouterr().out
    assert run([*line, "--explain"]) == 0

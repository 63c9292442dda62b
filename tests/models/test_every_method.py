"""Every method of every model, those of the papers too, keeps the rules of a release."""

import re

import pytest

import setveil
from calls import call_of, shop
from setveil.cli.main import run
from setveil.models import REGISTRY

METHODS = [
    (model.name, method)
    for model in REGISTRY.values()
    for one in model.params
    if one.name == "method"
    for method in one.choices
]
NEED_TREE = {("coherence", "generalize"), ("uncertainty", "tdcontrol")}
EITHER = {("k-anonymity", "tds")}  # it suppresses items where there is no tree


def trees(model, method):
    """May the call have a hierarchy, must it, or both ways?"""
    if (model, method) in EITHER:
        return (False, True)
    return ((model, method) in NEED_TREE or "--fanout" in call_of(model).words,)


CALLS = [(*one, tree) for one in METHODS for tree in trees(*one)]


def words_of(model, method, tree):
    words = [*call_of(model).words, "--method", method]
    if method == "border":  # it keeps the itemsets of a least support
        words[words.index("--psi")] = "--min-support"
        words[words.index("0.2")] = "8"
    if "--fanout" in words and not tree:
        at = words.index("--fanout")
        del words[at : at + 2]
    return [*words, "--fanout", "2"] if tree and "--fanout" not in words else words


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("model", "method", "tree"), CALLS)
def test_a_method_is_explained_released_and_replayed(model, method, tree, capsys):
    words = [model, "shop.parquet", *words_of(model, method, tree)]
    assert run([*words, "--explain"]) == 0
    shown = capsys.readouterr().out
    assert re.search("^-- release: ", shown, re.MULTILINE)
    assert re.search("^-- check_verdict: ", shown, re.MULTILINE)
    if method == "rm-all":
        return  # without public items, the share of milk is above h
    out = "safe" if REGISTRY[model].in_parts else "safe.parquet"
    assert run([*words, "--out", out, "--trail", "t.sql"]) == 0
    replayed = setveil.replay("t.sql")
    assert replayed.same and replayed.holds

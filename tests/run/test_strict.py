"""Python is as strict as the command line: a bad argument is refused by its name."""

from __future__ import annotations

import inspect
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import setveil
from runs import parquet
from setveil.errors import InputError

QUERY = "SELECT range // 6 AS tid, range * 7919 % 23 AS item FROM RANGE(600)"
COUNTS = [2.5, 2.0, True, np.True_, 0, -1, None, "2", math.nan, [2], 2**40, np.float64(2)]
SHARES = [True, None, math.nan, math.inf, -0.1, 1.5, "x", "", [0.5], Decimal("nan"), 1e-300]
NAMES = [None, 5, 2.5, True, b"x", {"a": 1}]
FLAGS = [None, 1, "no", 0]
TREE = {"fanout": 2}
# Good arguments of every public function of transactions, and which of them are of which kind.
CALLS: dict[str, tuple[Any, dict[str, Any]]] = {
    "coherence": (setveil.coherence, {"k": 2, "p": 1, "private": [1], "h": 1}),
    "k-anonymity": (setveil.k_anonymity, {"k": 2, **TREE}),
    "km-anonymity": (setveil.km_anonymity, {"k": 2, "m": 1, **TREE}),
    "uncertainty": (setveil.uncertainty, {"sensitive": [1], "rho": 1}),
    "hiding": (setveil.hiding, {"patterns": [["1", "2"]], "psi": 1}),
    "itemsets": (setveil.itemsets, {"min_support": 20, "max_size": 1}),
    "inspect": (setveil.inspect, {"k": 2, "p": 1, "private": [1], "h": 1}),
    "verify.coherence": (setveil.verify.coherence, {"k": 2, "p": 1, "private": [1], "h": 1}),
    "verify.km_anonymity": (setveil.verify.km_anonymity, {"k": 2, "m": 1}),
    "verify.k_anonymity": (setveil.verify.k_anonymity, {"k": 2}),
    "verify.uncertainty": (setveil.verify.uncertainty, {"sensitive": [1], "rho": 1}),
}
COUNTED = ("k", "p", "max_size", "fanout")
SHARED = ("h", "rho", "psi")
LISTED = ("private", "public", "sensitive")


def bad_calls():
    for function, (_, good) in CALLS.items():
        signature = inspect.signature(CALLS[function][0]).parameters
        for name, parameter in signature.items():
            values: list[Any] = []
            if name in COUNTED or name in ("limit", "nodes", "seed", "max_knowledge"):
                values = COUNTS
            elif name == "m":
                values = [one for one in COUNTS if one != "2"]
            elif name in SHARED:
                values = SHARES
            elif name in LISTED:
                values = NAMES
            elif isinstance(parameter.default, bool):
                values = FLAGS
            for value in values:
                allowed = value is None and parameter.default is None
                allowed |= value == 0 and name in ("nodes", "seed") and value is not False
                if not allowed and not (name == "h" and value is None):
                    yield pytest.param(function, {**good, name: value}, name,
                                       id=f"{function}-{name}-{value!r}")  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return parquet(tmp_path_factory.mktemp("strict") / "a.parquet", QUERY)


@pytest.fixture(scope="module")
def baskets(path):
    with setveil.read(path) as read:
        yield read


@pytest.mark.parametrize(("function", "arguments", "name"), list(bad_calls()))
def test_a_bad_argument_is_refused_by_name(baskets, function, arguments, name):
    before = len(baskets.session.statements)
    with pytest.raises(InputError, match=rf"\b{name.replace('_', '.')}") as said:
        CALLS[function][0](baskets, **arguments)
    assert "--" not in str(said.value)
    assert len(baskets.session.statements) == before


@pytest.mark.few(6)
@pytest.mark.parametrize("function", CALLS)
def test_good_arguments_do(baskets, function):
    call, good = CALLS[function]
    try:
        call(baskets, **good)
    except setveil.UnreachableError:
        pass  # which is an answer


@pytest.mark.few(9)
@pytest.mark.parametrize("k", [3, np.int64(3), np.uint8(3)])
@pytest.mark.parametrize("h", ["0.4", "40%", 0.4, Decimal("0.4"), Fraction(2, 5), np.float64(0.4)])
def test_numbers_of_other_libraries_and_text_of_shares(baskets, k, h):
    made = setveil.coherence(baskets, k=k, p=np.int32(2), h=h, private=[1])
    assert made.parameters["k"] == 3 and type(made.parameters["k"]) is int
    assert made.parameters["h"] == 0.4


@pytest.mark.parametrize("given", ["5", Path("a.parquet"), None, 5, [[1, 2]], duckdb])
@pytest.mark.parametrize("function", [*CALLS, "compare", "sweep", "rename", "reidentify"])
def test_what_was_not_read(given, function):
    others = {
        "compare": (setveil.compare, {}),
        "sweep": (setveil.sweep, {"model": "km-anonymity", "grid": {}}),
        "rename": (setveil.rename, {"key": "k.parquet"}),
        "reidentify": (setveil.reidentify, {"itemsets": "i.parquet"}),
    }
    call, good = (CALLS | others)[function]
    with pytest.raises(InputError, match="takes the result of setveil.read.*setveil.read"):
        call(given, **good)


@pytest.mark.parametrize("model", ["coherence", "inspect", "verify"])
def test_private_items_need_a_share(baskets, model):
    call = setveil.verify.coherence if model == "verify" else getattr(setveil, model)
    for private in ([1], (one for one in [1]), "where:support > 5"):
        with pytest.raises(InputError, match="^private= needs h=: "):
            call(baskets, k=2, p=1, private=private)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("coherence", {"k": [2]}, {"p": 1, "q": 5}), "coherence: .*'q'.*it has k, p, h"),
        (("coherence", {"k": [2]}, {}), "coherence: .*'p'"),
        (("km-anonymity", {"k": [2]}, {"m": 1, "fanout": 2, "x": 1}), "km-anonymity: .*'x'"),
        (("km-anonymity", {"k": [2.5]}, {"m": 1, "fanout": 2}), "^k is a whole number"),
        (("coherence", {"k": [2, True]}, {"p": 1}), "^k is a whole number"),
        (("coherence", {"k": 5}, {"p": 1}), "k: 5 is no list"),
        (("coherence", {"k": "25"}, {"p": 1}), "k: '25' is no list"),
        (("coherence", {"k": []}, {"p": 1}), "k: there is no value"),
        (("coherence", None, {"p": 1}), "grid is a dict"),
        ((5, {"k": [2]}, {"p": 1}), "no model '5'"),
    ],
)
def test_sweeps(baskets, arguments, said):
    model, grid, options = arguments
    with pytest.raises(InputError, match=said):
        setveil.sweep(baskets, model, grid, **options)


@pytest.mark.parametrize("source", [5, None, True, [1], {"a": 1}, b"x", np.zeros(2)])
def test_what_cannot_be_read(source):
    with pytest.raises(InputError, match="read takes a file"):
        setveil.read(source)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"threads": 0}, "threads"), ({"threads": True}, "threads"), ({"threads": 1.5}, "threads"),
        ({"memory_limit": 5}, "memory limit 5 is no size"), ({"drop_nulls": 1}, "drop_nulls"),
        ({"force_large": "no"}, "force_large"), ({"once": None}, "once"),
    ],
)  # fmt: skip
def test_options_of_reading(path, arguments, said):
    with pytest.raises(InputError, match=said):
        setveil.read(path, **arguments)

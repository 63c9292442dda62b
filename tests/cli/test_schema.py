"""The schema of outputs: declared once, derived from registry and dataclasses, and kept by all.

`tests/conftest.py` checks every object that a test prints with --json.
"""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass

import pytest
from jsonschema import Draft202012Validator, ValidationError

import outputs
from calls import call_of, shop
from setveil.cli import schema
from setveil.cli.main import run
from setveil.models import REGISTRY


def printed(*words: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert run([*words]) == 0
    return text.getvalue()


@pytest.fixture(scope="module")
def whole():
    return json.loads(printed("schema"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The output of a small run."""
    folder = tmp_path_factory.mktemp("schema")
    shop(folder)
    with contextlib.chdir(folder):
        return printed("coherence", "shop.parquet", *call_of("coherence").words, "--json")


def test_it_is_a_schema_with_a_version_and_every_command(whole):
    Draft202012Validator.check_schema(whole)
    assert whole["$id"] == f"urn:setveil:output:{schema.VERSION}"
    models = {f"{kind}{name}" for name in REGISTRY for kind in ("", "verify ", "sweep ")}
    models |= {f"{name} --append" for name in REGISTRY}
    others = {"inspect", "hierarchy", "itemsets", "rename", "reidentify", "compare", "replay"}
    others |= {"advise", "generate", "reidentify --sweep", "sweep several", "reproduce", "error"}
    assert models | others == set(whole["$defs"])
    assert len(whole["anyOf"]) == len(whole["$defs"])


def test_outputs_and_errors_fit_and_other_objects_do_not(whole, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    words = ["coherence", "shop.parquet", *call_of("coherence").words, "--out", "b.parquet"]
    assert run([*words, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert run([*words, "--json"]) == 2
    failed = json.loads(capsys.readouterr().out)
    every = Draft202012Validator(whole)
    every.validate(made)
    every.validate(failed)
    later = made | {"more": 1}  # a later version may print more
    every.validate(later)
    for broken in (made | {"seconds": "1"}, made | {"command": "cohesion"}, {"error": {}}):
        with pytest.raises(ValidationError):
            every.validate(broken)
    one = json.loads(printed("schema", "coherence"))
    Draft202012Validator(one).validate(made)
    other = Draft202012Validator(json.loads(printed("schema", "inspect")))
    assert not other.is_valid(made) and other.is_valid(failed)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"undeclared": 1}, r"coherence --json at \$: .*'undeclared' was unexpected"),
        ({"seconds": None}, r"coherence --json at \$.seconds"),
        ({"notes": [1]}, r"coherence --json at \$.notes\[0\]"),
        ({"seconds": float("nan")}, "NaN is no JSON"),
    ],
)
def test_the_watch_over_all_tests_sees_what_is_not_declared(
    tmp_path, monkeypatch, capsys, change, said
):
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    assert run(["coherence", "shop.parquet", *call_of("coherence").words, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    outputs.check(content)
    with pytest.raises(AssertionError, match=said):
        outputs.check(content | change)


def test_the_watch_is_on():
    from setveil.cli import output

    with pytest.raises(KeyError, match="nothing"):
        output.print_json({"command": "nothing"})


def test_properties_come_from_the_dataclasses():
    @dataclass
    class Found:
        numbers: tuple[int, ...]
        pair: tuple[str, int]
        more: dict[str, float | None]

    assert schema.schema_of(Found) == {
        "type": "object",
        "properties": {
            "numbers": {"type": "array", "items": {"type": "integer"}},
            "pair": {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "items": False,
            },
            "more": {
                "type": "object",
                "additionalProperties": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            },
        },
        "required": ["numbers", "pair", "more"],
        "additionalProperties": False,
    }
    with pytest.raises(TypeError, match="declare its type"):
        schema.schema_of(bytes)


def test_an_unknown_command_is_an_error(capsys):
    assert run(["schema", "nothing"]) == 2
    assert "those that do: coherence" in capsys.readouterr().err

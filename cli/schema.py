"""JSON Schema of what every command prints with --json.

An output is declared once, by the types of its parts. Schemas of models come from the registry, and
all properties from the dataclasses that the commands print.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from setveil.advising.advise import Tried
from setveil.attack.reidentification import ReidentifyMetrics
from setveil.attack.sweep import SweepPoint
from setveil.cli.models.sweep import SEVERAL
from setveil.comparison.evidence.facts import Evidence
from setveil.comparison.findings import BESIDE, Changed, Compared, Itemsets, Side
from setveil.comparison.history import History
from setveil.comparison.inspection import Inspection
from setveil.errors import InputError
from setveil.generator.generate import GenerateMetrics
from setveil.hierarchy.cover import Cover
from setveil.hierarchy.trees import Hierarchy
from setveil.history.told import HistoryVerdict
from setveil.mine.itemsets import ItemsetMetrics
from setveil.models import REGISTRY
from setveil.models.forecast import Forecast
from setveil.models.grid import metrics_of
from setveil.models.model import Model, Param
from setveil.models.renaming.anonymize import RenameMetrics
from setveil.preparing.patterns import DrawnMetrics
from setveil.reproducing.run import RunMade
from setveil.run.roles.columns import Beside
from setveil.run.slices.appending import Appended
from setveil.sweeping.points import SUPPORTS, SweptPoint
from setveil.sweeping.sweep import names_of

VERSION = 1  # raised when a property is removed or gets another meaning
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]
Text = str | None
PLAIN: Mapping[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    Path: {"type": "string"},
    types.NoneType: {"type": "null"},
    None: {"type": "null"},
    Any: {},
    object: {},
}
# The type of a parameter's value, by its kind in the entry of a model.
KINDS: Mapping[str, Any] = {
    "count": int | str | None,
    "share": float | str | None,
    "flag": bool,
    "number": float | None,
    "patterns": int | str | None,
    "text": int | str | None,
}

SWEPT = {"out": Text, "plot": Text, "csv": Text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The types of one command's output, beside those of every command."""

    metrics: Any
    parameters: Any = dict[str, Any]
    guarantee: Any = None  # None: the output has no promise
    more: Mapping[str, Any] = field(default_factory=dict)
    optional: tuple[str, ...] = ()  # properties that only some of its objects have
    source: Any = str
    steps: bool = True


@dataclass(frozen=True, slots=True)
class Guarantee:
    """The promise of a release; both are null for a command that promises nothing."""

    model: str | None
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of `replay`."""

    same: bool
    holds: bool | None
    refusal: str | None
    checks: int
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An error, as any command prints it."""

    code: int
    message: str
    hint: str | None


def schema_of(kind: Any) -> Schema:
    """The schema of a type: a plain one, a dataclass, a union, a tuple, list or dict."""
    if isinstance(kind, dict):  # a schema already
        return kind
    if isinstance(kind, Hashable) and kind in PLAIN:
        return dict(PLAIN[kind])
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return closed({one.name: schema_of(hints[one.name]) for one in fields(kind)})
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in parts]}
    if origin is tuple and parts[-1] is not ...:
        return {"type": "array", "prefixItems": [schema_of(one) for one in parts], "items": False}
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": schema_of(parts[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    raise TypeError(f"{kind!r} has no schema: declare its type in cli/schema.py")


def closed(properties: Mapping[str, Schema], optional: Sequence[str] = ()) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def with_more(kind: Any, **more: Any) -> Schema:
    """The object of a dataclass with more properties."""
    known = schema_of(kind)["properties"]
    return closed({**known, **{name: schema_of(one) for name, one in more.items()}})


def without(kind: Any, *names: str) -> Schema:
    """The object of a dataclass without some of its fields."""
    hints = get_type_hints(kind)
    kept = [one.name for one in fields(kind) if one.name not in names]
    return closed({name: schema_of(hints[name]) for name in kept})


def of_models() -> dict[str, Output]:
    """The outputs of all models: of a release, its verification, and a sweep."""
    found: dict[str, Output] = {}
    for model in REGISTRY.values():
        metrics, verdict = metrics_of(model), _returned(model.judge.get())
        cover = {"cover": Cover | None} if model.judges_nodes else {}
        together = without(HistoryVerdict, "sql")  # of several releases, or of slices
        params = closed({one.name: _value(one) for one in model.params}, _names(model.params))
        promise = closed({one.name: _value(one) for one in model.promise}, _names(model.promise))
        found[model.name] = Output(
            metrics=metrics,
            parameters=params,
            guarantee=Guarantee,
            more={"out": Text, "forecast": Forecast | None},
        )
        found[f"{model.name} --append"] = Output(
            metrics=metrics,
            parameters=params,
            guarantee=Guarantee,
            more={"append": without(Appended, "release")},
            optional=("guarantee", "metrics"),
            steps=False,
        )
        found[f"verify {model.name}"] = Output(
            metrics={"anyOf": [schema_of(verdict), together]},
            parameters=promise,
            guarantee=Guarantee,
            more={**cover, "slices": together},
            optional=("slices", *cover),
        )
        found[f"sweep {model.name}"] = Output(
            metrics=closed({"points": _points(model, metrics)}),
            parameters=_grid(model),
            more=SWEPT,
            steps=False,
        )
    return found | {f"sweep {SEVERAL}": _of_several()}


def of_others() -> dict[str, Output]:
    """The outputs of the commands that are no model."""
    with_losses = {name: float | None for name in BESIDE}
    changed = {"lost": int, "new": int}
    compared = with_more(
        Compared,
        **with_losses,
        itemsets={"type": "array", "items": with_more(Itemsets, **changed)},
        rules={"anyOf": [with_more(Changed, **changed), {"type": "null"}]},
    )
    releases = {"type": "array", "items": compared}
    verdict = {"anyOf": [without(HistoryVerdict, "sql"), {"type": "null"}]}
    history = {"anyOf": [with_more(History, verdict=verdict), {"type": "null"}]}
    written = {"out": Text}
    return {
        "advise": Output(metrics=_advice(), steps=False),
        "inspect": Output(metrics=Inspection),
        "hierarchy": Output(metrics=Hierarchy, more=written),
        "itemsets": Output(metrics=ItemsetMetrics, more=written),
        "rename": Output(metrics=RenameMetrics, guarantee=Guarantee, more=written),
        "reidentify": Output(metrics=ReidentifyMetrics, more=written),
        "compare": Output(
            metrics=closed({"original": schema_of(Side), "releases": releases, "history": history}),
            more={"evidence": Evidence | None, **written},
        ),
        "replay": Output(
            metrics=Replayed,
            more={
                "promise": list[str],
                "inputs": list[str],
                "verify": Text,
                "out": str,
            },
        ),
        "generate": Output(
            metrics=GenerateMetrics | DrawnMetrics, more=written, source=Text, steps=False
        ),
    }


def _advice() -> Schema:
    """The risk of data, its columns, and promises that fit, each with its command."""
    columns = {"type": "array", "items": with_more(Beside, dangerous=bool)}
    more: dict[str, Any] = {"largest_risk": float | None, "meets_bound": bool, "command": str}
    promises = {"type": "array", "items": with_more(Tried, **more)}
    whom, parts = schema_of(Inspection), schema_of(int)
    return closed({"whom": whom, "columns": columns, "parts": parts, "promises": promises})


def error() -> Schema:
    """The object of any command that failed."""
    return closed({"error": schema_of(Failed)})


def sweep_of_attacks() -> Schema:
    """The object of `reidentify --sweep`."""
    kinds = {"source": str, "sweep": list[SweepPoint], "seconds": float, "out": Text}
    own = {name: schema_of(one) for name, one in kinds.items()}
    return closed({"command": {"const": "reidentify"}, **own, **_notes()})


def of_figures() -> Schema:
    """The object of `reproduce`: each figure with its runs, rows and findings."""
    runs = {"type": "array", "items": schema_of(RunMade)}
    one = closed({"figure": schema_of(str), "title": schema_of(str), "note": schema_of(str),
                  "runs": runs})  # fmt: skip
    own = {"figures": {"type": "array", "items": one}, "seconds": schema_of(float)}
    own |= {name: schema_of(Text) for name in ("out", "table")}
    return closed({"command": {"const": "reproduce"}, **own, **_notes()})


def schema_of_output(command: str, declared: Output) -> Schema:
    """The object that a command prints."""
    own = {"source": declared.source, "parameters": declared.parameters}
    if declared.guarantee is not None:
        own["guarantee"] = declared.guarantee
    own |= {"metrics": declared.metrics, "seconds": float, **declared.more}
    if declared.steps:
        own["steps"] = int
    properties = {name: schema_of(one) for name, one in own.items()}
    name = command.partition(" --")[0]
    return closed({"command": {"const": name}, **properties, **_notes()}, declared.optional)


def commands() -> dict[str, Schema]:
    """The schema of each command, by its name."""
    declared = of_models() | of_others()
    found = {name: schema_of_output(name, one) for name, one in declared.items()}
    return found | {"reidentify --sweep": sweep_of_attacks(), "reproduce": of_figures()}


def document(command: str | None = None) -> Schema:
    """The schema of all outputs, or of one command; an error fits both."""
    found = commands()
    if command is not None and command not in found:
        raise InputError(f"no command prints {command!r}; those that do: {', '.join(found)}")
    shown = found if command is None else {command: found[command]}
    return {
        "$schema": DIALECT,
        "$id": f"urn:setveil:output:{VERSION}",
        "title": "setveil --json",
        "anyOf": [{"$ref": f"#/$defs/{_pointer(name)}"} for name in (*shown, "error")],
        "$defs": opened({**shown, "error": error()}),
    }


def opened(schema: Any) -> Any:
    """The schema without its refusal of other properties: later versions may print more."""
    if isinstance(schema, dict):
        kept = {name: one for name, one in schema.items() if name != "additionalProperties" or one}
        return {name: opened(one) for name, one in kept.items()}
    return [opened(one) for one in schema] if isinstance(schema, list) else schema


def _pointer(name: str) -> str:
    return name.replace(" ", "%20")


def _notes() -> dict[str, Schema]:
    return {"notes": schema_of(list[str])}


def _names(params: Sequence[Param]) -> tuple[str, ...]:
    return tuple(one.name for one in params)


def _value(param: Param) -> Schema:
    """A parameter's value. A default that is no text may take the place of a text."""
    return schema_of(KINDS.get(param.kind, Text))


def _grid(model: Model) -> Schema:
    """The parameters of a sweep: a list for each axis, and one value for each other.

    The usual axes of the model always are lists.
    """
    values: dict[str, Schema] = {}
    for name, value in _varied(model).items():
        axis = {"type": "array", "items": value}
        values[name] = axis if name in model.axes else {"anyOf": [axis, value]}
    values |= {"ignore_unknown": schema_of(bool), "draws": schema_of(int)}
    return closed(values, tuple(values))


def _varied(model: Model) -> dict[str, Schema]:
    """All that can be an axis of a sweep of this model, and the seed."""
    own = {one.name: _value(one) for one in model.params}
    return {
        name: own.get(name, schema_of(int | str))
        for name in [*names_of([model]), *SUPPORTS, "seed"]
    }


def _points(model: Model, metrics: Any) -> Schema:
    varied = _varied(model)
    point = with_more(SweptPoint, parameters=closed(varied, tuple(varied)), metrics=metrics | None)
    return {"type": "array", "items": point}


def _of_several() -> Output:
    """A sweep of several models: which parameters and metrics there are depends on them."""
    points = {"type": "array", "items": schema_of(SweptPoint)}
    return Output(metrics=closed({"points": points}), more=SWEPT, steps=False)


def _returned(function: Callable[..., Any]) -> Any:
    return get_type_hints(function).get("return", Any)

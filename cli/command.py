"""The one frame of all commands: options joined, data read, SQL explained, results printed.

A command has options of its own and groups of shared ones. A group is a dataclass whose fields are
its options; to share one more, add a field.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

import typer

from setveil.cli import options as o
from setveil.cli import output, running
from setveil.models.model import Model, Param
from setveil.run.words import Blocks

Options = Iterable[inspect.Parameter]
Command = tuple[Callable[..., None], str]  # with its line of help
REPEATED = ("items", "patterns", "hierarchy")  # kinds whose values are files or lists


def framed(
    run: Callable[..., int | None], *, own: Options = (), about: str | None = None
) -> Callable[..., None]:
    """Make a command of `run`. Its options are those declared or `own`, then those of its groups.

    A parameter of `run` whose type is a dataclass is a group: its options arrive as one object.
    """
    declared = inspect.signature(run, eval_str=True).parameters.values()
    groups: dict[str, Any] = {
        one.name: one.annotation for one in declared if is_dataclass(one.annotation)
    }
    mine = [*own] or declared_by(run)
    shared = {name: [*_options_of(group)] for name, group in groups.items()}

    def command(**given: Any) -> int | None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in shared[name]})
        return run(**given)

    every = [*mine, *(one for options in shared.values() for one in options)]
    command.__dict__["__signature__"] = inspect.Signature(every)
    command.__doc__ = about or run.__doc__
    return running.with_exit_code(command)


def declared_by(run: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function that are declared as options."""
    return [
        _parameter(one.name, one.annotation, one.default)
        for one in inspect.signature(run, eval_str=True).parameters.values()
        if get_origin(one.annotation) is Annotated
    ]


def _options_of(group: type) -> Options:
    """The fields of a group as parameters of a command."""
    hints = get_type_hints(group, include_extras=True)
    for one in fields(group):
        default = inspect.Parameter.empty if one.default is MISSING else one.default
        yield _parameter(one.name, hints[one.name], default)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def declared(**options: Any) -> list[inspect.Parameter]:
    """Optional options, by name and declaration."""
    return [_parameter(name, option, None) for name, option in options.items()]


def source_option() -> inspect.Parameter:
    """The argument of every command that reads transactions."""
    return _parameter("source", o.Source, inspect.Parameter.empty)


# Options of a model


def option_of(
    param: Param, *, axis: bool = False, needed: bool = True, of: Model | None = None
) -> inspect.Parameter:
    """The option of a parameter; on an `axis` it takes several values, separated by commas.

    A list or file is one value, and its option is repeated.
    """
    kind, default = _kind(param), param.default
    repeated = axis and param.kind in REPEATED
    many = list[str] if repeated else str if axis else kind
    metavar = param.metavar
    if axis and not repeated:
        letter = (metavar or "X")[0]
        metavar = "no,yes" if param.kind == "flag" else f"{letter},{letter},..."
    if param.needed and needed:
        default = inspect.Parameter.empty
    elif axis or param.needed or default is None:
        default, many = None, many | None
    said = f"{param.help} One of: {', '.join(param.choices)}." if param.choices else param.help
    said = f"For {of.name}: {said}" if of else said
    said += " Repeat it for each value of the grid." if repeated else ""
    words = param.choices or param.words
    complete = _completing(words) if words else None
    declared = typer.Option(param.option, metavar=metavar, help=said, autocompletion=complete)
    return _parameter(param.name, Annotated[many, declared], default)


def _completing(words: Sequence[str]) -> Callable[[str], list[str]]:
    """The function that offers a shell these words for the value of an option."""

    def offered(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return offered


def _kind(param: Param) -> Any:
    if param.kind == "count":
        return str if param.words else int
    if param.kind == "number":
        return float if param.metavar == "SECONDS" else int
    return {"flag": bool, "patterns": Path}.get(param.kind, str)


def given_of(params: Iterable[Param], given: dict[str, Any]) -> dict[str, Any]:
    """Keep the parameters that have a value; the function has defaults for the others."""
    return {one.name: given[one.name] for one in params if given[one.name] is not None}


def ignore_unknown(model: Model) -> Iterator[inspect.Parameter]:
    """The option of a model whose parameters name items."""
    if model.lists_items:
        yield _parameter("ignore_unknown", o.IgnoreUnknown, False)


def show(blocks: Blocks) -> None:
    """Print lines and tables."""
    for block in blocks:
        if isinstance(block, str):
            output.say(block)
        else:
            output.table(block)


def texts_of(model: Model) -> Any:
    """The module that words the results of a model."""
    return importlib.import_module(model.texts)

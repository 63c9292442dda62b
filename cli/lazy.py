"""The commands by name: each is imported and built when it is called.

`--version` and `--help` need only names and short texts, and import no database.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from setveil.cli.helping import Helping
from setveil.cli.options import EXIT_CODES
from setveil.cli.values import Plainly
from setveil.models import REGISTRY
from setveil.models.model import Model
from setveil.run.interrupts import held_together

PLACE = "setveil.cli"
PLACES = {"reproduce": "models"}  # of a command's module, where it is not commands
WIDTH = {"max_content_width": 110}  # a narrower terminal has narrower lines
SECTIONS = {"Commands": False, "From the papers, to compare with": True}  # of the help


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: one line of help, and a function that builds it."""

    short: str
    build: Callable[[], Any]
    from_paper: bool = False  # it serves to compare with


def lazily(
    entries: Callable[[], dict[str, Entry]], other: Callable[[str], Any] = lambda name: None
) -> type[TyperGroup]:
    """A typer group that builds these commands when they are called, or one of an `other` name."""

    class Commands(Plainly, TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(entries())

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            known = entries().get(cmd_name)
            return known.build() if known else other(cmd_name)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
                near = get_close_matches(args[0], self.list_commands(ctx), 1)
                more = f" (did you mean {near[0]!r}?)" if near else ""
                ctx.fail(f"no command {args[0]!r}{more}")
            return super().resolve_command(ctx, args)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            for title, from_paper in SECTIONS.items():
                rows = [
                    (name, entry.short)
                    for name, entry in entries().items()
                    if entry.from_paper == from_paper
                ]
                if rows:
                    with formatter.section(title):
                        formatter.write_dl(rows)

    return Commands


def built(name: str, run: Callable[..., None], short: str) -> Any:
    """Build one command from a function whose signature declares its options."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    app.command(name, cls=Helping, epilog=EXIT_CODES, short_help=short, context_settings=WIDTH)(run)
    return get_command(app)


def grouped(
    name: str,
    about: str,
    more: str,
    entries: Callable[[], dict[str, Entry]],
    other: Callable[[str], Any] = lambda name: None,
) -> Any:
    """Build a command with subcommands."""
    app = typer.Typer(
        cls=lazily(entries, other),
        name=name,
        no_args_is_help=True,
        epilog=EXIT_CODES,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback(help=f"{about}\n\n{more}")(lambda: None)
    return get_command(app)


def _imported(name: str) -> Any:
    """The module of a command. DuckDB takes an interrupt of its import for an import error."""
    with held_together():
        return importlib.import_module(f"{PLACE}.{name}")


@cache
def _module(name: str, models: tuple[str, ...]) -> Any:
    """The command of a module of the folder; `models` rebuild compare, which has their options."""
    module = _imported(f"{PLACES.get(name, 'commands')}.{name}")
    from setveil.cli.command import framed

    own = module.own() if hasattr(module, "own") else ()
    return built(module.NAME, framed(module.command, own=own), SHORT[name])


@cache
def _model(kind: str, model: Model) -> Any:
    """A command of a model: it makes a release, judges one, or measures a grid."""
    module = _imported(f"models.{kind}")
    run, short = getattr(module, f"{kind}_command")(model)
    return built(model.name, run, short)


def _of_models(kind: str) -> dict[str, Entry]:
    return {
        one.name: Entry(
            one.violation if kind == "verify" else one.short,
            partial(_model, kind, one),
            one.from_paper,
        )
        for one in REGISTRY.values()
    }


@cache
def _verify() -> Any:
    return grouped(
        "verify",
        "Check a release against the definition of a model, from the release alone.",
        "Exit code 0 if the release keeps the promise, 1 if it does not.",
        partial(_of_models, "verify"),
    )


@cache
def _sweep() -> Any:
    return grouped(
        "sweep",
        "Run a model over a grid of parameters and show the cost of each point. Nothing is "
        "released.",
        "Separate values by commas: --k 2,5,10,20. The data is read once for all points. Names of "
        "models with + between them are swept together.",
        partial(_of_models, "sweep"),
        _several,
    )


@cache
def _several(name: str) -> Any:
    """The sweep of several models, named with + between them."""
    named = name.split("+")
    if len(named) < 2 or len({*named}) < len(named) or not all(one in REGISTRY for one in named):
        return None
    run, short = _imported("models.sweep").sweep_command(*(REGISTRY[one] for one in named))
    return built(name, run, short)


# One line each, short enough for a terminal of 80 columns.
SHORT = {
    "advise": "Say which promises fit the data, and what each costs.",
    "inspect": "Count items and the transactions an attacker can identify.",
    "hierarchy": "Show, check or build a hierarchy.",
    "itemsets": "Mine frequent itemsets and association rules.",
    "rename": "Replace item names by random codes.",
    "reidentify": "Attack renamed data with published itemsets.",
    "compare": "Compare releases with their original: loss and risk.",
    "reproduce": "Run the papers' experiments, and judge their findings.",
    "replay": "Run a trail again and compare the release.",
    "generate": "Generate synthetic baskets with a hierarchy.",
    "export": "Write the checkers as tests of dbt or sqlmesh.",
    "schema": "Print the JSON Schema of every command's --json.",
    "guide": "Read the guide: which promise, first release, audits, limits.",
    "demo": "Show all of it on generated baskets in a minute.",
}


def _modules(*names: str) -> dict[str, Entry]:
    return {name: Entry(SHORT[name], partial(_module, name, tuple(REGISTRY))) for name in names}


def commands() -> dict[str, Entry]:
    """All commands, in the order of the help."""
    return (
        _modules("advise", "inspect")
        | _of_models("release")
        | _modules("hierarchy", "itemsets", "rename", "reidentify")
        | {"verify": Entry("Check a release by the definition of its model.", _verify)}
        | _modules("compare")
        | {"sweep": Entry("Show what a model costs over a grid.", _sweep)}
        | _modules("reproduce", "replay", "export", "generate", "schema", "guide", "demo")
    )

"""The help of a command: two examples first, then what it does, then its options in groups."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from setveil.cli.examples import EXAMPLES
from setveil.cli.values import Plainly
from setveil.models import REGISTRY

PROTECT, HOW, DATA = "What to protect", "How", "The data"
PREPARED, MEASURED = "How the data is prepared", "What is measured"
PROMISES = {one.option for model in REGISTRY.values() for one in model.promise}
METHODS = {one.option for model in REGISTRY.values() for one in model.method} - PROMISES
# The groups in their order. An option that no group names stands first, under "Options".
GROUPS: dict[str, set[str]] = {
    PROTECT: PROMISES | {"--person", "--guests", "--ignore-unknown"},
    HOW: METHODS,
    PREPARED: {
        *("--sample", "--min-item-support", "--cutoff", "--draws"),
        *("--public-share", "--sensitive-share"),
        *("--drawn-patterns", "--pattern-least", "--pattern-most"),
    },
    MEASURED: {
        *("--measures", "--measure-support", "--measure-confidence", "--measure-size", "--apart"),
    },
    DATA: {"--tid", "--item", "--database", "--engine", "--drop-nulls"},
    "Where it goes": {
        *("--out", "--into", "--trail", "--carry", "--renumber", "--key", "--redact"),
        *("--report", "--plot", "--along", "--force"),
    },
    "Releases over time": {"--append", "--accept-new", "--wait", "--max-age", "--erase"},
    "As one query": {"--query", "--list-table", "--persons-table", "--original-table"},
    "Machine": {"--threads", "--memory-limit", "--force-large"},
    "What is printed": {"--json", "--quiet", "--explain", "--dialect", "--markdown", "--help"},
}
OWN = "Options"


def group_of(option: str) -> str:
    """The group of an option."""
    return next((name for name, options in GROUPS.items() if option in options), OWN)


def wrapped(command: str, width: int) -> list[str]:
    """The lines of a command that a shell joins again; only options begin a new line."""
    first, *options = command.split(" --")
    lines = [first]
    for one in options:
        if len(lines[-1]) + len(one) + len(" -- \\") > width:
            lines[-1] += " \\"
            lines.append(f"  --{one}")
        else:
            lines[-1] += f" --{one}"
    return lines


class Helping(Plainly, TyperCommand):
    """A command with examples and grouped options in its help."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        name = ctx.command_path.partition(" ")[2]
        if examples := EXAMPLES.get(name):
            with formatter.section("Examples"):
                indent = " " * formatter.current_indent
                for one in examples:
                    for line in wrapped(one, formatter.width - len(indent)):
                        formatter.write(f"{indent}{line}\n")
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        found: dict[str, list[tuple[str, str]]] = {"Arguments": [], OWN: []}
        found |= {name: [] for name in GROUPS}
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is None:
                continue
            is_option = param.param_type_name == "option"
            found[group_of(param.opts[-1]) if is_option else "Arguments"].append(record)
        for title, rows in found.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

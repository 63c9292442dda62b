"""Find the data of a figure: files of the reader's, rows that the paper prints, or generated."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setveil.errors import InputError
from setveil.generator.generate import generate
from setveil.reproducing.recipes import Data, Figure
from setveil.run.files.source import is_file_name

ALONE = ("apart",)


@dataclass(frozen=True, slots=True)
class Found:
    """A file of transactions, the hierarchy beside it, and the words that tell where it is from."""

    path: str
    hierarchy: str | None
    told: str
    commands: tuple[str, ...]  # that made it
    shown: str  # the path, as commands name it


def found_for(figure: Figure, name: str, data: Data, given: Path | None, folder: Path) -> Found:
    """The transactions of a run: given ones before generated ones."""
    if data.rows:
        return _printed(name, data, folder)
    path = _given(figure, data, given)
    if path is not None:
        return Found(str(path), None, f"{path.name}, as given", (), str(path))
    return _generated(name, data, folder)


def _given(figure: Figure, data: Data, given: Path | None) -> Path | None:
    if given is None:
        return None
    if given.is_dir():
        return next((given / one for one in data.files if (given / one).is_file()), None)
    others = {one.data for one in figure.runs}
    if len(others) > 1 and given.name not in data.files:
        return None
    if not given.exists() or not is_file_name(str(given)):
        raise InputError(f"--data: {given} is no file of transactions, and no folder")
    return given


def _generated(name: str, data: Data, folder: Path) -> Found:
    path = folder / f"{name}.parquet"
    if not path.exists():
        generate(path, **data.shape)
    command = f"setveil generate {path.name}{options_text(data.shape)}"
    told = f"generated data of the shape of {name}"
    return Found(str(path), None, told, (command,), path.name)


def _printed(name: str, data: Data, folder: Path) -> Found:
    """The rows of the paper as CSV, with the nodes above each item as a hierarchy."""
    path, above = folder / f"{name}.csv", folder / f"{name}_levels.csv"
    rows = [f"{tid},{item}" for tid, items in data.rows.items() for item in items]
    path.write_text("\n".join(["tid,item", *rows]) + "\n")
    if data.levels:
        height = max(len(nodes) for nodes in data.levels.values())
        head = ",".join(["item", *(f"level{n}" for n in range(1, height + 1))])
        nodes = [",".join([item, *above_it]) for item, above_it in data.levels.items()]
        above.write_text("\n".join([head, *nodes]) + "\n")
    tree = str(above) if data.levels else None
    return Found(str(path), tree, "the rows that the paper prints", (), path.name)


def options_text(options: Mapping[str, Any]) -> str:
    """Options as a command line has them; a list between commas. A flag of sweep stands alone."""
    words = []
    for name, value in options.items():
        words.append(f" --{name.replace('_', '-')}")
        words += [] if name in ALONE else [f" {shlex.quote(_value(value))}"]
    return "".join(words)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

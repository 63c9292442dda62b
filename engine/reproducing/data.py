"""Find the data of a figure: files of the reader's, rows that the paper prints, or generated."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from setveil.errors import InputError
from setveil.generator.generate import generate
from setveil.hierarchy.trees import read_hierarchy, write_hierarchy
from setveil.reproducing.recipes import Data, Figure, Run
from setveil.run.files.source import is_file_name
from setveil.run.reading import read

ALONE = ("apart",)
Trees = dict[str, int]  # the fan-out of each tree, by its file


@dataclass(frozen=True, slots=True)
class Found:
    """A file of transactions, the hierarchy beside it, and the words that tell where it is from.

    Without a file, the path is empty.
    """

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
        tree = path.parent / data.hierarchy if data.hierarchy else None
        above = str(tree) if tree is not None and tree.is_file() else None
        return Found(str(path), above, f"{path.name}, as given", (), str(path))
    if not data.shape:
        return Found("", None, "none", (), "")
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


def filled_trees(
    run: Run, found: Found, folder: Path, machine: Mapping[str, Any]
) -> tuple[Run, Trees, list[str]]:
    """The run with a file of a tree for each fan-out, and the commands that make them."""
    trees, commands = Trees(), []
    with read(found.path, **machine) as baskets:
        for one in run.grid["fanout"]:
            baskets.session.begin()
            path = folder / f"{Path(found.path).stem}_filled_{one}.parquet"
            if not path.exists():
                write_hierarchy(baskets, read_hierarchy(baskets, fanout=one, filled=True), path)
            trees[str(path)] = one
            shown = f"{shlex.quote(found.shown)} --fanout {one} --fill --out {path.name}"
            commands.append(f"setveil hierarchy {shown}")
    grid = {**run.grid, "hierarchy": list(trees)}
    del grid["fanout"]
    return replace(run, grid=grid), trees, commands


def with_fanout(row: Mapping[str, Any], trees: Trees) -> dict[str, Any]:
    """The row of a filled tree, which is told by its fan-out."""
    if not trees or row.get("hierarchy") not in trees:
        return dict(row)
    told = {"fanout" if name == "hierarchy" else name: one for name, one in row.items()}
    axes = ["fanout" if name == "hierarchy" else name for name in row["axes"]]
    return told | {"fanout": trees[row["hierarchy"]], "axes": axes}


def options_text(options: Mapping[str, Any]) -> str:
    """Options as a command line has them; a list between commas. A flag of sweep stands alone."""
    words = []
    for name, value in options.items():
        if name == "hierarchy" and isinstance(value, list):
            words += [f" --hierarchy {shlex.quote(Path(one).name)}" for one in value]
            continue
        words.append(f" --{name.replace('_', '-')}")
        words += [] if name in ALONE else [f" {shlex.quote(_value(value))}"]
    return "".join(words)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

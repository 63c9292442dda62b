"""Read the recipes: for each figure or table its runs, printed numbers and stated findings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from setveil.errors import InputError

PAPERS = (
    "coherence",
    "deanonymization",
    "hiding",
    "local-generalization",
    "partial-suppression",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A statement of the paper, or a number it prints, and how to judge it by the rows of a run.

    `judge` names a way in `findings`. `reason` is told where the finding does not hold,
    or where no row tells.
    """

    says: str
    judge: str
    measure: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    than: Mapping[str, Any] = field(default_factory=dict)
    along: str = ""
    value: float = 0.0
    within: float = 0.0
    factor: float = 1.0
    share: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One command of a figure: `sweep` of some models, `reidentify --sweep`, or `inspect`.

    Findings are judged by its own rows, and by those of the earlier run `beside` it. If `filled`,
    the trees of the axis fanout are filled as the papers have them, not even ones.
    """

    name: str
    data: str
    command: str = "sweep"
    models: Sequence[str] = ()
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    along: str = ""
    measure: str = ""
    beside: str = ""
    filled: bool = False
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Data of a paper: names of files, and the options of `generate` for data of its shape.

    `rows` are transactions that the paper prints, and `levels` the nodes above each of their items.
    `made` says that the paper generated its data too: sizes of generated data can be judged. Data
    without a shape is only in files, which `needs` describes; `hierarchy` names a file beside them.
    """

    files: Sequence[str] = ()
    shape: Mapping[str, Any] = field(default_factory=dict)
    rows: Mapping[str, Sequence[str]] = field(default_factory=dict)
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    made: bool = False
    needs: str = ""
    hierarchy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure or table of a paper."""

    paper: str
    name: str
    title: str
    runs: Sequence[Run]
    note: str = ""

    @property
    def label(self) -> str:
        return f"{self.paper}-{self.name}"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with its data, figures and tables."""

    name: str
    title: str
    data: dict[str, Data]
    figures: tuple[Figure, ...]


@cache
def paper(name: str) -> Paper:
    """The recipes of one paper."""
    text = files("setveil.reproducing").joinpath(f"papers/{name}.toml").read_text("utf-8")
    content = tomllib.loads(text)
    figures = tuple(_figure(name, one) for one in content["figure"])
    data = {key: Data(**one) for key, one in content["data"].items()}
    return Paper(name, content["title"], data, figures)


def _figure(of: str, content: dict[str, Any]) -> Figure:
    runs = [_run(one) for one in content.pop("run", [])]
    return Figure(paper=of, runs=runs, **content)


def _run(content: dict[str, Any]) -> Run:
    findings = [Finding(**one) for one in content.pop("finding", [])]
    return Run(findings=findings, **content)


def every_figure() -> list[Figure]:
    """All figures and tables of all papers."""
    return [one for name in PAPERS for one in paper(name).figures]


def figure(label: str) -> Figure:
    """The figure or table of this name, such as coherence-8 or hiding-table-1."""
    known = {one.label: one for one in every_figure()}
    if label not in known:
        raise InputError(f"there is no figure {label!r}; there is {', '.join(known)}")
    return known[label]

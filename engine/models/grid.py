"""The points of a grid of parameters, for any model."""

from __future__ import annotations

import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from typing import Any, Union, get_args, get_origin, get_type_hints

from setveil.backends import memory
from setveil.errors import UnreachableError
from setveil.models.model import Model
from setveil.run.reading import Baskets
from setveil.run.release import Release
from setveil.run.session import Session

Axes = Mapping[str, Sequence[Any]]
Setting = dict[str, Any]
MADE = "release"  # the relation that a model makes after its search


@dataclass(frozen=True, slots=True)
class Spent:
    """The seconds of a run, those of its search, and the most memory of this process.

    A run is charged for what an earlier one left it, as if it had run alone. Where points share one
    search, each is charged for all of it. Memory is None where the system does not tell it.
    """

    seconds: float = 0.0
    search_seconds: float = 0.0
    peak_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the grid. Without a release `metrics` is None, and `refused` has the reason."""

    parameters: Setting
    metrics: Any
    refused: str | None
    spent: Spent = field(default=Spent(), compare=False)


def settings(axes: Axes) -> Iterator[Setting]:
    """Yield the parameters of every point; the first axis varies slowest."""
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


@contextmanager
def watched(session: Session) -> Iterator[Callable[[], float]]:
    """Count the seconds of a block, with those that earlier runs saved it."""
    start, saved = time.perf_counter(), session.saved
    yield lambda: time.perf_counter() - start + session.saved - saved


def tried(
    model: Callable[..., Release[Any]], baskets: Baskets, setting: Setting, options: Setting
) -> tuple[Point, Release[Any] | None]:
    """Run a model at one point; return what it cost, and the release if there is one."""
    release, session = None, baskets.session
    memory.forget_peak()
    with watched(session) as seconds:
        try:
            release = model(baskets, **options, **setting)
            found = Point(setting, release.metrics, None)
        except UnreachableError as error:
            found = Point(setting, None, str(error))
        spent = Spent(seconds(), searched(session), peak_of(session))
    return replace(found, spent=spent), release


def searched(session: Session) -> float:
    """The seconds of the statements of a model before it made its release."""
    total = 0.0
    for one in session.own_statements:
        if one.name == MADE:
            break
        total += one.seconds
    return total


def peak_of(session: Session) -> int | None:
    """The most memory of this process; None where a server does the work."""
    return memory.peak() if session.backend.is_local else None


def one_by_one(
    model: Callable[..., Release[Any]],
) -> Callable[[Baskets, Axes, Setting], Iterator[Point]]:
    """Make the points of a model by one run for each, on transactions that are read once."""

    def points(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
        for setting in settings(axes):
            yield tried(model, baskets, setting, options)[0]

    return points


def metrics_of(model: Model) -> Any:
    """The type of the metrics in the releases that the model's function returns."""
    returned = get_type_hints(model.anonymize.get()).get("return", Any)
    releases = get_args(returned) if get_origin(returned) in (Union, types.UnionType) else ()
    kinds = [get_args(one)[0] for one in releases or (returned,) if get_args(one)]
    return Union[tuple(kinds)] if kinds else Any  # noqa: UP007


def figures_of(metrics: Any) -> dict[str, float]:
    """The numbers among the metrics of a release, and among those that it groups."""
    found: dict[str, float] = {}
    for name, value in asdict(metrics).items():
        inner = value if isinstance(value, dict) else {name: value}
        found |= {key: one for key, one in inner.items() if type(one) in (int, float)}
    return found

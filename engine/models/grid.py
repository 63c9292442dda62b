"""The points of a grid of parameters, for any model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from setveil.errors import UnreachableError
from setveil.run.reading import Baskets
from setveil.run.release import Release

Axes = Mapping[str, Sequence[Any]]
Setting = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the grid. Without a release `metrics` is None, and `refused` has the reason."""

    parameters: Setting
    metrics: Any
    refused: str | None


def settings(axes: Axes) -> Iterator[Setting]:
    """Yield the parameters of every point; the first axis varies slowest."""
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def one_by_one(
    model: Callable[..., Release[Any]],
) -> Callable[[Baskets, Axes, Setting], Iterator[Point]]:
    """Make the points of a model by one run for each, on transactions that are read once."""

    def points(baskets: Baskets, axes: Axes, options: Setting) -> Iterator[Point]:
        for setting in settings(axes):
            try:
                yield Point(setting, model(baskets, **options, **setting).metrics, None)
            except UnreachableError as error:
                yield Point(setting, None, str(error))

    return points

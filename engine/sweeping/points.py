"""Run models at the points of a sweep: data is prepared, roles are drawn, releases measured.

Nothing is read twice, and statements that follow from the data alone run once for all points.
"""

from __future__ import annotations

import inspect
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from math import prod
from typing import Any, get_args

from setveil.comparison.measures import MEASURES
from setveil.errors import InputError
from setveil.models.grid import (
    Axes,
    Point,
    Setting,
    figures_of,
    metrics_of,
    settings,
    tried,
)
from setveil.models.model import Model
from setveil.preparing.prepare import (
    LEAST,
    MOST,
    Preparation,
    drawn_patterns,
    drawn_roles,
    prepared,
)
from setveil.run.reading import Baskets
from setveil.sweeping.measuring import Asked, measured

PREPARED = ("sample", "min_item_support", "cutoff")
DRAWN = ("public_share", "sensitive_share", "drawn_patterns")
INSTEAD = {"public_share": "public", "sensitive_share": "sensitive", "drawn_patterns": "patterns"}
SUPPORTS = {"pattern_least": LEAST, "pattern_most": MOST}  # of drawn patterns, and the usual ones
MINED = ("measure_support", "measure_size", "measure_confidence")
SPENT = ("seconds", "search_seconds", "peak_bytes")


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure over several draws."""

    mean: float
    deviation: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class SweptPoint:
    """A point of a sweep. `metrics` are those of the first draw that has a release.

    Of several draws, `draws` counts those with a release; `measures` and seconds are over these,
    memory is the most of any. Without a release, `refused` has the reason.
    """

    model: str
    parameters: Setting
    metrics: Any
    refused: str | None
    draws: int
    measures: dict[str, Spread]
    seconds: float
    search_seconds: float
    peak_bytes: int | None

    def value(self, name: str) -> float | None:
        """A measure, or what the point cost in seconds or bytes; None if it is not known."""
        if name in SPENT:
            spent: float | None = getattr(self, name)
            return spent
        return self.measures[name].mean if name in self.measures else None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a sweep varies and measures."""

    models: Sequence[Model]
    axes: Axes
    options: Setting
    measures: Sequence[str]
    draws: int
    seed: int
    apart: bool  # no search serves several points

    def of(self, names: Sequence[str]) -> Iterator[Setting]:
        """The settings of some axes, with the fixed options of these names."""
        fixed = {name: self.options[name] for name in names if name in self.options}
        varied = {name: self.axes[name] for name in self.axes if name in names}
        for one in settings(varied):
            yield fixed | one

    @property
    def runs(self) -> int:
        """The number of runs, counting each draw."""
        beside = {*PREPARED, *DRAWN}
        shared = prod(len(values) for name, values in self.axes.items() if name in beside)
        own = [axes_of(model, self.axes).items() for model in self.models]
        each = sum(prod(len(values) for name, values in one if name not in beside) for one in own)
        return self.draws * shared * each


TREE = ("hierarchy", "fanout")
Found = dict[tuple[str, str], list[tuple[Setting, Point, dict[str, float]]]]


def points_of(baskets: Baskets, plan: Plan) -> Iterator[SweptPoint]:
    """Yield the points of all models, each in the order of its axes."""
    found: Found = {}
    baskets.session.course.expect("point", plan.runs)
    for preparation in plan.of(PREPARED):
        for draw in range(plan.draws):
            seed = plan.seed + draw
            with (
                prepared(baskets, Preparation(**preparation), seed) as data,
                data.session.sharing(),
            ):
                for drawn in plan.of(DRAWN):
                    roles = _roles(data, drawn, seed, plan)
                    shown = {**preparation, **drawn}
                    for model in plan.models:
                        for run in _run(data, model, plan, roles, seed):
                            _add(found, model, plan, shown, run)
                            baskets.session.course.count()
    for model in plan.models:
        names = [name for name in plan.axes if name in _known(model)]
        for setting in settings(axes_of(model, plan.axes)):
            runs = found[model.name, repr(setting)]
            yield _merged(model.name, {name: setting[name] for name in names}, runs)


Run = tuple[Setting, Point, dict[str, float]]


def _add(found: Found, model: Model, plan: Plan, shown: Setting, run: Run) -> None:
    axes, (setting, _, _) = axes_of(model, plan.axes), run
    place = repr({name: (shown | setting)[name] for name in axes})
    found.setdefault((model.name, place), []).append(run)


def _known(model: Model) -> set[str]:
    """The names that can be axes of a model."""
    own = {one.name for one in model.params}
    drawn = {name for name in DRAWN if INSTEAD[name] in own}
    return own | drawn | {*PREPARED, *MINED}


def axes_of(model: Model, axes: Axes) -> dict[str, Sequence[Any]]:
    """The axes that a model has, and of words those that it knows."""
    params = {one.name: one for one in model.params}
    found: dict[str, Sequence[Any]] = {}
    for name, values in axes.items():
        if name not in _known(model):
            continue
        words = params[name].choices if name in params else ()
        own = [one for one in values if one in words] if words else values
        if own:
            found[name] = own
    return found


def _roles(data: Baskets, drawn: Mapping[str, Any], seed: int, plan: Plan) -> Setting:
    """The lists that take the place of what is drawn; private items if h is a parameter."""
    least, most = (plan.options.get(name, usual) for name, usual in SUPPORTS.items())
    bound = "h" in {*plan.options, *plan.axes}
    found: Setting = {}
    for name, share in drawn.items():
        if name == "drawn_patterns":
            found["patterns"] = drawn_patterns(data, int(share), least, most, seed)
            continue
        roles = drawn_roles(data, share, seed, name)
        found[INSTEAD[name]] = roles.drawn
        if name == "public_share" and bound:
            found["private"] = roles.private
    return found


def _run(data: Baskets, model: Model, plan: Plan, roles: Setting, seed: int) -> Iterator[Run]:
    """Run one model at its points on prepared data, and measure each."""
    params = {*inspect.signature(model.anonymize.get()).parameters}
    options = {name: one for name, one in plan.options.items() if name in params}
    options |= {name: one for name, one in roles.items() if name in params and name not in options}
    if "seed" in params and plan.draws > 1:
        options["seed"] = seed
    mined = [*plan.of(MINED)]
    varied = {
        name: values
        for name, values in axes_of(model, plan.axes).items()
        if name in params and name not in options
    }
    own = metric_names(model)
    if any("measure_support" in one for one in mined):  # then they are taken at that support
        own -= PATTERNS
    beyond = [name for name in plan.measures if name in MEASURES and name not in own]
    if model.points is not None and not (beyond or plan.apart):
        for point in model.points(data, varied, options):
            for terms in mined:
                yield {**point.parameters, **terms}, point, {}
        return
    every = [*settings(varied)]
    mixed = any(model.publishes_nodes(options | one) for one in every)
    for setting in every:
        fixed = options
        if mixed and not model.publishes_nodes(options | setting):  # the tree is for the others
            fixed = {name: one for name, one in options.items() if name not in TREE}
        point, release = tried(model.anonymize, data, setting, fixed)
        figures: list[dict[str, float]] = [{} for _ in mined]
        if release is not None and beyond:
            asked = [_asked(beyond, options | setting, terms) for terms in mined]
            figures = [measured(data, release, one) for one in asked]
            data.session.resume(release.run)
        release = None  # the next run can then share what this one made
        for terms, taken in zip(mined, figures, strict=True):
            yield {**setting, **terms}, point, taken


def _asked(names: Sequence[str], given: Setting, terms: Setting) -> Asked:
    """The terms of the measures: from the model's own parameters, and how to mine."""
    own = {one.name for one in fields(Asked)} - {"names", "min_support"}
    known = {name: one for name, one in given.items() if name in own}
    known |= {
        "min_support": terms.get("measure_support"),
        "max_size": terms.get("measure_size"),
        "min_confidence": terms.get("measure_confidence"),
    }
    return Asked(names=names, **known)


def metric_names(model: Model) -> set[str]:
    """The figures that the model's own metrics have."""
    kinds = get_args(metrics_of(model)) or (metrics_of(model),)
    found = set[str]()
    for kind in kinds:
        if is_dataclass(kind):  # a function may tell no type
            found.update(one.name for one in fields(kind))
    return found | (PATTERNS if "mined" in found else set())


PATTERNS = {"hiding_failure", "misses_cost", "artifactual_patterns"}


def check_measures(models: Sequence[Model], names: Sequence[str]) -> None:
    """Refuse a measure that no release of these models can have."""
    known = {*MEASURES, *SPENT}.union(*map(metric_names, models))
    for name in names:
        if name not in known:
            shown = ", ".join(sorted(known))
            raise InputError(f"there is no measure {name!r}; there is {shown}")


def _merged(model: str, setting: Setting, runs: Sequence[Run]) -> SweptPoint:
    """The point of several draws."""
    made = [(point, figures) for _, point, figures in runs if point.metrics is not None]
    spent = [point.spent for point, _ in made or [(point, {}) for _, point, _ in runs]]
    taken = [figures_of(point.metrics) | figures for point, figures in made]
    names = dict.fromkeys(name for one in taken for name in one)
    peaks = [one.peak_bytes for one in spent if one.peak_bytes is not None]
    return SweptPoint(
        model=model,
        parameters=setting,
        metrics=made[0][0].metrics if made else None,
        refused=None if made else runs[0][1].refused,
        draws=len(made),
        measures={name: spread([one[name] for one in taken if name in one]) for name in names},
        seconds=round(statistics.fmean(one.seconds for one in spent), 4),
        search_seconds=round(statistics.fmean(one.search_seconds for one in spent), 4),
        peak_bytes=max(peaks) if peaks else None,
    )


def spread(values: Sequence[float]) -> Spread:
    """The mean of the values and how far they are apart; one value has no deviation."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return Spread(statistics.fmean(values), deviation, min(values), max(values))

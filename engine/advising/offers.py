"""The promises that fit, each with parameters to try. A model lists them in its entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from setveil.models import REGISTRY
from setveil.models.model import Model

Setting = dict[str, Any]
ROLES = ("items", "patterns", "hierarchy")  # the kinds of parameter that only the owner can give


@dataclass(frozen=True, slots=True)
class Offer:
    """A model with parameters. `own` are those that the owner gave; the others are ours."""

    model: Model
    own: Setting
    chosen: Setting

    @property
    def parameters(self) -> Setting:
        return self.chosen | self.own


def fitting(given: Mapping[str, Any]) -> list[Offer]:
    """Every promise that can be tried with what the owner gave."""
    every = [offer for model in REGISTRY.values() for offer in _offers(model, given)]
    tried = [(one.model.name, one.parameters) for one in every]
    return [one for n, one in enumerate(every) if tried[n] not in tried[:n]]


def _offers(model: Model, given: Mapping[str, Any]) -> Iterator[Offer]:
    own = {one.name: given[one.name] for one in model.params if given.get(one.name) is not None}
    lacking = {one.name for one in model.promise if one.needed and one.kind in ROLES} - own.keys()
    if lacking or model.from_paper:
        return
    tree = {one: own[one] for one in ("hierarchy", "fanout") if one in own}
    for setting in model.advised:
        if model.publishes_nodes(setting) and not tree:
            continue
        mine = {k: v for k, v in own.items() if k not in tree or model.publishes_nodes(setting)}
        chosen = {name: value for name, value in setting.items() if name not in mine}
        if "private" not in mine:
            chosen.pop("h", None)  # it bounds private items
            mine.pop("h", None)
        yield Offer(model, mine, chosen)

"""Have the checker of a model judge releases beside their original.

Roles are those of the original: its private and sensitive items are those of the release. Models of
items do not judge a generalized release, whose nodes are no items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.case import Case, Parts
from setveil.models.model import Model
from setveil.run.reading import Baskets, cells_of
from setveil.run.roles.lists import Items, item_numbers
from setveil.sql.run import lists
from setveil.trail.lists import note_readable
from setveil.verify import beside, source_of

Terms = Mapping[str, Any]  # the parameters of a promise, by name


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A promise, and the verdict of its checker."""

    model: str
    parameters: dict[str, object]
    holds: bool
    checked: int


def read_by(model: str, *, persons: bool) -> str:
    """The data that the checker reads, in words."""
    known = REGISTRY[model]
    if known.beside_original:
        return "the release and its original"
    if persons and known.of_persons:
        return "the release, and from the source only who made each transaction"
    return "the release alone"


def check_terms(model: str | None, terms: Terms) -> None:
    """Refuse an unknown model, and one that lacks a parameter, before anything is read."""
    if model is None:
        return
    if model not in REGISTRY:
        raise InputError(
            f"--verify: there is no checker for {model!r}; there is {', '.join(REGISTRY)}"
        )
    REGISTRY[model].refuse_lacking(dict(terms), "--verify")


def check_kind(model: str | None, name: str, *, generalized: bool) -> None:
    """Refuse to judge nodes as if they were items."""
    if generalized and model is not None and not REGISTRY[model].judges_nodes:
        others = " or ".join(one.name for one in REGISTRY.values() if one.judges_nodes)
        raise InputError(
            f"{name} is a generalized release, and {model} speaks of items: have it judged by "
            f"{others}"
        )


def name_items(original: Baskets, option: str, items: Items, *, ignore_unknown: bool) -> int:
    """Settle in the original which items a parameter names: conditions speak of its supports."""
    session, relation = original.session, f"{option}_item"
    if relation in session.relations:
        return session.sizes(relation)[0]
    numbers = item_numbers(session, items, option, ignore_unknown=ignore_unknown)
    session.decide(relation, f"the items that --{option} names", numbers)
    return len(numbers)


def judge(
    model: str,
    original: Baskets,
    release: Baskets,
    terms: Terms,
    *,
    ignore_unknown: bool,
    parts: Parts | None = None,
) -> Guarantee:
    """The verdict of the model's checker on one release."""
    known = REGISTRY[model]
    given = {one.name: terms[one.name] for one in known.promise if terms.get(one.name) is not None}

    def named(option: str, items: Items) -> exp.Expr:
        name_items(original, option, items, ignore_unknown=ignore_unknown)
        return beside(original, lists.labels(f"{option}_item"))

    def roles(k: int, p: int, h: Share | None, private: Items, public: Items | None) -> exp.Expr:
        return lists.roles()  # the comparison gave the release the roles of its original

    case = Case(
        session=release.session,
        cells=cells_of(release.session, release.shape, "source"),
        named=named,
        roles=roles,
        original=lambda: _matched(original, release),
        owners=release.owners if known.of_persons else None,
        ignore_unknown=ignore_unknown,
    )
    if known.in_parts and parts is None:
        raise InputError(f"{release.source.name} has one part: {model} judges a release of two")
    if parts is not None:
        case = replace(case, parts=lambda: parts)
    verdict = known.judge(case, **given)
    made = {role: f"{role}_item" for role in given if f"{role}_item" in original.session.relations}
    note_readable(original.session, model, made)
    return Guarantee(model, _shown(known, given), verdict.holds, verdict.checked)


def _matched(original: Baskets, release: Baskets) -> exp.Expr:
    """The rows of the original, if its transactions can be told from those of the release."""
    keys = original.shape.key, release.shape.key
    by_line = keys == (None, None) and original.transactions == release.transactions
    if None in keys and not by_line:
        raise InputError(
            f"{release.source.name} and its original cannot be matched by transactions: what is "
            "hidden is judged beside it"
        )
    return source_of(original)


def _shown(model: Model, given: dict[str, Any]) -> dict[str, object]:
    """The numbers of the promise."""
    return {
        one.name: float(share(given[one.name], one.name))
        if one.kind == "share"
        else int(given[one.name])
        if given[one.name] not in one.words
        else given[one.name]
        for one in model.promise
        if one.kind in ("count", "share") and one.name in given
    }

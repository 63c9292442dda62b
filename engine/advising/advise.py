"""Find what can be found out about data: whom it singles out, and what each promise costs.

Nothing is written. Each promise that fits is tried with a few parameters, as its command would,
checker included. Large data is tried on a sample.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from typing import Any

from setveil.advising.offers import Offer, Setting, fitting
from setveil.advising.sampling import HALVINGS, Interval, interval, parts_of, sample
from setveil.arguments.shares import Share
from setveil.arguments.strict import strict
from setveil.comparison import risk
from setveil.comparison.compare import take_roles
from setveil.comparison.figures import Figures, Section
from setveil.comparison.inspection import Inspection, inspect
from setveil.comparison.risk import Found
from setveil.comparison.sides import Reading, read_releases
from setveil.errors import InputError, UnreachableError
from setveil.hierarchy.learned import BASKETS, NAMES, share_words
from setveil.models import REGISTRY
from setveil.models.coherence.promise import Promise, promised
from setveil.models.grid import tried
from setveil.models.hiding.patterns import Patterns
from setveil.models.wording import in_words
from setveil.run.inputs import Inputs
from setveil.run.reading import Baskets
from setveil.run.release import Release
from setveil.run.roles.columns import FEW, Beside, columns_beside
from setveil.run.roles.lists import Items

LEAST = FEW
KNOWN = 2  # items that an attacker knows
RARE = Promise(Fraction(1), LEAST, KNOWN, private=0, public=0)


@dataclass(frozen=True, slots=True)
class Tried:
    """A promise with its parameters, and what a release with it costs.

    `information_lost` is a share of all bits. On a sample it is None, and `between` has the least
    and the greatest share. `singled_out` are transactions that fewer than 5 others match, by an
    attacker who knows 1 and 2 items of the release. `refused` says why there is no release.
    """

    model: str
    parameters: Setting
    guarantee: str
    information_lost: float | None
    between: Interval | None
    singled_out: tuple[float, ...] | None
    singled_out_persons: tuple[float, ...] | None
    seconds: float
    refused: str | None
    emptied: float | None = None  # the share of transactions that lose all items
    own: tuple[str, ...] = field(default=(), repr=False)  # parameters that the owner gave

    @property
    def lists_items(self) -> bool:
        """Does a list of the owner name items that it protects?"""
        params = REGISTRY[self.model].promise
        listed = [one.name for one in params if one.kind == "items" and one.name != "public"]
        return any(self.parameters.get(one) for one in listed)

    @property
    def largest_risk(self) -> float | None:
        """1 / k, for attackers as the promise states them; None if it does not bound that."""
        k = self.parameters.get("k")
        return 1 / k if isinstance(k, int) and self.refused is None else None

    @property
    def meets_bound(self) -> bool:
        """Is no risk above 0.09, the bound of many authorities?"""
        return self.largest_risk is not None and self.largest_risk <= 1 / risk.HIGH


@dataclass(frozen=True, slots=True)
class Advice:
    """The risk of the data, dangerous columns, and the promises that fit."""

    whom: Inspection
    columns: tuple[Beside, ...]
    parts: int  # a sample of 1 / parts was tried; 1: all of the data
    promises: tuple[Tried, ...]
    learn: str  # how a hierarchy is best learned: names, or baskets where names share no words
    inputs: Inputs = field(default_factory=Inputs, repr=False, compare=False)


@strict
def advise(
    baskets: Baskets,
    *,
    private: Items = (),
    public: Items | None = None,
    h: Share | None = None,
    sensitive: Items | None = None,
    rho: Share | None = None,
    patterns: Patterns | None = None,
    psi: Share | None = None,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    ignore_unknown: bool = False,
) -> Advice:
    """Say whom the data singles out, which promises fit, and what each costs. Nothing is written.

    A promise is tried where its lists are given: `private` or none for coherence, `sensitive` for
    uncertainty, `patterns` for hiding, a `hierarchy` or `fanout` for promises about nodes.
    """
    _refuse_idle(h, private, rho, sensitive, psi, patterns)
    given = {"private": private or None, "public": public, "h": h, "sensitive": sensitive}
    given |= {"rho": rho, "patterns": patterns, "psi": psi}
    given |= {"hierarchy": hierarchy, "fanout": fanout}
    roles: Setting = {"private": private, "public": public, "ignore_unknown": ignore_unknown}
    whom = inspect(baskets, k=LEAST, p=KNOWN, h=1 if private else None, **roles)
    columns = columns_beside(baskets, LEAST)
    parts = parts_of(baskets)
    offers = fitting(given)
    baskets.session.course.expect("promise", len(offers) * (1 if parts == 1 else len(HALVINGS)))
    if parts == 1:
        with baskets.session.sharing():
            found = [_tried(baskets, one, roles) for one in offers]
    else:
        found = _on_samples(baskets, offers, roles, parts)
    worded = share_words(baskets, k=LEAST, private=private, ignore_unknown=ignore_unknown)
    learn = NAMES if worded else BASKETS
    return Advice(whom, columns, parts, tuple(found), learn, baskets.session.inputs)


def _refuse_idle(
    h: object, private: object, rho: object, sensitive: object, psi: object, patterns: object
) -> None:
    """Refuse a bound without the list that it is a bound for."""
    for bound, value, listed, items in (
        ("--h", h, "--private", private),
        ("--rho", rho, "--sensitive", sensitive),
        ("--psi", psi, "--patterns", patterns),
    ):
        if value is not None and not items:
            raise InputError(f"{bound} has no effect without {listed}: give both")


def _on_samples(baskets: Baskets, offers: list[Offer], roles: Setting, parts: int) -> list[Tried]:
    """Try all on several samples, the largest first; their costs bound that of the data."""
    roles = roles | {"ignore_unknown": True}  # a rare item may be in no sample
    found = []
    for halving in HALVINGS:
        with sample(baskets, halving * parts) as some:
            found.append([_tried(some, one, roles, exposed=halving == 1) for one in offers])
    each = zip(offers, zip(*found, strict=True), strict=True)
    return [
        _or_refused(baskets, offer, roles, _of_samples(offer, tried, parts))
        for offer, tried in each
    ]


def _or_refused(baskets: Baskets, offer: Offer, roles: Setting, found: Tried) -> Tried:
    """The cost, unless all of the data tells that there is no release: a sample may not."""
    if offer.model.refuse is None or found.refused is not None:
        return found
    given = {name: one for name, one in roles.items() if name != "ignore_unknown" and one}
    try:
        offer.model.refuse(baskets, **given | dict(offer.parameters), ignore_unknown=True)
    except UnreachableError as error:
        return replace(found, between=None, refused=str(error))
    return found


def _of_samples(offer: Offer, found: Sequence[Tried], parts: int) -> Tried:
    """The cost of the data from those of its samples; its seconds grow with its size."""
    largest = replace(found[0], information_lost=None, seconds=found[0].seconds * parts)
    able = takewhile(lambda one: one.information_lost is not None, found)
    known = [one.information_lost or 0.0 for one in able]
    if not known:
        return largest
    if len(known) == 1:
        return replace(largest, refused="the samples are too small to tell its cost")
    nodes = offer.model.publishes_nodes(offer.parameters)
    return replace(largest, between=interval(known[::-1], parts, of_nodes=nodes))


def _tried(baskets: Baskets, offer: Offer, roles: Setting, *, exposed: bool = True) -> Tried:
    """Make one release and measure it. It is gone with the next."""
    model = offer.model
    skipping = {"ignore_unknown": roles["ignore_unknown"]} if model.lists_items else {}
    point, release = tried(model.anonymize.get(), baskets, offer.parameters, skipping)
    found = _left(release, roles) if release is not None and exposed else None
    baskets.session.course.count()
    return Tried(
        model=model.name,
        parameters=offer.parameters,
        guarantee=in_words(model, {"h": offer.parameters.get("h")}, None),
        information_lost=None if release is None else release.metrics.information_lost,
        between=None,
        singled_out=found.transactions if found else None,
        singled_out_persons=found.persons if found else None,
        seconds=round(point.spent.seconds, 3),
        refused=point.refused,
        emptied=_emptied(release),
        own=tuple(offer.own),
    )


def _emptied(release: Release[Any] | None) -> float | None:
    """The share of transactions of which nothing is left, for the models that leave items out."""
    number = None if release is None else getattr(release.metrics, "emptied_transactions", None)
    if release is None or number is None or not release.baskets.transactions:
        return None
    return int(number) / release.baskets.transactions


def _left(release: Release[Any], roles: Setting) -> Found:
    """Count the transactions of the release that an attacker who knows public items finds."""
    original = release.baskets
    session = original.session
    if "private_item" not in session.relations:  # the model has no such list
        promised(session, LEAST, KNOWN, Fraction(1), **roles)
    with contextlib.ExitStack() as runs:
        (beside,) = read_releases(runs, original, [release], (), Reading(None, None, False))
        section = Section(Figures(), "release", (beside.run.session,))
        take_roles(beside, RARE, section, known=roles["public"] is not None)
        return risk.Exposed(beside.run, RARE).singled_out(LEAST)

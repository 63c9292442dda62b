"""Have the checker of a model judge releases beside their original.

Who plays which part is said of the original: its private and sensitive items are those of the
release. Models of items do not judge a generalized release, whose nodes are none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from setveil.arguments.lists import Items, item_numbers
from setveil.arguments.shares import Share, share
from setveil.errors import InputError
from setveil.models.coherence.check import check_coherence
from setveil.models.coherence.promise import Promise
from setveil.models.hiding.anonymize import target_of
from setveil.models.hiding.check import check_hidden
from setveil.models.hiding.patterns import Patterns, named_patterns
from setveil.models.k_anonymity.check import check_k_anonymity
from setveil.models.km_anonymity.anonymize import known_items
from setveil.models.km_anonymity.check import check_km
from setveil.models.uncertainty.check import check_uncertainty
from setveil.run.reading import Baskets, cells_of
from setveil.run.release import Judged
from setveil.sql.run import lists
from setveil.verify import beside, source_of

Parameters = dict[str, object]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What was promised, and what the checker said of it."""

    model: str
    parameters: Parameters
    holds: bool
    checked: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What a promise can be made of, whatever the model."""

    m: int | str | None = None
    rho: Share | None = None
    sensitive: Items | None = None
    patterns: Patterns | None = None
    psi: Share | None = None
    min_support: int | None = None  # below which patterns are, if nothing says their psi
    ignore_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A release, what it was made from, and what was promised of it."""

    original: Baskets
    release: Baskets
    promise: Promise
    terms: Terms

    @property
    def cells(self) -> exp.Expr:
        return cells_of(self.release.session, self.release.shape, "source")


Model = Callable[[Case], tuple[Parameters, Judged]]


def check_terms(model: str | None, terms: Terms) -> None:
    """Refuse, before anything is read, a model that there is not, and one that lacks its terms."""
    if model is None:
        return
    if model not in MODELS:
        raise InputError(
            f"--verify: there is no checker for {model!r}; there is {', '.join(MODELS)}"
        )
    for name in NEEDED.get(model, ()):
        if getattr(terms, name) is None:
            raise InputError(f"--verify {model} needs --{name}")


def check_kind(model: str | None, name: str, *, generalized: bool) -> None:
    """Refuse to judge nodes as if they were items."""
    if generalized and model is not None and model not in OF_NODES:
        raise InputError(
            f"{name} is a generalized release, and {model} speaks of items: have it judged by "
            f"{' or '.join(OF_NODES)}"
        )


def take_sensitive(original: Baskets, terms: Terms) -> int | None:
    """Settle in the original which items are sensitive: a condition speaks of their supports."""
    if terms.sensitive is None:
        return None
    session = original.session
    numbers = item_numbers(
        session, terms.sensitive, "sensitive", ignore_unknown=terms.ignore_unknown
    )
    session.decide("sensitive_item", "the items that must not be inferred", numbers)
    return 1 if session.dry else len(numbers)


def judge(model: str, case: Case) -> Guarantee:
    """What the model's checker says."""
    parameters, verdict = MODELS[model](case)
    return Guarantee(model, parameters, verdict.holds, verdict.checked)


def _coherence(case: Case) -> tuple[Parameters, Judged]:
    promise, session = case.promise, case.release.session
    verdict = check_coherence(
        session, case.cells, lists.roles(), h=promise.h, k=promise.k, p=promise.p
    )
    return {"h": float(promise.h), "k": promise.k, "p": promise.p}, verdict


def _hidden(case: Case) -> tuple[Parameters, Judged]:
    original, release, terms = case.original, case.release, case.terms
    keys = original.shape.key, release.shape.key
    matched = None not in keys or (
        keys == (None, None) and original.transactions == release.transactions
    )
    if not matched:
        raise InputError(
            f"{release.source.name} and its original cannot be matched by transactions: what is "
            "hidden is judged beside it"
        )
    assert terms.patterns is not None
    named = named_patterns(release.session, terms.patterns)
    told = terms.psi is not None or any(one.psi is not None for one in named)
    least = None if told else terms.min_support
    verdict = check_hidden(
        release.session, case.cells, source_of(original), named,
        target_of(named, terms.psi, least), ignore_unknown=terms.ignore_unknown,
    )  # fmt: skip
    target: Parameters = {"psi": float(share(terms.psi or 0, "psi"))}
    if least is not None:
        target = {"min_support": least}
    return {**target, "patterns": len(named)}, verdict


def _k_anonymity(case: Case) -> tuple[Parameters, Judged]:
    k = case.promise.k
    return {"k": k}, check_k_anonymity(case.release.session, case.cells, k=k, levels=False)


def _km(case: Case) -> tuple[Parameters, Judged]:
    k, m = case.promise.k, case.terms.m
    assert m is not None
    known = known_items(k, m)
    verdict = check_km(case.release.session, case.cells, k=k, m=known, levels=False)
    return {"k": k, "m": "max" if known is None else known}, verdict


def _uncertainty(case: Case) -> tuple[Parameters, Judged]:
    assert case.terms.rho is not None
    rho = share(case.terms.rho, "rho")
    secrets = beside(case.original, lists.labels("sensitive_item"))
    verdict = check_uncertainty(case.release.session, case.cells, secrets, rho=rho)
    return {"rho": float(rho)}, verdict


MODELS: dict[str, Model] = {
    "coherence": _coherence,
    "hidden": _hidden,
    "k-anonymity": _k_anonymity,
    "km": _km,
    "uncertainty": _uncertainty,
}
NEEDED = {"hidden": ("patterns",), "km": ("m",), "uncertainty": ("rho", "sensitive")}
OF_NODES = ("k-anonymity", "km")

"""Gather evidence on releases: digests, verdicts, the attacker, limits, commands to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from setveil.comparison.evidence.crosswalk import CROSSWALK
from setveil.comparison.evidence.facts import BLANKS, Evidence, Identity, Judged
from setveil.comparison.evidence.repeating import Repeated, Run
from setveil.comparison.findings import Compared, Comparison
from setveil.comparison.judging import Guarantee
from setveil.comparison.sides import Beside, Named
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.wording import in_words, numbered
from setveil.run.files.digests import sha256
from setveil.run.notes import uncovered
from setveil.run.reading import Baskets
from setveil.run.roles.columns import columns_beside
from setveil.run.words import names
from setveil.sql.trail import seal
from setveil.trail.head import inputs_of


def check_evidence(verify: str | None) -> None:
    """Refuse evidence without a verdict, before anything is read."""
    if verify is None:
        raise InputError("--evidence needs --verify: the page states the verdict of a checker")


def evidence_of(
    found: Comparison,
    original: Baskets,
    releases: Sequence[Named],
    beside: Sequence[Beside],
    run: Run,
) -> Evidence:
    """Gather the facts beside the figures: digests, versions, limits, and commands to repeat it."""
    model = REGISTRY[str(found.parameters["verify"])]
    at = datetime.now(UTC).isoformat(timespec="seconds")
    session = original.session
    guarantee = found.releases[0].guarantee
    terms = {} if guarantee is None else guarantee.parameters
    judged = []
    for shown, release, one, key in zip(found.releases, releases, beside, run.keys, strict=True):
        identity = _identity(original, release, one)
        verdict = _verdict(shown, identity, at, original)
        others = tuple(uncovered(one.run.shape))
        found_by = [each.name for each in columns_beside(one.run, among=others) if each.dangerous]
        judged.append(Judged(identity, verdict, key is not None, others, tuple(found_by)))
    versions = {one: version(one) for one in ("setveil", "duckdb", "sqlglot")}
    return Evidence(
        at=at,
        versions=versions | session.backend.version(),
        original=Identity(original.source.name, **_digest(inputs_of(original)["source"])),
        releases=tuple(judged),
        person=original.shape.person,
        in_source=original.transactions + original.left_out,
        left_out=original.left_out,
        promise=in_words(model, terms, original.shape.person, original.guests),
        attacker=numbered(model.attacker, terms),
        draws=run.intruder.draws,
        seed=run.intruder.seed,
        not_covered=tuple(_not_covered(found, judged, original)),
        repeat=tuple(Repeated(found, original, beside, run, public=False).commands()),
        repeat_without_names=tuple(Repeated(found, original, beside, run, public=True).commands()),
        blanks=BLANKS,
        crosswalk=CROSSWALK,
    )


def _identity(original: Baskets, release: Named, beside: Beside) -> Identity:
    if original.source.beside_files and isinstance(release, str | Path) and Path(release).is_file():
        return Identity(beside.name, sha256=sha256(Path(release)))
    run = beside.run
    told = run.session.look_up(seal.told_of("source", run.shape.columns))
    rows, digest = told[0] if told else (0, 0)
    return Identity(beside.name, rows=rows, digest=str(digest))


def _digest(told: object) -> dict[str, Any]:
    found = dict(told) if isinstance(told, Mapping) else {}
    found.pop("columns", None)
    return found | {name: str(found[name]) for name in ("digest",) if name in found}


def _verdict(shown: Compared, identity: Identity, at: str, original: Baskets) -> str:
    """The model, its parameters, the checker, digest and date, in one sentence."""
    guarantee, backend = shown.guarantee, original.session.backend
    assert guarantee is not None
    kept = "keeps" if guarantee.holds else "does not keep"
    told = f"SHA-256 {identity.sha256[:12]}…" if identity.sha256 else f"digest {identity.digest}"
    number = next(iter(backend.version().values()), None) or version("duckdb")
    promise = promise_of(guarantee, original.shape.person)
    return (
        f"({told}) {kept} {promise}: judged by the checker of setveil "
        f"{version('setveil')} on {backend.engine} {number}, {at[:10]}."
    )


def promise_of(guarantee: Guarantee, person: str | None) -> str:
    """The title of the promise with its parameters, and whether it counts persons."""
    model = REGISTRY[guarantee.model]
    said = ", ".join(f"{name} = {value}" for name, value in guarantee.parameters.items())
    counts = " in persons" if person is not None and model.of_persons else ""
    return f"{model.title}{counts} ({said})"


def _not_covered(found: Comparison, judged: Sequence[Judged], original: Baskets) -> Iterator[str]:
    parameters, model = found.parameters, REGISTRY[str(found.parameters["verify"])]
    if found.original.persons is None:
        yield "Persons: transactions were counted. A person with several transactions is several."
    else:
        yield "The share of one person: k persons can hold a set very unevenly."
        if not model.of_persons:
            yield f"Persons: {model.title} counts transactions. The figures below count both."
        if original.guests:
            yield (
                "Guests: each transaction without a person counts as a person of its own. This is "
                "an assumption: a guest may be one person, or a person of other transactions."
            )
    if original.left_out:
        yield "Transactions without a person: left out before judging, and in no other figure."
    if not any(one.name == "k" for one in model.promise):
        yield f"Singling out: {model.title} does not bound how few transactions match."
    if not parameters["private_items"] and parameters["sensitive_items"] is None:
        yield "Inference: no item was named as private or sensitive, so none was judged."
    elif not model.bounds_shares:
        yield f"Inference: {model.title} does not bound it. The figures below count it."
    listed = [f"{one.name}_items" for one in model.promise if one.kind == "items"]
    if model.readable and any(parameters[one] for one in listed if one != "public_items"):
        yield f"Names: {model.readable}."
    if kept := [one.identity.name for one in judged if not one.renumbered]:
        yield f"Ids: those of {names(kept)} are not replaced, and find rows of other tables."
    for one in judged:
        if one.uncovered:
            yield f"Other columns of {one.identity.name}: {names(list(one.uncovered))}."
        if one.dangerous:
            yield (
                f"Of these, dangerous by themselves: {names(list(one.dangerous))}. Their values "
                "single people out, tell when, or may name persons."
            )
    if found.history is None:
        yield "Several releases: each was judged by itself, without other releases of the data."
    yield "Knowledge of the method, and of items that are absent; the limits below say how much."

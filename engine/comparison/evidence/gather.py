"""Gather evidence on releases: digests, verdicts, the attacker, limits, commands to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from setveil.backends import Backend
from setveil.comparison.evidence.crosswalk import CROSSWALK
from setveil.comparison.evidence.facts import BLANKS, Evidence, Identity, Judged
from setveil.comparison.findings import Compared, Comparison
from setveil.comparison.judging import Guarantee
from setveil.comparison.risk import Intruder
from setveil.comparison.sides import Beside, Named
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.files.digests import sha256
from setveil.run.notes import uncovered
from setveil.run.reading import Baskets
from setveil.run.words import command_line, names
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
    keys: Sequence[str | Path | None],
    terms: Mapping[str, Any],
    intruder: Intruder,
) -> Evidence:
    """Gather the facts beside the figures: digests, versions, limits, and commands to repeat it."""
    model = REGISTRY[str(found.parameters["verify"])]
    at = datetime.now(UTC).isoformat(timespec="seconds")
    ids = keys or [None] * len(beside)
    session = original.session
    judged = []
    for shown, release, one, key in zip(found.releases, releases, beside, ids, strict=True):
        identity = _identity(original, release, one)
        verdict = _verdict(shown, identity, at, session.backend)
        others = tuple(uncovered(one.run.shape))
        judged.append(Judged(identity, verdict, key is not None, others))
    versions = {one: version(one) for one in ("setveil", "duckdb", "sqlglot")}
    return Evidence(
        at=at,
        versions=versions | session.backend.version(),
        original=Identity(original.source.name, **_digest(inputs_of(original)["source"])),
        releases=tuple(judged),
        promise=model.guarantee,
        attacker=model.attacker,
        draws=intruder.draws,
        seed=intruder.seed,
        not_covered=tuple(_not_covered(found, judged)),
        repeat=tuple(_commands(found, original, terms, intruder, public=False)),
        repeat_without_names=tuple(_commands(found, original, terms, intruder, public=True)),
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
    return found | {name: str(found[name]) for name in ("digest",) if name in found}


def _verdict(shown: Compared, identity: Identity, at: str, backend: Backend) -> str:
    """The model, its parameters, the checker, digest and date, in one sentence."""
    guarantee = shown.guarantee
    assert guarantee is not None
    kept = "keeps" if guarantee.holds else "does not keep"
    told = f"SHA-256 {identity.sha256[:12]}…" if identity.sha256 else f"digest {identity.digest}"
    number = next(iter(backend.version().values()), None) or version("duckdb")
    return (
        f"({told}) {kept} {promise_of(guarantee)}: judged by the checker of setveil "
        f"{version('setveil')} on {backend.engine} {number}, {at[:10]}."
    )


def promise_of(guarantee: Guarantee) -> str:
    """The title of the promise with its parameters."""
    said = ", ".join(f"{name} = {value}" for name, value in guarantee.parameters.items())
    return f"{REGISTRY[guarantee.model].title} ({said})"


def _not_covered(found: Comparison, judged: Sequence[Judged]) -> Iterator[str]:
    parameters, model = found.parameters, REGISTRY[str(found.parameters["verify"])]
    if found.original.persons is None:
        yield "Persons: transactions were counted. A person with several transactions is several."
    else:
        yield "The share of one person: k persons can hold a set very unevenly."
    if not any(one.name == "k" for one in model.promise):
        yield f"Singling out: {model.title} does not bound how few transactions match."
    if not parameters["private_items"] and parameters["sensitive_items"] is None:
        yield "Inference: no item was named as private or sensitive, so none was judged."
    if kept := [one.identity.name for one in judged if not one.renumbered]:
        yield f"Ids: those of {names(kept)} are not replaced, and find rows of other tables."
    for one in judged:
        if one.uncovered:
            yield f"Other columns of {one.identity.name}: {names(list(one.uncovered))}."
    if found.history is None:
        yield "Several releases: each was judged by itself, without other releases of the data."
    yield "Knowledge of the method, and of items that are absent; the limits below say how much."


def _commands(
    found: Comparison,
    original: Baskets,
    terms: Mapping[str, Any],
    intruder: Intruder,
    *,
    public: bool,
) -> Iterator[str]:
    """The commands that judge the releases again; `public` ones have no condition and no list."""
    model = REGISTRY[str(found.parameters["verify"])]
    source = "ORIGINAL" if public else original.source.name
    reading = ["--tid", str(original.shape.key)] if original.shape.key not in (None, "tid") else []
    reading += ["--item", original.shape.item] if original.shape.item != "item" else []
    if original.source.database is not None or not original.session.backend.is_local:
        reading += ["--database", original.source.database or "WHERE"]
    promise = []
    for one in model.promise:
        value = terms.get(one.name)
        if value is not None and value != () and value != []:
            listed = one.kind in ("items", "patterns")
            shown = not listed or (isinstance(value, str | Path) and not public)
            promise += [one.option, str(value) if shown else "LIST"]
    beside = ["--original", source] if model.beside_original else []
    if original.shape.person is not None:
        beside += ["--persons-of", source, "--person", original.shape.person]
    for release in found.releases:
        words = ["verify", model.name, release.name, *promise, *beside, *reading]
        yield command_line(["setveil", *words])
        if model.query is not None:
            yield command_line(["setveil", "verify", model.name, "TABLE", *promise, "--query"])
    every = [release.name for release in found.releases]
    drawn = ["--draws", str(intruder.draws), "--seed", str(intruder.seed)]
    person = [] if original.shape.person is None else ["--person", original.shape.person]
    words = ["compare", source, *every, "--verify", model.name, *promise, *reading, *person]
    yield command_line(["setveil", *words, "--evidence", *drawn, "--report", "evidence.html"])
    yield "setveil replay TRAIL"

"""Check a release against the definition of a model, from the release alone.

One function per model. Nothing that made the release is asked: not its run, not its queries.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.lists import Items, item_numbers
from setveil.arguments.shares import Share, share
from setveil.arguments.strict import strict
from setveil.backends.duckdb.files import Source, load, outside
from setveil.errors import InputError
from setveil.hierarchy.cover import Cover, check_cover
from setveil.models.coherence.anonymize import promised
from setveil.models.coherence.check import Verdict, Violation, check_coherence
from setveil.models.hiding.anonymize import target_of
from setveil.models.hiding.check import HiddenVerdict, check_hidden
from setveil.models.hiding.patterns import Patterns, named_patterns
from setveil.models.k_anonymity.check import Verdict as KAnonymityVerdict
from setveil.models.k_anonymity.check import check_k_anonymity
from setveil.models.km_anonymity.anonymize import known_items
from setveil.models.km_anonymity.check import Verdict as KmVerdict
from setveil.models.km_anonymity.check import check_km
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule, check_uncertainty
from setveil.run.notes import note_persons, note_unjudged
from setveil.run.reading import Baskets, cells_of, query_beside, read_beside
from setveil.run.release import Release
from setveil.run.shape import LEVEL, Shape
from setveil.run.words import counted
from setveil.sql.models.hiding import check as ask
from setveil.sql.run import lists
from setveil.sql.run import reading as sql

__all__ = [
    "Cover",
    "HiddenVerdict",
    "KAnonymityVerdict",
    "KmVerdict",
    "UncertaintyVerdict",
    "UnsafeRule",
    "Verdict",
    "Violation",
    "coherence",
    "cover",
    "hidden",
    "k_anonymity",
    "km",
    "uncertainty",
]

BESIDE = "beside"  # the relation of what a release is compared with


@strict
def coherence(
    given: Baskets | Release[Any],
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items = (),
    public: Items | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> Verdict:
    """Is every set of up to p public items held by k or by none, and no secret told above h?

    Names that the release does not hold may have been suppressed: they are passed over, and those
    of private items are told unless `ignore_unknown`. None of them left is an error without it.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return coherence(
                baskets, k=k, p=p, h=h, private=private, public=public,
                ignore_unknown=ignore_unknown, limit=limit,
            )  # fmt: skip
    session = as_release(given).session
    session.begin()
    _note(given, given.shape)
    promise = promised(
        session, k, p, h, private, public,
        ignore_unknown=ignore_unknown, released=True,
    )  # fmt: skip
    cells = cells_of(session, given.shape, "source")
    return check_coherence(session, cells, lists.roles(), h=promise.h, k=k, p=p, limit=limit)


@strict
def hidden(
    given: Baskets | Release[Any],
    *,
    patterns: Patterns,
    original: str | Path | None = None,
    original_database: str | Path | None = None,
    psi: Share | None = None,
    min_support: int | None = None,
    item: str | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> HiddenVerdict:
    """Is no more left of any pattern than was asked, and everything else as it was?

    `original` is what the release was made from: a file, or a relation of `original_database`, or
    of where the release is. It is told by itself where the release is a `Release`.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return _hidden(
                baskets, source_of(given.baskets), patterns, psi, min_support, ignore_unknown, limit
            )
    if original is None:
        raise InputError("name the original: what is hidden is judged beside it")
    as_release(given).session.begin()
    note_unjudged(given.session, given.source.name, given.shape)
    place = original_database or given.source.database
    is_file = original_database is None and Path(original).is_file()
    source = Source(
        str(original),
        None if is_file or place is None else str(place),
        given.source.connected and not is_file,
    )
    source = replace(source, pulled=given.source.pulled and source.from_server)
    beside = _read_beside(given, source, item or given.shape.item)
    return _hidden(given, beside, patterns, psi, min_support, ignore_unknown, limit)


def _hidden(
    baskets: Baskets,
    original: exp.Expr,
    patterns: Patterns,
    psi: Share | None,
    min_support: int | None,
    ignore_unknown: bool,
    limit: int,
) -> HiddenVerdict:
    session = baskets.session
    named = named_patterns(session, patterns)
    released = cells_of(session, baskets.shape, "source")
    target = target_of(named, psi, min_support)
    return check_hidden(
        session, released, original, named, target, ignore_unknown=ignore_unknown, limit=limit
    )


def _read_beside(given: Baskets, source: Source, item: str) -> exp.Expr:
    """The cells of the original, in the release's run. Without keys, lines are matched."""
    session, shape = given.session, given.shape
    if source.connected or source.on_server:
        session.run("input", "names are looked up there first", outside(session, source))
    found = load(session, source, shape.key, item, BESIDE)
    session.relations.append(BESIDE)
    if (found.key is None) != (shape.key is None):
        raise InputError(
            f"{source.name} and {given.source.name} cannot be matched: one of them has no key for "
            "its transactions; give both the column that --tid names"
        )
    cells = cells_of(session, found, BESIDE)
    if found.key is None and not session.dry:
        (lines,) = session.one(ask.lines(BESIDE))
        if lines != given.transactions:
            raise InputError(
                f"{source.name} has {counted(lines, 'line')} and {given.source.name} "
                f"{given.transactions:,}: without keys, they cannot be matched"
            )
    return cells


def source_of(baskets: Baskets) -> exp.Expr:
    """The cells of what a release was made from, in the run that made it."""
    if baskets.once:
        raise InputError("what the release was made from was read for one release, and is gone")
    return beside(baskets, cells_of(baskets.session, baskets.shape, "source"))


def beside(baskets: Baskets, rows: exp.Expr) -> exp.Expr:
    """Rows of these baskets, as another run of the instance finds them."""
    backend = baskets.session.backend
    if isinstance(rows, exp.Table):
        return backend.of_run(rows.name)
    for table in list(rows.find_all(exp.Table)):
        place = backend.of_run(table.name)
        place.set("alias", table.args.get("alias"))
        table.replace(place)
    return rows


@strict
def uncertainty(
    given: Baskets | Release[Any],
    *,
    sensitive: Items,
    rho: Share,
    max_knowledge: int | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> UncertaintyVerdict:
    """Is no sensitive item inferred with a confidence above rho, whatever else is known?

    Names that the release does not hold may have been suppressed: they are passed over, and told
    unless `ignore_unknown`. None of them left is an error without it.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return uncertainty(
                baskets, sensitive=sensitive, rho=rho, max_knowledge=max_knowledge,
                ignore_unknown=ignore_unknown, limit=limit,
            )  # fmt: skip
    session, exact = as_release(given).session, share(rho, "rho")
    session.begin()
    _note(given, given.shape)
    secret = item_numbers(
        session, sensitive, "sensitive", ignore_unknown=ignore_unknown, released=True
    )
    session.decide("sensitive_item", "the items that must not be inferred", secret)
    return check_uncertainty(
        session, cells_of(session, given.shape, "source"), lists.labels("sensitive_item"),
        rho=exact, max_knowledge=max_knowledge, limit=limit,
    )  # fmt: skip


@strict
def k_anonymity(
    given: Baskets | Release[Any], *, k: int, level: str | None = None, limit: int = 20
) -> KAnonymityVerdict:
    """Has every transaction k - 1 twins, with the same set of nodes?

    `level` is the column of the levels, as for `km`.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return k_anonymity(baskets, k=k, level=given.shape.level, limit=limit)
    session, shape = as_release(given).session, levelled(given.shape, level)
    session.begin()
    _note(given, shape)
    cells = cells_of(session, shape, "source")
    return check_k_anonymity(session, cells, k=k, levels=shape.level is not None, limit=limit)


@strict
def km(
    given: Baskets | Release[Any],
    *,
    k: int,
    m: int | str,
    level: str | None = None,
    limit: int = 20,
) -> KmVerdict:
    """Is every set of up to m published nodes ("max": of any size) held by k or by none?

    `level` is the column of the levels ("level", where there is one): a node is a label and a
    level. Without it items are judged by their names.
    """
    if isinstance(given, Release):
        with reread(given) as baskets:
            return km(baskets, k=k, m=m, level=given.shape.level, limit=limit)
    session, shape = as_release(given).session, levelled(given.shape, level)
    known = known_items(k, m)
    session.begin()
    _note(given, shape)
    cells = cells_of(session, shape, "source")
    return check_km(session, cells, k=k, m=known, levels=shape.level is not None, limit=limit)


@strict
def cover(
    given: Baskets | Release[Any],
    original: Baskets,
    *,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    level: str | None = None,
) -> Cover:
    """Does every published node stand for items that were there, and something for every item?"""
    if isinstance(given, Release):
        held, shape, relation = given.baskets, given.shape, "release"
        given.refuse_if_gone()
    else:
        held, shape, relation = as_release(given), levelled(given.shape, level), "source"
    if held.session is original.session:
        raise InputError("read the original once more: its run is the one that the release is in")
    if shape.level is None:
        name = held.source.name
        raise InputError(f"{name}: no column {LEVEL!r}; name that of the levels with --level")
    return check_cover(original, held.session, shape, relation, hierarchy=hierarchy, fanout=fanout)


def as_release(given: Baskets) -> Baskets:
    """A release, unless its readers could count in it otherwise than a checker does."""
    name = given.source.name
    if given.repeated:
        raise InputError(
            f"{name}: {counted(given.repeated, 'row')} with the transaction id of another row: "
            "its readers take each row for a transaction; in a release with lists an id stands once"
        )
    for column in given.shape.judged:
        if column in given.shape.mended:
            raise InputError(
                f"{name}: values of {column!r} are equal to others that look different (as -0.0 "
                "to 0.0): its readers tell them apart or not; in a release they look alike"
            )
    return given


def levelled(shape: Shape, level: str | None) -> Shape:
    """The shape of a release, with its column of levels if it has one."""
    if level is None:
        return replace(shape, level=LEVEL if LEVEL in shape.given else None)
    if level not in shape.given:
        shown = ", ".join(repr(name) for name in shape.given)
        raise InputError(f"no column {level!r}; the release has {shown}: name one with --level")
    return replace(shape, level=level)


def _note(given: Baskets, shape: Shape) -> None:
    """The limits of a verdict."""
    note_persons(given.session)
    note_unjudged(given.session, given.source.name, shape)


def reread(release: Release[Any]) -> Baskets:
    """A release as a stranger gets it: its rows, in a run of its own."""
    release.refuse_if_gone()
    backend, shape = release.baskets.session.backend, release.shape
    relation = backend.of_run("release")
    shown = [sql.column(name) for name in shape.columns]
    query = exp.Select().select(*shown).from_(relation)
    if shape.key is None:  # transactions are told apart by their order
        query = query.order_by(sql.column(shape.line))
    source = query_beside(release.baskets, query)
    return read_beside(release.baskets, source, tid=shape.key, item=shape.item)

"""Check a release against the definition of a model, from the release alone.

One function per model, and `judged` for a model by name; `query` writes a checker as one SELECT. A
check uses neither the run nor the queries that made the release. Where promises count persons, a
checker takes the persons from the release, from its run, or from the source that `persons` names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from setveil.arguments.shares import Share
from setveil.arguments.strict import checked, strict
from setveil.errors import InputError
from setveil.export.query import query
from setveil.hierarchy.cover import Cover, check_cover
from setveil.models import REGISTRY
from setveil.models.case import Case, Parts
from setveil.models.coherence.check import Verdict, Violation
from setveil.models.coherence.promise import promised
from setveil.models.hiding.check import HidingVerdict
from setveil.models.hiding.patterns import Patterns
from setveil.models.k_anonymity.check import Verdict as KAnonymityVerdict
from setveil.models.km_anonymity.check import Verdict as KmAnonymityVerdict
from setveil.models.model import NEEDED, Late, Model
from setveil.models.permutation.check import GroupFault, GroupsVerdict
from setveil.models.permutation.parts import parts_made, parts_read, with_groups
from setveil.models.uncertainty.check import UncertaintyVerdict, UnsafeRule
from setveil.run.files.local_duckdb import outside
from setveil.run.files.reading import load
from setveil.run.files.source import Source
from setveil.run.notes import NOT_JUDGED, note_unjudged
from setveil.run.persons import Owners, check_guests, note_persons, number_persons
from setveil.run.reading import (
    Baskets,
    cells_of,
    leave_out_itemless,
    owners_of,
    query_beside,
    read_beside,
)
from setveil.run.release import Release
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.roles.matching import UNMATCHED, refuse_strangers, with_items
from setveil.run.shape import LEVEL, SLICE, Shape
from setveil.run.words import counted
from setveil.sql.models.hiding import check as ask
from setveil.sql.models.permutation.check import with_items_of
from setveil.sql.run import lists
from setveil.sql.run import reading as sql
from setveil.trail.lists import note_readable

if TYPE_CHECKING:
    from setveil.history.told import HistoryVerdict

__all__ = [
    "Cover",
    "GroupFault",
    "GroupsVerdict",
    "HidingVerdict",
    "KAnonymityVerdict",
    "KmAnonymityVerdict",
    "PersonsOf",
    "UncertaintyVerdict",
    "UnsafeRule",
    "Verdict",
    "Violation",
    "coherence",
    "cover",
    "hiding",
    "history",
    "judged",
    "k_anonymity",
    "km_anonymity",
    "permutation",
    "query",
    "uncertainty",
]


@dataclass(frozen=True, slots=True)
class PersonsOf:
    """The source of a release, whose column `person` has the persons of transactions.

    `source` is a file, or a relation of `database`, or of the release's database.
    """

    source: str | Path
    person: str
    guests: str | None = None
    database: str | Path | None = None


HISTORY = Late("setveil.history.judging", "history")  # which imports this module
BESIDE = "beside"  # the relation of the original that a release is compared with

Given = Baskets | Release[Any]
Original = Callable[[Baskets], exp.Expr]


@strict
def coherence(
    given: Given,
    *,
    k: int,
    p: int,
    h: Share | None = None,
    private: Items | None = None,
    public: Items | None = None,
    level: str | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
    persons: PersonsOf | None = None,
) -> Verdict:
    """Check that every set of up to p public items keeps k and h.

    `level` is the column of the levels of a generalized release, as for `km_anonymity`; there every
    node above level 0 is public.

    Listed names that the release lacks are skipped: they may have been suppressed. A note names
    those of private items. If the release has no listed name, that is an error. `ignore_unknown`
    leaves out the note and the error.
    """
    found: Verdict = judged(
        "coherence",
        given,
        k=k,
        p=p,
        h=h,
        private=private,
        public=public,
        level=level,
        ignore_unknown=ignore_unknown,
        limit=limit,
        persons=persons,
    )
    return found


@strict
def hiding(
    given: Given,
    *,
    patterns: Patterns,
    original: str | Path | None = None,
    original_database: str | Path | None = None,
    psi: Share | None = None,
    min_support: int | None = None,
    item: str | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> HidingVerdict:
    """Check that every pattern is hidden as far as promised, and that nothing else changed.

    `original` is the source of the release: a file, or a relation of `original_database`, or of the
    release's database. A `Release` needs none.
    """
    found: HidingVerdict = judged(
        "hiding",
        given,
        patterns=patterns,
        psi=psi,
        min_support=min_support,
        original=original,
        original_database=original_database,
        item=item,
        ignore_unknown=ignore_unknown,
        limit=limit,
    )
    return found


@strict
def uncertainty(
    given: Given,
    *,
    sensitive: Items,
    rho: Share,
    max_knowledge: int | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
    persons: PersonsOf | None = None,
) -> UncertaintyVerdict:
    """Check that no rule infers a sensitive item with a confidence above rho.

    Listed names that the release lacks are skipped, since they may have been suppressed, and noted.
    If the release has no listed name, that is an error. `ignore_unknown` leaves out the note and
    the error.
    """
    found: UncertaintyVerdict = judged(
        "uncertainty",
        given,
        sensitive=sensitive,
        rho=rho,
        max_knowledge=max_knowledge,
        ignore_unknown=ignore_unknown,
        limit=limit,
        persons=persons,
    )
    return found


@strict
def k_anonymity(
    given: Given,
    *,
    k: int,
    private: Items | None = None,
    public: Items | None = None,
    level: str | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
    persons: PersonsOf | None = None,
) -> KAnonymityVerdict:
    """Check that every transaction has k - 1 twins with equal sets of nodes.

    With `private` or `public`, twins agree on public items and on nodes above items. `level` is the
    column of the levels, as for `km_anonymity`.
    """
    found: KAnonymityVerdict = judged(
        "k-anonymity",
        given,
        k=k,
        private=private,
        public=public,
        level=level,
        ignore_unknown=ignore_unknown,
        limit=limit,
        persons=persons,
    )
    return found


@strict
def km_anonymity(
    given: Given,
    *,
    k: int,
    m: int | str,
    level: str | None = None,
    limit: int = 20,
    persons: PersonsOf | None = None,
) -> KmAnonymityVerdict:
    """Check that k transactions or none hold every set of up to m nodes ("max": of any size).

    `level` is the column of the levels, "level" by default if it exists: a node is a label and a
    level. Without that column, labels are nodes.
    """
    found: KmAnonymityVerdict = judged(
        "km-anonymity", given, k=k, m=m, level=level, limit=limit, persons=persons
    )
    return found


@strict
def permutation(
    given: Given,
    *,
    sensitive: Items,
    degree: int,
    counts: str | Path | None = None,
    persons: PersonsOf | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
) -> GroupsVerdict:
    """Check that at most one in `degree` transactions of a group holds a sensitive item.

    `given` is the first part of the release, as `transactions.parquet`. `counts` is the second, by
    default `sensitive.parquet` beside it; of a table, the one of its name and `_sensitive`.
    """
    found: GroupsVerdict = judged(
        "permutation",
        given,
        sensitive=sensitive,
        degree=degree,
        counts=counts,
        persons=persons,
        ignore_unknown=ignore_unknown,
        limit=limit,
    )
    return found


@strict
def judged(
    model: str,
    given: Given,
    *,
    level: str | None = None,
    counts: str | Path | None = None,
    original: str | Path | None = None,
    original_database: str | Path | None = None,
    item: str | None = None,
    ignore_unknown: bool = False,
    limit: int = 20,
    persons: PersonsOf | None = None,
    by_slice: bool = False,
    part: bool = False,
    **promise: Any,
) -> Any:
    """Return the verdict of a model's checker on a release, for any model of the registry.

    With `by_slice` the caller also has each slice judged, by `history`. With `part` the release has
    only some transactions of the original: the others are not judged.
    """
    known = REGISTRY[model]
    for one in known.promise:
        if one.name in promise:
            value, default = promise[one.name], None if one.default is NEEDED else one.default
            promise[one.name] = checked(model, one.name, value, default)
    if isinstance(given, Release):
        made_from = given.baskets
        with reread(given) as baskets:
            owners = owners_of(made_from)
            case = _case(baskets, known, owners, given.shape.level, ignore_unknown, limit)
            if known.beside_original:
                case = replace(case, original=lambda: source_of(made_from))
            if known.in_parts:
                case = _with_parts(case, baskets, parts_made(given, baskets))
            return known.judge(case, **promise)
    if SLICE in given.shape.given and known.joined is not None and not by_slice:
        given.session.note(
            f"{given.source.name}: the verdict is on all slices together; verify.history judges "
            "each of them too"
        )
    case = _case(given, known, persons or given.owners, level, ignore_unknown, limit)
    if known.in_parts:
        case = _with_parts(case, given, parts_read(given, counts))
    if known.beside_original and original is not None:
        source = _source_of(given, original, original_database)
        column = item or given.shape.item
        case = replace(case, original=lambda: _read_beside(given, source, column, part=part))
    verdict = known.judge(case, **promise)
    roles = {
        one.name: f"{one.name}_item" for one in known.promise if promise.get(one.name) is not None
    }
    made = {role: name for role, name in roles.items() if name in given.session.relations}
    note_readable(given.session, model, made)
    if not part:
        given.session.note(NOT_JUDGED)
    return verdict


def history(model: str, given: Baskets, *others: str | Path, **options: Any) -> HistoryVerdict:
    """Judge releases together, by all that every set of them shows of a transaction.

    `given` is one, `others` are files or relations beside it; transactions are matched by id. A
    release with a column `slice` is also judged slice by slice. Options are the promise of the
    model, and `level`, `hierarchy` (a file, for generalized releases), `keys` (of the others, None
    where ids were kept), `drop_nulls`, `ignore_unknown`, `limit` and `persons`. Permutation and
    hiding, whose `original` is named, are judged release by release, if no transaction is in two.
    """
    found: HistoryVerdict = HISTORY(model, given, *others, **options)
    return found


def _case(
    given: Baskets,
    model: Model,
    owners: exp.Expr | PersonsOf | None,
    level: str | None,
    ignore_unknown: bool,
    limit: int,
) -> Case:
    """The release as its checker reads it. A listed name that it lacks may be suppressed."""
    session = as_release(given).session
    shape = levelled(given.shape, level) if model.judges_nodes else given.shape
    if model.in_parts:
        shape = with_groups(shape, given.source.name)
    session.begin()
    if owners is not None and not model.of_persons:
        raise InputError(f"{model.name} does not count persons: leave --person out")
    if isinstance(owners, PersonsOf):
        owners = owners_from(given, owners, level=level)
    _note(given, shape, model, owners)

    def named(option: str, items: Items) -> exp.Expr:
        numbers = item_numbers(session, items, option, ignore_unknown=ignore_unknown, released=True)
        session.decide(f"{option}_item", f"the items that --{option} names", numbers)
        return lists.labels(f"{option}_item")

    def roles(k: int, p: int, h: Share | None, private: Items, public: Items | None) -> exp.Expr:
        promised(session, k, p, h, private, public, ignore_unknown=ignore_unknown, released=True)
        return lists.roles()

    return Case(
        session=session,
        cells=cells_of(session, shape, "source"),
        owners=owners,
        named=named,
        roles=roles,
        levels=shape.level is not None,
        level_named=level is not None,
        ignore_unknown=ignore_unknown,
        limit=limit,
    )


def _with_parts(case: Case, given: Baskets, parts: Parts) -> Case:
    """The case with both parts of its release; lists can name items of either."""
    case.session.append(with_items_of(parts.counts, persons=given.persons is not None))
    return replace(case, parts=lambda: parts)


def _source_of(given: Baskets, original: str | Path, database: str | Path | None) -> Source:
    """The original: a file, a relation of its database, or a relation of the release's database."""
    place = database or given.source.database
    is_file = database is None and Path(original).is_file()
    source = Source(
        str(original),
        None if is_file or place is None else str(place),
        given.source.connected and not is_file,
    )
    return replace(source, pulled=given.source.pulled and source.from_server)


def owners_from(
    given: Baskets, persons: PersonsOf, *others: Baskets, level: str | None = None
) -> exp.Expr:
    """The rows (key, person) of the source that `given` and the other releases were made of.

    Their items must be in the transactions that their ids name there.
    """
    session, shape = given.session, given.shape
    if given.persons is not None:
        raise InputError("--persons-of is for a release without a column of persons")
    if shape.key is None:
        raise InputError("--persons-of matches transactions by their ids: name them with --tid")
    check_guests(persons.person, persons.guests)
    earlier = (BESIDE, f"{BESIDE}_cell", "person", "named_owner", "owner")  # of another verdict
    for name in earlier:
        if name in session.relations:
            session.drop(name)
    source = _source_of(given, persons.source, persons.database)
    if source.connected or source.on_server:
        session.run("input", "table names are looked up here first", outside(session, source))
    found = load(session, source, shape.tid, persons.person, BESIDE, called="person")
    session.relations.append(BESIDE)
    found = replace(found, person=persons.person)
    whole = with_items(session, found, shape, BESIDE)
    if whole is not None and not whole.lists:
        leave_out_itemless(session, whole, BESIDE)
    number_persons(session, source, found, Owners(drop_nulls=True, guests=persons.guests), BESIDE)
    if whole is None:
        session.note(f"transactions of {given.source.name} and {source.name} {UNMATCHED}")
        return exp.to_table("owner")
    items = beside(given, cells_of(session, whole, BESIDE))
    for one in (given, *others):
        refuse_strangers(one, levelled(one.shape, level), items, source.name)
    return exp.to_table("owner")


def _read_beside(given: Baskets, source: Source, item: str, *, part: bool) -> exp.Expr:
    """The cells of the original, read in the release's run. Without keys, lines are matched."""
    session, shape = given.session, given.shape
    if source.connected or source.on_server:
        session.run("input", "table names are looked up here first", outside(session, source))
    found = load(session, source, shape.tid, item, BESIDE)
    session.relations.append(BESIDE)
    if (found.key is None) != (shape.key is None):
        raise InputError(
            f"{source.name} and {given.source.name} cannot be matched: one of them has no "
            "transaction ids; give both the column of --tid"
        )
    cells = cells_of(session, found, BESIDE)
    if found.key is None:
        (lines,) = session.one(ask.lines(BESIDE))
        if lines != given.transactions:
            raise InputError(
                f"{source.name} has {counted(lines, 'line')} and {given.source.name} "
                f"{given.transactions:,}: without transaction ids they cannot be matched"
            )
    return ask.of_release(cells, cells_of(session, shape, "source")) if part else cells


def source_of(baskets: Baskets) -> exp.Expr:
    """The cells of the release's source, in the run that made the release."""
    if baskets.once:
        raise InputError("the original of the release is gone: it was read for one release only")
    return beside(baskets, cells_of(baskets.session, baskets.shape, "source"))


def beside(baskets: Baskets, rows: exp.Expr) -> exp.Expr:
    """Name the rows of these baskets so that another run of the same database can read them."""
    backend = baskets.session.backend
    if isinstance(rows, exp.Table):
        return backend.of_run(rows.name)
    rows = rows.copy()
    for table in list(rows.find_all(exp.Table)):
        place = backend.of_run(table.name)
        place.set("alias", table.args.get("alias"))
        table.replace(place)
    return rows


@strict
def cover(
    given: Given,
    original: Baskets,
    *,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    level: str | None = None,
    suppressed: bool = False,
) -> Cover:
    """Check that every node stands for items of the original, and that every item has a node.

    With `suppressed`, an item may lack a node if the release publishes no node above it.
    """
    if isinstance(given, Release):
        held, shape, relation = given.baskets, given.shape, "release"
        given.resume()
    else:
        held, shape, relation = as_release(given), levelled(given.shape, level), "source"
    if held.session is original.session:
        raise InputError("the original and the release are one run: read the original once more")
    if shape.level is None:
        name = held.source.name
        raise InputError(f"{name} has no column {LEVEL!r}; name the level column with --level")
    return check_cover(
        original,
        held.session,
        shape,
        relation,
        hierarchy=hierarchy,
        fanout=fanout,
        suppressed=suppressed,
    )


def as_release(given: Baskets) -> Baskets:
    """Refuse a release in which its readers could count other supports than a checker does."""
    name = given.source.name
    if given.repeated:
        raise InputError(
            f"{name}: {counted(given.repeated, 'row')} with the transaction id of another row: "
            "readers would take each row for a transaction; keep one row per id"
        )
    for column in given.shape.judged:
        if column in given.shape.mended:
            raise InputError(
                f"{name}: {column!r} has equal values in two forms (such as -0.0 and 0.0), which "
                "some readers distinguish; write each value in one form"
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


def _note(given: Baskets, shape: Shape, model: Model, owners: exp.Expr | None) -> None:
    """Note the limits of a verdict. Hiding is about patterns, so persons do not matter there."""
    if owners is None and not model.beside_original:
        note_persons(given.session, shape, given.persons)
    note_unjudged(given.session, given.source.name, shape)


def reread(release: Release[Any], owners: exp.Expr | None = None) -> Baskets:
    """Read the rows of a release in a run of their own, as a recipient would.

    `owners` has the rows (key, person) of its transactions.
    """
    release.resume()
    backend, shape = release.baskets.session.backend, release.shape
    relation = backend.of_run("release")
    shown = [sql.column(name) for name in shape.columns]
    query = exp.Select().select(*shown).from_(relation)
    if shape.key is None:  # without ids, transactions are matched by their order
        query = query.order_by(sql.column(shape.line))
    source = query_beside(release.baskets, query)
    return read_beside(release.baskets, source, tid=shape.key, item=shape.item, owners=owners)

"""A release exists only after its checker has passed it, and only a release can be written.

`make_release` makes the rows of the release, and its checker reads them as a recipient would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.local import Relation
from setveil.errors import CheckError, InputError, SetveilError
from setveil.run import writing
from setveil.run.files import publishing
from setveil.run.files.source import format_of
from setveil.run.notes import note_ids, note_published
from setveil.run.reading import Baskets, cells_of
from setveil.run.renumbering import Ids, renumbered
from setveil.run.results.tabled import Framed
from setveil.run.roles.keys import published
from setveil.run.roles.promise import Promise
from setveil.run.shape import Shape
from setveil.run.words import counted, names, percent, printable
from setveil.sql.run import reading as sql
from setveil.sql.step import Step
from setveil.trail.earlier import note_earlier
from setveil.trail.lists import note_readable
from setveil.trail.render import Told
from setveil.trail.seal import sealed


class Judged(Protocol):
    """The verdict of a model's checker on a release."""

    @property
    def holds(self) -> bool: ...

    @property
    def checked(self) -> int:
        """The number of itemsets, classes or rules that were checked."""

    def refusal(self) -> SetveilError:
        """The error for a release that does not hold, with its remedy."""


Metrics = TypeVar("Metrics")
Verdict = TypeVar("Verdict", bound=Judged)


def make_release(
    baskets: Baskets,
    made: Step,
    check: Callable[[exp.Expr], Verdict],
    *,
    shape: Shape | None = None,
    beside_source: bool = False,
) -> Verdict:
    """Make the relation `release` by a step, and have the checker pass it.

    By default it has the shape of the source. `beside_source` keeps `source` for a checker that
    compares the two.
    """
    session = baskets.session
    session.create(made)
    if baskets.once:
        for name in (
            ("basket", "occurrence") if beside_source else ("source", "basket", "occurrence")
        ):
            session.give_back(name)
    verdict = check(cells_of(session, shape or baskets.shape, "release"))
    if not (verdict.holds or session.dry):
        raise verdict.refusal()
    return verdict


def kept(baskets: Baskets, *, everywhere: bool = False) -> Step:
    """The rows of the source that are not in suppressed(tid, item).

    With `everywhere`, suppressed_item(item) lists the items that all transactions lose.
    """
    shape = baskets.shape
    if shape.lists:
        return sql.release_listed(
            shape.columns, shape.line, baskets.key, shape.item, everywhere=everywhere
        )
    return sql.release_long(
        shape.columns,
        shape.number,
        baskets.key,
        sql.column(shape.item),
        everywhere=everywhere,
        distinct=baskets.duplicates > 0 and not shape.others,
    )


@dataclass(frozen=True, slots=True, weakref_slot=True, repr=False)
class Release(Framed, Generic[Metrics]):
    """A release in its run, with the verdict of its checker. It lives as long as its baskets."""

    baskets: Baskets
    model: str
    parameters: dict[str, object]
    verdict: Judged
    metrics: Metrics
    run: int
    released: Shape | None = None  # None: the shape of the source
    promise: Promise = field(default_factory=Promise)

    def __post_init__(self) -> None:
        if not self.verdict.holds:
            raise CheckError("the checker did not pass these rows: they are no release")
        self.baskets.session.hold(self.run, self)

    @property
    def shape(self) -> Shape:
        """The layout of the release."""
        return self.released or self.baskets.shape

    def relation(self) -> Relation:
        """The release as a DuckDB relation over a copy of its rows."""
        return publishing.as_relation(self.baskets.session, self._shown())

    def taken(self) -> Relation:
        return publishing.taken(self.baskets.session, self._shown())

    def rows(self) -> list[Row]:
        """The rows of the release in their order, from any database."""
        return publishing.fetched(self.baskets.session, self._shown())

    def write(
        self,
        path: str | Path,
        *,
        trail: str | Path | None = None,
        force: bool = False,
        renumber: bool = False,
        key: str | Path | None = None,
        redact: bool = False,
    ) -> None:
        """Write the release to a file, whose suffix is its format, and its trail.

        `renumber` replaces transaction ids by random numbers and shuffles the transactions. `key`
        is a new confidential file (.parquet or .csv) of ids and numbers. With `redact` the trail
        has a digest of each list instead of the names of its items.
        """
        shape, target = self.shape, str(path)
        check_targets(shape, out=target, trail=trail, force=force)
        ids = Ids(renumber, key)
        self._check_others(ids, {"--out": target, "--trail": trail})
        query: exp.Query = self.written(trail, ids)
        session, query = publishing.with_release(self.baskets.session, query)
        query = publishing.as_lines(query, target, shape)
        publishing.refuse_unwritable_names(session, target, shape)
        if format_of(target) == "parquet":
            query = publishing.for_parquet(session, query, target)
        statement = publishing.copy_statement(query, target, shape.delimiter)
        if not session.dry:
            publishing.note_what_is_lost(session, target, shape)
            self.note((shape.item,) if format_of(target) == "basket" else shape.columns, ids)
            note_earlier(self.baskets, self._told(redact), target, trail)
        writing.write_file(self._with(ids, redact), statement, target, trail=trail, force=force)

    def write_table(
        self,
        table: str,
        *,
        trail: str | Path | None = None,
        force: bool = False,
        renumber: bool = False,
        key: str | Path | None = None,
        redact: bool = False,
    ) -> None:
        """Write the release to a table in the database of the source; options as in `write`.

        In PostgreSQL a run is one transaction, which the table ends: so do all releases of these
        baskets. Files end nothing, so write them first.
        """
        check_targets(self.shape, trail=trail, force=force)
        ids = Ids(renumber, key)
        self._check_others(ids, {"--trail": trail})
        self.note(self.shape.columns, ids)
        note_earlier(self.baskets, self._told(redact), None, trail)
        query = self.written(trail, ids)
        writing.write_table(self._with(ids, redact), query, table, trail=trail, force=force)

    def _check_others(self, ids: Ids, outputs: dict[str, str | Path | None]) -> None:
        """Refuse outputs that are inputs, two outputs that are one file, and a slice."""
        if self.baskets.slice is not None:
            raise InputError("these transactions are a slice of a target: append them to it")
        ids.check()
        own: dict[str, str | Path | None] = {**self._others}
        self.baskets.session.inputs.check(own | {"--key of ids": ids.key} | outputs)

    def note(self, columns: Sequence[str], ids: Ids) -> None:
        """Note the limits of the promise for a release with these columns."""
        session = self.baskets.session
        note_published(session, self.shape, columns)
        note_readable(session, self.model, self.promise.roles)
        if not ids.renumber:
            note_ids(session, self.shape, columns)

    def _with(self, ids: Ids, redact: bool) -> writing.Origin:
        """The origin of the release; the key of its ids is also written before the release."""
        origin = self.origin(redact)

        def before() -> None:
            origin.before()
            ids.write(self.baskets.session)

        return replace(origin, before=before, key=None if ids.key is None else Path(ids.key))

    def lines(self) -> Iterator[str]:
        told = self.promise.terms
        shown = ", ".join(f"{name} = {one}" for name, one in told.items() if one is not None)
        yield f"{self.model} of {printable(self.baskets.source.name)}: {shown}".rstrip(": ")
        yield (
            f"the checker passed it: {self.verdict.checked:,} checked, of "
            f"{counted(self.baskets.transactions, 'transaction')} read"
        )
        lost = getattr(self.metrics, "information_lost", None)
        more = "" if lost is None else f"; information lost: {percent(lost)}"
        yield f"columns: {names(self.shape.shown)}{more}"

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Row]]:
        session = self.baskets.session
        if not session.has_rows:
            return (), ()
        return self.shape.shown, publishing.fetched(session, self._shown().limit(most))

    @property
    def _others(self) -> dict[str, Path | None]:
        """Other files that are written with the release, by option."""
        return {}

    def origin(self, redact: bool = False) -> writing.Origin:
        return writing.Origin(self.baskets, self._told(redact), own=self.baskets.shape.shown)

    def _told(self, redact: bool) -> Told:
        return Told(self.model, self.parameters, self.shape, self.promise, redact)

    def _query(self) -> exp.Select:
        self.resume()
        return sql.published(self.shape.columns, _order(self), self.shape.by_text)

    def _shown(self) -> exp.Select:
        """The query of the release, with its ids as the source has them."""
        return published(self.shape, self._query())

    def parts(self, trail: str | Path | None, ids: Ids) -> dict[str, exp.Select]:
        """The queries of all relations of the release, by the variables of their files."""
        return {"release": self.written(trail, ids)}

    def written(self, trail: str | Path | None, ids: Ids) -> exp.Select:
        """The query of the release, with a seal if there is a trail."""
        query, session = self._query(), self.baskets.session
        if trail is not None:
            query = sealed(session, query, self.shape.columns)
        if ids.renumber:
            return renumbered(session, self.shape, query, ids.above)
        return published(self.shape, query)

    def resume(self) -> None:
        """Return to the run of this release, if another model was run since."""
        self.baskets.session.resume(self.run)


def _order(release: Release[Metrics]) -> tuple[str, ...]:
    """Order by transaction, item and other columns; without transaction ids, as in the source."""
    shape = release.shape
    if shape.key is None:
        return (shape.line,)
    return (shape.key, shape.item if shape.lists else shape.number, *shape.others)


def check_targets(
    shape: Shape | None,
    *,
    out: str | Path | None = None,
    trail: str | Path | None = None,
    force: bool = False,
) -> None:
    """Refuse outputs that cannot be written, before any work."""
    if out is not None:
        publishing.check_target(str(out), shape, force=force)
    writing.check_trail(out, trail, force=force)

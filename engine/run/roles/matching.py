"""Find out whether ids match a release with the source that it was made of.

Random numbers begin at 1 in every release, so the key of another release fits all of them. It then
finds the persons of other transactions. Items tell the difference.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from setveil.backends.local import LISTS
from setveil.errors import InputError
from setveil.run.reading import Baskets, cells_of
from setveil.run.session import Session
from setveil.run.shape import Shape
from setveil.run.words import counted
from setveil.sql.run import matching as sql

MOST = 100_000  # transactions that are compared: ids of other data show in the first few
TRUSTED = (
    "--key is taken on trust: the key of another release matches other transactions; name the "
    "source with --persons-of, and items are compared with it"
)
BY_ID = (
    "transactions are matched by their ids as published: where a release has random numbers for "
    "ids, equal numbers mean nothing; name its --key"
)
UNMATCHED = (
    "are matched by ids alone, which are taken on trust: no item of the release is named in the "
    "source"
)


def with_items(session: Session, found: Shape, release: Shape, relation: str) -> Shape | None:
    """The shape of a source that was read for its persons, with its items; None if it has none."""
    if release.item not in found.given:
        return None
    lists = release.lists
    if not session.dry:
        kinds = session.backend.columns_of(exp.to_table(relation))
        lists = kinds[release.item].startswith(LISTS)
    return replace(found, item=release.item, lists=lists)


def refuse_strangers(release: Baskets, shape: Shape, originals: exp.Expr, source: str) -> None:
    """Refuse ids that name transactions of `source` without the items that the release shows.

    `originals` are the source's rows (key, name), named for the release's run.
    """
    session, name = release.session, release.source.name
    every = release.transactions // MOST + 1
    cells = cells_of(session, shape, "source")
    compared, strange = session.one(
        sql.strangers(cells, originals, every, levels=shape.level is not None)
    )
    if session.dry:
        return
    if strange:
        raise InputError(
            f"{name}: {counted(strange, 'occurrence')} of {compared:,} compared are not in their "
            f"transaction of {source}: the release was changed, or it is of another source, or the "
            "--key is of another release"
        )
    if release.occurrences and not compared:
        session.note(f"transactions of {name} and {source} {UNMATCHED}")

"""A release in a run beside its original's, where questions can be put to both.

The runs are of one instance: steps in that of the release name relations of the original's, and the
other way round.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.errors import InputError
from setveil.hierarchy.nodes import level_of, read_nodes
from setveil.models import REGISTRY
from setveil.models.case import Parts
from setveil.models.permutation.parts import parts_made, parts_read, with_groups
from setveil.run.files.parts import GROUP, parts_of
from setveil.run.notes import note_unjudged
from setveil.run.reading import Baskets, cells_of, owners_of, read_beside, source_beside
from setveil.run.release import Release
from setveil.run.roles.keys import Tid
from setveil.run.roles.matching import refuse_strangers
from setveil.run.words import counted
from setveil.sql.models.permutation.check import with_items_of
from setveil.verify import as_release, beside, reread

Named = str | Path | Release[Any]


@dataclass(frozen=True, slots=True)
class Beside:
    """A release that was read; its items are nodes if it is generalized."""

    name: str
    original: Baskets
    run: Baskets
    generalized: bool
    parts: Parts | None = None  # groups and counts, of a release in two parts
    shown: Baskets | None = None  # a generalized release as it was read
    level: str | None = None  # its column of levels

    def of_original(self, relation: str) -> exp.Table:
        """A relation of the original's run."""
        return self.original.session.backend.of_run(relation)

    def of_release(self, relation: str) -> exp.Table:
        """A relation of the release's run."""
        return self.run.session.backend.of_run(relation)


@dataclass(frozen=True, slots=True)
class Reading:
    """How releases are laid out: `tid` and `item` are None where they are the original's."""

    tid: Tid | None
    item: str | None
    drop_nulls: bool


def read_releases(
    runs: contextlib.ExitStack,
    original: Baskets,
    releases: Sequence[Named],
    keys: Sequence[str | Path | None],
    how: Reading,
) -> list[Beside]:
    """Read all releases, each with its key of ids if `keys` are given."""
    if not releases:
        raise InputError("there is no release to compare with the original: name one or more")
    if keys and len(keys) != len(releases):
        raise InputError(
            f"{counted(len(keys), 'key')} for {counted(len(releases), 'release')}; name one for "
            "each, in their order, and none where ids were kept"
        )
    each = zip(releases, keys or [None] * len(releases), strict=True)
    return [_read_release(runs, original, one, how, ids) for one, ids in each]


def _read_release(
    runs: contextlib.ExitStack,
    original: Baskets,
    release: Named,
    how: Reading,
    ids: str | Path | None,
) -> Beside:
    """Read a file, a relation beside the original's, or a `Release` of these very baskets.

    Of a renumbered one, `ids` is the key.
    """
    run = _read(original, release, how, ids)
    runs.callback(run.close)
    as_release(run)
    level = level_of(original, run)
    if run.restored:
        cells = beside(original, cells_of(original.session, original.shape, "source"))
        refuse_strangers(run, replace(run.shape, level=level), cells, original.source.name)
    name = release.model if isinstance(release, Release) else str(release)
    if (parts := _parts(run, release)) is not None:
        run.session.append(with_items_of(parts.counts, persons=run.persons is not None))
        note_unjudged(original.session, name, with_groups(run.shape, name))
        return Beside(name, original, run, generalized=False, parts=parts)
    note_unjudged(original.session, name, replace(run.shape, level=level))
    if level is None:
        return Beside(name, original, run, generalized=False)
    nodes = read_nodes(run, level, drop_nulls=how.drop_nulls)
    runs.callback(nodes.close)
    return Beside(name, original, nodes, generalized=True, shown=run, level=level)


def _parts(run: Baskets, release: Named) -> Parts | None:
    """The groups and counts of a release in two parts."""
    if isinstance(release, Release):
        return parts_made(release, run) if REGISTRY[release.model].in_parts else None
    if run.source.is_file:
        return parts_read(run) if Path(release).is_dir() else None
    if GROUP not in run.shape.given:
        return None
    try:
        return parts_read(run)
    except InputError as error:
        run.session.chat(f"{release} has a column {GROUP!r}, and is read alone: {error}")
        return None


def _read(original: Baskets, release: Named, how: Reading, ids: str | Path | None) -> Baskets:
    if isinstance(release, Release):
        if ids is not None:
            raise InputError("a key is of a release that was written: name its file")
        if release.baskets.session is not original.session:
            raise InputError(
                "this release was made of other baskets: write it to a file, and name that"
            )
        return reread(release, owners_of(original))
    shape = original.shape
    if original.source.beside_files and Path(release).is_dir():
        release = parts_of(str(release), is_file=True)[0]
    source = source_beside(original, release)
    key = how.tid if how.tid is not None else shape.tid
    return read_beside(
        original,
        source,
        tid=key,
        item=how.item or shape.item,
        drop_nulls=how.drop_nulls,
        key=ids,
        owners=owners_of(original),
    )

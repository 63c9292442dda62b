"""Find targets that have slices of a source: another release of it breaks their promise."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from sqlglot import exp

from setveil.backends import Backend
from setveil.backends.server import Appends
from setveil.errors import QueryError
from setveil.run.session import Session
from setveil.sql.run.slices import ledger as sql
from setveil.sql.step import render

SEEN = "seen_ledger"


def ledgers_of(session: Session, source: str, folders: Iterable[Path]) -> Iterator[Path]:
    """The ledgers in these folders whose target has a slice of this source.

    Only files that the caller alone can read are opened. A ledger that another run has open, or
    that cannot be read, is left out.
    """
    found = [one for folder in sorted(set(folders)) for one in sorted(folder.glob("*.ledger"))]
    own = [one for one in found if _is_own(one)]
    if not own:
        return
    backend = session.backend.local.beside(session.chat)
    try:
        for path in own:
            with contextlib.suppress(QueryError):
                if source in _sources(backend, path):
                    yield path
    finally:
        backend.close()


def ledgers_on_server(session: Session, source: str) -> Iterator[str]:
    """The ledgers on the server whose target has a slice of this source, as far as it is known."""
    server = session.backend.server
    if server is None or not server.appends:
        return
    for place in cast(Appends, server).ledgers():
        step = sql.sources(place)
        with contextlib.suppress(QueryError):
            if source in [str(name) for (name,) in session.look_up(step)]:
                yield place.name.removesuffix("_attempt")


def _is_own(path: Path) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return status.st_uid == os.geteuid() and status.st_mode & 0o170077 == 0o100000


def _sources(backend: Backend, path: Path) -> list[str]:
    place = render(exp.Literal.string(str(path)))
    backend.execute("ledger", f"ATTACH {place} AS {SEEN} (READ_ONLY)")
    try:
        step = sql.sources(exp.table_("attempt", db="main", catalog=SEEN))
        return [str(name) for (name,) in backend.rows(step.name, step.sql())]
    finally:
        backend.execute("ledger", f"DETACH DATABASE {SEEN}")

"""Open a run on the database that the caller names."""

from __future__ import annotations

from collections.abc import Callable

from setveil.backends import Backend, registry
from setveil.backends.addresses import kind_of, resolved
from setveil.backends.server import Server
from setveil.errors import InputError, install


def open_server(
    url: str,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Callable[[str], None],
    works: bool = True,
) -> Server:
    """A run of its own, unless rows are but to be had from there or taken there.

    If a package is lacking that it needs, the error says what to install.
    """
    url = resolved(url)
    kind = kind_of(url)
    assert kind is not None
    try:
        # Only now, as these packages are not there for everyone.
        opened: Backend = kind.open(
            url, threads=threads, memory_limit=memory_limit, note=note, works=works
        )
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in kind.needs:
            raise
        raise InputError(
            f"{kind.name} needs a package that is not installed: {install(kind.name)}"
        ) from error
    assert opened.server is not None
    return opened.server


def open_here(
    source: object,
    *,
    threads: int | None,
    memory_limit: str | None,
    note: Callable[[str], None],
) -> Backend:
    """A run over an open connection; for files and database files, one in this process."""
    kind = registry.by_connection(source)
    opened, place = (registry.HERE, None) if kind is None else (kind, source)
    return opened.open(place, threads=threads, memory_limit=memory_limit, note=note)

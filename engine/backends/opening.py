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
    """Open a run on a server; with `works` False it only copies rows.

    If a package is not installed, the error says how to install it.
    """
    url = resolved(url)
    kind = kind_of(url)
    assert kind is not None
    try:
        # The driver is imported only here, since not everyone has it installed.
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
    """Open a run over an open connection; else, for files, in this process."""
    kind = registry.by_connection(source)
    opened, place = (registry.HERE, None) if kind is None else (kind, source)
    return opened.open(place, threads=threads, memory_limit=memory_limit, note=note)

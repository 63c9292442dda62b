"""Open a run on the server that a URL names."""

from __future__ import annotations

from setveil.backends.server import SCHEMES, Server, refuse_secrets
from setveil.errors import InputError

NEEDS = {"postgres": "psycopg", "spark": "pyspark"}


def open_server(url: str, *, threads: int | None, memory_limit: str | None) -> Server:
    """A run of its own. If a package is lacking that it needs, the error says what to install."""
    kind = SCHEMES[url.partition("://")[0]]
    refuse_secrets(url)
    try:
        # Only now, as these packages are not there for everyone.
        from setveil.backends.postgres import Postgres
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != NEEDS[kind]:
            raise
        raise InputError(
            f"{kind} needs a package that is not installed: pip install 'setveil[{kind}]'"
        ) from error
    return Postgres(url, threads=threads, memory_limit=memory_limit)

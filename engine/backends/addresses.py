"""Addresses of servers: recognize them, and refuse secrets on the command line.

An error never repeats an address that may hold a secret, however badly the address is written.
"""

from __future__ import annotations

import re

from setveil.backends import registry
from setveil.backends.kind import Kind
from setveil.errors import InputError

# Finds user:password@, or a parameter with one of these names, in badly written URLs too. An empty
# password is none.
SECRET = re.compile(
    r"://[^/]*:(?!\d*[/?;]).*[^:]@|(password|passwd|pwd|token|secret)\s*=\s*[^\s&;]",
    re.IGNORECASE,
)


def kind_of(database: str) -> Kind | None:
    """The kind of server that an address names; None for a file."""
    scheme, mark, _ = database.partition("://")
    return registry.by_scheme(scheme) if mark else None


def is_url(database: str) -> bool:
    """Does the text name a server rather than a file?"""
    return kind_of(database) is not None


def refuse_secrets(url: str) -> None:
    """Refuse passwords on the command line: other users see it, and shells and logs keep it."""
    kind = kind_of(url)
    if SECRET.search(url):
        instead = (kind or registry.servers()[0]).secrets
        raise InputError(f"--database holds a password or token: leave it to {instead}")
    if kind is not None:
        kind.refuse(url)


def may_be_address(text: str) -> bool:
    """May the text be a badly written address, which can hold a secret anywhere?"""
    return ":" in text or "@" in text


def refuse_missing(database: str) -> None:
    """Refuse a file that does not exist, without repeating a text that may be an address."""
    refuse_secrets(database)
    if may_be_address(database):
        *most, last = [one for kind in registry.servers() for one in kind.examples]
        raise InputError(
            "--database is neither an existing database file nor the address of a server: "
            f"write {', '.join(most)} or {last}"
        )
    raise InputError(f"{database}: no such database file")


def resolved(url: str) -> str:
    """The address to open, with its scheme in lower case and without abbreviations."""
    refuse_secrets(url)
    scheme, mark, rest = url.partition("://")
    url = scheme.lower() + mark + rest
    kind = kind_of(url)
    return url if kind is None else kind.resolve(url)

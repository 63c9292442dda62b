"""Addresses of servers: how they are written, and what of them must not stand on a command line.

What may hold a secret is not repeated in an error, however badly it is written.
"""

from __future__ import annotations

import os
import re

from setveil.errors import InputError

SCHEMES = {
    "postgres": "postgres",
    "postgresql": "postgres",
    "sc": "spark",
    "spark": "spark",
}
# However badly the URL is made: user:password@, or what is called one of these.
SECRET = re.compile(
    r"://[^/]*:(?!\d*[/?;]).*@|(password|passwd|pwd|token|secret)\s*=", re.IGNORECASE
)
SPARK_CONNECT = re.compile(
    r"sc://(?P<host>[^/:;?#@\[\]\s]+|\[[^/?#@\[\]\s]+\])(:(?P<port>\d{0,5}))?"
    r"(/(;|(;[^=;?#]+=[^=;?#]*)*))?"
)
SPARK_PORT = 15002
LAST_PORT = 65535


def kind_of(database: str) -> str | None:
    """The kind of server that it names, rather than a file."""
    scheme, mark, _ = database.partition("://")
    return SCHEMES.get(scheme) if mark else None


def is_url(database: str) -> bool:
    """Does it name a server rather than a file?"""
    return kind_of(database) is not None


def refuse_secrets(url: str) -> None:
    """What stands on a command line is seen by others, and kept by shells and logs."""
    if SECRET.search(url):
        instead = {
            "postgres": "PGPASSWORD, ~/.pgpass or a service file",
            "spark": "the environment variable SPARK_REMOTE",
        }[kind_of(url) or "postgres"]
        raise InputError(f"--database holds a password or token: leave it to {instead}")


def resolved(url: str) -> str:
    """The address to open: `sc://` alone stands for what the environment says."""
    refuse_secrets(url)
    if not url.startswith("sc://"):
        return url
    if url != "sc://":
        spark_connect(url, "--database")
        return url
    if not (url := os.environ.get("SPARK_REMOTE", "")):
        raise InputError("sc:// alone needs SPARK_REMOTE in the environment: name sc://host:port")
    spark_connect(url, "SPARK_REMOTE")
    return url


def spark_connect(url: str, named: str = "--database") -> tuple[str, int]:
    """The host and port of a Spark Connect server."""
    found = SPARK_CONNECT.fullmatch(url)
    port = int(found["port"] or SPARK_PORT) if found else 0
    if not found or not 0 < port <= LAST_PORT:
        raise InputError(
            f"{named} is no address of Spark Connect: write sc://host:port, and parameters as "
            "sc://host:port/;name=value;name=value, with %3D for a = in a value"
        )
    return found["host"].strip("[]"), port

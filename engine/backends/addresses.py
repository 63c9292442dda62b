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
# The parameters of Spark Connect that hold no secret; others are sent along as headers.
HARMLESS = (
    "grpc_keepalive_enabled", "grpc_keepalive_time_ms", "grpc_keepalive_timeout_ms",
    "grpc_keepalive_without_calls", "session_id", "use_ssl", "user_agent", "user_id",
    "x-databricks-cluster-id", "x-databricks-session-id",
)  # fmt: skip
SPARK_PORT = 15002
LAST_PORT = 65535


def kind_of(database: str) -> str | None:
    """The kind of server that it names, rather than a file."""
    scheme, mark, _ = database.partition("://")
    return SCHEMES.get(scheme.lower()) if mark else None


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
    if kind_of(url) == "spark":
        given = [one.partition("=")[0] for one in url.split(";")[1:]]
        if any(name not in HARMLESS for name in given if name):
            raise InputError(
                f"--database has a parameter other than {', '.join(HARMLESS)}, which may be a "
                "secret: leave the whole address to the environment variable SPARK_REMOTE"
            )


def may_be_address(text: str) -> bool:
    """Can it be one that is badly written, and hold a secret in any place?"""
    return ":" in text or "@" in text


def refuse_missing(database: str) -> None:
    """What is no server's address must be a file."""
    refuse_secrets(database)
    if may_be_address(database):
        raise InputError(
            "--database is neither a database file that is there nor the address of a server: "
            "write postgres://host/name, sc://host:port or spark://local[*]"
        )
    raise InputError(f"{database}: no such database file")


def resolved(url: str) -> str:
    """The address to open: `sc://` alone stands for what the environment says."""
    refuse_secrets(url)
    scheme, mark, rest = url.partition("://")
    url = scheme.lower() + mark + rest
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

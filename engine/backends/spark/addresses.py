"""Addresses of Spark Connect, and the parameters that must not be on a command line."""

from __future__ import annotations

import os
import re

from setveil.errors import InputError

SPARK_CONNECT = re.compile(
    r"sc://(?P<host>[^/:;?#@\[\]\s]+|\[[^/?#@\[\]\s]+\])(:(?P<port>\d{0,5}))?"
    r"(/(;|(;[^=;?#]+=[^=;?#]*)*))?"
)
# The parameters of Spark Connect that hold no secret; others are sent as headers.
HARMLESS = (
    "grpc_keepalive_enabled", "grpc_keepalive_time_ms", "grpc_keepalive_timeout_ms",
    "grpc_keepalive_without_calls", "session_id", "use_ssl", "user_agent", "user_id",
    "x-databricks-cluster-id", "x-databricks-session-id",
)  # fmt: skip
SPARK_PORT = 15002
LAST_PORT = 65535


def refuse_parameters(url: str) -> None:
    """Refuse a parameter that may be a secret."""
    given = [one.partition("=")[0] for one in url.split(";")[1:]]
    if any(name not in HARMLESS for name in given if name):
        raise InputError(
            f"--database has a parameter other than {', '.join(HARMLESS)}, which may be a "
            "secret: leave the whole address to the environment variable SPARK_REMOTE"
        )


def resolved(url: str) -> str:
    """The address to open; `sc://` alone stands for the environment variable SPARK_REMOTE."""
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

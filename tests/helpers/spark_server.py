"""A Spark for the tests: in this process, or a Spark Connect server of their own on loopback.

One process cannot hold both. Both need pyspark and Java.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 120  # seconds for a server to start
UNTIL_WE_END = """ "$@" & cat; kill $!; wait """  # stops the server however this process ends
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    # For small data, the second compiler costs more than it saves. Without it the cache of compiled
    # code is a fifth of the usual size: many tests would fill it, and compilation would stop.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"
    " -XX:+UseSerialGC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def missing() -> str | None:
    """The reason why Spark cannot be tested here; None if it can."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed: pip install 'pyspark[connect]'"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java"
    return None


@contextlib.contextmanager
def running(kind: str) -> Iterator[str]:
    """The URL of a Spark that runs during the block."""
    with tempfile.TemporaryDirectory() as folder:
        settings = SETTINGS | {
            "spark.local.dir": folder,
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
        }
        with _server(settings, folder) if kind == "connect" else _here(settings) as url:
            yield url


@contextlib.contextmanager
def _here(settings: dict[str, str]) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    try:
        yield "spark://local[2]"
    finally:
        session.stop()


@contextlib.contextmanager
def _server(settings: dict[str, str], folder: str) -> Iterator[str]:
    import pyspark

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = settings | {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    home = Path(pyspark.__file__).parent
    command = [str(home / "bin" / "spark-submit"), "--master", "local[2]"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    command += [word for name, value in given.items() for word in ("--conf", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"}
    environment |= {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    log = Path(folder) / "server.log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            ["sh", "-c", UNTIL_WE_END, "sh", *command, "spark-internal"],
            stdin=subprocess.PIPE, stdout=written, stderr=written, cwd=folder, env=environment,
        )  # fmt: skip
    try:
        _await(port, log)
        yield f"sc://127.0.0.1:{port}"
    finally:
        server.communicate()


def _await(port: int, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise RuntimeError(f"Spark Connect does not start: {log.read_text()[-2000:]}")

"""Sessions of Spark, on a server by Spark Connect or in this process, and its errors in one line.

The logs of Spark (on standard error, from Java and Python) are not shown. They can contain values
of the data, and they repeat the error.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.util import is_remote_only

from setveil.backends.memory import granted_bytes
from setveil.backends.spark.addresses import spark_connect
from setveil.backends.spilling import SPILL_PREFIX
from setveil.errors import DatabaseError, InputError, QueryError, install

PATIENCE = 10.0  # seconds to wait for the first answer of a server
# Retries after a lost connection, with growing pauses: about a minute, or four seconds at the end.
TRIES, LAST_TRIES = 6, 4
LOUD = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "pyspark", "py4j")
DETAILS = re.compile(r'^<.*\n(?:.*\n)*?\s*details = "(.*)"$', re.MULTILINE)
DENIED = re.compile(r"UNAUTHENTICATED|PERMISSION_DENIED|\b40[13]\b", re.IGNORECASE)
INTERRUPTED = ("OPERATION_CANCELED", "SPARK_JOB_CANCELLED")

# Errors by which Spark refuses a statement; all others are failures of Spark.
REFUSED = (
    "TABLE_OR_VIEW", "SCHEMA_NOT_FOUND", "PATH_NOT_FOUND", "PARSE_", "UNRESOLVED_",
    "UNSUPPORTED_", "DATATYPE_", "INSUFFICIENT_PERMISSIONS", "LOCATION_ALREADY_EXISTS",
    "COLUMN_ALREADY_EXISTS", "INVALID_", "REQUIRES_SINGLE_PART_NAMESPACE", "CATALOG_NOT_FOUND",
    "CAST_", "CANNOT_",
)  # fmt: skip


def _failures() -> tuple[type[Exception], ...]:
    """The errors of the transport to Spark, from the packages that are installed."""
    found: list[type[Exception]] = [ConnectionError]
    with contextlib.suppress(ImportError):
        from py4j.protocol import Py4JError

        found.append(Py4JError)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC reads it once, on import
    with contextlib.suppress(ImportError):
        from grpc import RpcError

        found.append(RpcError)
    return tuple(found)


FAILURES = _failures()


@dataclass(frozen=True, slots=True)
class Opened:
    """A session, with the settings that make it faster."""

    session: SparkSession
    url: str | None  # the address of its server; None in this process
    folder: str | None  # the private folder of a Spark that setveil started
    pace: dict[str, str]  # settings that only change the speed

    def another(self) -> Opened:
        """A second session in the same Spark."""
        with quiet():
            session = self.session.newSession() if self.url is None else _connected(self.url)
        return Opened(session, self.url, self.folder, self.pace)

    def shorten_retries(self) -> None:
        """Wait less for a lost server, before the run is closed."""
        if self.url is not None:
            _try_again(self.session, LAST_TRIES)

    def close(self) -> None:
        """End a session on a server; sessions in this process share one Spark, which stays."""
        if self.url is not None:
            with quiet(), contextlib.suppress(PySparkException):
                self.session.stop()


def open_session(url: str, threads: int | None, memory_limit: str | None) -> Opened:
    """Open a session at `sc://host:port` or `spark://local[*]`."""
    scheme, _, rest = url.partition("://")
    with _explained():
        if scheme == "sc":
            return _on_server(url, threads, memory_limit)
        return _in_process(rest or "local[*]", threads, memory_limit)


def _on_server(url: str, threads: int | None, memory_limit: str | None) -> Opened:
    if threads is not None or memory_limit is not None:
        raise InputError(
            "a Spark server has its own limits: leave out --threads and --memory-limit"
        )
    host, port = spark_connect(url)
    _refuse_silent(host, port)
    try:
        with quiet():
            if not _is_grpc(url):
                raise InputError(
                    f"{host}:{port} does not answer as a Spark Connect server: correct the port, "
                    "or the address must have use_ssl=true exactly if the server has TLS"
                )
            session = _connected(url)
    except ValueError:  # its message repeats the address, which can hold a token
        raise InputError("Spark Connect refuses the parameters of the address") from None
    return Opened(session, url, None, {})


def _is_grpc(url: str) -> bool:
    """Does the server answer by gRPC? PySpark would try for an hour."""
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    builder = DefaultChannelBuilder(url)
    _ = builder.session_id  # refuses a wrong id before any waiting
    channel = builder.toChannel()
    try:
        grpc.channel_ready_future(channel).result(PATIENCE)
    except grpc.FutureTimeoutError:
        return False
    finally:
        channel.close()
    return True


def _connected(url: str) -> SparkSession:
    session = SparkSession.builder.remote(url).create()
    _try_again(session, TRIES)
    return session


def _try_again(session: SparkSession, tries: int) -> None:
    from pyspark.sql.connect.client.retries import DefaultPolicy

    session.client.set_retry_policies([DefaultPolicy(max_retries=tries)])


def _refuse_silent(host: str, port: int) -> None:
    """Refuse a server that does not answer; Spark would try for minutes."""
    if any(name.lower() in ("http_proxy", "https_proxy", "grpc_proxy") for name in os.environ):
        return
    try:
        with socket.create_connection((host, port), PATIENCE):
            pass
    except (OSError, ValueError) as error:
        raise DatabaseError(f"no Spark server answers at {host}:{port}: {error}") from error


def _in_process(master: str, threads: int | None, memory_limit: str | None) -> Opened:
    if not master.startswith("local"):
        raise InputError(
            f"spark://{master}: Spark runs in this process as spark://local[*]; "
            "a cluster is reached by its Spark Connect server, sc://host:port"
        )
    if is_remote_only():
        raise InputError(
            f"spark://{master} needs all of pyspark, and here is its client alone: "
            f"uninstall pyspark-client, then {install('spark-local')}"
        )
    active = SparkSession.getActiveSession()
    if active is not None:
        if threads is not None or memory_limit is not None:
            raise InputError(
                "threads and memory limit belong to the Spark that already runs in this process: "
                "set them there"
            )
        return Opened(active.newSession(), None, _FOLDER.get("path"), {})
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise InputError("spark://local needs Java 17 or newer: install it, or name sc://host:port")
    folder = tempfile.mkdtemp(prefix=f"{SPILL_PREFIX}{os.getpid()}-")
    # One partition per core, since each partition costs time, however small.
    pace = {"spark.sql.shuffle.partitions": str(threads or os.cpu_count() or 1)}
    return Opened(_started(master, threads, memory_limit, folder), None, folder, pace)


_FOLDER: dict[str, str] = {}  # the folder of the Spark in this process, if setveil started it


def _started(
    master: str, threads: int | None, memory_limit: str | None, folder: str
) -> SparkSession:
    """Start a Spark for the rest of the process, since each start takes seconds."""
    if threads is not None:
        master = f"local[{threads}]"
    builder = SparkSession.builder.master(master).appName("setveil")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        # The second compiler takes longer than it saves, as each statement is of its own kind.
        "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.local.dir": folder,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if not {"SPARK_CONF_DIR", "SPARK_HOME"} & set(os.environ):  # these can name another warehouse
        settings["spark.sql.warehouse.dir"] = f"{folder}/warehouse"
    if memory_limit is not None:
        settings["spark.driver.memory"] = f"{granted_bytes(memory_limit) // 2**20}m"
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with quiet(), _stderr_into(Path(folder) / "spark.log"):
            session = builder.getOrCreate()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _FOLDER["path"] = folder
    atexit.register(_ended, session, folder)
    return session


def _ended(session: SparkSession, folder: str) -> None:
    with quiet(), contextlib.suppress(Exception):
        session.stop()
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _stderr_into(path: Path) -> Iterator[None]:
    """Send standard error to a file; processes started in the block write there for good."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        os.dup2(descriptor, 2)
        os.close(descriptor)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _is_not_py4js(record: logging.LogRecord) -> bool:
    """Is the record not from py4j? It logs interrupted statements under another logger."""
    return "py4j" not in record.pathname


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Show no logs and warnings of PySpark while the block runs."""
    root, loggers = logging.getLogger(), [logging.getLogger(name) for name in LOUD]
    before = [one.level for one in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        root.addFilter(_is_not_py4js)
        for one in loggers:
            one.setLevel(logging.CRITICAL + 1)
        try:
            yield
        finally:
            root.removeFilter(_is_not_py4js)
            for one, level in zip(loggers, before, strict=True):
                one.setLevel(level)


@contextlib.contextmanager
def guarded(name: str, statement: str) -> Iterator[None]:
    """Turn errors of a statement into ours, and a cancelled one into KeyboardInterrupt."""
    try:
        with quiet():
            yield
    except PySparkException as error:
        condition = error.getCondition() or ""
        if condition in INTERRUPTED:
            raise KeyboardInterrupt from error
        refused = condition.startswith(REFUSED)
        raise QueryError(name, one_line(error), statement, refused=refused) from error
    except FAILURES as error:
        message = _java_line(error)
        if any(f"[{condition}]" in message for condition in INTERRUPTED):
            raise KeyboardInterrupt from error
        raise QueryError(name, message, statement) from error


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Turn errors of opening a session into ours, with advice."""
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"this form of Spark needs packages that are not installed ({_first_line(error)}): "
            f"{install('spark')}; for spark://local, {install('spark-local')}"
        ) from error
    except PySparkException as error:
        raise _unreached(one_line(error)) from error
    except FAILURES as error:
        raise _unreached(_java_line(error)) from error


def _unreached(message: str) -> InputError | DatabaseError:
    """An error of the input if the server refuses the role; else of the database."""
    if DENIED.search(message):
        return InputError(f"Spark refuses the connection: {message}")
    return DatabaseError(f"Spark cannot be reached: {message}")


def _java_line(error: Exception) -> str:
    """The message of the innermost cause, which Spark and PySpark wrap in other errors."""
    cause = getattr(error, "java_exception", None)
    if cause is None:
        return _first_line(error)
    with contextlib.suppress(*FAILURES):
        while cause.getCause() is not None:
            cause = cause.getCause()
        return str(cause.toString()).partition("\n")[0]
    return "Spark is gone"


def one_line(error: PySparkException) -> str:
    """Spark's message in one line, without its excerpt of the statement and the plan."""
    return _first_line(error)


def _first_line(error: BaseException) -> str:
    """The first line of an error; for a failed call, the line of its details."""
    text = str(error).strip()
    details = DETAILS.search(text)
    return " ".join((details[1] if details else text).partition("\n")[0].split())

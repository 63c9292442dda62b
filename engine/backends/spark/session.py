"""Sessions of Spark: on a server by Spark Connect, or in this process; and its errors, in a line.

What Spark writes by itself (on standard error, from Java and from Python) does not reach the
user: it can hold values of the data, and says again what the error says.
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

PATIENCE = 10.0  # seconds for a server to answer at all
# How often a lost server is tried again, ever later: for a minute, or four seconds at the end.
TRIES, LAST_TRIES = 6, 4
LOUD = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "pyspark", "py4j")
DETAILS = re.compile(r'^<.*\n(?:.*\n)*?\s*details = "(.*)"$', re.MULTILINE)
DENIED = re.compile(r"UNAUTHENTICATED|PERMISSION_DENIED|\b40[13]\b", re.IGNORECASE)
INTERRUPTED = ("OPERATION_CANCELED", "SPARK_JOB_CANCELLED")

# What the engine cannot do as asked, or not for this role; all else is its failure.
REFUSED = (
    "TABLE_OR_VIEW", "SCHEMA_NOT_FOUND", "PATH_NOT_FOUND", "PARSE_", "UNRESOLVED_",
    "UNSUPPORTED_", "DATATYPE_", "INSUFFICIENT_PERMISSIONS", "LOCATION_ALREADY_EXISTS",
    "COLUMN_ALREADY_EXISTS", "INVALID_", "REQUIRES_SINGLE_PART_NAMESPACE", "CATALOG_NOT_FOUND",
    "CAST_", "CANNOT_",
)  # fmt: skip


def _failures() -> tuple[type[Exception], ...]:
    """Errors of what carries the words between us and Spark, as far as it is installed."""
    found: list[type[Exception]] = [ConnectionError]
    with contextlib.suppress(ImportError):
        from py4j.protocol import Py4JError

        found.append(Py4JError)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # which is read once, now
    with contextlib.suppress(ImportError):
        from grpc import RpcError

        found.append(RpcError)
    return tuple(found)


FAILURES = _failures()


@dataclass(frozen=True, slots=True)
class Opened:
    """A session; the private folder of a Spark of our own; the settings that make it faster."""

    session: SparkSession
    url: str | None  # of its server; None in this process
    folder: str | None
    pace: dict[str, str]

    def another(self) -> Opened:
        """A second session in the same Spark."""
        with quiet():
            session = self.session.newSession() if self.url is None else _connected(self.url)
        return Opened(session, self.url, self.folder, self.pace)

    def hurry(self) -> None:
        """What is yet to be asked is not worth a long wait."""
        if self.url is not None:
            _try_again(self.session, LAST_TRIES)

    def close(self) -> None:
        """Sessions on a server end; those in this process share one Spark, which stays."""
        if self.url is not None:
            with quiet(), contextlib.suppress(PySparkException):
                self.session.stop()


def open_session(url: str, threads: int | None, memory_limit: str | None) -> Opened:
    """`sc://host:port`, or `spark://local[*]`."""
    scheme, _, rest = url.partition("://")
    with _explained():
        if scheme == "sc":
            return _on_server(url, threads, memory_limit)
        return _in_process(rest or "local[*]", threads, memory_limit)


def _on_server(url: str, threads: int | None, memory_limit: str | None) -> Opened:
    if threads is not None or memory_limit is not None:
        raise InputError(
            "--threads and --memory-limit: a Spark server shares out what it has; leave them out"
        )
    host, port = spark_connect(url)
    _refuse_silent(host, port)
    try:
        with quiet():
            if not _is_grpc(url):
                raise InputError(
                    f"what answers at {host}:{port} is no Spark Connect server, or it has TLS and "
                    "the address does not say so (use_ssl=true), or says so and it has none"
                )
            session = _connected(url)
    except ValueError:  # which repeats the address, and with it a token
        raise InputError("Spark Connect does not take the parameters of its address") from None
    return Opened(session, url, None, {})


def _is_grpc(url: str) -> bool:
    """Does the server speak the protocol? PySpark would try for an hour."""
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    builder = DefaultChannelBuilder(url)
    _ = builder.session_id  # a wrong one is refused before anyone is waited for
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
    """Spark would try for minutes."""
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
                "threads and memory limit belong to the Spark that is in this process already: "
                "set them there"
            )
        return Opened(active.newSession(), None, _FOLDER.get("path"), {})
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise InputError("spark://local needs Java 17 or newer: install it, or name sc://host:port")
    folder = tempfile.mkdtemp(prefix=f"{SPILL_PREFIX}{os.getpid()}-")
    # As many as there are cores to work on them: each costs some time, however small.
    pace = {"spark.sql.shuffle.partitions": str(threads or os.cpu_count() or 1)}
    return Opened(_started(master, threads, memory_limit, folder), None, folder, pace)


_FOLDER: dict[str, str] = {}  # of the Spark in this process, if setveil started it


def _started(
    master: str, threads: int | None, memory_limit: str | None, folder: str
) -> SparkSession:
    """A Spark of our own, for as long as the process lives: to start one takes seconds."""
    if threads is not None:
        master = f"local[{threads}]"
    builder = SparkSession.builder.master(master).appName("setveil")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": folder,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if not {"SPARK_CONF_DIR", "SPARK_HOME"} & set(os.environ):  # where another can be named
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
    """What is started meanwhile writes there for all its life."""
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
    """What it says of an interrupted statement, it says in no name of its own."""
    return "py4j" not in record.pathname


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing that PySpark logs or warns of is shown."""
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
    """Errors of a statement as ours."""
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
    """Why there is no session, and what to do about it."""
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


def _unreached(said: str) -> InputError | DatabaseError:
    """Whoever is refused has something to mend; a server that is away can come back."""
    if DENIED.search(said):
        return InputError(f"Spark lets nobody in by this address: {said}")
    return DatabaseError(f"Spark cannot be reached: {said}")


def _java_line(error: Exception) -> str:
    """What the last cause says: Spark wraps it in others, and PySpark in one more."""
    cause = getattr(error, "java_exception", None)
    if cause is None:
        return _first_line(error)
    with contextlib.suppress(*FAILURES):
        while cause.getCause() is not None:
            cause = cause.getCause()
        return str(cause.toString()).partition("\n")[0]
    return "Spark is gone"


def one_line(error: PySparkException) -> str:
    """What Spark says, without the excerpt of the statement and the plan that it adds."""
    return _first_line(error)


def _first_line(error: BaseException) -> str:
    """Of a call that failed on its way, gRPC's own line stands further down."""
    text = str(error).strip()
    told = DETAILS.search(text)
    return " ".join((told[1] if told else text).partition("\n")[0].split())

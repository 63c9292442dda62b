"""Spark, in place: a run is a schema of its own, in the catalog where the data is.

Everything goes through SQL, as a Spark Connect server takes it from a client without Java. Spark
knows no transactions: a run ends with its schema dropped, and what a killed one left is dropped by
the next from the same place. Text is compared by bytes, which is the order of its code points.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from pyspark.sql import SparkSession
from sqlglot import exp

from setveil.backends import Capabilities
from setveil.backends.spark import runs as spark_runs
from setveil.backends.spark.naming import DIALECT, _quoted
from setveil.backends.spark.session import Opened, open_session
from setveil.backends.spark.transfer import Transferring
from setveil.errors import InputError, QueryError
from setveil.sql.step import render

WIDEST = 40  # relations in a query, before one is worth a statement of its own
OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer"
# Under other settings the same text means something else: a run does without none of these.
MEANING = {
    "spark.sql.ansi.enabled": "true",  # a number that is too large is an error
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.legacy.createHiveTableByDefault": "false",
    # It takes a column that a branch of a union shows twice for one, and fails (4.3).
    "spark.sql.optimizer.excludedRules": f"{OPTIMIZER}.RemoveRedundantAliases",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.storeAssignmentPolicy": "ANSI",
}
# To plan takes seconds where it derives of every column what follows from how it was made.
PACE = {"spark.sql.constraintPropagation.enabled": "false"}


class Spark(Transferring):
    """One run in one session."""

    engine = "Spark"
    listed = '["a","b"]'
    can = Capabilities(dialect=DIALECT, posting_widths=(63,), widest=WIDEST)

    def __init__(
        self,
        url: str = "",
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        note: Callable[[str], None] = lambda text: None,
        beside: Spark | None = None,
    ) -> None:
        """A run in a session of its own, where names are looked up as nobody else's are."""
        self._note = note
        self._closed = False
        self.threads, self.memory_limit = threads, memory_limit
        self._opened: Opened = (
            open_session(url, threads, memory_limit) if beside is None else beside._opened.another()
        )
        self._session: SparkSession = self._opened.session
        self.run = spark_runs.new_name()
        self.opening: list[str] = []
        try:
            self._begin()
        except QueryError as error:
            self.close()
            raise InputError(f"Spark refuses to begin a run: {error.message}") from error
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        for name, value in MEANING.items():
            self._open(f"SET {name} = {value}")
        for name, value in (PACE | self._opened.pace).items():
            with contextlib.suppress(QueryError):  # the server's own choice will do
                self._open(f"SET {name} = {value}")
        ((catalog, schema),) = self.rows(
            "run", "SELECT CURRENT_CATALOG() AS catalog, CURRENT_SCHEMA() AS place"
        )
        self._home = exp.table_(_quoted(schema), _quoted(catalog))
        self._read: list[exp.Table] = []  # what is there, and must not be replaced
        self._plans: list[str] = []  # of what was read
        self._naming: list[str] = []  # what gives the release its name, once its trail is kept
        self._place = exp.table_(_quoted(self.run), _quoted(catalog))
        self.outside = f"USE {render(self._home, DIALECT)}"
        self.inside = f"USE {render(self._place, DIALECT)}"
        self._drop_abandoned()
        made = f"CREATE SCHEMA {render(self._place, DIALECT)}"
        self.execute("run", made + self._location())
        self.opening.append(made)

    def _open(self, statement: str) -> None:
        self.execute("run", statement)
        self.opening.append(statement)

    def _location(self) -> str:
        """In a Spark of our own, what a run makes is no one else's to read."""
        if self._opened.folder is None:
            return ""
        path = render(exp.Literal.string(f"{self._opened.folder}/{self.run}"), DIALECT)
        return f" LOCATION {path}"

    def _drop_abandoned(self) -> None:
        found = [str(row[0]) for row in self.rows("run", "SHOW SCHEMAS LIKE 'setveil_*'")]
        for name in spark_runs.abandoned(found):
            place = exp.table_(_quoted(name), self._place.args["db"].copy())
            with contextlib.suppress(QueryError):  # another run may be doing the same
                self.execute("run", f"DROP SCHEMA IF EXISTS {render(place, DIALECT)} CASCADE")
        if old := spark_runs.forgotten(found):
            self._note(
                f"left behind by runs elsewhere, more than {spark_runs.OLD_DAYS} days ago: "
                f"{', '.join(old)}; if they have ended, DROP SCHEMA … CASCADE"
            )

    def beside(self, note: Callable[[str], None]) -> Spark:
        """A second run in the same Spark, in a session and a schema of its own."""
        return Spark(beside=self, note=note)

    def version(self) -> dict[str, str]:
        return {"spark": str(self._session.version)}

    def close(self) -> None:
        """Drop the run. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self._opened.hurry()
        self.close_local()
        if self._opened.url is not None:
            with contextlib.suppress(QueryError):  # a statement nobody waits for would still write
                self.interrupt()
        try:
            if hasattr(self, "_place"):
                self._drop()
        finally:
            self._opened.close()

    def _drop(self) -> None:
        place = render(self._place, DIALECT)
        try:
            self.execute("run", f"DROP SCHEMA IF EXISTS {place} CASCADE")
        except QueryError as error:
            self._note(f"{place} is left behind until the next run from here: {error.message}")

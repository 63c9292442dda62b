"""The backend for Spark: a run is a schema of its own, in the catalog of the data.

All work is SQL, which a Spark Connect server accepts from a client without Java. Spark has no
transactions: a run drops its schema at the end, and the next run of this machine drops the schemas
of killed ones. Spark compares text by bytes, which is the order of code points.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession
from sqlglot import exp

from setveil.backends import Backend, Capabilities, Rates, spilling
from setveil.backends.spark import runs as spark_runs
from setveil.backends.spark.appending import Appending
from setveil.backends.spark.naming import DIALECT, _quoted
from setveil.backends.spark.session import Opened, open_session
from setveil.backends.spark.transfer import Transferring
from setveil.errors import InputError, QueryError
from setveil.sql.step import render

WIDEST = 40  # relations in a query, above which some get a statement of their own
OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer"
# Settings that change results: a run does not begin without them.
MEANING = {
    "spark.sql.ansi.enabled": "true",  # too large a number is an error
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.legacy.createHiveTableByDefault": "false",
    # This rule merges a column that a branch of a union selects twice, and fails (Spark 4.3).
    "spark.sql.optimizer.excludedRules": f"{OPTIMIZER}.RemoveRedundantAliases",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.storeAssignmentPolicy": "ANSI",
}
# Deriving constraints of every column from its definition makes planning take seconds.
PACE = {"spark.sql.constraintPropagation.enabled": "false"}


class Spark(Appending, Transferring):
    """One run in one session."""

    engine = "Spark"
    listed = '["a","b"]'
    can = Capabilities(
        dialect=DIALECT,
        posting_widths=(63,),
        widest=WIDEST,
        dear=True,
        rates=Rates(joined=0.1, ranked=1.0, passed=0.5, statement=100_000, least=0, occurrence=60),
    )

    def __init__(
        self,
        url: str = "",
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        note: Callable[[str], None] = lambda text: None,
        beside: Spark | None = None,
    ) -> None:
        """Open a run in a session of its own, so that it can set where names are looked up."""
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
            with contextlib.suppress(QueryError):  # slower, but right, without the setting
                self._open(f"SET {name} = {value}")
        ((catalog, schema),) = self.rows(
            "run", "SELECT CURRENT_CATALOG() AS catalog, CURRENT_SCHEMA() AS place"
        )
        self._home = exp.table_(_quoted(schema), _quoted(catalog))
        self._read: list[exp.Table] = []  # tables of the caller, which must not be replaced
        self._plans: list[str] = []  # the plans of relations that were read
        self._naming: list[str] = []  # statements that give the release its name, after its trail
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
        """The clause that puts a schema into our private folder, in a Spark of our own."""
        if self._opened.folder is None:
            return ""
        path = render(exp.Literal.string(f"{self._opened.folder}/{self.run}"), DIALECT)
        return f" LOCATION {path}"

    def _drop_abandoned(self) -> None:
        """Drop the schemas of killed runs of this machine; note old schemas of others."""
        found = [str(row[0]) for row in self.rows("run", "SHOW SCHEMAS LIKE 'setveil_*'")]
        for name in spark_runs.abandoned(found):
            place = exp.table_(_quoted(name), self._place.args["db"].copy())
            with contextlib.suppress(QueryError):  # another run may drop it at the same time
                self.execute("run", f"DROP SCHEMA IF EXISTS {render(place, DIALECT)} CASCADE")
        if old := spark_runs.forgotten(found):
            self._note(
                f"runs elsewhere made these schemas more than {spark_runs.OLD_DAYS} days ago: "
                f"{', '.join(old)}; if the runs have ended, DROP SCHEMA … CASCADE"
            )

    @property
    def disk(self) -> int | None:
        """The room of our private folder in a Spark of our own; a server does not tell its disk."""
        folder = self._opened.folder
        return None if folder is None else spilling.room(Path(folder))

    def beside(self, note: Callable[[str], None]) -> Spark:
        """A second run in the same Spark, in a session and a schema of its own."""
        return Spark(beside=self, note=note)

    def can_see(self, other: Backend) -> bool:
        """Sessions of one Spark find each other's schemas by their full names."""
        return isinstance(other, Spark) and other._opened.url == self._opened.url

    def version(self) -> dict[str, str]:
        return {"spark": str(self._session.version)}

    def close(self) -> None:
        """Drop the schema of the run. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self._opened.shorten_retries()
        self.close_local()
        if self._opened.url is not None:
            with contextlib.suppress(QueryError):  # an abandoned statement would still write
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
            self._note(f"the schema {place} stays until the next run from here: {error.message}")

"""The backend for PostgreSQL: a run is one transaction, in a schema that is never committed.

However a run ends (also by Ctrl-C, a killed client or a lost connection), the server undoes it. The
commit makes a release visible as a whole. A role that may not make schemas uses the temporary
schema of its session. Text is compared by code points, under any collation of the database.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace

from psycopg import sql
from sqlglot import exp

from setveil.backends import Backend, Capabilities, Rates
from setveil.backends.postgres import paths as postgres_paths
from setveil.backends.postgres.appending import Appending
from setveil.backends.postgres.naming import DIALECT
from setveil.backends.postgres.paths import QUESTIONS, TEMPORARY
from setveil.backends.postgres.session import Shared, connected, settings
from setveil.backends.postgres.transfer import Transferring
from setveil.errors import InputError, QueryError

RIGHTS = ("CREATE", "TEMP")  # rights on the database: to make schemas, and temporary tables
ELSEWHERE = "; or copy the rows to this machine with --engine duckdb"


class Postgres(Appending, Transferring):
    """One run on one server."""

    engine = "PostgreSQL"
    listed = '{"a","b"}'
    can = Capabilities(
        dialect=DIALECT,
        posting_widths=(64, 512, 4096),
        lists=4.0,
        analyze=True,
        relation="UNLOGGED TABLE",
        rates=Rates(joined=0.2, ranked=0.8, passed=1.2, statement=2_000, occurrence=110),
    )

    def __init__(
        self,
        url: str = "",
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        beside: Postgres | None = None,
        works: bool = True,
    ) -> None:
        """Open a run over a connection of its own, or over the connection of another run.

        With `works` False it only copies rows, so no schema is made.
        """
        if beside is None:
            self._shared = Shared(connected(url))
            chosen = settings(threads, memory_limit)
        else:
            self._shared, chosen = beside._shared, []
        self.threads, self.memory_limit = threads, memory_limit
        self._guest = beside is not None
        self._closed = False
        self.outside, self._path = self._shared.outside, QUESTIONS
        self._read: list[exp.Table] = []  # tables of the caller, which must not be replaced
        self._source: exp.Expr | None = None  # the relation that was read first
        try:
            self.run = self._place() if works else TEMPORARY
        except InputError:
            if not self._guest:
                self._shared.connection.close()
            raise
        if self.run == TEMPORARY:
            self.can = replace(self.can, relation="TABLE")
        self.inside = postgres_paths.inside(self.run)
        begin = [] if self._guest else ["BEGIN ISOLATION LEVEL REPEATABLE READ"]
        schema = [] if self.run == TEMPORARY else [f"CREATE SCHEMA {self.run}"]
        self.opening = [*begin, *chosen, *schema, self.outside]
        self._begin(works)

    def _begin(self, works: bool) -> None:
        try:
            for statement in self.opening:
                self.execute("run", statement)
        except QueryError as error:
            self.close()
            if not error.refused:
                raise
            raise InputError(
                f"the server refuses to begin a run: {error.message}{ELSEWHERE if works else ''}"
            ) from error

    def _place(self) -> str:
        """The schema of the run; refuse a role that may make neither schemas nor tables."""
        granted = [f"HAS_DATABASE_PRIVILEGE(CURRENT_DATABASE(), '{one}')" for one in RIGHTS]
        names = ["CURRENT_DATABASE()", "CURRENT_USER", "CURRENT_SETTING('transaction_read_only')"]
        query = f"SELECT {', '.join(granted + names)}"  # noqa: S608
        ((schemas, temporary, database, role, only_read),) = self.rows("run", query)
        if only_read == "on":
            raise InputError(f"the server is read-only, and a run makes tables there{ELSEWHERE}")
        if schemas:
            return f"setveil_{uuid.uuid4().hex[:12]}"
        if temporary and not self._guest:
            return TEMPORARY
        right = "CREATE" if temporary else "TEMP"
        grant = sql.SQL("GRANT {} ON DATABASE {} TO {}").format(
            sql.SQL(right), sql.Identifier(database), sql.Identifier(role)
        )
        lack = (
            "two runs side by side need a role that may make schemas"
            if temporary
            else "a run needs a role that may make temporary tables"
        )
        raise InputError(f"{lack}: {grant.as_string(self._shared.connection)}{ELSEWHERE}")

    def can_see(self, other: Backend) -> bool:
        """Only runs in the same transaction can read each other's uncommitted relations."""
        return isinstance(other, Postgres) and other._shared is self._shared

    def beside(self, note: Callable[[str], None]) -> Postgres:
        """A second run over the same connection, in a schema of its own."""
        return Postgres(beside=self)

    def version(self) -> dict[str, str]:
        version = self._shared.connection.info.parameter_status("server_version")
        return {"postgresql": version or ""}

    def close(self) -> None:
        """Undo the run. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self.close_local()
        if not self._guest:
            self._shared.connection.close()
        elif self._shared.usable:
            self.execute("run", f"DROP SCHEMA {self.run} CASCADE")

"""Append slices to a table of Spark: a slice is one partition, which is overwritten as a whole.

Spark has no transactions. The rows of a slice are staged in a table beside the target; then the
ledger gets the intent; then the partition is overwritten. A run that was killed in between leaves
the staged rows, with which the next run overwrites the partition again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlglot import exp

from setveil.backends.spark import rows as spark_rows
from setveil.backends.spark import runs as spark_runs
from setveil.backends.spark.naming import DIALECT, _quoted
from setveil.backends.spark.publishing import Publishing, _making
from setveil.backends.spark.session import guarded
from setveil.errors import InputError, QueryError
from setveil.sql.step import render

LOCK, STAGED = "_ledger_lock", "_ledger_staged"  # the ends of names beside that of a target
HOLDER = "setveil.run"  # the property of a lock that names its run
SLICE = "slice"  # the column of partitions


class Appending(Publishing):
    """A run that adds partitions to tables of the caller."""

    appends = True
    together = False
    _note: Callable[[str], None]

    def target(self, text: str) -> exp.Table:
        """The table of this name; one that was read is refused."""
        self._refuse_fleeting(text)
        place = self.known(text)
        if self._reads(place):
            raise InputError(f"{text!r} is what the data was read from: choose another name")
        return place

    def known(self, text: str) -> exp.Table:
        """The table of this name, whether it was read or not."""
        return self._named(text)

    def is_there(self, place: exp.Table) -> bool:
        return self._exists(place)

    def ledgers(self) -> list[exp.Table]:
        """The tables of the caller's schema that have the attempts of a ledger, by their names."""
        shown = f"SHOW TABLES IN {render(self._home, DIALECT)} LIKE '*_ledger_attempt'"
        schema, catalog = self._home.this, self._home.args["db"]
        return [
            exp.table_(_quoted(str(row[1])), schema.copy(), catalog.copy())
            for row in self.rows("ledger", shown)
        ]

    def lock(self, place: exp.Table) -> bool:
        """Take the lock of a target: of two runs, only one can make its table."""
        lock = _beside(place, LOCK)
        shown = render(lock, DIALECT)
        if (holder := self._holder(lock)) is not None:
            if not spark_runs.abandoned([holder]):
                self._note(
                    f"the lock is the table {shown}: if its run was killed on another machine, "
                    "drop it"
                )
                return False
            self.execute("lock", f"DROP TABLE IF EXISTS {shown}")
        named = render(exp.Literal.string(self.run), DIALECT)
        try:
            self.execute(
                "lock", f"CREATE TABLE {shown} (run STRING) TBLPROPERTIES ('{HOLDER}' = {named})"
            )
        except QueryError as error:
            if self._holder(lock) is None:
                raise InputError(f"{shown} cannot be made: {error.message}") from error
            return False
        return True

    def unlock(self, place: exp.Table) -> None:
        """Release the lock of this run."""
        lock = _beside(place, LOCK)
        if self._holder(lock) == self.run:
            self.execute("lock", f"DROP TABLE IF EXISTS {render(lock, DIALECT)}")

    def _holder(self, lock: exp.Table) -> str | None:
        """The run that holds a lock; None if none does."""
        if not self._exists(lock):
            return None
        shown = self.rows("lock", f"SHOW TBLPROPERTIES {render(lock, DIALECT)}")
        return next((str(value) for name, value in shown if name == HOLDER), "")

    def refuse_unsafe(self, place: exp.Table, *, private: bool) -> None:
        """Refuse a view, which could do anything."""
        if not self.is_table(place):
            raise InputError(f"{render(place, DIALECT)} is no table: only setveil makes a target")

    def make_private(self, place: exp.Table) -> None:
        """Tell that Spark does not say who can read a table."""
        self._note(
            f"{render(place, DIALECT)} is of the ledger, which is confidential: Spark does not say "
            "who can read it, so grant nobody"
        )

    def add_only_once(self, place: exp.Table, column: str) -> None:
        """Nothing: Spark has no unique index. The lock keeps two runs apart."""

    def make_table(self, place: exp.Table, kinds: Mapping[str, str]) -> None:
        """Make a table without rows, in the place of one that a killed run left."""
        columns = ", ".join(f"{render(_quoted(one), DIALECT)} {kinds[one]}" for one in kinds)
        made = render(place, DIALECT)
        self.execute("ledger", f"DROP TABLE IF EXISTS {made}")
        self.execute("ledger", f"CREATE TABLE {made} ({columns})")

    @contextlib.contextmanager
    def appended(
        self, rows: Sequence[tuple[exp.Table, exp.Query]], number: int, run: Callable[[str], None]
    ) -> Iterator[None]:
        """Stage the rows of a slice, and overwrite its partition after the block."""
        for place, query in rows:
            with _making(place.name):
                kinds = self._kinds(query)
                if not self._exists(place):
                    self._make_partitioned(place, kinds)
                staged = _beside(place, STAGED)
                self.make_table(staged, kinds)
                text = render(query, DIALECT)
                self.execute("publish", f"INSERT OVERWRITE TABLE {render(staged, DIALECT)}\n{text}")
        yield
        self.overwrite([place for place, _ in rows], number)

    def staged(self, place: exp.Table) -> exp.Table:
        """The table in which the rows of a slice are staged."""
        return _beside(place, STAGED)

    def overwrite(self, places: Sequence[exp.Table], number: int) -> None:
        """Overwrite the partition of a slice with the staged rows."""
        for place in places:
            columns = [_quoted(one) for one in self.columns_of(place) if one != SLICE]
            staged = exp.Select().select(*map(exp.column, columns)).from_(_beside(place, STAGED))
            self.execute(
                "publish",
                f"INSERT OVERWRITE TABLE {render(place, DIALECT)} PARTITION ({SLICE} = {number})\n"
                f"{render(staged, DIALECT)}",
            )

    def end_slice(self, places: Sequence[exp.Table]) -> None:
        """Drop the staged rows of a slice that is done."""
        for place in places:
            staged = render(_beside(place, STAGED), DIALECT)
            self.execute("publish", f"DROP TABLE IF EXISTS {staged}")

    def commit(self, run: Callable[[str], None]) -> None:
        """Nothing: each statement stands by itself."""

    def _kinds(self, query: exp.Query) -> dict[str, str]:
        """The columns of a query, with their types."""
        text = render(query, DIALECT)
        with guarded("publish", text):
            schema = self._session.sql(text).schema
        return {field.name: spark_rows.plain_type(field.dataType) for field in schema.fields}

    def _make_partitioned(self, place: exp.Table, kinds: Mapping[str, str]) -> None:
        columns = ", ".join(f"{render(_quoted(one), DIALECT)} {kinds[one]}" for one in kinds)
        made = render(place, DIALECT)
        self.execute("publish", f"CREATE TABLE {made} ({columns}) PARTITIONED BY ({SLICE})")


def _beside(place: exp.Table, end: str) -> exp.Table:
    """A table in the schema of a target, whose name begins with that of the target."""
    made = place.copy()
    made.set("this", _quoted(place.name + end))
    return made

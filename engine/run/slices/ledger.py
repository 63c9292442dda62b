"""The ledger of a target: which transaction is in which slice, and what each slice promised.

It is a DuckDB file beside the target that only its owner can read. Its relations only grow, and
every change is one transaction of the database. A digest over all rows finds any other change.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from sqlglot import exp

from setveil.backends import Value
from setveil.backends.local import formats
from setveil.backends.server import Appends
from setveil.errors import InputError, QueryError
from setveil.run.session import Session
from setveil.run.slices.aside import make_again
from setveil.sql.run.slices import ledger as sql_ledger
from setveil.sql.step import Step, render
from setveil.sql.trail import seal

FORMAT = "1"
ATTACHED = "ledger"
REMEDY = (
    "take the ledger from a backup of the same day as the target: only it knows which transactions "
    "were released; else begin a new target, and withdraw the old one"
)
Rows = Sequence[tuple[str, exp.Table]]
Texts = Mapping[str, Sequence[Sequence[object]]]
SUFFIX = "ledger"  # of the names of ledgers
PRIVATE = 0o077  # the umask under which a ledger and its log are written


class Ledger:
    """The ledger in a file, for one run. Only the holder of the target's lock opens it."""

    def __init__(self, session: Session, path: str) -> None:
        self.session, self.path = session, path
        self.told: dict[str, str] = {}
        self._sums = 0
        # Of its own: the ledger is written while the run has a transaction open.
        self._backend = session.backend.beside(session.chat)

    together = False  # are the slice and the ledger committed together?

    @property
    def exists(self) -> bool:
        """Is there a ledger?"""
        return os.path.lexists(self.path)

    def place(self, name: str) -> exp.Table:
        """A relation of the ledger, while it is open."""
        return exp.table_(name, db="main", catalog=ATTACHED)

    def rows_of(self, name: str) -> exp.Expr:
        """The rows of a relation of the ledger, while it is open."""
        return self.place(name)

    def named(self, target: str) -> str:
        """The name of the ledger of this target, where it is the key of a release."""
        here = os.path.relpath(self.path)
        return self.path if here.startswith(os.pardir) else here

    def create(self, told: Mapping[str, str]) -> None:
        """Make a new ledger with a secret of its own; it gets its name when it is whole."""
        for left in glob.glob(f"{glob.escape(self.path)}.*.partial*"):
            os.unlink(left)  # of a run that was killed
        made = Ledger(self.session, f"{self.path}.{secrets.token_hex(8)}.partial")
        try:
            with made._open():
                for name in (*sql_ledger.LEDGER, "sum"):
                    place = made.place(name)
                    self._execute(name, sql_ledger.empty(name).create(self._dialect, place))
            made.write([], {"told": list(_first_told(told).items())})
            os.link(made.path, self.path)
        finally:
            for end in ("", ".wal"):
                Path(f"{made.path}{end}").unlink(missing_ok=True)
        _sync_folder(self.path)

    def load(self, *, to_read: bool = False) -> None:
        """Copy the ledger into the run, and refuse one that was altered."""
        self._check()
        with self._open(to_read=to_read):
            self.told = self._told()
            self._sums = self._refuse_altered()
            for step in self._copies():
                make_again(self.session, step)
        for step in (sql_ledger.own_secret(), sql_ledger.released()):
            make_again(self.session, step)

    def show(self) -> None:
        """Show how the ledger is read, and read nothing."""
        for step in (*self._copies(), sql_ledger.own_secret(), sql_ledger.released()):
            make_again(self.session, step)

    def _copies(self) -> Iterator[Step]:
        for name in sql_ledger.LEDGER:
            yield sql_ledger.copied(name, self.rows_of(name), self.rows_of("attempt"))

    @property
    def is_unused(self) -> bool:
        """Has no run found a transaction yet? Then the promise can still be corrected."""
        return self._sums == 1

    def create_again(self, told: Mapping[str, str]) -> None:
        """Replace an unused ledger."""
        os.unlink(self.path)
        self.told = {}
        self.create(told)

    def prepared(self, steps: Sequence[Step]) -> Rows:
        """Make rows for the ledger in the run, while it has no transaction open."""
        made: list[tuple[str, exp.Table]] = []
        for number, step in enumerate(steps):
            name = f"ledger_new_{number}"
            make_again(self.session, Step(name, step.why, step.query))
            made.append((step.name, self.session.backend.of_run(name)))
        return made

    def write(self, rows: Rows, texts: Texts) -> None:
        """Add rows to the ledger in one transaction: prepared ones, and texts by relation."""
        rows = [*rows, *((name, self._typed(name, held)) for name, held in texts.items())]
        with self._open(), self._transaction():
            for name, place in rows:
                self._insert(Step(name, "", exp.Select().select(exp.Star()).from_(place)))
            self._add_sum()

    def commit(self) -> None:
        """End a run that only wrote to the ledger."""

    def close(self) -> None:
        """Drop the relations of the ledger's own run."""
        self._backend.close()

    def recorded(self, attempt: int) -> None:
        """Record for the trail how the transactions of the slice are read from the ledger."""
        part = self.place("part")
        path = render(exp.Literal.string(self.path), self._dialect)
        why = "the ledger of the target"
        self.session.tell("ledger", why, f"ATTACH {path} AS {ATTACHED} (READ_ONLY)")
        step = sql_ledger.of_slice(part, attempt)
        self.session.tell(step.name, step.why, step.create(self._dialect))
        self.session.tell("ledger", "no longer needed", f"DETACH DATABASE {ATTACHED}")

    # Statements that no trail keeps: a ledger belongs to the target, not to a run

    @property
    def _dialect(self) -> str:
        return self.session.backend.can.dialect

    def _execute(self, name: str, text: str) -> None:
        self._backend.execute(name, text)

    def _insert(self, step: Step) -> None:
        insert = exp.Insert(this=self.place(step.name), expression=step.query)
        self._execute(step.name, render(insert, self._dialect))

    def _rows(self, step: Step) -> list[tuple[object, ...]]:
        return self._backend.rows(step.name, step.sql(self._dialect))

    def _typed(self, name: str, rows: Sequence[Sequence[object]]) -> exp.Table:
        """Texts as a relation of the ledger's own run, in the types of the ledger."""
        titles = list(sql_ledger.LEDGER[name])
        columns: list[list[Value]] = [
            [None if row[at] is None else str(row[at]) for row in rows] for at in range(len(titles))
        ]
        given, made = f"text_{secrets.token_hex(4)}", f"typed_{secrets.token_hex(4)}"
        self._backend.insert_columns(given, titles, columns)
        text = sql_ledger.typed(name, self._backend.of_run(given))
        place = self._backend.of_run(made)
        self._execute(name, text.create(self._dialect, place))
        return place

    @contextlib.contextmanager
    def _open(self, *, to_read: bool = False) -> Iterator[None]:
        """Attach the file for the block. Its log must be as private as the file itself."""
        before = os.umask(PRIVATE)
        path = render(exp.Literal.string(self.path), self._dialect)
        try:
            with formats.reading(self.path):
                how = " (READ_ONLY)" if to_read else ""
                self._execute("ledger", f"ATTACH {path} AS {ATTACHED}{how}")
            try:
                yield
            finally:
                self._execute("ledger", f"DETACH DATABASE IF EXISTS {ATTACHED}")
        finally:
            os.umask(before)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._execute("ledger", "BEGIN")
        try:
            yield
            self._execute("ledger", "COMMIT")
        except BaseException:
            with contextlib.suppress(QueryError):  # the commit itself may have failed
                self._execute("ledger", "ROLLBACK")
            raise

    def _check(self) -> None:
        """Refuse a ledger that others can read, or that is no file of the caller."""
        if os.path.islink(self.path) or not os.path.isfile(self.path):
            raise InputError(f"{self.path} is no plain file: a ledger is never a link; {REMEDY}")
        status = os.stat(self.path)
        if status.st_mode & 0o077:
            raise InputError(
                f"{self.path} can be read by others, and a ledger is confidential; "
                "take the rights away with chmod 600"
            )

    def _told(self) -> dict[str, str]:
        """The promise of the target, and the secret of the ledger."""
        return {str(n): str(v) for n, v in self._rows(sql_ledger.told(self.rows_of("told")))}

    def _digest(self) -> str:
        """A digest of all rows, which nobody can make without the secret of the ledger."""
        found: list[object] = []
        for name, columns in sql_ledger.LEDGER.items():
            found.append(self._rows(seal.told_of(self.rows_of(name), list(columns)))[0])
        text = json.dumps([self.told.get("secret"), found], default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def _refuse_altered(self) -> int:
        if self.told.get("format") != FORMAT:
            raise InputError(f"{self.path} is no ledger of this version of setveil; {REMEDY}")
        rows = self._rows(sql_ledger.last_sum(self.rows_of("sum")))
        if not rows or rows[0][1] != self._digest():
            raise InputError(f"{self.path} was altered by something else than setveil; {REMEDY}")
        return int(str(rows[0][0]))

    def _add_sum(self) -> None:
        if not self.told:  # the ledger is new
            self.told = self._told()
        self._sums += 1
        self._insert(sql_ledger.sum_row(self._sums, self._digest()))


class ServerLedger(Ledger):
    """The ledger in tables beside the target, on a server where a run is one transaction."""

    together = True

    def __init__(self, session: Session, server: Appends, target: exp.Table) -> None:
        self.session, self._server, self._target = session, server, target
        self.told = {}
        self._sums = 0
        self._backend = session.backend
        self.path = f"the ledger {self.place('told').name}"

    @property
    def exists(self) -> bool:
        return self._server.is_there(self.place("told"))

    def named(self, target: str) -> str:
        return f"{target}_{SUFFIX}"

    def place(self, name: str) -> exp.Table:
        place = self._target.copy()
        place.set("this", exp.to_identifier(f"{place.name}_ledger_{name}", quoted=True))
        return place

    def create(self, told: Mapping[str, str]) -> None:
        for name in (*sql_ledger.LEDGER, "sum"):
            self._make_table(name, sql_ledger.kinds(name))
            self._server.make_private(self.place(name))
        self._server.add_only_once(self.place("sum"), "number")
        self.write([], {"told": list(_first_told(told).items())})

    def _make_table(self, name: str, kinds: Mapping[str, str]) -> None:
        types = {one: exp.DataType.build(kind).sql(self._dialect) for one, kind in kinds.items()}
        self._server.make_table(self.place(name), types)

    def recorded(self, attempt: int) -> None:
        """Record for the trail how the transactions of the slice are read from the ledger."""
        step, can = sql_ledger.of_slice(self.place("part"), attempt), self._backend.can
        text = step.create(self._dialect, exp.table_(step.name), can.relation)
        analyze = f";\nANALYZE {step.name}" if can.analyze else ""
        self.session.tell(step.name, step.why, text + analyze)

    def commit(self) -> None:
        self._server.commit(lambda text: self._execute("publish", text))

    def close(self) -> None:
        """The ledger is of the run itself."""

    def _check(self) -> None:
        for name in (*sql_ledger.LEDGER, "sum"):
            if not self._server.is_there(self.place(name)):
                raise InputError(f"{self.place(name).name} is missing; {REMEDY}")
            self._server.refuse_unsafe(self.place(name), private=True)

    @contextlib.contextmanager
    def _open(self, *, to_read: bool = False) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        yield


class WrittenLedger(ServerLedger):
    """The ledger in tables beside the target, on a server without transactions.

    Each row names its write. A write counts as soon as its digest is there, which is one row; what
    a killed run wrote before that is never read.
    """

    together = False
    _write = ""  # the name of the write that is going on

    @property
    def exists(self) -> bool:
        if not all(self._server.is_there(self.place(one)) for one in ("told", "sum")):
            return False
        return bool(self._rows(sql_ledger.last_sum(self.rows_of("sum"))))

    def rows_of(self, name: str) -> exp.Expr:
        return sql_ledger.counted(name, self.place(name), self.place("sum"), self._write)

    def create(self, told: Mapping[str, str]) -> None:
        for name in (*sql_ledger.LEDGER, "sum"):
            self._make_table(name, {**sql_ledger.kinds(name), sql_ledger.WRITTEN: "VARCHAR"})
        self._server.make_private(self.place("told"))
        self.write([], {"told": list(_first_told(told).items())})

    def create_again(self, told: Mapping[str, str]) -> None:
        self.told, self._sums = {}, 0
        self.create(told)

    def write(self, rows: Rows, texts: Texts) -> None:
        self._write = secrets.token_hex(16)
        try:
            super().write(rows, texts)
        finally:
            self._write = ""

    def _insert(self, step: Step) -> None:
        query = sql_ledger.named_write(step.query.subquery(), step.name, self._write)
        super()._insert(Step(step.name, step.why, query))

    def commit(self) -> None:
        """Nothing: a write is kept when its digest is there."""


def _first_told(told: Mapping[str, str]) -> dict[str, str]:
    return {"format": FORMAT, "secret": secrets.token_hex(32), **told}


def _sync_folder(path: str) -> None:
    descriptor = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_key(session: Session, name: str) -> bool:
    """Make `number_key` from the ledger of this name; False if there is none."""
    ledger = _named(session, name)
    if ledger is None:
        return False
    with contextlib.closing(ledger):
        if session.dry:
            ledger.show()
        else:
            ledger.load(to_read=True)
        make_again(session, sql_ledger.key_of_slices())
    return True


def _named(session: Session, name: str) -> Ledger | None:
    """The ledger in the file of this name, or in the tables beside a target of the server."""
    server = session.backend.server
    if server is None and name.endswith(f".{SUFFIX}"):
        return Ledger(session, os.path.realpath(name)) if os.path.isfile(name) else None
    if server is None or not server.appends or not name.endswith(f"_{SUFFIX}"):
        return None
    beside = cast(Appends, server)
    kind = ServerLedger if beside.together else WrittenLedger
    found = kind(session, beside, beside.known(name.removesuffix(f"_{SUFFIX}")))
    return found if found.exists else None

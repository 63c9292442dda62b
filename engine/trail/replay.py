"""Run a trail again, compare its result with the release, and check the release.

A trail is not trusted. Its statements are parsed, and any that setveil does not write is refused
before anything runs. A trail runs in a bare DuckDB that can reach only the inputs and the result,
and whose settings are locked; or on a server, in a transaction that is rolled back. Our own checker
checks the release by the promise in the trail's head.
"""

from __future__ import annotations

import glob
import hashlib
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from sqlglot import exp, parse_one

from setveil.backends.local import TARGET, Bare, bare, pattern, set_variable
from setveil.errors import InputError, SetveilError
from setveil.models.hiding.patterns import Patterns
from setveil.run.files.digests import sha256
from setveil.run.files.folders import check_folder, whole_folder
from setveil.run.files.into import PUSHED
from setveil.run.files.parts import FILES
from setveil.run.files.places import check_place, no_file, whole_file
from setveil.run.files.pulling import PULLED
from setveil.run.files.source import Source
from setveil.run.inputs import Inputs
from setveil.run.roles.lists import Items
from setveil.run.roles.promise import Names
from setveil.sql.dialects import DUCKDB
from setveil.sql.step import render
from setveil.trail import server as server_trail
from setveil.trail.head import CONFIDENTIAL, Head, read_head
from setveil.trail.inputs import RunInputs
from setveil.trail.judging import (
    Beside,
    check_lists,
    judge,
    needs_source,
    promise_of,
    repeated,
)
from setveil.trail.lists import write_lists
from setveil.trail.script import READ, Part, Script
from setveil.trail.server import run_again, run_rows
from setveil.trail.units import check_terms, check_unit


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of running a trail again. `checks` counts the steps of the checker."""

    statements: int
    checks: int
    release: str
    same: bool
    expected: str  # SHA-256 of the release
    found: str  # SHA-256 of the trail's result
    promise: tuple[str, ...]  # the promise that was checked, in lines for a person
    holds: bool | None  # None: there is no promise
    refusal: str = ""  # the checker's reason, if the release does not hold
    is_table: bool = False  # rows were compared, and not bytes
    inputs: tuple[str, ...] = ()  # the inputs, compared with the head, in lines for a person
    verify: str | None = None  # the command that judges the release again
    notes: tuple[str, ...] = ()  # limits of the verdict


def promised(trail: str | Path) -> tuple[str, ...]:
    """The promise in a trail's head, in lines for a person; nothing is run."""
    path = Path(trail)
    return tuple(promise_of(read_head(path, _text(path))))


def replay(
    trail: str | Path,
    *,
    release: str | Path | None = None,
    source: str | Path | None = None,
    hierarchy: str | Path | None = None,
    itemsets: str | Path | None = None,
    costs: str | Path | None = None,
    key: str | Path | None = None,
    private: Items | None = None,
    public: Items | None = None,
    sensitive: Items | None = None,
    patterns: Patterns | None = None,
    out: str | Path | None = None,
    database: str | Path | None = None,
    ledger: str | Path | None = None,
    lists: str | Path | None = None,
) -> Replay:
    """Run a trail again, compare its result with the release, and check the release.

    `source`, `hierarchy`, `itemsets`, `costs` and `key` are copies of the inputs; `database` has
    the tables.
    A query or view of the run is only read if the caller names it again, as `source` or
    `hierarchy`. Lists must be named again if the trail is redacted. The release does not change:
    the trail's result goes to `out`, or to a temporary file. Of a table, the sorted rows are
    compared. The trail of a server's run is run there and rolled back. `ledger` is a copy of the
    ledger that lists the transactions of a slice. `lists` is a folder for new files with all names
    of the promise's lists, as `verify` reads them.
    """
    path = Path(trail)
    text = _text(path)
    head = read_head(path, text)
    given_lists = {
        "private": private,
        "public": public,
        "sensitive": sensitive,
        "patterns": patterns,
    }
    check_terms(path, head)
    names = check_lists(path, head, Beside(given_lists))
    written = {} if lists is None else write_lists(Path(lists), names)
    copies = {"source": source, "hierarchy": hierarchy, "itemsets": itemsets, "costs": costs}
    ids = _key_of_ids(path, key) if head.matched else None
    of_key = () if ids is None else (RunInputs(path, head).key(ids),)
    if ids is None:
        copies["key"] = key
    given = {name: None if one is None else str(one) for name, one in copies.items()}
    place = None if database is None else str(database)
    if head.kind.schemes:
        others = {"itemsets": itemsets, "costs": costs, "key": copies.get("key")}
        _refuse_copies(path, {"release": release, "out": out, **others, "ledger": ledger})
        found = server_trail.compare(path, text, head, given, place)
        outcome = _Outcome(
            found.statements,
            found.table,
            found.expected,
            found.found,
            found.table,
            (*found.inputs, *of_key),
        )
        original = Source(found.source, place)
        return _judged(path, head, text, outcome, place, names, original, ids, written)
    script = Script(path, text, head.kind.trail, given)
    check_unit(path, head, script)
    local = _Local(path, script, given, place, None if ledger is None else str(ledger), head)
    local.lists = written
    with tempfile.TemporaryDirectory(prefix="setveil-replay-") as folder:
        if script.of("publish"):
            if release is not None or out is not None:
                raise InputError(f"{trail} made a table: leave out --release and --out")
            outcome = local.compare_tables(Path(folder))
            where = local.database
        else:
            outcome = local.compare_files(Path(folder), release, out)
            where = None
    outcome = replace(outcome, inputs=(*local.told, *of_key))
    return _judged(path, head, text, outcome, where, names, local.original(head), ids, written)


def _judged(
    trail: Path,
    head: Head,
    text: str,
    outcome: _Outcome,
    database: str | None,
    names: Mapping[str, Names],
    original: Source,
    ids: str | None,
    lists: Mapping[str, str],
) -> Replay:
    release = outcome.place or outcome.release
    same, notes = outcome.expected == outcome.found, list[str]()
    try:
        verdict = judge(trail, head, release, database, names, original, ids, notes.append)
        holds = None if verdict is None else verdict.holds
        refusal = "" if verdict is None or verdict.holds else _worst(verdict.refusal())
    except InputError as error:
        if same:
            raise
        holds, refusal = False, str(error)  # the release was changed after the run
    return Replay(
        outcome.statements,
        sum(line.startswith("-- check_") for line in text.splitlines()),
        outcome.release,
        same,
        outcome.expected,
        outcome.found,
        tuple(promise_of(head)),
        holds,
        refusal,
        bool(outcome.place),
        outcome.inputs,
        repeated(head, release, original.name, database=database, key=ids, lists=lists),
        tuple(dict.fromkeys(notes)),
    )


def _key_of_ids(trail: Path, key: str | Path | None) -> str:
    """The key with which the release's numbers are matched with the ids of its source."""
    if key is None:
        raise InputError(
            f"{trail} is of a release with random numbers for ids, and its promise needs the "
            "source: name the key of its ids with --key"
        )
    return str(key)


def _worst(refusal: SetveilError) -> str:
    """The checker's reason, without its remark on setveil."""
    return str(refusal).removeprefix("the checker refused the release: ").partition("; nothing")[0]


def _refuse_copies(trail: Path, named: Mapping[str, str | Path | None]) -> None:
    for name, path in named.items():
        if path is not None:
            raise InputError(
                f"{trail} is of a run on a server: it runs there on the present tables, and is "
                f"compared with the table that it made: leave --{name} out"
            )


def _text(trail: Path) -> str:
    if not trail.is_file():
        raise InputError(f"{trail}: {no_file(trail)}")
    try:
        text = trail.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{trail} is no trail of setveil: it is not text") from error
    except OSError as error:
        raise InputError(f"{trail} cannot be read: {error.strerror}") from error
    if not text.startswith(CONFIDENTIAL):
        raise InputError(f"{trail} is no trail of setveil: its first line says otherwise")
    return text


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The digests of the release and of the trail's result."""

    statements: int
    release: str
    expected: str
    found: str
    place: str = ""  # the name of a table, with its schema
    inputs: tuple[str, ...] = ()  # lines for a person


class _Local:
    """A trail of DuckDB, with the places of its inputs."""

    def __init__(
        self,
        trail: Path,
        script: Script,
        given: Mapping[str, str | None],
        database: str | None,
        ledger: str | None,
        head: Head,
    ) -> None:
        self.trail, self.script, self.given = trail, script, given
        if script.of("run") and any("setveil_" in one.text for one in script.of("run")):
            raise InputError(
                f"{trail} is of an open connection: run its statements in that database"
            )
        attached = script.of("database")
        if database is not None and not attached:
            raise InputError(f"{trail} reads no database: leave --database out")
        named = {_value(one.told[0]) for one in (*attached, *script.of("target"))}
        if len(named) > 1:
            raise InputError(f"{trail} is not as setveil wrote it: a run has one database")
        self.database = database or min(named, default=None)
        if self.database is not None and not Path(self.database).is_file():
            beside = trail.parent / self.database
            self.database = str(beside) if beside.is_file() else self.database
        self.files = {one.told[0]: _value(one.told[1]) for one in script.of("variable")}
        self.files = {name: _beside(trail, name, path) for name, path in self.files.items()}
        self.release = self.files.get("release", "RELEASE")
        self.read, self.told = RunInputs(trail, head), list[str]()
        self.head, self.lists = head, dict[str, str]()
        self._take_copies()
        self.ledger = self._ledger(ledger)

    def _ledger(self, given: str | None) -> str | None:
        """The ledger that lists the transactions of a slice."""
        named = [_value(one.told[0]) for one in self.script.of("ledger")]
        if not named:
            if given is not None:
                raise InputError(f"{self.trail} is of no slice: leave --ledger out")
            return None
        path = given or named[0]
        if not Path(path).is_file():
            raise InputError(f"{self.trail}: the ledger {path!r} is not there; name it: --ledger")
        return path

    def _take_copies(self) -> None:
        for name, path in self.given.items():
            if path is None or self.script.takes(name, path):
                continue
            if name not in self.files:
                raise InputError(f"{self.trail} reads no file of {name}: leave --{name} out")
            self.files[name] = pattern(path)

    def original(self, head: Head) -> Source:
        """The original of the release."""
        if self.database is not None:
            return Source(self._read_as(head), self.database)
        return Source(self.files.get("source", head.source))

    def _read_as(self, head: Head) -> str:
        """The table that the script reads, or the query that the caller gives again.

        The head is not trusted: it could name another query.
        """
        tables = [one.table for one in self.script.readings if one.relation == "source"]
        if tables and tables[0] is not None:
            table = tables[0]
            schema = table.args.get("db")
            return render(exp.table_(table.this.copy(), schema)) if schema else table.name
        return self.given.get("source") or head.source

    def compare_files(
        self, folder: Path, release: str | Path | None, out: str | Path | None
    ) -> _Outcome:
        """Make the file again, or both files of a folder, and compare the bytes."""
        names = [one.told[1] for one in self.script.of("copy")]
        if not names or not self.files.keys() >= set(names):
            raise InputError(self._nothing())
        place, expected = self._expected(names, release)
        for path in expected:
            if not path.is_file():
                raise InputError(
                    f"{self.trail}: its release {str(path)!r} is not there; name it with --release"
                )
        made = [folder / f"made_{name}" for name in names]
        self.files |= {name: str(path) for name, path in zip(names, made, strict=True)}
        with self._bare(folder, [str(path) for path in made]) as duck:
            self._run(duck, self.script.parts)
        if not all(path.is_file() for path in made):
            raise InputError(self._nothing())
        if out is not None:
            _copy(made, str(out))
        return _Outcome(len(self.script.parts), str(place), _digest(expected), _digest(made))

    def _expected(self, names: list[str], release: str | Path | None) -> tuple[Path, list[Path]]:
        """The release, and its files in the order of these names."""
        if len(names) == 1:
            place = Path(self.files[names[0]] if release is None else release)
            return place, [place]
        place = Path(self.files[names[0]]).parent if release is None else Path(release)
        return place, [place / FILES[name] for name in names]

    def compare_tables(self, folder: Path) -> _Outcome:
        """Make the table's rows again, and compare both as sorted files."""
        published = self.script.of("publish")
        tables = [_table(one) for one in published]
        if self._is_copied or any(one.catalog != TARGET for one in tables):
            raise InputError(self._pushed())
        only = "" if self.script.slice is None else f" WHERE slice = {self.script.slice}"
        queries = [f"FROM {render(one)}{only}" for one in tables]
        queries += [one.told[1] for one in published]
        made = [folder / f"{number}.parquet" for number in range(len(queries))]
        with self._bare(folder, [str(one) for one in made]) as duck:
            parts = [one for one in self.script.parts if one.kind not in ("publish", "copy")]
            self._run(duck, parts)
            for table in tables:
                self._refuse_views(duck, table, TARGET, "its release")
            for file, query in zip(made, queries, strict=True):
                place = render(exp.Literal.string(str(file)))
                text = f"COPY (FROM (\n{query}\n) ORDER BY ALL) TO {place} (FORMAT parquet)"
                run_again(self.trail, duck, "replay", text)
        place = render(exp.table_(tables[0].this.copy(), tables[0].args["db"].copy()))
        expected, found = _digest(made[: len(tables)]), _digest(made[len(tables) :])
        return _Outcome(len(self.script.parts), tables[0].name, expected, found, place)

    def _nothing(self) -> str:
        if self._is_copied:
            return self._pushed()
        return f"{self.trail} writes no release: it is not as setveil wrote it"

    def _pushed(self) -> str:
        return (
            f"{self.trail} is of a release that was sent to a server: to make it again, run the "
            f"trail in DuckDB, beside the same rows as source.parquet; `{PUSHED}` is the release"
        )

    def _bare(self, folder: Path, made: list[str]) -> AbstractContextManager[Bare]:
        """A DuckDB that reaches the inputs and what is made of them."""
        return bare(folder, [*made, *self._inputs()])

    def _inputs(self) -> list[str]:
        for name in self.given:
            path = self.files.get(name)
            if path is not None and not glob.glob(path, recursive=True):
                raise InputError(
                    f"{self.trail}: its {name} {path!r} is not there; name a copy with --{name}"
                    f"{self._instead(name)}"
                )
        inputs = {name: path for name, path in self.files.items() if name not in FILES}
        self.told += self.read.files(inputs, copied=self._is_copied)
        files = list(inputs.values())
        found = [one for path in files for one in sorted(glob.glob(path, recursive=True))]
        # A name that DuckDB would read as a glob is allowed in its escaped form too.
        found += [pattern(one) for one in found]
        databases = [one for one in (self.database, self.ledger) if one is not None]
        return [*found, *(one + end for one in databases for end in ("", ".wal"))]

    def _instead(self, name: str) -> str:
        """The command that judges the release without a replay."""
        needed = needs_source(self.head)
        command = repeated(self.head, self.release, "SOURCE", lists=self.lists)
        if command is None:
            return ""
        if needed and name == "source":
            return (
                ": its promise cannot be judged from the release alone; without a replay, the "
                f"source judges it by: {command}"
            )
        what = "with its source" if needed else "alone"
        return f", or judge the release {what} by: {command}"

    def _run(self, duck: Bare, parts: list[Part]) -> None:
        """Run all parts but questions, whose rows have no use here."""
        for part in parts:
            if part.kind == "question":
                continue
            if part.kind == "create" and part.told[1] in self.script.unnamed:
                table = self.script.unnamed[part.told[1]]
                self._refuse_views(duck, table, "original", "it")
            run_again(self.trail, duck, part.told[1] if part.told[1:] else "", self._again(part))
        self.told += self._rows(duck)

    def _rows(self, duck: Bare) -> Iterator[str]:
        """Compare inputs that are no files with the head, as far as it tells of them."""
        in_file = "source" in self.files and not self._is_copied
        if not in_file:
            place, step = self.original(self.head).name, self.read.digest()
            if step is None:
                yield self.read.untold("source", place)
            else:
                yield self.read.rows(place, run_rows(self.trail, duck, step.sql()))
        for one in self.script.readings:
            role = READ[one.relation]
            if role not in {"source", *self.files}:
                yield self.read.untold(role, str(self.given.get(role) or one.table))
        if self.ledger is not None:
            yield self.read.untold("ledger", self.ledger)

    @property
    def _is_copied(self) -> bool:
        """Were the rows of the source copied into the run, from a server or a frame?"""
        return PULLED in [one.told[1] for one in self.script.of("create")]

    def _again(self, part: Part) -> str:
        """The statement, with the places of the inputs of this replay."""
        if part.kind == "variable":
            name = part.told[0]
            paths = sorted(glob.glob(self.files[name], recursive=True))
            if name in FILES or not paths:
                return set_variable(name, self.files[name])
            listed = ", ".join(render(exp.Literal.string(pattern(one))) for one in paths)
            return f"SET VARIABLE {name} = [{listed}]"
        if part.kind in ("database", "target"):
            place = render(exp.Literal.string(self.database or ""))
            alias = TARGET if part.kind == "target" else part.told[1]
            return f"ATTACH {place} AS {alias} (READ_ONLY)"
        if part.kind == "ledger":
            return f"ATTACH {render(exp.Literal.string(self.ledger or ''))} AS ledger (READ_ONLY)"
        return part.text

    def _refuse_views(self, duck: Bare, table: exp.Table, database: str, what: str) -> None:
        """Refuse a view, which can do anything, unless the caller names it."""
        *above, name = [part.name for part in table.parts]
        schema = (above or ["main"])[-1]
        found = duck.is_table(database, schema, name)
        if not found or schema == database or above[:-1] not in ([], [database]):
            raise InputError(
                f"{self.trail}: {what} reads {table.name!r}, which is no table: a view can do "
                "anything; if you trust it, name it again with --source"
            )


def _beside(trail: Path, name: str, path: str) -> str:
    """The path of a file of the run; if it is not there, that beside the trail."""
    if name in FILES:
        beside = trail.parent / path
        return str(beside) if not Path(path).exists() and beside.exists() else path
    if glob.glob(path, recursive=True):
        return path
    found = str(Path(pattern(str(trail.parent))) / path)
    return found if glob.glob(found, recursive=True) else path


def _value(literal: str) -> str:
    return parse_one(literal, dialect=DUCKDB).name


def _table(published: Part) -> exp.Table:
    table = parse_one(published.told[0], into=exp.Table, dialect=DUCKDB)
    assert isinstance(table, exp.Table)
    return table


def _digest(files: list[Path]) -> str:
    """SHA-256 of a file; of several files, of their digests."""
    digests = [sha256(one) for one in files]
    return (
        digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    )


def _copy(made: list[Path], out: str) -> None:
    if len(made) == 1:
        check_place(out, force=None)
        with whole_file(out, Inputs(), force=False) as place:
            Path(place).write_bytes(made[0].read_bytes())
        return
    names = (*FILES.values(),)
    check_folder(out, names, {}, force=None)
    with whole_folder(out, names, Inputs(), force=False) as place:
        for name, one in zip(names, made, strict=True):
            (Path(place) / name).write_bytes(one.read_bytes())

"""The head of a trail: its confidentiality, its promise and its data.

A line is a word and JSON, in which a name cannot end the line. `replay` reads the lines, and runs
none of them.
"""

from __future__ import annotations

import glob
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlglot import parse_one

from setveil.backends import registry
from setveil.backends.kind import Kind
from setveil.backends.local import Local
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.run.files.digests import sha256
from setveil.run.reading import Baskets
from setveil.run.roles.promise import Names, Promise, digest
from setveil.run.session import Session, Statement
from setveil.run.shape import Shape
from setveil.sql.trail import seal

CONFIDENTIAL = "-- CONFIDENTIAL: this trail can hold what the release hides. Keep it inside."
TITLE = re.compile(r"-- setveil (\S+): (\S+) of (.*?)(?: in (\w+))?( \(.*\))?")
LINE = re.compile(r"-- (\w+): (.*)")
VARIABLE = re.compile(r"SET VARIABLE (source|hierarchy|itemsets|costs|key) = (.*)", re.DOTALL)
ROLES = ("private", "public", "sensitive", "patterns")  # lists whose names are in the head
PIECE = 2**20  # bytes


@dataclass(frozen=True, slots=True)
class Head:
    """The parsed head of a trail."""

    model: str
    source: str
    kind: Kind  # of the database that the run was on
    lines: Mapping[str, Any]

    @property
    def promise(self) -> Mapping[str, Any]:
        """The model of the promise and its parameters; empty without a promise."""
        found: Mapping[str, Any] = self.lines.get("promise", {})
        return found

    @property
    def terms(self) -> Mapping[str, Any]:
        """The parameters of the promise that have a value."""
        others = ("model", "unit")
        return {
            name: one
            for name, one in self.promise.items()
            if name not in others and one is not None
        }

    @property
    def columns(self) -> Mapping[str, Any]:
        """The columns of the release, and that of persons in the source."""
        found: Mapping[str, Any] = self.lines.get("columns", {})
        return found

    @property
    def matched(self) -> bool:
        """Must the ids that were replaced be matched with those of the source?"""
        found = REGISTRY.get(self.promise.get("model", ""))
        beside = found is not None and found.beside_original
        return bool(self.columns.get("renumbered") and (beside or self.columns.get("person")))

    def names(self, role: str) -> Names | None:
        """The names of a list; None if there is no such list, or the trail is redacted."""
        found: Names | None = self.lines.get(role, {}).get("names")
        return found


def read_head(trail: Path, text: str) -> Head:
    """Parse the head of a trail, which is not trusted."""
    title, *lines = text.partition("\n\n")[0].split("\n")[1:] or [""]
    found = TITLE.fullmatch(title)
    engines = {one.engine for one in registry.servers()}
    if not text.startswith(CONFIDENTIAL) or not found or found[4] not in {None, *engines}:
        raise InputError(f"{trail} is no trail of setveil: its first lines say otherwise")
    told = [LINE.fullmatch(line) for line in lines]
    try:
        said = {one[1]: json.loads(one[2]) for one in told if one and one[2][:1] in '{["'}
        source = str(json.loads(found[3]))
    except ValueError as error:
        raise InputError(f"{trail} is not as setveil wrote it: its head is damaged") from error
    if not all(isinstance(one, dict) for one in said.values()):
        raise InputError(f"{trail} is not as setveil wrote it: its head is damaged")
    return Head(found[2], source, registry.by_engine(found[4] or Local.engine), said)


def head(
    baskets: Baskets,
    model: str,
    parameters: Mapping[str, object],
    promise: Promise,
    shape: Shape,
    release: Mapping[str, object],
    *,
    redact: bool,
) -> list[str]:
    """Make the lines of a head, without the line that says how to run the trail."""
    session, source = baskets.session, baskets.source
    backend = session.backend
    where = "" if backend.is_local else f" in {backend.engine}"
    whence = " (of a connection that was open)" if source.connected else ""
    whence = " (pulled from a server)" if source.pulled else whence
    whence = " (a frame in Python)" if source.frame is not None else whence
    made = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "with": {one: version(one) for one in ("duckdb", "sqlglot")} | backend.version(),
    }
    said = {
        "parameters": parameters,
        "made": made,
        "promise": {"model": promise.model, **_unit(baskets, promise), **promise.terms},
        **{role: _told(names, redact) for role, names in promise.names(session).items()},
        "columns": {
            "tid": list(shape.keys) or shape.key,
            "item": shape.item,
            "level": shape.level,
            "list": shape.lists,
            **_persons(baskets),
            **({"renumbered": True} if "renumbered" in session.relations else {}),
        },
        "input": inputs_of(baskets),
        "release": {**release, **_rows(session)},
    }
    return [
        CONFIDENTIAL,
        f"-- setveil {version('setveil')}: {model} of {json.dumps(source.name)}{where}{whence}",
        *(f"-- {name}: {json.dumps(content)}" for name, content in said.items()),
    ]


def _unit(baskets: Baskets, promise: Promise) -> dict[str, object]:
    """The unit that the promise counts, where a promise can count persons."""
    model = REGISTRY.get(promise.model or "")
    if model is None or not model.of_persons:
        return {}
    return {"unit": "transactions" if baskets.shape.person is None else "persons"}


def _persons(baskets: Baskets) -> dict[str, object]:
    """The column of persons in the source, where they are counted."""
    if baskets.shape.person is None:
        return {}
    return {"person": baskets.shape.person, "guests": baskets.guests}


def _told(names: Names, redact: bool) -> dict[str, object]:
    told = {"number": len(names), "sha256": digest(names)}
    return told if redact else {**told, "names": names}


def inputs_of(baskets: Baskets) -> dict[str, object]:
    """The digests of the input files; for a relation, the digest of its rows."""
    session = baskets.session
    files: dict[str, object] = {
        name: of_files(pattern)
        for name, pattern in read_by(session.statements)
        if name != "source" or not baskets.source.is_copied
    }
    if "source" in files:
        return files
    columns = read_columns(baskets.shape)
    ((rows, told),) = session.look_up(seal.told_of("source", columns))
    return {"source": {"rows": rows, "digest": told, "columns": list(columns)}, **files}


def read_columns(shape: Shape) -> tuple[str, ...]:
    """The columns of a source that a run uses: those of a release, and that of persons."""
    persons = () if shape.person is None else (shape.person,)
    return tuple(dict.fromkeys((*shape.columns, *persons)))


def _rows(session: Session) -> dict[str, object]:
    """The number of sealed rows, and the sum of their digests."""
    if "fingerprint" not in session.relations:
        return {}
    ((rows, told),) = session.look_up(seal.told())
    return {"rows": rows, "digest": told}


def read_by(statements: Iterable[Statement]) -> list[tuple[str, str]]:
    """The files that a run in DuckDB reads, each with its role."""
    found = [VARIABLE.fullmatch(one.text) for one in statements]
    return [(one[1], parse_one(one[2], dialect="duckdb").name) for one in found if one]


def of_files(pattern: str) -> dict[str, object]:
    """The digest of a file; of several, that of their digests, and their number."""
    paths = sorted(glob.glob(pattern, recursive=True))
    digests = [sha256(Path(path)) for path in paths]
    if len(digests) == 1:
        return {"sha256": digests[0]}
    return {"sha256": hashlib.sha256("\n".join(digests).encode()).hexdigest(), "files": len(paths)}

"""The commands that judge releases again, with the options of the run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setveil.comparison.findings import Comparison
from setveil.comparison.risk import Intruder
from setveil.comparison.sides import Beside
from setveil.models import REGISTRY
from setveil.models.model import Model
from setveil.run.reading import Baskets
from setveil.run.roles.keys import key_columns
from setveil.run.words import command_line

MINED = ("min_support", "max_size", "min_confidence")
LIST, ORIGINAL, KEY, HIERARCHY = "LIST", "ORIGINAL", "KEY", "HIERARCHY"
TABLE, TABLE_OF_ORIGINAL, DATABASE = "TABLE", "TABLE_OF_ORIGINAL", "DATABASE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The options of a comparison that its repetition needs too."""

    terms: Mapping[str, Any]
    keys: Sequence[str | Path | None]  # one per release, None where ids were kept
    intruder: Intruder
    hierarchy: str | Path | None
    fanout: int | None
    drop_nulls: bool
    ignore_unknown: bool
    history: bool


@dataclass(frozen=True, slots=True)
class Repeated:
    """The commands of one comparison; `public` ones name no file of the owner and no condition."""

    found: Comparison
    original: Baskets
    beside: Sequence[Beside]
    run: Run
    public: bool

    def commands(self) -> Iterator[str]:
        """Judge each release, by the program and as one query; then make the page again."""
        for one, key in zip(self.beside, self.run.keys, strict=True):
            yield self._line("verify", self._model.name, one.name, *self._verify(key))
            if self._is_query(key):
                yield self._line("verify", self._model.name, TABLE, *self._query(one, key))
        yield self._line("compare", self._source, *self._compare())
        yield self._line("replay", "TRAIL")
        for one in self.beside:
            if one.generalized and (self.run.hierarchy or self.run.fanout) is not None:
                yield self._line("hierarchy", self._source, *self._labels(one))

    @property
    def _model(self) -> Model:
        return REGISTRY[str(self.found.parameters["verify"])]

    @property
    def _source(self) -> str:
        return ORIGINAL if self.public else self.original.source.name

    @property
    def _in_persons(self) -> bool:
        return self._model.of_persons and self.original.shape.person is not None

    def _is_query(self, key: str | Path | None) -> bool:
        """Can one query judge the release? It has no key to match the original by."""
        model = self._model
        lacks = model.query_needs is not None and self.run.terms.get(model.query_needs) is None
        return model.query is not None and not lacks and not (model.beside_original and key)

    def _line(self, *words: str) -> str:
        return command_line(["setveil", *words])

    def _verify(self, key: str | Path | None) -> Iterator[str]:
        yield from self._promise()
        if self._model.beside_original:
            yield from ("--original", self._source)
        if self._in_persons:
            yield from ("--persons-of", self._source)
            yield from self._persons()
        matched = self._in_persons or self._model.beside_original
        yield from self._columns(numbered=key is not None and not matched)
        yield from self._place()
        if self.run.drop_nulls:
            yield "--drop-nulls"
        if matched and key is not None:
            yield from ("--key", self._file(key, KEY))

    def _query(self, release: Beside, key: str | Path | None) -> Iterator[str]:
        """A query has no key: of a renumbered release it counts transactions alone."""
        yield from self._promise()
        if self._model.beside_original:
            yield from ("--original-table", TABLE_OF_ORIGINAL)
        if self._in_persons and key is None:
            yield from ("--persons-table", TABLE_OF_ORIGINAL)
            yield from self._persons()
        yield from self._columns(numbered=key is not None)
        if release.level is not None:
            yield from ("--level", release.level)
        if self.original.shape.lists and not self._model.in_parts:
            yield "--lists"
        backend = self.original.session.backend
        if not backend.is_local:
            yield from ("--dialect", backend.can.dialect)
        yield "--query"

    def _labels(self, release: Beside) -> Iterator[str]:
        """The list of what its labels stand for, which goes with a release of nodes."""
        yield from self._words(["private"])
        yield from self._columns()
        yield from self._place()
        yield from self._persons()
        if self.run.drop_nulls:
            yield "--drop-nulls"
        if self.run.hierarchy is not None:
            yield from ("--hierarchy", self._file(self.run.hierarchy, HIERARCHY))
        yield from self._given({"fanout": self.run.fanout})
        yield from ("--of", release.name, "--k", str(self.found.parameters["k"]))
        yield from ("--out", "labels.csv")

    def _compare(self) -> Iterator[str]:
        run = self.run
        yield from (one.name for one in self.beside)
        yield from ("--verify", self._model.name)
        yield from self._words(list(run.terms))
        yield from self._given(
            {name: self.found.parameters[name] for name in MINED if name not in run.terms}
        )
        yield from self._columns()
        yield from self._place()
        yield from self._persons()
        if run.drop_nulls:
            yield "--drop-nulls"
        for key in run.keys if any(run.keys) else ():
            yield from ("--key", "none" if key is None else self._file(key, KEY))
        if run.hierarchy is not None:
            yield from ("--hierarchy", self._file(run.hierarchy, HIERARCHY))
        yield from self._given({"fanout": run.fanout})
        if run.history:
            yield "--history"
        drawn = {"draws": run.intruder.draws, "seed": run.intruder.seed}
        yield from ("--evidence", *self._given(drawn))
        if self.public:
            yield "--no-names"
        yield from ("--report", "evidence.html")

    # Options

    def _promise(self) -> Iterator[str]:
        return self._words([one.name for one in self._model.promise])

    def _words(self, terms: Sequence[str]) -> Iterator[str]:
        """The terms that were given; lists by their files, or as a blank to fill in."""
        promised = (one for model in REGISTRY.values() for one in model.promise)
        lists = {one.name for one in promised if one.kind in ("items", "patterns")}
        for name in terms:
            value = self.run.terms.get(name)
            if name not in lists:
                yield from self._given({name: value})
            elif value is not None and value != () and value != []:
                shown = isinstance(value, str | Path)
                told = self._file(value, LIST) if shown else LIST
                yield from self._given({name: told})
        if self.run.ignore_unknown and self._model.lists_items:
            yield "--ignore-unknown"

    def _given(self, options: Mapping[str, object]) -> Iterator[str]:
        for name, value in options.items():
            if value is not None:
                yield from (f"--{name.replace('_', '-')}", str(value))

    def _persons(self) -> Iterator[str]:
        return self._given({"person": self.original.shape.person, "guests": self.original.guests})

    def _columns(self, *, numbered: bool = False) -> Iterator[str]:
        """The columns of ids and items; `numbered` releases have one column in place of several."""
        shape = self.original.shape
        keys = key_columns(shape.tid)
        if not (keys in ((), ("tid",)) or (numbered and len(keys) > 1)):
            text = io.StringIO()
            csv.writer(text, lineterminator="").writerow(keys)
            yield from ("--tid", text.getvalue())
        if shape.item != "item":
            yield from ("--item", shape.item)

    def _place(self) -> Iterator[str]:
        source = self.original.source
        if source.database is not None or not self.original.session.backend.is_local:
            yield from ("--database", self._file(source.database or "WHERE", DATABASE))
        if source.pulled:
            yield from ("--engine", "duckdb")

    def _file(self, value: object, blank: str) -> str:
        return blank if self.public else str(value)

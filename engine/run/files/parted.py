"""A release of two relations: transactions with their groups, and counts of items per group.

In files it is a folder of two Parquet files, which appears whole or not at all. In a database it is
two tables: the second has the name of the first and `_sensitive`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from setveil.backends import Row
from setveil.backends.local import Relation
from setveil.run import writing
from setveil.run.files import publishing
from setveil.run.files.folders import check_folder
from setveil.run.files.parts import FILES, GROUP, second_table
from setveil.run.release import Metrics, Release
from setveil.run.renumbering import Ids
from setveil.sql.run import reading as sql
from setveil.sql.run import renumbering
from setveil.trail.earlier import note_earlier
from setveil.trail.seal import sealed


@dataclass(frozen=True, slots=True)
class Second:
    """The second relation of a release: its name, its columns and their order."""

    relation: str
    columns: tuple[str, ...]
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class PartedRelease(Release[Metrics]):
    """A release of two relations. `relation` and `rows` are the first, with the transactions."""

    second: Second = Second("", (), ())

    def sensitive_relation(self) -> Relation:
        """The counts of sensitive items per group, as a DuckDB relation."""
        return publishing.as_relation(self.baskets.session, self._counts(), "shown_sensitive")

    def sensitive_rows(self) -> list[Row]:
        """The counts of sensitive items per group, from any database."""
        return publishing.fetched(self.baskets.session, self._counts())

    def write(
        self,
        path: str | Path,
        *,
        trail: str | Path | None = None,
        force: bool = False,
        renumber: bool = False,
        key: str | Path | None = None,
        redact: bool = False,
    ) -> None:
        """Write both relations to a folder of two Parquet files, and the trail beside it.

        `renumber`, `key` and `redact` are those of any release. New numbers of groups follow the
        new numbers of transactions.
        """
        target, session = str(path), self.baskets.session
        check_folder(target, tuple(FILES.values()), {"--trail": trail, "--key": key}, force=force)
        writing.check_trail(None, trail, force=force)
        ids = Ids(renumber, key)
        self._check_others(ids, {"--trail": trail, **_files(target)})
        statements = {}
        for name, query in self.parts(trail, ids).items():
            files, rows = publishing.with_release(session, query, name)
            rows = publishing.for_parquet(files, rows, FILES[name], f"published_{name}")
            statements[name] = publishing.copy_statement(rows, FILES[name], variable=name)
        self.note(self.shape.columns, ids)
        note_earlier(self.baskets, self._told(redact), target, trail)
        writing.write_folder(
            self._with(ids, redact), statements, target, FILES, trail=trail, force=force
        )

    def write_table(
        self,
        table: str,
        *,
        trail: str | Path | None = None,
        force: bool = False,
        renumber: bool = False,
        key: str | Path | None = None,
        redact: bool = False,
    ) -> None:
        """Write both relations to tables in the database of the source; options as in `write`."""
        writing.check_trail(None, trail, force=force)
        ids = Ids(renumber, key)
        self._check_others(ids, {"--trail": trail})
        self.note(self.shape.columns, ids)
        note_earlier(self.baskets, self._told(redact), None, trail)
        first, second = self.parts(trail, ids).values()
        queries = {table: first, second_table(table): second}
        writing.write_tables(self._with(ids, redact), queries, trail=trail, force=force)

    def _counts(self) -> exp.Select:
        self.resume()
        return sql.published(self.second.columns, self.second.order, (), self.second.relation)

    def parts(self, trail: str | Path | None, ids: Ids) -> dict[str, exp.Select]:
        """The queries of both relations, with their seals if there is a trail."""
        session, key = self.baskets.session, sql.column(self.shape.key or self.shape.line)
        first, second = self.written(trail, ids), self._counts()
        if trail is not None:
            second = sealed(session, second, self.second.columns, self.second.relation)
        given: dict[str, exp.Select] = {"release": first, "sensitive": second}
        if ids.renumber:
            if "regrouped" not in session.relations:
                session.create(renumbering.groups(key, GROUP, ids.above))
            return {name: renumbering.regrouped(one, GROUP) for name, one in given.items()}
        if ids.above:
            return {name: _above(one, ids) for name, one in given.items()}
        return given


def _above(query: exp.Select, ids: Ids) -> exp.Select:
    return renumbering.above_others(query, GROUP, ids.above)


def _files(folder: str) -> Mapping[str, str]:
    return {f"--out {name}": str(Path(folder) / name) for name in FILES.values()}

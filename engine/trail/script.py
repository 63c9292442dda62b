"""Parse a trail, and refuse any statement that setveil does not write.

A trail is not trusted. Each statement is parsed as a whole, and compared with the text that setveil
would write of its tree. It is refused if it holds anything that no builder makes. A query or view
of the run's caller is only accepted if this caller gives it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlglot import TokenType, exp, parse_one, tokenize
from sqlglot.errors import SqlglotError

from setveil.backends import names
from setveil.backends.kind import Trail
from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files.parts import second_table
from setveil.sql.dialects import DUCKDB
from setveil.sql.run import conditions
from setveil.sql.run.slices.target import SLICE
from setveil.sql.step import parsed, render
from setveil.sql.trail import trusted

VARIABLES = ("source", "hierarchy", "itemsets", "costs", "key")
QUERY = "original_query"  # the alias of the caller's query
# Relations that are made from inputs of the caller, and the option that names the input again.
READ = {"source": "source", "given_hierarchy": "hierarchy"}
# The transactions of a slice, which a ledger lists.
MEMBERS = "slice_key"
LISTED = r"SELECT\n  p\.key AS key\nFROM ({place}) AS p\nWHERE\n  p\.attempt = \d+"
IN_FILE = "ledger.main.part"  # where a ledger is a file of its own
PART = "_ledger_part"  # else its relation is a table beside the target
HEADS = ("SELECT", "WITH", "(")


@dataclass(frozen=True, slots=True)
class Part:
    """A statement with its kind; `told` has the variable parts of its form."""

    kind: str
    text: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A relation that is made from an input: from a table, a given query, or a file."""

    relation: str
    table: exp.Table | None = None
    given: bool = False


def _deeds(run: str) -> dict[str, str]:
    """The forms of statements that make, extend and drop relations of the run."""
    return {
        "create": rf"CREATE (?:UNLOGGED )?TABLE ({run}\.)?(\w+) AS\n(.*)",
        "insert": r"INSERT INTO()( \w+)\n(.*)",
        "drop": rf"DROP TABLE ({run}\.)?(\w+)()",
    }


class Script:
    """The accepted statements of a trail; `given` has queries and views that are named again."""

    def __init__(
        self, trail: Path, text: str, forms: Trail, given: Mapping[str, str | None]
    ) -> None:
        self.trail, self.forms, self._given = trail, forms, given
        self.dialect = forms.dialect
        self._relations: set[str] = set()
        self.readings: list[Reading] = []
        self.types: list[str] = []  # the column types of a published table
        self.members: exp.Table | None = None  # the table of a ledger that lists a slice
        self.parts = [self._part(one) for one in self._split(text)]
        self._refuse_others()

    @property
    def slice(self) -> int | None:
        """The number of the slice that is added to a table; None if the trail is of no slice."""
        if self.members is None and not self.of("ledger"):
            return None
        query = parsed(self.of("publish")[0].told[1], self.dialect)
        shown = [] if query is None else query.find_all(exp.Alias)
        cast = [one.this for one in shown if one.alias == SLICE and isinstance(one.this, exp.Cast)]
        numbers = {int(one.this.name) for one in cast if one.this.is_int}
        if len(numbers) != 1:
            raise InputError(f"{self.trail} is not as setveil wrote it: a slice has a number")
        return numbers.pop()

    def of(self, kind: str) -> list[Part]:
        return [part for part in self.parts if part.kind == kind]

    @property
    def unnamed(self) -> dict[str, exp.Table]:
        """The tables that relations are made from and that the caller has not named again."""
        return {
            one.relation: one.table
            for one in self.readings
            if one.table is not None and not self._is_given(one)
        }

    def takes(self, name: str, given: str) -> bool:
        """Does the caller name a query or table of the run again, and not a copy of a file?"""
        read = [one for one in self.readings if READ[one.relation] == name]
        named = [one for one in read if one.given or one.table is not None]
        for one in named:
            if one.table is not None and not self._is_given(one):
                shown = one.table.sql(self.dialect)
                raise InputError(f"{self.trail} reads {shown}, and --{name} names {given!r}")
        return bool(named)

    def _is_given(self, one: Reading) -> bool:
        """Does the caller name the table of the run, with or without its schema?"""
        given = self._given.get(READ[one.relation])
        if given is None or one.table is None:
            return False
        parts = [part.name for part in one.table.parts]
        table = names.qualified(given, self.dialect)
        named = [part.name for part in table.parts] if table else [given]
        return parts[-len(named) :] == named

    def _refuse_others(self) -> None:
        """Refuse a second release, and the removal of any table but the replaced ones.

        The two parts of a release are no two releases: the second is named after the first.
        """
        tables, files = self.of("publish"), self.of("copy") if self.forms.reads_files else []
        if (tables and files) or not self._are_parts(tables, files):
            raise self.foreign((tables + files)[0].text)
        if self.members is not None and not self._is_slice(tables):
            raise self.foreign(render(self.members, self.dialect))
        places = [one.told[0] for one in tables] + [one.told[1] for one in self.of("rename")]
        for part in self.of("remove"):
            if not part.told[0].endswith(tuple(places)):
                raise self.foreign(part.text)
        for part in self.of("publish"):
            inserted = part.text.startswith("INSERT ") and not self._is_slice(tables)
            if inserted and not any(one.text.startswith("TRUNCATE ") for one in self.of("remove")):
                raise self.foreign(part.text)

    def _is_slice(self, tables: list[Part]) -> bool:
        """Does a ledger list the transactions that were released?"""
        if self.members is None:
            return bool(self.of("ledger"))
        target = names.qualified(tables[0].told[0], self.dialect) if tables else None
        if target is None:
            return False
        *above, name = (one.name for one in target.parts)
        return [*above, name + PART] == [one.name for one in self.members.parts]

    def _are_parts(self, tables: list[Part], files: list[Part]) -> bool:
        """Are these the table or file of a release, or those of its two parts?"""
        if files:
            return [one.told[1] for one in files] in (["release"], ["release", "sensitive"])
        renamed = [one.told[1] for one in self.of("rename")]
        if self.forms.renames and len(tables) > 1:  # the second gets its name first
            return len(tables) == 2 and renamed == [second_table(renamed[-1]), renamed[-1]]
        return len(tables) < 2 or (
            len(tables) == 2 and tables[1].told[0] == second_table(tables[0].told[0])
        )

    def foreign(self, statement: str) -> InputError:
        """The error for a statement that setveil does not write."""
        first = statement.partition("\n")[0][:60]
        return InputError(f"{self.trail} is not as setveil wrote it: it has {first!r}")

    def _split(self, text: str) -> Iterator[str]:
        try:
            tokens = tokenize(text, dialect=self.dialect)
        except SqlglotError as error:
            raise InputError(f"{self.trail} is not SQL: {' '.join(str(error).split())}") from error
        start, end = None, 0
        for token in tokens:
            if token.token_type == TokenType.SEMICOLON:
                if start is not None:
                    yield text[start:end]
                start = None
                continue
            start, end = token.start if start is None else start, token.end + 1
        if start is not None:
            raise self.foreign(text[start:end])

    def _part(self, text: str) -> Part:
        for kind, form in _deeds(self.forms.run).items():
            if found := re.fullmatch(form, text, re.DOTALL):
                return self._deed(kind, text, found)
        for kind, form in self.forms.forms.items():
            if found := re.fullmatch(form, text, re.DOTALL):
                if kind in ("publish", "copy"):
                    query = found.groups()[0 if kind == "copy" else -1]
                    self._query(text, query, edge=True, typed=kind == "publish")
                return Part(kind, text, found.groups())
        if not text.startswith(HEADS):
            raise self.foreign(text)
        self._question(text)
        return Part("question", text)

    def _deed(self, kind: str, text: str, found: re.Match[str]) -> Part:
        place, name, body = (part or "" for part in found.groups())
        name = name.strip()
        if (kind == "create") == (name in self._relations):
            raise self.foreign(text)
        if kind == "create":
            if name == MEMBERS and self._lists_members(body):
                pass
            elif name in READ and not self._is_made_of_run(body):
                self._reading(name, text, body)
            else:
                self._query(text, body, edge=True)
            self._relations.add(name)
        elif kind == "insert":
            self._query(text, body)
        else:
            self._relations.remove(name)
        return Part(kind, text, (place.rstrip("."), name, body))

    def _lists_members(self, body: str) -> bool:
        """Does the query read the transactions of a slice from a ledger?"""
        found = re.fullmatch(LISTED.format(place=r"[^\n]+"), body)
        if found is None or found[1] == IN_FILE:
            return found is not None and self.forms.reads_files
        table = names.qualified(found[1], self.dialect)
        if self.forms.reads_files or table is None or not table.name.endswith(PART):
            return False
        self.members = table
        return True

    def _is_made_of_run(self, body: str) -> bool:
        """Is the query over relations of the run only, as for an even hierarchy?"""
        tree = parsed(body, self.dialect)
        if not isinstance(tree, exp.Query):
            return False
        return trusted.foreign(tree, self.dialect, self._relations) is None

    def _query(self, text: str, body: str, *, edge: bool = False, typed: bool = False) -> None:
        """Accept a query over relations of the run, or over an input file."""
        tree = parsed(body, self.dialect)
        if not isinstance(tree, exp.Query):
            raise self.foreign(text)
        known = {*self._relations}
        if edge and self.forms.reads_files and _reader(tree) is not None:
            tree, known = _without_reader(tree), {trusted.GIVEN}
        if typed and self.forms.casts:
            tree, types = trusted.untyped(tree)
            self.types += [render(one, self.dialect) for one in types]
        if trusted.foreign(tree, self.dialect, known, edge=edge) is not None:
            raise self.foreign(text)

    def _question(self, text: str) -> None:
        """Accept a question. Replay skips it, but a shell would run it."""
        tree = parsed(text, self.dialect)
        if not isinstance(tree, exp.Query):
            raise self.foreign(text)
        found = trusted.foreign(tree, self.dialect, self._relations, edge=True)
        if found is not None and not conditions.is_of_list(tree):
            raise self.foreign(text)

    def _reading(self, name: str, text: str, body: str) -> None:
        """Accept a relation of input rows: of a file, a table, or a query given again."""
        given = self._given.get(READ[name])
        if trusted.GIVEN in body:
            raise self.foreign(text)
        tree = parsed(_with_name(body, given, self.dialect), self.dialect)
        if not isinstance(tree, exp.Select) or not tree.args.get("from_"):
            raise self._unread(name, text, body)
        relation = tree.args["from_"].this
        if _reader(tree) is not None and self.forms.reads_files:
            self.readings.append(Reading(name))
        elif isinstance(relation, exp.Table) and _is_named(relation):
            own = relation.name == trusted.GIVEN
            if own or not self._is_of_run(relation):
                self.readings.append(Reading(name, None if own else relation, own))
        else:
            raise self._unread(name, text, body)
        own_part = _without_reader(tree)
        known = {trusted.GIVEN, *self._relations}
        if trusted.foreign(own_part, self.dialect, known, edge=True):
            raise self.foreign(text)
        if trusted.by_path(own_part, self.dialect):  # this one statement runs on the caller's path
            raise self.foreign(text)

    def _is_of_run(self, table: exp.Table) -> bool:
        """Is the table a relation of the run, as for rows copied from a server?"""
        place = ".".join(part.sql(self.dialect) for part in table.parts[:-1])
        made = re.fullmatch(self.forms.run, place) is not None
        return made and table.name in self._relations

    def _unread(self, name: str, text: str, body: str) -> InputError:
        query, _, alias = body.partition("FROM (")[2].rpartition(") AS ")
        if alias != QUERY:
            return self.foreign(text)
        shown = " ".join(query.split())[:200]
        return InputError(
            f"{self.trail} reads a query, which can do anything: if you trust it, give it again "
            f"with --{READ[name]}: {shown}"
        )


def _is_named(table: exp.Table) -> bool:
    return all(isinstance(part, exp.Identifier) for part in table.parts)


def _with_name(body: str, query: str | None, dialect: str) -> str:
    """Replace the query that the caller gives again by a name."""
    given = names.one_query(query, dialect) if query else None
    if given is None:
        return body
    whole = render(exp.Select().select(exp.Star()).from_(given), dialect)
    _, _, told = whole.partition("FROM ")
    return body.replace(told, trusted.GIVEN)


def _reader(tree: exp.Query) -> exp.Expr | None:
    """The file reader after FROM, if it is one of setveil's; else None."""
    held = tree.args.get("from_")
    if held is None:
        return None
    relation = held.this.copy()
    if not isinstance(relation, exp.Subquery):
        relation.set("alias", None)
    return held.this if relation.sql(DUCKDB) in _readers() else None


def _without_reader(tree: exp.Query) -> exp.Query:
    """Replace the relation after FROM by a name."""
    tree = tree.copy()
    relation = tree.args["from_"].this
    table = exp.to_table(trusted.GIVEN)
    if relation.alias:
        table.set("alias", relation.args["alias"].copy())
    tree.args["from_"].set("this", table)
    return tree


@cache
def _readers() -> frozenset[str]:
    found: list[exp.Expr] = [formats.lines(".dat"), formats.lines(".basket")]
    for variable in VARIABLES:
        found.append(formats.parquet(variable))
        found += [formats.csv(variable, one) for one in formats.DELIMITERS]
    # Parse the texts: a built tree has other node types than the parsed tree of its text.
    texts = (render(exp.Select().select("1").from_(one)) for one in found)
    trees = (parse_one(text, dialect=DUCKDB) for text in texts)
    return frozenset(one.args["from_"].this.sql(DUCKDB) for one in trees)

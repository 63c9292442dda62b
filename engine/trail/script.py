"""Read a trail as what it is: statements of the forms that setveil writes, and no others.

A trail comes from elsewhere. Each statement is parsed as a whole, compared with what setveil would
write of its tree, and refused if it holds anything that no builder emits. What the caller of the
run wrote themselves, a query or a view, is only accepted if it is given again.
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
from setveil.sql.dialects import DUCKDB
from setveil.sql.run import conditions
from setveil.sql.step import parsed, render
from setveil.sql.trail import trusted

VARIABLES = ("source", "hierarchy", "itemsets", "key", "release")
QUERY = "original_query"  # what a query of the caller's is called
# Relations that are made of what the caller of the run named, and the option that names it again.
READ = {"source": "source", "given_hierarchy": "hierarchy"}
HEADS = ("SELECT", "WITH", "(")


@dataclass(frozen=True, slots=True)
class Part:
    """A statement, of a kind that a run has; `told` is what its form leaves open."""

    kind: str
    text: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """Where `relation` is made of rows that no run made: of a table, a given query, or a file."""

    relation: str
    table: exp.Table | None = None
    given: bool = False


def _deeds(run: str) -> dict[str, str]:
    """Statements that make relations of the run."""
    return {
        "create": rf"CREATE (?:UNLOGGED )?TABLE ({run}\.)?(\w+) AS\n(.*)",
        "insert": r"INSERT INTO()( \w+)\n(.*)",
        "drop": rf"DROP TABLE ({run}\.)?(\w+)()",
    }


class Script:
    """The statements of a trail, each judged; `given` are queries and views named again."""

    def __init__(
        self, trail: Path, text: str, forms: Trail, given: Mapping[str, str | None]
    ) -> None:
        self.trail, self.forms, self._given = trail, forms, given
        self.dialect = forms.dialect
        self._relations: set[str] = set()
        self.readings: list[Reading] = []
        self.types: list[str] = []  # of columns of a table that is published
        self.parts = [self._part(one) for one in self._split(text)]
        self._refuse_others()

    def of(self, kind: str) -> list[Part]:
        return [part for part in self.parts if part.kind == kind]

    @property
    def unnamed(self) -> dict[str, exp.Table]:
        """The tables that relations are made of, but for those that the caller has named again."""
        return {
            one.relation: one.table
            for one in self.readings
            if one.table is not None and not self._is_given(one)
        }

    def takes(self, name: str, given: str) -> bool:
        """Is this how a query or table is named again, rather than a copy of a file?"""
        read = [one for one in self.readings if READ[one.relation] == name]
        named = [one for one in read if one.given or one.table is not None]
        for one in named:
            if one.table is not None and not self._is_given(one):
                shown = one.table.sql(self.dialect)
                raise InputError(f"{self.trail} reads {shown}, and --{name} names {given!r}")
        return bool(named)

    def _is_given(self, one: Reading) -> bool:
        """Does the caller name the same table, with or without what it is in?"""
        given = self._given.get(READ[one.relation])
        if given is None or one.table is None:
            return False
        parts = [part.name for part in one.table.parts]
        table = names.qualified(given, self.dialect)
        named = [part.name for part in table.parts] if table else [given]
        return parts[-len(named) :] == named

    def _refuse_others(self) -> None:
        """A run publishes once, and takes nothing away but what stood in that place."""
        published = self.of("publish") + (self.of("copy") if self.forms.reads_files else [])
        if len(published) > 1:
            raise self.foreign(published[0].text)
        places = [one.told[0] for one in published] + [one.told[1] for one in self.of("rename")]
        for part in self.of("remove"):
            if not part.told[0].endswith(tuple(places)):
                raise self.foreign(part.text)
        for part in self.of("publish"):
            inserted = part.text.startswith("INSERT ")
            if inserted and not any(one.text.startswith("TRUNCATE ") for one in self.of("remove")):
                raise self.foreign(part.text)

    def foreign(self, statement: str) -> InputError:
        """A trail comes from elsewhere: what no run of setveil does is not done for it either."""
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
                    self._query(text, found.groups()[-1], edge=True, typed=kind == "publish")
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
            if name in READ and not self._is_made_of_run(body):
                self._reading(name, text, body)
            else:
                self._query(text, body, edge=True)
            self._relations.add(name)
        elif kind == "insert":
            self._query(text, body)
        else:
            self._relations.remove(name)
        return Part(kind, text, (place.rstrip("."), name, body))

    def _is_made_of_run(self, body: str) -> bool:
        """An even hierarchy is made of the items alone."""
        tree = parsed(body, self.dialect)
        if not isinstance(tree, exp.Query):
            return False
        return trusted.foreign(tree, self.dialect, self._relations) is None

    def _query(self, text: str, body: str, *, edge: bool = False, typed: bool = False) -> None:
        """A query over relations of the run, or over a file that comes with the source."""
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
        """Nobody runs it again, but it stands where others may run it."""
        tree = parsed(text, self.dialect)
        if not isinstance(tree, exp.Query):
            raise self.foreign(text)
        found = trusted.foreign(tree, self.dialect, self._relations, edge=True)
        if found is not None and not conditions.is_of_list(tree):
            raise self.foreign(text)

    def _reading(self, name: str, text: str, body: str) -> None:
        """Rows as given: of a file, of a table, or of a query that the caller gives again."""
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
        """Rows that were pulled are a relation of the run first."""
        place = ".".join(part.sql(self.dialect) for part in table.parts[:-1])
        made = re.fullmatch(self.forms.run, place) is not None
        return made and table.name in self._relations

    def _unread(self, name: str, text: str, body: str) -> InputError:
        query, _, alias = body.partition("FROM (")[2].rpartition(") AS ")
        if alias != QUERY:
            return self.foreign(text)
        shown = " ".join(query.split())[:200]
        return InputError(
            f"{self.trail} reads a query, which can do anything: to have it run, give it again "
            f"with --{READ[name]}: {shown}"
        )


def _is_named(table: exp.Table) -> bool:
    return all(isinstance(part, exp.Identifier) for part in table.parts)


def _with_name(body: str, query: str | None, dialect: str) -> str:
    """A statement with a name in it for the query that the caller gives again."""
    given = names.one_query(query, dialect) if query else None
    if given is None:
        return body
    whole = render(exp.Select().select(exp.Star()).from_(given), dialect)
    _, _, told = whole.partition("FROM ")
    return body.replace(told, trusted.GIVEN)


def _reader(tree: exp.Query) -> exp.Expr | None:
    """What reads a file, if it is one of the readers that a run can have."""
    held = tree.args.get("from_")
    if held is None:
        return None
    relation = held.this.copy()
    if not isinstance(relation, exp.Subquery):
        relation.set("alias", None)
    return held.this if relation.sql(DUCKDB) in _readers() else None


def _without_reader(tree: exp.Query) -> exp.Query:
    """The query with a name in place of what stands behind FROM, if no run has made that."""
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
    for variable in VARIABLES[:-1]:
        found.append(formats.parquet(variable))
        found += [formats.csv(variable, one) for one in formats.DELIMITERS]
    # As they are parsed: the kinds of nodes differ, and the text does not.
    texts = (render(exp.Select().select("1").from_(one)) for one in found)
    trees = (parse_one(text, dialect=DUCKDB) for text in texts)
    return frozenset(one.args["from_"].this.sql(DUCKDB) for one in trees)

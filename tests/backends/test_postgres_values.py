"""Releases of PostgreSQL's awkward values: the text of a table and of a file keeps the promise."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable

import pytest
from psycopg import sql

import setveil
from awkward import Data, Transaction, drawn, seen
from oracles_files import certain, coherent, hidden, k_anonymous, km_anonymous, within
from setveil.errors import InputError, UnreachableError

pytestmark = pytest.mark.only_on("postgres", reason="its own types")

TEXTS = ("a", "A", "a ", " a", "", "a,b", "\u00e9", "e\u0301", 'q"q', "x\ny", "NULL", "{}", "\\")
KINDS = {
    "float4": ("0", "-0", "NaN", "Infinity", "0.1", "16777216"),
    "float8": ("0", "-0", "NaN", "-Infinity", "0.1", "0.30000000000000004", "1e300"),
    "numeric": ("1", "1.0", "1.00", "0", "0.000", "1.5"), "numeric(6, 2)": ("1", "1.5", "2"),
    "char(3)": ("a", "a ", "ab", "", "A"), "bpchar": ("a", "a ", "a  ", "", "A"),
    "varchar": TEXTS, "text": TEXTS, 'text COLLATE "C"': TEXTS, "name": ("a", "A", "a "),
    "int2": ("0", "1", "-1"), "int4": ("0", "1", "-1"), "int8": ("0", "9007199254740993"),
    "oid": ("0", "4294967295"), "bool": ("true", "false"), "bytea": ("a", "\\x00", "\\xaa", ""),
    "date": ("2020-01-01", "2020-01-02"), "time": ("00:00:00", "24:00:00", "12:00:00.000001"),
    "timestamp": ("2020-01-01 00:00:00", "2020-01-01 00:00:00.000001"),
    "timestamptz": ("2020-01-01 00:00+00", "2020-01-01 01:00+01", "2020-01-01 00:00-01"),
    "uuid": (f"{0:032}", f"{1:032}"), "mood": ("sad", "Sad", "sad "),
    "interval": ("1 month", "30 days"), "jsonb": ("1", "1.0"), "inet": ("10.0.0.1", "10.0.0.1/32"),
    "loose": ("a", "A"), "text COLLATE loose": ("a", "A"), "timetz": ("10:00+00", "11:00+01"),
}  # fmt: skip
REFUSED = ("interval", "jsonb", "inet", "timetz", "text COLLATE loose")
# Types whose text in a file equals that of the server.
ALIKE = ("varchar", "text", 'text COLLATE "C"', "name", "int2", "int4", "int8", "oid", "mood")
SETUP = """
    CREATE TYPE mood AS ENUM ('sad', 'Sad', 'sad ');
    CREATE COLLATION loose FROM "C";
    UPDATE pg_collation SET collisdeterministic = FALSE WHERE collname = 'loose';
    CREATE DOMAIN loose AS TEXT;
"""
MODELS = (
    "coherence",
    "coherence",
    "hiding",
    "uncertainty",
    "k-anonymity",
    "km-anonymity",
    "rename",
)

Judge = Callable[[list[Transaction]], bool]


def one_form(kind: str, text: str) -> str:
    """The published text among the texts of equal values."""
    if kind.startswith("float"):
        return "0" if text == "-0" else text
    if kind == "numeric":
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text.rstrip(" ") if kind in ("bpchar", "char(3)") else text


def put(server, data: Data) -> dict[str, Transaction]:
    """Make the table `given`; return its transactions as texts of their values."""
    server.connection.execute("DROP TABLE IF EXISTS given")
    item = (
        f"{base(data.item)}[]{data.item.removeprefix(base(data.item))}" if data.lists else data.item
    )
    made = sql.SQL("CREATE TABLE given (tid {}, item {})").format(sql.SQL(data.key), sql.SQL(item))
    server.connection.execute(made)
    row = sql.SQL("INSERT INTO given VALUES (%s::TEXT::{}, %s::{}::{})").format(
        sql.SQL(base(data.key)),
        sql.SQL("TEXT[]" if data.lists else "TEXT"),
        sql.SQL(f"{base(data.item)}[]" if data.lists else base(data.item)),
    )
    for key, items in data.rows:
        server.connection.execute(row, (key, list(items) if data.lists else items[0]))
    held: dict[str, set[str]] = defaultdict(set)
    for key, names in shown(server, "given", data.lists):
        found = held[one_form(data.key, key)]
        found.update(one_form(data.item, name) for name in names)
    return {key: frozenset(names) for key, names in held.items()}


def base(kind: str) -> str:
    """A type without its collation."""
    return kind.partition(" COLLATE")[0]


def shown(server, table: str, lists: bool, level: bool = False) -> list[tuple[str, list[str]]]:
    """The rows of a table as text; nodes have their level."""
    name = "FORMAT('%s: %s', l, x)" if level else "FORMAT('%s', x)"
    more = ", level" if level else ""
    of = (
        f"UNNEST(item{more}) AS u (x{', l' if level else ''})"
        if lists
        else (f"(SELECT item AS x{more and ', level AS l'}) AS u")
    )
    query = f"SELECT FORMAT('%s', tid), ARRAY(SELECT {name} FROM {of}) FROM {table}"  # noqa: S608
    return server.connection.execute(query).fetchall()


class Try:
    """One database, released by one model to a file and a table."""

    def __init__(self, seed: int, server) -> None:
        self.chance = random.Random(seed)
        drew = drawn(self.chance, KINDS, usual="int4")
        self.data = Data(drew.key or "int4", drew.item, self.keyed(drew), drew.lists, drew.suffix)
        self.server = server
        self.given = put(server, self.data)
        self.items = sorted(frozenset().union(*self.given.values()))
        self.some = sorted(self.chance.sample(self.items, min(1, len(self.items))))
        self.share = self.chance.choice((0.25, 0.5, 0.75))

    def keyed(self, data: Data) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Rows without a key get one, since a server has no order."""
        if data.key:
            return data.rows
        return tuple((str(number), items) for number, (_, items) in enumerate(data.rows))

    def released(self, model: str, baskets, key) -> tuple[setveil.Release[object], Judge]:
        secret, share = frozenset(self.some), self.share
        before = list(self.given.values())
        if model == "coherence":
            made = setveil.coherence(baskets, k=2, p=2, h=share, private=self.some)
            return made, lambda held: coherent(held, secret, share, 2, 2)
        if model == "uncertainty":
            made = setveil.uncertainty(baskets, sensitive=self.some, rho=share)
            return made, lambda held: certain(held, secret, share)
        if model == "hiding":
            made = setveil.hiding(baskets, patterns=[self.some], psi=share)
            return made, lambda held: hidden(before, held, secret, share)
        if model == "k-anonymity":
            made = setveil.k_anonymity(baskets, k=2, fanout=2)
            return made, lambda held: k_anonymous(held, 2)
        if model == "km-anonymity":
            made = setveil.km_anonymity(baskets, k=2, m=2, fanout=2)
            return made, lambda held: km_anonymous(held, 2, 2)
        made = setveil.rename(baskets, key=key, seed=1)
        sizes = Counter(len(one) for one in before if one or self.data.lists)
        return made, lambda held: Counter(map(len, held)) == sizes

    def run(self, model: str, folder, number: int) -> str:
        refused = {self.data.key, self.data.item} & set(REFUSED)
        table, path = f"out_{number}", folder / f"{number}.parquet"
        try:
            with setveil.read("given", database=self.server.url) as baskets:
                made, judge = self.released(model, baskets, folder / f"{number}.key.parquet")
                if model != "rename" and "time" not in (self.data.key, self.data.item):
                    made.write(path)
                made.write_table(table)
        except UnreachableError:
            return "unreachable"
        except InputError as error:
            assert refused or not self.some, (self.data, model, error)
            return "refused"
        assert not refused, self.data
        self.check_table(model, table, judge)
        if path.exists() and (model in ("k-anonymity", "km-anonymity") or self.data.item in ALIKE):
            found = seen(path, self.data)
            assert judge([frozenset(names) for _, names in found]), (model, self.data, found)
        return "released"

    def check_table(self, model: str, table: str, judge: Judge) -> None:
        found = shown(self.server, table, self.data.lists, model in ("k-anonymity", "km-anonymity"))
        # The blanks that fill a char(3) are no part of its text.
        fill = self.data.item if self.data.item == "char(3)" else "text"
        rows = [
            (
                key.rstrip(" ") if self.data.key == "char(3)" else key,
                [one_form(fill, name) for name in names],
            )
            for key, names in found
        ]
        if self.data.lists:
            assert len(rows) == len(self.given), (model, self.data, rows)
        held: dict[str, set[str]] = defaultdict(set)
        for key, names in rows:
            assert names and names[0] not in held[key] or self.data.lists, (model, self.data, rows)
            held[key].update(names)
        after = {key: frozenset(names) for key, names in held.items()}
        assert judge(list(after.values())), (model, self.data, rows)
        assert after.keys() <= self.given.keys(), (model, self.data, rows)
        if model in ("coherence", "uncertainty", "hiding"):
            assert within(self.given, after), (model, self.data, rows)


@pytest.mark.parametrize("first", [0, 20])
def test_what_a_server_releases_keeps_the_promise(server, tmp_path, first):
    server.connection.execute(SETUP)
    came = Counter(
        Try(seed, server).run(MODELS[seed % len(MODELS)], tmp_path, seed)
        for seed in range(first, first + 20)
    )
    assert came["released"] > 5, came

"""Random releases, and the answers of `verify` and of its query about them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

import harness
import setveil
from setveil.errors import InputError
from setveil.export.query import query
from setveil.models import REGISTRY
from setveil.verify import history, judged

NAMES = ("a", "b", "it's", "d e", "É", "back\\slash", '"q"', "null")
PROMISES = 80  # of a model: a promise has one query, which serves all its releases
TEXTS: dict[str, str] = {}  # the queries that were written, by all that they were asked for
DETAILS = ("coherence", "k-anonymity", "uncertainty")  # their verdicts list what the query lists
COLUMNS = ("tid INTEGER", "item VARCHAR", "person INTEGER", "level INTEGER", "slice INTEGER")
CONDITIONS = (
    "where:name IN ('a', 'null') OR support = 2",
    "where:name LIKE '%e' AND NOT support > 5",
    "where:name < 'b' OR UPPER(name) = 'É' OR LENGTH(name) > support",
    "where:support BETWEEN 2 AND 4",
)


@dataclass(frozen=True)
class Asked:
    """A release with a promise, as `verify` and its query take them."""

    model: str
    rows: Sequence[tuple[Any, ...]]
    promise: dict[str, Any]
    persons: bool = False
    levels: bool = False
    original: Sequence[tuple[Any, ...]] | None = None
    groups: Sequence[tuple[Any, ...]] = ()
    counts: Sequence[tuple[Any, ...]] = ()
    ignore_unknown: bool = False
    lists: bool = False
    slices: bool = False
    guests: bool = False


def rows_of(
    chance: random.Random, *, levels: bool, guests: bool = False, parts: int = 1
) -> list[tuple[Any, ...]]:
    """Small transactions of few kinds, so that some releases keep a promise and some do not."""
    names = chance.sample(NAMES, chance.randint(1, 5))
    kinds = [
        chance.sample(names, chance.randint(1, len(names))) for _ in range(chance.randint(1, 4))
    ]
    rows = []
    for tid in range(chance.randint(1, 14)):
        person = None if guests and chance.random() < 0.4 else chance.randrange(5)
        number = chance.randrange(parts)
        for name in chance.choice(kinds):
            level = chance.choice([0, 0, 0, 1]) if levels else 0
            rows += [(tid, name, person, level, number)] * chance.choice([1, 1, 1, 2])
    return rows


def asked(model: str, seed: int) -> Asked:
    """A random release of a model, and one of its promises, which it may keep."""
    releases = random.Random(f"release {model} {seed}")
    chance = random.Random(f"{model} {seed % PROMISES}")
    levels = REGISTRY[model].judges_nodes and chance.random() < 0.3
    persons = model != "hiding" and chance.random() < (0.1 if model == "permutation" else 0.4)
    guests = persons and chance.random() < 0.4
    slices = model != "hiding" and chance.random() < 0.3
    parts = releases.choice([1, 2, 2, 3]) if slices else 1
    rows = rows_of(releases, levels=levels, guests=guests, parts=parts)
    few: Any = chance.sample(NAMES, chance.randint(1, 2))
    k = chance.randint(1, 3)
    more: dict[str, Any] = {}
    if model == "coherence":
        promise: dict[str, Any] = {"k": k, "p": chance.randint(1, 3)}
        if chance.random() < 0.6:
            promise |= {"private": few, "h": chance.choice(["0.3", "0.5", "0.8", "1"])}
        if chance.random() < 0.3:
            promise["public"] = [one for one in NAMES if one not in few][:4]
    elif model == "k-anonymity":
        promise = {"k": k}
        if chance.random() < 0.4:
            promise |= {"private": few}
        if chance.random() < 0.2:
            promise["public"] = [one for one in NAMES if one not in few][:4]
    elif model == "km-anonymity":
        promise = {"k": k, "m": chance.choice([1, 2, 3, "max"])}
    elif model == "uncertainty":
        rho = chance.choice(["0", "0.4", "0.5", "0.75", "1"])
        promise = {"sensitive": few, "rho": rho, "max_knowledge": chance.randint(1, 3)}
    elif model == "hiding":
        held = sorted({row[1] for row in rows})
        patterns = [releases.sample(held, releases.randint(1, min(2, len(held)))) for _ in "ab"]
        limit = chance.choice([{"psi": "0.5"}, {"psi": "0"}, {"min_support": 3}, {"psi": "1"}])
        promise = {"patterns": patterns, **limit}
        kept = [row for row in rows if row[1] not in patterns[0] or releases.random() < 0.5]
        more = {"original": rows, "rows": kept or rows}
        if releases.random() < 0.1:
            more["original"] = rows[1:]
    else:
        promise = {"sensitive": few, "degree": chance.randint(2, 3)}
        more = permuted(releases, rows, few if releases.random() < 0.9 else few[:1])
    if chance.random() < 0.3:
        one = next((one for one in ("private", "sensitive") if one in promise), None)
        promise |= {} if one is None else {one: chance.choice(CONDITIONS)}
    form = {
        "levels": levels,
        "persons": persons,
        "guests": guests,
        "slices": slices,
        "lists": model != "permutation" and chance.random() < 0.3,
        "ignore_unknown": chance.random() < 0.6,
    }
    return Asked(**{"model": model, "rows": rows, "promise": promise} | form | more)


def side_by_side(model: str, seed: int, many: int) -> Asked:
    """Releases with one promise, as slices of one target: `verify` and its query judge each."""
    one = replace(asked(model, seed), slices=True, lists=False, ignore_unknown=True)
    releases = random.Random(f"side by side {model} {seed}")
    rows = [
        (number * 100 + tid, *others, number)
        for number in range(many)
        for tid, *others, _ in rows_of(releases, levels=one.levels, guests=one.guests)
    ]
    return replace(one, rows=rows)


def permuted(
    chance: random.Random, rows: Sequence[tuple[Any, ...]], few: Sequence[str]
) -> dict[str, Any]:
    """The rows in groups, with the sensitive ones counted."""
    tids = sorted({row[0] for row in rows})
    size = chance.randint(2, 8)
    fair = chance.random() < 0.6  # at most one in three transactions of a group, as it says
    group = {tid: place // size for place, tid in enumerate(tids)}
    members = Counter(group.values())
    slice_of = {number: chance.randrange(3) for number in members}
    counts: dict[tuple[int, str], set[int]] = {}
    for tid, name, *_ in rows:
        if name in few:
            counts.setdefault((group[tid], name), set()).add(tid)
    kept = [row for row in rows if row[1] not in few or chance.random() < 0.02]
    others = [(row[0], "zz", *row[2:]) for row in rows] if not kept else kept
    return {
        "rows": others,
        "groups": [
            (*row[:4], row[4] if chance.random() < 0.02 else slice_of[group[row[0]]], number)
            for row in others
            for number in [group[row[0]] + (chance.random() < 0.01)]
        ],
        "counts": [
            (
                number,
                name,
                min(len(held), members[number] // 3) if fair else len(held),
                slice_of[number],
            )
            for (number, name), held in sorted(counts.items())
            if not fair or members[number] > 2
        ],
    }


def tables(connection: duckdb.DuckDBPyConnection, given: Asked, number: int) -> dict[str, str]:
    """Make the tables of a release; their names."""
    names = {"release": f"release_{number}", "original": f"original_{number}"}
    width = 5 if given.slices else 4
    columns, make = ", ".join(COLUMNS[:width]), listed if given.lists else put
    rows = [row[:width] for row in given.rows]
    if given.groups:
        columns += ', "group" INTEGER'
        rows = [(*row[:width], row[5]) for row in given.groups]
    make(connection, names["release"], columns, rows)
    before = given.rows if given.original is None else given.original
    make(connection, names["original"], ", ".join(COLUMNS[:4]), [row[:4] for row in before])
    names["counts"] = f"{names['release']}_sensitive"
    if given.groups:
        columns = '"group" INTEGER, item VARCHAR, "count" INTEGER, slice INTEGER'
        width = 4 if given.slices else 3
        columns = ", ".join(columns.split(", ")[:width])
        put(connection, names["counts"], columns, [row[:width] for row in given.counts])
    return names


def listed(
    connection: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Sequence[Sequence[Any]]
) -> None:
    """Make a table in LIST form: rows of a transaction are lists, and some faults are among them.

    A transaction divisible by 5 is empty. Of some tables, a row repeats an id or has a NULL.
    """
    found: dict[int, tuple[list[Any], list[Any], Sequence[Any]]] = {}
    for tid, item, person, level, *others in rows:
        items, levels, _ = found.setdefault(tid, ([], [], (person, others)))
        if tid % 5:
            items.append(item)
            levels.append(level)
    made = [
        (tid, items, person, levels, *others)
        for tid, (items, levels, (person, others)) in found.items()
    ]
    chance = random.Random(repr(rows))
    if chance.random() < 0.05:
        made.append(made[-1])
    if chance.random() < 0.05:
        made[0] = (*made[0][:1], [None, *made[0][1]], made[0][2], [0, *made[0][3]], *made[0][4:])
    columns = columns.replace("item VARCHAR", "item VARCHAR[]")
    put(connection, name, columns.replace("level INTEGER", "level INTEGER[]"), made)


def put(
    connection: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Sequence[Sequence[Any]]
) -> None:
    connection.execute(f"CREATE OR REPLACE TABLE {name} ({columns})")
    if rows:
        places = ", ".join(f"({', '.join('?' for _ in row)})" for row in rows)
        values = [value for row in rows for value in row]
        connection.execute(f"INSERT INTO {name} VALUES {places}", values)  # noqa: S608


def answered(connection: duckdb.DuckDBPyConnection, text: str) -> list[tuple[Any, ...]]:
    """The rows of a query on the database of the tests."""
    if isinstance(harness.current, harness.OnServer):
        found = harness.current.asked(text)
    else:
        found = connection.execute(text).fetchall()
    return [tuple(row) for row in found]


def verified(connection: duckdb.DuckDBPyConnection, given: Asked, names: dict[str, str]) -> Any:
    """The verdict of `verify`, or its refusal."""
    more = options(given) | {"limit": 1000}
    if given.model == "hiding":
        more["original"] = names["original"]
    try:
        with setveil.read(connection, names["release"], tid="tid", **persons(given)) as baskets:
            verdict = judged(given.model, baskets, **given.promise, **more, by_slice=True)
            if given.slices and REGISTRY[given.model].joined is not None:
                each = history(given.model, baskets, whole=False, **given.promise, **options(given))
                return BySlice(verdict.holds, {str(one.slices) for one in each.broken})
            return verdict
    except InputError as error:
        return error


def persons(given: Asked) -> dict[str, Any]:
    """How `read` takes the persons of a release."""
    named = {"person": "person"} if given.persons else {}
    return named | ({"guests": "own"} if given.guests else {})


def options(given: Asked) -> dict[str, Any]:
    """The options of `verify` beside the promise."""
    more: dict[str, Any] = {}
    if "sensitive" in given.promise or "private" in given.promise or "patterns" in given.promise:
        more["ignore_unknown"] = given.ignore_unknown
    if given.levels:
        more["level"] = "level"
    return more


@dataclass(frozen=True)
class BySlice:
    """The verdict of `verify` on a release, and the slices that do not hold."""

    whole: bool
    broken: set[str]

    @property
    def holds(self) -> bool:
        return self.whole and not self.broken


def text_of(given: Asked, names: dict[str, str], dialect: str, **more: Any) -> str:
    """The query of a release."""
    terms = {
        "person": "person" if given.persons else None,
        "guests": "own" if given.guests else None,
        "level": "level" if given.levels else None,
        "lists": given.lists,
        "slices": given.slices,
        "original_table": names["original"] if given.model == "hiding" else None,
        "counts": names["counts"] if given.groups else None,
        "dialect": dialect,
        "ignore_unknown": given.ignore_unknown,
        **given.promise,
        **more,
    }
    asked = f"{given.model} {names['release']} {terms}"
    if asked not in TEXTS:
        TEXTS[asked] = query(given.model, names["release"], **terms)
    return TEXTS[asked]


# Answers compared


def small(given: Asked) -> Asked:
    """The release with a promise of one known item: Spark computes each WITH again at each place,
    and would take minutes for two."""
    sizes = {name: 1 for name in ("p", "max_knowledge") if name in given.promise}
    return replace(given, promise=given.promise | sizes)


def compared(connection: duckdb.DuckDBPyConnection, given: Asked) -> bool | None:
    """Compare the answers; return whether the release holds, None if `verify` refuses it."""
    if harness.current.dialect == "spark":
        given = small(given)
    names = tables(connection, given, 1)
    verdict = verified(connection, given, names)
    rows = answered(connection, text_of(given, names, harness.current.dialect))
    if isinstance(verdict, InputError):
        assert rows, verdict
        return None
    assert (not rows) == verdict.holds, (given, verdict, rows)
    assert all(row[-1] == len(rows) for row in rows)
    if given.model in DETAILS and not verdict.holds and not given.slices:
        shown = sorted(row[2] for row in rows)
        assert given.model == "uncertainty" or len(rows) == verdict.found
        if given.model == "coherence":
            assert shown == sorted(one.support for one in verdict.violations)
        if given.model == "k-anonymity":
            assert shown == sorted(one.transactions for one in verdict.violations)
    return bool(verdict.holds)


def compared_each(connection: duckdb.DuckDBPyConnection, given: Asked) -> Counter[bool]:
    """Compare the answers on each slice; return how many slices hold, and how many do not."""
    names = tables(connection, given, 1)
    verdict = verified(connection, given, names)
    rows = answered(connection, text_of(given, names, harness.current.dialect))
    assert isinstance(verdict, BySlice), verdict
    assert {row[1] for row in rows if row[1] is not None} == verdict.broken, given
    assert any(row[1] is None for row in rows) != verdict.whole, given
    broken, every = len(verdict.broken), len({row[-1] for row in given.rows})
    return Counter({False: broken, True: every - broken})

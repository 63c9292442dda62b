"""Find who is exposed by violations, and the names of their items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from setveil.history.reading import Together
from setveil.history.told import Name, named, number_of, numbers
from setveil.run.session import Session
from setveil.sql.history import joint as ask
from setveil.sql.history import tuples as of_tuples
from setveil.sql.step import decided

Exposed = Mapping[int, tuple[int, int | None]]  # transactions and persons of each part


def find_exposed(
    session: Session,
    listed: Mapping[int, Sequence[Any]],
    *,
    k: int | None,
    twins: bool,
    persons: bool,
) -> Exposed:
    """The transactions, and the persons if they are counted, that the listed violations are of."""
    if twins:
        assert k is not None
        step = ask.exposed_twins(k, persons=persons)
    else:
        rows = _sets(listed)
        why = "the items of the violations that were listed"
        relation = decided("history_set", why, ("number", "part", "node", "size"), rows)
        if relation.name in session.relations:
            session.drop(relation.name)
        session.create(relation)
        step = ask.exposed(persons=persons)
    found = {int(part): _pair(*numbers) for part, *numbers in session.ask(step)}
    return {part: found.get(part, (0, None)) for part in listed}


def _sets(listed: Mapping[int, Sequence[Any]]) -> list[tuple[int, int, int, int]]:
    """One row (number, part, node, size) per item of a violation."""
    every = (one for some in listed.values() for one in some)
    sets = [(number, numbers(one)) for number, one in enumerate(every)]
    return [(number, part, node, len(held)) for number, held in sets for part, node in held]


def _pair(transactions: int, persons: int | None = None) -> tuple[int, int | None]:
    return transactions, persons


def find_names(
    together: Together, violations: Sequence[Any], *, twins: bool, tuples: bool
) -> Callable[[str], Name]:
    """A function from a number, as a checker reports it, to the level and label of its node."""
    session, many = together.session, len(together.releases) > 1
    met = _met(violations)
    wanted = sorted({node // ask.RELEASES for node in met} if twins else met)
    relation = decided("history_met", "the nodes of violations", ("node",), [(n,) for n in wanted])
    if relation.name in session.relations:
        session.drop(relation.name)
    session.create(relation)
    if tuples:
        names = _tuples(session.ask(of_tuples.met()), together.names)
    else:
        names = {
            int(node): (int(level), str(label)) for node, level, label in session.ask(ask.met())
        }

    def name(text: str) -> Name:
        _, node = number_of(text)
        if not twins:
            return names[node]
        level, label = names[node // ask.RELEASES]
        place = together.names[node % ask.RELEASES]
        return level, f"{label} in {place}" if many else label

    return name


def _met(violations: Sequence[Any]) -> set[int]:
    """The nodes that violations name."""
    met = set()

    def seen(text: str) -> Name:
        met.add(number_of(text)[1])
        return 0, text

    for one in violations:
        named(one, seen)
    return met


def _tuples(rows: Sequence[Sequence[Any]], releases: Sequence[str]) -> dict[int, Name]:
    """The name of each joint node: its deepest node, then the nodes that releases show instead."""
    deepest = {int(node): (int(level), str(label)) for node, no, level, label in rows if no < 0}
    others: dict[int, list[str]] = {}
    for node, no, level, label in sorted(rows, key=lambda row: (row[0], row[1], row[2])):
        if no >= 0:
            others.setdefault(int(node), []).append(f"{label} (level {level}) in {releases[no]}")
    return {
        node: (level, f"{label}, as {' and '.join(others[node])}" if node in others else label)
        for node, (level, label) in deepest.items()
    }

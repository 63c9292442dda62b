"""The promise of each model by its definition, over every union of the slices of a target.

An attacker of power P knows up to P items of a transaction, and has any of the slices. Shares of
persons are bounded in each slice, and in all that were released at one time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import oracles_permutation
from oracles_slices import SECRET, Row, connection

K, P, DEGREE = 2, 2, 2
H, RHO, PSI = Fraction(2, 3), Fraction(1, 2), Fraction(1, 3)
SECRETS = f"where:name LIKE '%{SECRET}'"
LONGEST = 5  # items of a transaction
PATTERNS = (frozenset("ab"), frozenset("cX"))
PROMISES: Mapping[str, Mapping[str, object]] = {
    "coherence": {"private": SECRETS, "h": str(H), "k": K, "p": P, "ignore_unknown": True},
    "k-anonymity": {"private": SECRETS, "k": K, "ignore_unknown": True},
    "km-anonymity": {"k": K, "m": P},
    "uncertainty": {"sensitive": SECRETS, "rho": str(RHO), "ignore_unknown": True},
    "permutation": {"sensitive": SECRETS, "degree": DEGREE, "ignore_unknown": True},
    "hiding": {"psi": str(PSI), "ignore_unknown": True},
}
Names = frozenset[str]
Transactions = Mapping[object, Names]  # the items of each, or its nodes with their levels
Slices = Mapping[int, Mapping[object, Names]]


def promise_of(model: str, marks: Sequence[str], folder: Path) -> dict[str, object]:
    """The promise of a target whose histories have items with these marks."""
    given = dict(PROMISES[model])
    if "anonymity" in model:
        given["hierarchy"] = _tree(folder / "tree.parquet", marks)
    if model == "hiding":
        given["patterns"] = [
            [f"{mark}{one}" for one in held] for mark in marks for held in PATTERNS
        ]
    return given


def secrets_of(marks: Sequence[str]) -> Names:
    """The items that no promise lets an attacker know."""
    return frozenset(f"{one}{SECRET}" for one in marks)


def _tree(path: Path, marks: Sequence[str]) -> Path:
    """The items of each history below two nodes, and these below one."""
    if not path.exists():
        connection.execute(
            "CREATE OR REPLACE TABLE t AS SELECT m.mark || i.item AS item, "
            "m.mark || i.node AS level1, m.mark || 'all' AS level2 "
            "FROM (SELECT UNNEST($1::VARCHAR[]) AS mark) AS m, (VALUES ('a', 'ab'), ('b', 'ab'), "
            "('c', 'cd'), ('d', 'cd'), ('X', 'of X')) AS i(item, node)",
            [list(marks)],
        )
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return path


def published(target: Path) -> dict[int, dict[object, Names]]:
    """The transactions of each slice, as a reader of the folder finds them."""
    found: dict[int, dict[object, Names]] = {}
    for path in sorted(target.glob("*.parquet")):
        columns = [one for one, *_ in connection.execute(f"DESCRIBE FROM '{path}'").fetchall()]
        shown = "level || ':' || item" if "level" in columns else "item"
        rows = connection.execute(
            f"SELECT slice, tid, LIST({shown}) FROM '{path}' GROUP BY slice, tid"  # noqa: S608
        ).fetchall()
        number = int(path.stem.rpartition("-")[2])
        assert {one for one, *_ in rows} <= {number}
        found[number] = {key: frozenset(held) for _, key, held in rows}
    return found


@dataclass(frozen=True, slots=True)
class Attack:
    """A union of slices, with all that the definition speaks of.

    `rows` are transactions as they were when they were released, by id, with those of which no item
    is left; None where ids are numbers. `least` is 1 for an attacker who knows an item: one who
    knows none sees many histories at once.
    """

    held: Transactions
    rows: Mapping[object, Row] | None
    persons: bool  # are persons counted?
    at_once: bool  # were these slices all that was released, at one time?
    least: int = 1

    def cohorts(self, most: int, *, private: bool = False) -> dict[Names, list[object]]:
        """The transactions that hold a set, for every set of up to so many items."""
        found: dict[Names, list[object]] = defaultdict(list)
        for key, names in self.held.items():
            known = [one for one in names if private or not one.endswith(SECRET)]
            for size in range(self.least, min(most, len(known)) + 1):
                for chosen in combinations(known, size):
                    found[frozenset(chosen)].append(key)
        return found

    def holders(self, keys: Sequence[object]) -> int:
        """The persons of transactions, or these themselves."""
        if not self.persons:
            return len(keys)
        assert self.rows is not None
        return len({self.rows[key].person for key in keys})

    def is_shared(self, known: Sequence[object], secret: Sequence[object], most: Fraction) -> bool:
        """Do not too many of these hold the secret too?"""
        if len(secret) > most * len(known):
            return False
        in_persons = self.persons and self.at_once
        return not in_persons or self.holders(secret) <= most * self.holders(known)


def _coherent(attack: Attack) -> bool:
    return all(
        attack.holders(keys) >= K
        and attack.is_shared(keys, [key for key in keys if _secret(attack.held[key])], H)
        for keys in attack.cohorts(P).values()
    )


def _secret(names: Names) -> bool:
    return any(one.endswith(SECRET) for one in names)


def _twins(attack: Attack) -> bool:
    classes: dict[Names, list[object]] = defaultdict(list)
    for key, names in attack.held.items():
        classes[frozenset(one for one in names if not one.endswith(SECRET))].append(key)
    return all(attack.holders(keys) >= K for keys in classes.values())


def _km(attack: Attack) -> bool:
    return all(attack.holders(keys) >= K for keys in attack.cohorts(P, private=True).values())


def _uncertain(attack: Attack) -> bool:
    """No rule to a sensitive item is too sure, whatever the attacker knows."""
    found = attack.cohorts(LONGEST, private=True)
    return all(
        attack.is_shared(found[names - {secret}], keys, RHO)
        for names, keys in found.items()
        for secret in names
        if secret.endswith(SECRET) and len(names) > 1
    )


def _hidden(attack: Attack) -> bool:
    """Each pattern is left in at most a share, and nothing else changed."""
    assert attack.rows is not None
    held: dict[Names, int] = defaultdict(int)
    left: dict[Names, int] = defaultdict(int)
    for key, row in attack.rows.items():
        before, names = row.items, attack.held.get(key, frozenset())
        mark = min(before).rpartition("_")
        patterns = [frozenset(f"{mark[0]}{mark[1]}{one}" for one in of) for of in PATTERNS]
        own = [one for one in patterns if one <= before]
        if not before - frozenset().union(*own) <= names <= before:
            return False
        for one in own:
            held[one] += 1
            left[one] += one <= names
    return all(left[one] <= PSI * number for one, number in held.items())


JUDGES: Mapping[str, Callable[[Attack], bool]] = {
    "coherence": _coherent,
    "k-anonymity": _twins,
    "km-anonymity": _km,
    "uncertainty": _uncertain,
    "hiding": _hidden,
}


def faults(
    model: str,
    slices: Slices,
    rows: Mapping[int, Mapping[object, Row]] | None,
    *,
    persons: bool = False,
    least: int = 1,
) -> Iterator[str]:
    """The unions of slices that break the promise."""
    numbers = sorted(slices)
    for chosen in unions(numbers):
        held = {key: names for one in chosen for key, names in slices[one].items()}
        given = None if rows is None else {k: row for one in chosen for k, row in rows[one].items()}
        at_once = len(chosen) == 1 or [*chosen] == numbers[: len(chosen)]
        if not JUDGES[model](Attack(held, given, persons, at_once, least)):
            yield f"{model}: the slices {chosen} break the promise"


def unions(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every set of slices that an attacker may have."""
    for size in range(1, len(numbers) + 1):
        yield from combinations(numbers, size)


# Permutation: two relations


def both(target: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The rows of both relations, as a reader of the folder finds them."""
    if not target.exists():
        return [], []
    return tuple(
        connection.execute(
            f"SELECT {shown} FROM '{target}/slice-*/{name}.parquet' ORDER BY ALL"  # noqa: S608
        ).fetchall()
        for name, shown in (
            ("transactions", 'slice, tid, item, "group"'),
            ("sensitive", 'slice, "group", item, count'),
        )
    )


def broken_groups(
    target: Path,
    sensitive: Names,
    degree: int,
    persons: Mapping[object, str] | None,
) -> Iterator[str]:
    """The unions of slices of permutation that break the definition, and groups in two slices."""
    shown, counts = both(target)
    groups = defaultdict(set)
    for number, *_, group in shown:
        groups[group].add(number)
    for number, group, *_ in counts:
        groups[group].add(number)
    yield from (f"group {one} is in {held}" for one, held in groups.items() if len(held) > 1)
    for chosen in unions(sorted({number for number, *_ in shown})):
        rows = [row for number, *row in shown if number in chosen]
        held = [row for number, *row in counts if number in chosen]
        if not oracles_permutation.keeps(rows, held, sensitive, degree, persons):
            yield f"permutation: the slices {chosen} break the promise"

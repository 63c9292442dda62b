"""Groups of transactions that are present in exactly the same releases of a set.

A number with one bit per release says where a transaction is present: its presence. A set S of
releases has a group for each non-empty part P of it. The group is the transactions that all of P
hold and no other of S. It is judged by what P shows. Equal groups of several sets are judged once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from setveil.errors import InputError
from setveil.run.words import counted

MOST = 6  # overlapping releases that are judged together
WIDEST = 62  # releases: bits of a BIGINT that leave its sign alone


@dataclass(frozen=True, slots=True)
class Group:
    """Transactions that all releases of `shown` hold and none of `lacking`, by their presences."""

    shown: tuple[int, ...]
    lacking: tuple[int, ...]
    presences: tuple[int, ...]


def groups(presences: Iterable[int]) -> list[Group]:
    """The groups to judge, those of few releases first."""
    held = sorted(set(presences))
    found = [one for part in overlapping(held) for one in _groups(part, held)]
    return sorted(found, key=lambda one: (len(one.shown), one.shown, len(one.lacking)))


def overlapping(presences: Sequence[int]) -> list[int]:
    """Sets of releases, as bits: those of a set are linked by transactions that they share."""
    parts: list[int] = []
    for one in presences:
        linked = [part for part in parts if part & one]
        parts = [part for part in parts if not part & one]
        for part in linked:
            one |= part
        parts.append(one)
    return sorted(parts)


def refuse_many(presences: Sequence[int]) -> None:
    """Refuse more overlapping releases than can be judged: their sets are too many."""
    most = max((one.bit_count() for one in overlapping(presences)), default=0)
    if most > MOST:
        raise InputError(
            f"{counted(most, 'release')} overlap, each with transactions of another: up to "
            f"{MOST} are judged together; name fewer, such as those that somebody has"
        )


def _groups(part: int, presences: Sequence[int]) -> Iterator[Group]:
    within = [one for one in presences if one & part]
    for shown in _subsets(part):
        if not shown:
            continue
        seen = set()
        for lacking in sorted(_subsets(part & ~shown), key=lambda one: (one.bit_count(), one)):
            held = tuple(one for one in within if one & shown == shown and not one & lacking)
            if held and held not in seen:
                seen.add(held)
                yield Group(_numbers(shown), _numbers(lacking), held)


def _subsets(bits: int) -> Iterator[int]:
    """Every set of bits of a number, the empty one included."""
    one = bits
    while one:
        yield one
        one = (one - 1) & bits
    yield 0


def _numbers(bits: int) -> tuple[int, ...]:
    return tuple(n for n in range(bits.bit_length()) if bits >> n & 1)

"""Read restrictive patterns from a file, or from sequences of names.

A text file has a pattern per line, with commas between its items; an item with a comma is in
quotes. A blank beside a comma is part of a name. A line can also be a rule, `A,B => C`: all its
items together are hidden, which hides every rule between them. A CSV or Parquet file has a row per
item, with the columns pattern and item, and psi if it varies. Repeated items and repeated patterns
count once.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from setveil.arguments.shares import share
from setveil.errors import InputError
from setveil.run.files.listed import rows_in
from setveil.run.files.places import no_file
from setveil.run.roles.near_misses import refuse_near_misses
from setveil.run.roles.promise import Pattern
from setveil.run.session import Session
from setveil.sql.run import lists

Patterns = str | Path | Iterable["Sequence[object] | Pattern"]
Items = tuple[int, ...]

OPTION = "patterns"
# An arrow outside of quotes, and a field in quotes.
ARROW = " => "
QUOTED_OR_ARROW = re.compile(rf'(?:^|(?<=,)|(?<={ARROW}))"(?:[^"]|"")*"|{ARROW}', re.MULTILINE)
THEREFORE = "\0"  # the arrow as a field
SHOWN = 5  # patterns or names in a message


def named_patterns(session: Session, patterns: Patterns) -> list[Pattern]:
    """Return the patterns in their order, each once. No pattern, or an empty one, is an error."""
    if isinstance(patterns, str | Path):
        found = _in_file(session, Path(patterns))
    else:
        found = [one if isinstance(one, Pattern) else Pattern(_names(one)) for one in patterns]
    if not found:
        raise InputError(f"--{OPTION}: the list has no pattern: there is nothing to hide")
    kept: dict[frozenset[str], Pattern] = {}
    for one in found:
        if not one.names:
            raise InputError(f"--{OPTION}: a pattern without items is in every transaction")
        if kept.setdefault(frozenset(one.names), one).psi != one.psi:
            raise InputError(f"--{OPTION}: {one} is there twice with different psi: keep one")
    return list(kept.values())


def _names(pattern: Sequence[object]) -> tuple[str, ...]:
    if isinstance(pattern, str) and ARROW in pattern:
        (found,) = _lines(pattern, repr(pattern))
        return found
    if isinstance(pattern, str | bytes):
        raise InputError(f"--{OPTION}: a pattern is a sequence of names, not the text {pattern!r}")
    if None in pattern:
        raise InputError(f"--{OPTION}: None is no item")
    names = [str(one).lower() if isinstance(one, bool) else str(one) for one in pattern]
    return tuple(dict.fromkeys(names))


def _in_file(session: Session, path: Path) -> list[Pattern]:
    if not os.path.isfile(path):
        raise InputError(no_file(path, f"--{OPTION}: no such file: {str(path)!r}"))
    if path.suffix.lower() in (".csv", ".tsv", ".parquet"):
        return _in_table(session, path)
    session.inputs.add([path], f"--{OPTION}")
    try:
        # Some editors put U+FEFF at the start of a UTF-8 file; it is no part of a name.
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"--{OPTION}: {path} is not a list of patterns: {error}") from error
    except OSError as error:
        raise InputError(f"--{OPTION}: {path} cannot be read: {error.strerror}") from error
    return [Pattern(one) for one in _lines(text, str(path))]


def _lines(text: str, place: str) -> list[tuple[str, ...]]:
    """The items of each line, a pattern or a rule."""
    fault = f"--{OPTION}: {place} is not a list of patterns"
    if THEREFORE in text:
        raise InputError(f"{fault}: it has a NUL character")
    marked = QUOTED_OR_ARROW.sub(
        lambda found: f",{THEREFORE}," if found[0] == ARROW else found[0], text
    )
    try:
        lines = list(csv.reader(io.StringIO(marked, newline="\n"), strict=True))
    except csv.Error as error:
        raise InputError(f"{fault}: {error}") from error
    return [_names(_union(line)) for line in lines if line]


def _union(line: list[str]) -> list[str]:
    """The items of a rule, from both of its sides; the items of a pattern."""
    if THEREFORE not in line:
        return line
    arrow = line.index(THEREFORE)
    before, after = line[:arrow], line[arrow + 1 :]
    shown = f"--{OPTION}: the rule {','.join(before)}{ARROW}{','.join(after)}"
    if THEREFORE in after:
        raise InputError(f"{shown.replace(THEREFORE, '=>')} has two arrows: write a rule per line")
    if before == [""] or after == [""]:
        raise InputError(f"{shown} lacks a side: name items before and after the arrow")
    if both := sorted(set(before) & set(after)):
        raise InputError(f"{shown} has {both[0]!r} on both sides: keep it on one")
    return before + after


def _in_table(session: Session, path: Path) -> list[Pattern]:
    rows = rows_in(session, str(path), ("pattern", "item"), OPTION, optional=("psi",))
    names: dict[str, list[str]] = {}
    psis: dict[str, str | None] = {}
    for pattern, item, psi in rows:
        if pattern is None or item is None:
            raise InputError(f"--{OPTION}: {path} has a row without a pattern or an item (NULL)")
        names.setdefault(pattern, []).append(item)
        if psis.setdefault(pattern, psi) != psi:
            raise InputError(f"--{OPTION}: {path} has two psi for the pattern {pattern!r}")
    # The rows have no reliable order.
    return [Pattern(tuple(sorted(set(names[one]))), _psi(psis[one])) for one in sorted(names)]


def _psi(text: str | None) -> Fraction | None:
    return None if text is None else share(text, "psi")


def numbered(
    session: Session, patterns: Sequence[Pattern], *, ignore_unknown: bool
) -> tuple[list[Pattern], list[Items]]:
    """Return the patterns whose items the data has, and their items, ascending by number."""
    numbers = _numbers(session, patterns)
    known = _known(session, patterns, numbers, ignore_unknown=ignore_unknown)
    return known, [tuple(sorted(numbers[name] for name in one.names)) for one in known]


def _numbers(session: Session, patterns: Sequence[Pattern]) -> dict[str, int]:
    names = sorted({name for one in patterns for name in one.names})
    session.backend.insert_columns("named", ("name",), [names])
    found = session.look_up(lists.chosen_by_name(OPTION))
    session.forget("named")
    return {str(name): int(number) for name, number in found if number is not None}


def _known(
    session: Session,
    patterns: Sequence[Pattern],
    numbers: Mapping[str, int],
    *,
    ignore_unknown: bool,
) -> list[Pattern]:
    known = [one for one in patterns if numbers.keys() >= set(one.names)]
    unknown = sorted({n for one in patterns for n in one.names if n not in numbers})
    refuse_near_misses(session, OPTION, unknown, numbers)
    if unknown and not ignore_unknown:
        told = ", ".join(repr(name) for name in unknown[:SHOWN])
        more = f" and {len(unknown) - SHOWN:,} more" if len(unknown) > SHOWN else ""
        session.refuse(
            InputError(
                f"--{OPTION}: the data does not hold {told}{more}; "
                "correct the patterns (commas separate their items), or skip them with "
                "--ignore-unknown"
            )
        )
    if unknown:
        passed = [one for one in patterns if one not in known]
        session.note(f"{shown(passed)}: skipped, since the data lacks some of its items")
    return known


def shown(patterns: Sequence[Pattern]) -> str:
    """The first patterns, for a message."""
    more = f" and {len(patterns) - SHOWN:,} more" if len(patterns) > SHOWN else ""
    return ", ".join(map(str, patterns[:SHOWN])) + more

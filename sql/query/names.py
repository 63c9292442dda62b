"""Relations and columns of the caller, by the names that their database has for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.dialects import stored
from setveil.sql.step import user_column

PART = re.compile(r'"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^\W]+[\w$-]*)')


def column(name: str, dialect: str) -> exp.Column:
    """A column of the caller."""
    return user_column(stored(name, dialect))


def relation(name: str, dialect: str, *, is_file: bool = False) -> exp.Table | None:
    """A relation of the caller, by TABLE, SCHEMA.TABLE, or a file; None for any other text."""
    if is_file:
        return exp.Table(this=exp.to_identifier(name, quoted=True))
    parts = list(_parts(name))
    if not parts or len(parts) > 3:
        return None
    known = [exp.to_identifier(stored(one, dialect), quoted=True) for one in parts]
    place = dict(zip(("this", "db", "catalog"), reversed(known), strict=False))
    return exp.Table(**place)


def _parts(name: str) -> Iterator[str]:
    """The parts of a name, which points separate; no part if the text is no name."""
    found, place = [], 0
    while match := PART.match(name, place):
        double, back, bare = match.groups()
        found.append(bare or (double or "").replace('""', '"') or (back or "").replace("``", "`"))
        place = match.end()
        if place == len(name):
            yield from found
        if name[place : place + 1] != ".":
            return
        place += 1

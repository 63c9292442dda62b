"""Tables to compare, for the tests of comparisons."""

from __future__ import annotations

from itertools import count

from hypothesis import strategies as st

import setveil

NUMBERS = count()


def table(connection, rows, *, lists=False):
    """Make a table of transactions; return its name. Long form has no empty transactions."""
    name = f"given_{next(NUMBERS)}"
    connection.execute(f"CREATE TABLE {name} (tid VARCHAR, item VARCHAR[])")
    keys, items = [str(key) for key in rows], [sorted(held) for held in rows.values()]
    connection.execute(
        f"INSERT INTO {name} SELECT UNNEST($1::VARCHAR[]), UNNEST($2::VARCHAR[][])", [keys, items]
    )
    if not lists:
        connection.execute(
            f"CREATE TABLE {name}_long AS SELECT tid, UNNEST(item) AS item FROM {name}"  # noqa: S608
        )
        return f"{name}_long"
    return name


def compared(connection, original, *releases, lists=False, **options):
    given = table(connection, original, lists=lists)
    others = [table(connection, one, lists=lists) for one in releases]
    with setveil.read(connection, given) as baskets:
        return setveil.compare(baskets, *others, **options)


@st.composite
def pairs(draw):
    """A small original and a release: some items are left out, and some may be other items."""
    names = ("2", "11", "a", "b", "B", "é")
    sets = st.frozensets(st.sampled_from(names))
    original = dict(enumerate(draw(st.lists(sets, min_size=1, max_size=7))))
    release = {}
    for key, held in original.items():
        kept = draw(st.frozensets(st.sampled_from(sorted(held)))) if held else held
        if draw(st.integers(0, 5)):
            release[key] = kept
    if not draw(st.integers(0, 3)):
        release[draw(st.sampled_from([0, 99]))] = frozenset(draw(st.sets(st.sampled_from("axy"))))
    return original, release


LABELS = ("a", "b", "1 a", "0 a")


nodes = st.tuples(st.integers(0, 2), st.sampled_from(LABELS))


releases = st.lists(st.frozensets(nodes, min_size=1, max_size=4), min_size=1, max_size=6)


def release_of(connection, sets, *, lists):
    """Make a table of nodes, as lists or in long form; return its name."""
    name = f"nodes_{next(NUMBERS)}"
    given = sets.items() if isinstance(sets, dict) else enumerate(sets)
    rows = [(str(key), label, level) for key, held in given for level, label in held]
    connection.execute(f"CREATE TABLE {name} (tid VARCHAR, item VARCHAR, level INT)")
    connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)  # noqa: S608
    if lists:
        listed = (
            "LIST(item ORDER BY item, level) AS item, LIST(level ORDER BY item, level) AS level"
        )
        connection.execute(
            f"CREATE TABLE {name}_listed AS SELECT tid, {listed} FROM {name} GROUP BY tid"  # noqa: S608
        )
        return f"{name}_listed"
    return name


def original_of(connection, count, *, lists):
    name = f"plain_{next(NUMBERS)}"
    connection.execute(
        f"CREATE TABLE {name} AS SELECT CAST(range AS VARCHAR) AS tid, UNNEST(['a', 'b']) AS item "  # noqa: S608
        f"FROM RANGE({count})"
    )
    if lists:
        connection.execute(
            f"CREATE TABLE {name}_listed AS SELECT tid, LIST(item) AS item FROM {name} GROUP BY tid"  # noqa: S608
        )
        return f"{name}_listed"
    return name

"""Files that come with renamed data: published itemsets, and the key.

Itemsets are in a Parquet file with the columns `items`, a list of names, and `frequency`. NULL
items and the empty itemset are skipped; a repeated itemset is an error. A key is a file with the
columns `code` and `name`, in which no value repeats.
"""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from setveil.backends.local import LISTS, formats
from setveil.errors import InputError
from setveil.run.files.hand import duckdb_of
from setveil.run.files.listed import create_of_file
from setveil.run.files.reading import NESTED
from setveil.run.session import Session
from setveil.sql.attack import candidates as sql
from setveil.sql.models.renaming import anonymize as renaming

PARQUET = ".parquet"


def read_published(session: Session, path: str | Path) -> None:
    """Make known_item, known_set and known_member."""
    relation = listed_file(session, str(path), "itemsets", ("items", "frequency"))
    with formats.reading(str(path)):
        create_of_file(session, sql.published_sets(relation), path)
    incomplete, repeated = session.one(sql.faults())
    if incomplete or repeated:
        raise InputError(
            f"{path}: {incomplete:,} itemsets lack their items or frequency, and {repeated:,} are "
            "there more than once; correct the file"
        )
    for step in (sql.known_items(), sql.known_sets(), sql.known_members()):
        session.create(step)


def read_key(session: Session, path: str | Path) -> None:
    """Make key_pair(code, name), with the code as text."""
    relation = listed_file(session, str(path), "key", ("code", "name"))
    with formats.reading(str(path)):
        create_of_file(session, renaming.key_pairs(relation), path)
    pairs, codes, names = session.one(renaming.key_sizes())
    if not pairs == codes == names:
        raise InputError(
            f"{path} is no key: it has {pairs:,} rows, {codes:,} codes and {names:,} names; in a "
            "key these counts are equal"
        )


def listed_file(
    session: Session,
    path: str,
    variable: str,
    wanted: tuple[str, str],
    suffixes: tuple[str, ...] = (PARQUET,),
) -> exp.Expr:
    """A file with two columns, Parquet or CSV with commas, as a relation after FROM."""
    option, backend = f"--{variable}", duckdb_of(session)
    if not Path(path).is_file():
        raise InputError(f"{option}: no such file: {path!r}")
    suffix = Path(path).suffix.lower()
    if suffix not in suffixes:
        known = "Parquet" if suffixes == (PARQUET,) else "Parquet or CSV"
        raise InputError(f"{option}: {path} must be a {known} file, as setveil writes it")
    session.inputs.add([path], option)
    text = formats.set_variable(variable, formats.pattern(path))
    if session.backend.is_local:
        session.reach(variable, f"the path of {option}", text)
    else:
        backend.execute(variable, text)
    relation = formats.parquet(variable) if suffix == PARQUET else formats.csv(variable, ",")
    with formats.reading(path):
        columns = backend.columns_of(relation)
    for name in wanted:
        if name not in columns:
            shown = ", ".join(repr(one) for one in columns)
            raise InputError(f"{option}: {path} has no column {name!r}; it has {shown}")
        kind, _, elements = columns[name].partition(" ")
        if (kind in LISTS) != (name == "items") or (elements or kind) in NESTED[2:]:
            raise InputError(f"{option}: {path}: the column {name!r} is {columns[name]}")
    return relation

"""Files that come with renamed data: published itemsets, and the key.

Itemsets are in a Parquet file with the columns `items`, a list of names, and `frequency`. NULL
items and the empty itemset are skipped; a repeated itemset is an error. A key is a file with the
columns `code` and `name`, in which no value repeats.
"""

from __future__ import annotations

from pathlib import Path

from setveil.backends.local import formats
from setveil.errors import InputError
from setveil.run.files.listed import create_of_file, listed_file
from setveil.run.session import Session
from setveil.sql.attack import candidates as sql
from setveil.sql.attack import costs
from setveil.sql.models.renaming import anonymize as renaming


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


def read_costs(session: Session, path: str | Path) -> None:
    """Make given_cost of a file with the columns items, cost and codes.

    Items are codes of the data where `codes` is true, and published names elsewhere.
    """
    relation = listed_file(session, str(path), "costs", ("items", "cost", "codes"))
    with formats.reading(str(path)):
        create_of_file(session, costs.given_costs(relation), path)
    incomplete, repeated = session.one(costs.cost_faults())
    if incomplete or repeated:
        raise InputError(
            f"{path}: {incomplete:,} rows lack their items, a cost above 0 or codes, and "
            f"{repeated:,} are there more than once; correct the file"
        )


def find_costs(session: Session, path: str | Path) -> None:
    """Make known_cost and mined_cost(id, parts), the costs of the attack's itemsets."""
    found = [session.counted(costs.own_costs(side)) for side in ("known", "mined")]
    if not any(found):
        session.refuse(InputError(f"--costs: {path} has no itemset of the attack: correct it"))

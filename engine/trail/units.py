"""Compare the unit of a promise, transactions or persons, with what the statements count."""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp, parse_one

from setveil.errors import InputError
from setveil.trail.head import Head
from setveil.trail.script import Script

PERSONS = "named_owner"  # a relation that is made where persons are counted


def check_unit(trail: Path, head: Head, script: Script) -> None:
    """Refuse a head that counts in another unit than the statements do."""
    made = {one.told[1]: one.told[2] for one in script.of("create")}
    unit = "transactions" if PERSONS not in made else "persons"
    person, guests = head.columns.get("person"), head.columns.get("guests")
    told = head.promise.get("unit", unit)
    if (person is not None) != (unit == "persons") or told != unit:
        raise InputError(
            f"{trail}: its head counts in another unit than its statements, which count {unit}"
        )
    if person is None:
        return
    tree = parse_one(made.get("person", "SELECT 1"), dialect=script.dialect)
    columns = {one.name for one in tree.find_all(exp.Column) if one.table == "s"}
    if columns != {person} or ("ROW_NUMBER" in made.get("owner", "")) != bool(guests):
        raise InputError(f"{trail}: its head names other persons than its statements count")

"""Compare the promise of a head with its run: its numbers, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlglot import exp, parse_one

from setveil.errors import InputError
from setveil.models import REGISTRY
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


def check_terms(trail: Path, head: Head) -> None:
    """Refuse a head whose promise has other numbers than the parameters of its run.

    A value that is no number is refused when the promise is judged.
    """
    model = REGISTRY.get(head.promise.get("model", ""))
    run: Mapping[str, Any] = head.lines.get("parameters", {})
    for one in () if model is None else model.promise:
        told, given = head.terms.get(one.name), run.get(one.name)
        if one.kind == "share" and one.name in run:
            same = _share(told) in (None, _share(given))
        else:
            same = one.kind != "count" or type(told) is not int or told == run.get(one.name, told)
        if told is not None and not same:
            raise InputError(
                f"{trail}: its promise has {one.name} = {told}, and its run had {given}: its head "
                "was altered"
            )


def _share(value: object) -> float | None:
    try:
        return None if value is None else float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return None

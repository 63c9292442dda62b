"""Check a release by the promise in the head of its trail, with our own checkers.

The verdict of the trail is not trusted: the release is read again, from its file or table. A forged
head can have another promise, so replay prints the promise first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from setveil import verify
from setveil.backends.local import Local
from setveil.errors import InputError
from setveil.models import REGISTRY
from setveil.models.hiding.patterns import Patterns, named_patterns
from setveil.models.model import Model
from setveil.models.wording import in_words
from setveil.run.files.parts import parts_of
from setveil.run.files.source import Source
from setveil.run.notes import KEPT
from setveil.run.reading import read
from setveil.run.release import Judged
from setveil.run.roles.lists import Items, named
from setveil.run.roles.promise import Names, Pattern, digest, listed
from setveil.run.session import Session
from setveil.run.shape import NUMBERED
from setveil.run.words import command_line, printable
from setveil.trail.head import Head

SHOWN = 10  # names of a list


@dataclass(frozen=True, slots=True)
class Beside:
    """Inputs that the caller gives again: lists that a redacted head lacks, and the original."""

    lists: Mapping[str, Items | Patterns | None] = field(default_factory=dict)
    original: Source | None = None


def promise_of(head: Head) -> list[str]:
    """The promise of a head, in lines for a person."""
    if not head.promise.get("model"):
        return ["no promise: the statements are run again, and nothing is checked"]
    said = ", ".join(f"{name} = {value}" for name, value in head.terms.items())
    lines = [f"promised: {head.promise['model']}, {said}"]
    for role in ("private", "public", "sensitive", "patterns"):
        if told := head.lines.get(role):
            lines.append(f"  {role}: {_shown(told)}")
    columns = head.columns
    if (model := REGISTRY.get(head.promise["model"])) is not None:
        person = columns.get("person") and str(columns["person"])
        words = in_words(model, head.terms, person, columns.get("guests"))
        lines.append(f"  in words: {words}")
    tid = columns.get("tid")
    ids = ", ".join(map(repr, tid)) if isinstance(tid, list) else repr(tid)
    lines.append(f"  of the columns {ids} and {columns.get('item')!r}")
    if columns.get("person"):
        guests = ", each guest a person" if columns.get("guests") else ""
        lines.append(f"  in persons, by the column {columns['person']!r} of the source{guests}")
    return lines


def repeated(
    head: Head,
    release: str,
    source: str,
    *,
    database: str | None = None,
    key: str | None = None,
    lists: Mapping[str, str] | None = None,
) -> str | None:
    """The command that judges the release again; None without a promise. `lists` are files."""
    model = REGISTRY.get(head.promise.get("model", ""))
    columns, tid = head.columns, head.columns.get("tid")
    if model is None:
        return None
    options: dict[str, object] = {}
    for one in model.promise:
        if one.kind in ("items", "patterns"):
            told = head.lines.get(one.name, {}).get("number")
            options[one.option] = (lists or {}).get(one.name, "LIST") if told else None
        else:
            options[one.option] = head.promise.get(one.name)
    options["--original"] = source if model.beside_original else None
    if columns.get("person"):
        options["--persons-of"] = source
        options |= {"--person": columns["person"], "--guests": columns.get("guests")}
    if isinstance(tid, list):
        options["--tid"] = ",".join(tid) if key or not columns.get("renumbered") else None
    else:
        options["--tid"] = tid if tid != "tid" else None
    options["--item"] = columns.get("item") if columns.get("item") != "item" else None
    options["--level"] = columns.get("level") if columns.get("level") != "level" else None
    options |= {"--database": database, "--key": key or ("KEY" if head.matched else None)}
    words = [
        text for name, value in options.items() if value is not None for text in (name, str(value))
    ]
    return printable(command_line(["setveil", "verify", model.name, release, *words]))


def needs_source(head: Head) -> bool:
    """Can the release only be judged beside its source?"""
    model = REGISTRY.get(head.promise.get("model", ""))
    return bool(head.columns.get("person")) or (model is not None and model.beside_original)


def _shown(told: Mapping[str, Any]) -> str:
    names = told.get("names")
    if names is None:
        return f"{told.get('number')} that the trail does not name"
    shown = ", ".join(repr(one) for one in names[:SHOWN]) or "none"
    return shown + (f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else "")


def check_lists(trail: Path, head: Head, beside: Beside) -> dict[str, Names]:
    """The names of every list, from the head or from the caller, before anything runs."""
    found: dict[str, Names] = {}
    for role in ("private", "public", "sensitive", "patterns"):
        told, given = head.lines.get(role), beside.lists.get(role)
        if told is None and given is not None:
            raise InputError(f"{trail} has no list of {role} items: leave --{role} out")
        if told is None:
            continue
        names = head.names(role) if given is None else _given(role, given)
        if names is None:
            raise InputError(
                f"{trail} does not name its {role} items, which the checker needs: name them with "
                f"--{role}"
            )
        if digest(names) != told.get("sha256"):
            which = "its head" if given is None else f"--{role}"
            raise InputError(f"{trail}: {which} has other {role} items than the run had")
        found[role] = names
    return found


def _given(role: str, given: Any) -> Names:
    with contextlib.closing(Session(Local())) as session:
        if role == "patterns":
            return listed(named_patterns(session, given))
        if isinstance(given, str) and given.startswith("where:"):
            raise InputError(f"--{role}: a condition needs the data of the run: list the names")
        return named(session, given, role)


def judge(
    trail: Path,
    head: Head,
    release: str,
    database: str | None,
    names: Mapping[str, Names],
    original: Source | None,
    key: str | None,
    note: Callable[[str], None],
) -> Judged | None:
    """The verdict of our checker on the release; None without a promise.

    `key` is the key of its ids, where they were replaced and must be matched. `note` takes the
    limits of the verdict.
    """
    model = head.promise.get("model")
    if not model:
        return None
    if model not in REGISTRY:
        raise InputError(f"{trail} promises {model!r}, for which there is no checker")
    columns, persons = head.columns, None
    if columns.get("person") and original is not None:
        persons = verify.PersonsOf(
            original.name, columns["person"], columns.get("guests"), original.database
        )
    if not REGISTRY[model].beside_original:
        original = None
    elif original is None:
        raise InputError(f"a release of {model} is checked against its original: name it")
    try:
        promise = _promise(REGISTRY[model], head.promise, names)
        if REGISTRY[model].in_parts:
            release = parts_of(release, is_file=database is None)[0]
        tid = columns.get("tid")
        if isinstance(tid, list) and columns.get("renumbered") and key is None:
            tid = NUMBERED
        given = {"tid": tid, "item": columns["item"], "database": database, "key": key}
        with read(release, **given, note=note) as baskets:
            verdict: Judged = verify.judged(
                model,
                baskets,
                level=columns.get("level"),
                original=original.name if original else None,
                original_database=original.database if original else None,
                ignore_unknown=True,
                persons=persons,
                **promise,
            )
            if tid is not None and not columns.get("renumbered"):
                note(KEPT)
            return verdict
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{trail} is not as setveil wrote it: its promise cannot be judged"
        ) from error


def _promise(model: Model, terms: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the promise, as a head writes them; a share is a fraction there."""
    found: dict[str, Any] = {}
    for one in model.promise:
        if one.kind == "patterns":
            found[one.name] = [_pattern(given) for given in names[one.name]]
        elif one.kind == "items":
            # A run has all lists, if only empty ones, but those that only lessen the promise.
            lessens = one.name == "public" or not (one.needed or model.bounds_shares)
            found[one.name] = names.get(one.name) if lessens else names[one.name]
        else:
            value = terms[one.name]
            found[one.name] = Fraction(value) if one.kind == "share" and value else value
    return {name: value for name, value in found.items() if value is not None}


def _pattern(given: Mapping[str, Any]) -> Pattern:
    return Pattern(tuple(given["items"]), None if given["psi"] is None else Fraction(given["psi"]))

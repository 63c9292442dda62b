"""Refuse names that the data lacks though it holds one that looks like them.

A name is its exact characters: `HIV ` in a list protects nobody who has `HIV`. Whoever wrote the
one meant the other, or mixes up the two, and must say which. `--ignore-unknown` passes over names
that the data does not hold in any spelling, and over no others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from setveil.errors import InputError
from setveil.run.session import Session
from setveil.sql.run import lists
from setveil.sql.step import Step

SHOWN = 5  # pairs in a message
UNSEEN = ("Cc", "Cf")  # Unicode's controls and marks: as the one at the start of a file


def refuse_near_misses(
    session: Session,
    option: str,
    unknown: Iterable[str],
    known: Iterable[str],
    names: Step | None = None,
) -> None:
    """Of a list the names that the data lacks, and those that it holds.

    `names` asks for all that it holds, where that is not the relation `item`.
    """
    wanted = list(unknown)
    if not wanted:
        return
    listed = set(known)
    held = [str(name) for (name,) in session.look_up(names or lists.names())]
    pairs = alike(wanted, (name for name in held if name not in listed))
    if not pairs:
        return
    raise InputError(
        f"--{option}: a name is its exact characters, and the data does not hold "
        f"{told(pairs, 'but holds')}; mend the list"
    )


def alike(names: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs that differ in blanks, case, normal form and characters that cannot be seen alone."""
    forms: dict[str, str] = {}
    for other in others:
        forms.setdefault(_form(other), other)
    return [(name, forms[_form(name)]) for name in names if _form(name) in forms]


def told(pairs: list[tuple[str, str]], verb: str) -> str:
    """The first pairs, so that it can be seen where they differ."""
    more = f" and {len(pairs) - SHOWN:,} more" if len(pairs) > SHOWN else ""
    return ", ".join(_seen(one, verb, other) for one, other in pairs[:SHOWN]) + more


def _seen(one: str, verb: str, other: str) -> str:
    composed = {unicodedata.normalize("NFC", name) for name in (one, other)}
    show = repr if len(composed) > 1 else ascii
    return f"{show(one)} {verb} {show(other)}"


def _form(name: str) -> str:
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(
        one for one in plain if not one.isspace() and unicodedata.category(one) not in UNSEEN
    )

"""Refuse a listed name that the data lacks if the data has a name that looks alike.

A name is its exact characters: `HIV ` in a list does not protect `HIV`. The caller must correct the
list. `--ignore-unknown` skips only names that the data lacks in any spelling.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from setveil.errors import InputError
from setveil.run.session import Session
from setveil.sql.run import lists
from setveil.sql.step import Step

SHOWN = 5  # pairs in a message
UNSEEN = ("Cc", "Cf")  # Unicode's control and format characters, such as U+FEFF


def refuse_near_misses(
    session: Session,
    option: str,
    unknown: Iterable[str],
    known: Iterable[str],
    names: Step | None = None,
) -> None:
    """Compare the `unknown` names of a list with all names of the data that are not `known`.

    `names` is the query for the names of the data; by default it reads the relation `item`.
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
        f"{told(pairs, 'but holds')}; correct the list"
    )


def alike(names: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names that differ only in blanks, case, normal form and invisible characters."""
    forms: dict[str, str] = {}
    for other in others:
        forms.setdefault(_form(other), other)
    return [(name, forms[_form(name)]) for name in names if _form(name) in forms]


def told(pairs: list[tuple[str, str]], verb: str) -> str:
    """The first pairs, in a form that shows their difference."""
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

"""The trail: everything a run did, as a script that a stock DuckDB shell can run again.

A trail can hold what the release hides; it says so in its first line. Its head says what was
promised of which data, and its statements stand in sections, under their names and reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from setveil.backends import registry
from setveil.backends.local import set_variable
from setveil.run.files.into import PUSHED
from setveil.run.reading import Baskets
from setveil.run.session import Statement
from setveil.run.shape import Shape
from setveil.trail import server as server_trail
from setveil.trail.head import CONFIDENTIAL, head
from setveil.trail.promise import Promise

__all__ = ["CONFIDENTIAL", "Told", "render"]

SECTIONS = {
    "read": "the source is read once, as it was given",
    "number": "transactions and items get numbers, and every item its support",
    "decide": "what is suppressed, generalized or renamed, and the counts that say why",
    "make": "the release is put together from the source and these decisions",
    "check": "the checker reads the release anew, and shares nothing with what made it",
    "verdict": "one statement that fails unless the checker's answer is that the promise holds",
    "seal": "one statement that fails unless the release has the rows that were checked",
    "write": "the rows of the release go where they were wanted",
}
NUMBERED = ("nulls", "label", "basket", "occurrence", "item")
PLACES = {"release": "make", "check_verdict": "verdict", "fingerprint": "seal", "seal": "seal"}
CHOSEN = "chosen_"  # questions with the condition of a list


@dataclass(frozen=True, slots=True)
class Told:
    """What a trail says of a run besides its statements. `redact` leaves names of items out."""

    model: str
    parameters: Mapping[str, object]
    shape: Shape
    promise: Promise = field(default_factory=Promise)
    redact: bool = False


def render(
    baskets: Baskets, told: Told, target: str | None, before: int, release: Mapping[str, object]
) -> str:
    """The script of a run. `target` is the release's file, if it went to one.

    `before` is the number of statements before this release was published: what published an
    earlier copy is no part of how this one came to be. `release` is said of it in the head.
    """
    statements, backend = baskets.session.statements, baskets.session.backend
    made = [one for one in statements[:before] if one.name != "publish"]
    kept = [*made, *statements[before:]]
    if told.redact:
        kept = [one for one in kept if not one.name.startswith(CHOSEN)]
    body = list(_sections(kept, written=set(map(id, statements[before:]))))
    top = head(
        baskets, told.model, told.parameters, told.promise, told.shape, release,
        redact=told.redact,
    )  # fmt: skip
    if backend.server is not None:
        forms = registry.by_engine(backend.engine).trail
        body += [f"{one};" for one in backend.server.closing(published=target is None)]
        body = [server_trail.printed(forms, one) for one in body]
        top += server_trail.told(forms, statements, target)
        opening = [*forms.silent, *_opened(backend.opening)]
        return "\n".join([*top, *_map(), "", *opening, "", *body, ""])
    top.append(f"-- Run it in DuckDB {_again(baskets, target)}")
    if target is not None:
        where = f"-- release: where it goes\n{set_variable('release', target)};\n"
        body.insert(len(body) - 1, where)
    return "\n".join([*top, *_map(), "", *_opened(backend.opening), "", *body])


def _again(baskets: Baskets, target: str | None) -> str:
    if not baskets.source.pulled:
        return "beside the same input, or with: setveil replay"
    if target is None:
        return f"beside the same rows as source.parquet: `{PUSHED}` is the release"
    return "beside the same rows as source.parquet, or with: setveil replay --source"


def _opened(statements: Iterable[str]) -> list[str]:
    return [f"{one};" for one in statements]


def _map() -> list[str]:
    """What follows, for whoever reads it."""
    lines = [f"--   {place}. {name}: {why}" for place, (name, why) in _places()]
    return ["-- What follows, section by section:", *lines]


def _places() -> Iterator[tuple[int, tuple[str, str]]]:
    return enumerate(SECTIONS.items(), 1)


def _sections(statements: Iterable[Statement], written: set[int]) -> Iterator[str]:
    """The statements, each section under its name. What published them is the last of them."""
    names, place = list(SECTIONS), -1
    for one in statements:
        found = names.index("write") if id(one) in written else _section(one, place)
        if found > place:
            place = found
            yield f"-- ===== {place + 1}. {names[place]} =====\n"
        yield _entry(one)


def _section(one: Statement, place: int) -> int:
    names = list(SECTIONS)
    if one.name in PLACES:
        found = names.index(PLACES[one.name])
    elif one.name.startswith("check_"):
        found = names.index("check")
    elif one.name in NUMBERED:
        found = names.index("number")
    elif place == names.index("number"):
        found = names.index("decide")
    else:
        found = 0
    return max(found, place)


def _entry(statement: Statement) -> str:
    if not statement.text:
        return str(statement)
    made = "" if statement.rows is None else f"{statement.rows:,} rows, "
    measured = f"-- {made}{statement.seconds:.3f} s\n"
    comment, _, text = str(statement).partition("\n")
    return f"{comment}\n{measured}{text}"

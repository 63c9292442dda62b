"""The trail: all statements of a run, as a script that a stock DuckDB shell can run again.

A trail can hold secrets that the release hides, as its first line says. Its head has the promise
and the data. Its statements are in sections, each below its name and reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from setveil.backends import registry
from setveil.backends.local import set_variable
from setveil.run.files.into import PUSHED
from setveil.run.reading import Baskets
from setveil.run.roles.promise import Promise
from setveil.run.session import Statement
from setveil.run.shape import Shape
from setveil.sql.trail.chapters import CHAPTERS, NUMBERS
from setveil.trail import server as server_trail
from setveil.trail.head import CONFIDENTIAL, head
from setveil.trail.sections import SECTIONS, section_after

__all__ = ["CONFIDENTIAL", "Told", "render"]

SHARE = re.compile(r"(\d+)/(\d+)")
LEVELS = re.compile(r"(_\d+)+$")  # of a step's name: counted_2, violations_1_2
CHOSEN = "chosen_"  # questions with the condition of a list


@dataclass(frozen=True, slots=True)
class Told:
    """The data for the head of a trail. `redact` leaves out the names of listed items."""

    model: str
    parameters: Mapping[str, object]
    shape: Shape
    promise: Promise = field(default_factory=Promise)
    redact: bool = False


def render(
    baskets: Baskets,
    told: Told,
    targets: Mapping[str, str],
    before: int,
    release: Mapping[str, object],
) -> str:
    """Make the script of a run. `targets` are the files of the release by their variables.

    `before` is the number of statements before this release was written. Statements that wrote an
    earlier copy are left out. `release` is an entry of the head.
    """
    statements, backend = baskets.session.statements, baskets.session.backend
    made = [one for one in statements[:before] if one.name != "publish"]
    kept = [*made, *statements[before:]]
    if told.redact:
        kept = [one for one in kept if not one.name.startswith(CHOSEN)]
    chapters = CHAPTERS.get(told.model, {})
    body = list(_sections(kept, set(map(id, statements[before:])), chapters))
    top = head(
        baskets,
        told.model,
        told.parameters,
        told.promise,
        told.shape,
        release,
        redact=told.redact,
    )
    if backend.server is not None:
        forms = registry.by_engine(backend.engine).trail
        body += [f"{one};" for one in backend.server.closing(published=not targets)]
        body = [server_trail.printed(forms, one) for one in body]
        top += server_trail.told(forms, statements, targets)
        opening = [*forms.silent, *_opened(backend.opening)]
        return "\n".join([*top, *_map(told, body), "", *opening, "", *body, ""])
    top.append(f"-- Run it in DuckDB {_again(baskets, targets)}")
    where = [
        f"-- {name}: the file of the release\n{set_variable(name, target)};\n"
        for name, target in targets.items()
    ]
    body[len(body) - len(where) : len(body) - len(where)] = where
    return "\n".join([*top, *_map(told, body), "", *_opened(backend.opening), "", *body])


def _again(baskets: Baskets, targets: Mapping[str, str]) -> str:
    if not baskets.source.is_copied:
        return "in a folder with a copy of the input, or with: setveil replay"
    if not targets:
        return f"beside the same rows as source.parquet: `{PUSHED}` is the release"
    return "beside the same rows as source.parquet, or with: setveil replay --source"


def _opened(statements: Iterable[str]) -> list[str]:
    return [f"{one};" for one in statements]


def _map(told: Told, body: Iterable[str]) -> list[str]:
    """The table of contents: a line per section, and per number that needs a name."""
    lines = [f"--   {place}. {name}: {why}" for place, (name, why) in _places()]
    numbers = [f"--   {one}" for one in _numbers(told, "\n".join(body))]
    head = ["-- Numbers in the statements:"] if numbers else []
    return ["-- Sections:", *lines, *head, *numbers]


def _numbers(told: Told, text: str) -> Iterator[str]:
    """Yield the shares of the promise, and the numbers of the statements that nobody can guess."""
    for name, value in told.promise.terms.items():
        if isinstance(value, str) and (share := SHARE.fullmatch(value)):
            over, under = share.groups()
            yield f"{name} is {value}: `part * {under} > {over} * whole` finds larger shares"
    for number, meaning in NUMBERS.items():
        if re.search(rf"\b{number}\b", text):
            yield f"{number} is {meaning}"
    packed = set(re.findall(r" \* (\d+) \+ ", text)) & set(re.findall(r" % (\d+)\b", text))
    for number in sorted(packed - NUMBERS.keys(), key=int):
        yield f"{number} packs two numbers into one: n // {number} and n % {number} unpack it"


def _places() -> Iterator[tuple[int, tuple[str, str]]]:
    return enumerate(SECTIONS.items(), 1)


def _sections(
    statements: Sequence[Statement], written: set[int], chapters: Mapping[str, str]
) -> Iterator[str]:
    """Yield the statements in sections and chapters; the last section writes the release."""
    names, place, headings = list(SECTIONS), -1, _headings(statements, chapters)
    for at, one in enumerate(statements):
        found = names.index("write") if id(one) in written else section_after(one.name, place)
        if found > place:
            place = found
            yield f"-- ===== {place + 1}. {names[place]} =====\n"
        if at in headings:
            yield f"-- ----- {headings[at]} -----\n"
        yield _entry(one)


def _headings(statements: Sequence[Statement], chapters: Mapping[str, str]) -> dict[int, str]:
    """The headings of chapters, by the place of the statement that each stands above.

    Remarks explain the statement after them, so the heading stands above them too.
    """
    found: dict[int, str] = {}
    times, last = Counter[str](), ""
    for at, one in enumerate(statements):
        key = one.name if one.name in chapters else LEVELS.sub("_#", one.name)
        if key not in chapters or one.text.startswith("DROP"):
            continue
        times[key] += 1
        number = times[key] if key == one.name else one.name.rpartition("_")[2]
        heading = chapters[key].format(n=number)
        if heading != last:
            while at and statements[at - 1].name == "remark":
                at -= 1
            found[at] = last = heading
    return found


def _entry(statement: Statement) -> str:
    if not statement.text:
        return str(statement)
    made = "" if statement.rows is None else f"{statement.rows:,} rows, "
    measured = f"-- {made}{statement.seconds:.3f} s\n"
    comment, _, text = str(statement).partition("\n")
    return f"{comment}\n{measured}{text}"

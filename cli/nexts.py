"""The next command: complete, for the same data and promise, in the words of a shell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from setveil.cli import output
from setveil.cli.groups import Persons, Places, Publishing, Reading
from setveil.models.model import Model, Param

AT_DOOR = "in-place"  # the default of --engine


def reading_words(reading: Reading, persons: Persons) -> list[str]:
    """The options that read the data again as it was read."""
    options: dict[str, object] = {"--database": reading.database, "--tid": reading.tid}
    options |= {"--item": reading.item if reading.item != "item" else None}
    options |= {"--person": persons.person, "--guests": persons.guests}
    options |= {"--engine": reading.engine if reading.engine != AT_DOOR else None}
    words = worded(options)
    return [*words, "--drop-nulls"] if reading.drop_nulls else words


def worded(options: Mapping[str, object]) -> list[str]:
    """Options with their values; those without a value are left out."""
    return [
        one for name, value in options.items() if value is not None for one in (name, str(value))
    ]


def promise_words(params: Sequence[Param], given: Mapping[str, object]) -> list[str]:
    """The options of a promise, as they were given."""
    return worded({one.option: given.get(one.name) for one in params})


def told(words: Sequence[str]) -> str:
    """The line that names the next command."""
    return f"next: {output.command_line(['setveil', *words])}"


def after_release(
    model: Model,
    written: str,
    source: str,
    places: Places,
    publishing: Publishing,
    reading: Reading,
    persons: Persons,
    given: Mapping[str, object],
) -> list[str]:
    """The check that a recipient can repeat, and the files that are not for recipients."""
    lines = []
    as_table = places.into is not None
    alike = as_table or reading.database is None  # the release lies where its source does
    if alike or not (model.beside_original or persons.person):
        words = ["verify", model.name, written, *promise_words(model.promise, given)]
        if model.beside_original:
            words += ["--original", source]
        if persons.person:
            words += ["--persons-of", source]
        here = reading if as_table else Reading(tid=reading.tid, item=reading.item)
        words += reading_words(here, persons)
        matched = model.beside_original or persons.person is not None
        words += worded({"--key": publishing.key}) if matched else []
        if not (matched and publishing.renumber and publishing.key is None):
            lines.append(told(words))
    kept = [path for path in (places.trail, publishing.key) if path is not None]
    if kept:
        lines.append(f"keep to yourself: {_files(kept)}")
    return lines


def _files(paths: Sequence[Path]) -> str:
    return ", ".join(output.printable(str(one)) for one in paths)

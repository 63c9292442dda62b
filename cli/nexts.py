"""The next command: complete, for the same data and promise, in the words of a shell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from setveil.cli import output
from setveil.cli.groups import Persons, Places, Publishing, Reading
from setveil.models.model import Model, Param
from setveil.models.wording import in_words

AT_DOOR = "in-place"  # the default of --engine
Lines = Iterator[str]


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


def place_words(reading: Reading, *, trail: bool = False) -> list[str]:
    """The options that write a release with random ids; their key matches it with its source."""
    words = ["--out", "safe.parquet"] if reading.database is None else ["--into", "safe"]
    words += ["--trail", "audit.sql"] if trail else []
    return [*words, "--renumber", "--key", "key.parquet"]


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
        matched = model.beside_original or persons.person is not None
        # The source is read again: by verify, and for the page that comes after it.
        dropping = reading.drop_nulls and matched
        here = Reading(tid=reading.tid, item=reading.item, drop_nulls=dropping)
        words += reading_words(reading if as_table else here, persons)
        words += worded({"--key": publishing.key}) if matched else []
        if not (matched and publishing.renumber and publishing.key is None):
            lines.append(told(words))
        if publishing.key is not None and alike and not matched:
            words = _filing(model, source, written, reading, persons, given, publishing.key)
            lines.append(f"and then: {output.command_line(['setveil', *words])}")
    if model.publishes_nodes(given) and alike:
        lines.append(_for_readers(source, written, reading, persons, given))
    kept = [path for path in (places.trail, publishing.key) if path is not None]
    kept += lists_of(model, given)
    return [*lines, *_kept(kept)]


def _for_readers(
    source: str, written: str, reading: Reading, persons: Persons, given: Mapping[str, object]
) -> str:
    """The command that tells readers of a generalized release what its labels mean."""
    words = ["setveil", "hierarchy", source, *reading_words(reading, persons)]
    named = ("hierarchy", "fanout", "private")
    words += worded({f"--{one}": given.get(one) for one in named})
    words += ["--of", written, *worded({"--k": given.get("k")}), "--out", "labels.csv"]
    return f"for readers of its labels: {output.command_line(words)}"


def lists_of(model: Model, given: Mapping[str, object]) -> list[Path]:
    """The files that name items: those that a promise protects, and all those of a hierarchy."""
    kinds = ("items", "patterns", "hierarchy")
    values = [given.get(one.name) for one in model.params if one.kind in kinds]
    return [Path(str(one)) for one in values if one is not None and os.path.isfile(str(one))]


def after_verdict(
    model: Model,
    source: str,
    original: str | None,
    reading: Reading,
    persons: Persons,
    given: Mapping[str, object],
    key: Path | None,
    *,
    holds: bool,
) -> Lines:
    """The page that is filed with a release that holds; one that does not stays here."""
    if not holds:
        yield f"do not hand over: {output.printable(source)}"
        return
    yield told(_filing(model, original or "ORIGINAL", source, reading, persons, given, key))
    yield f"in words: {in_words(model, given, persons.person, persons.guests)}"
    yield f"hand over: {output.printable(source)}, with these words"
    yield from _kept(lists_of(model, given))


def _filing(
    model: Model,
    source: str,
    release: str,
    reading: Reading,
    persons: Persons,
    given: Mapping[str, object],
    key: Path | None,
) -> list[str]:
    """The command that makes the page to file."""
    words = ["compare", source, release, "--verify", model.name]
    words += [*promise_words(model.promise, given), *reading_words(reading, persons)]
    words += worded({f"--{one}": given.get(one) for one in ("hierarchy", "fanout")})
    words += worded({"--key": key})
    return [*words, "--evidence", "--no-names", "--report", "evidence.html"]


def after_history(releases: Sequence[str], *, holds: bool) -> Lines:
    """Releases that hold together may all be known to one recipient."""
    shown = ", ".join(map(output.printable, releases))
    yield f"hand over: {shown}" if holds else f"do not hand over to anybody together: {shown}"


def after_comparison(report: Path | None, *, evidence: bool, no_names: bool, holds: bool) -> Lines:
    """The recipients of the page."""
    if not holds:
        yield "do not hand over: a release that does not hold"
    elif not evidence:
        yield "next: the same with --verify, --evidence and --report FILE.html, to file it"
    if report is not None:
        page = output.printable(str(report))
        if no_names:
            yield f"hand over with the release, and file it: {page}"
        else:
            yield f"for your own data protection officer alone, since it names items: {page}"


def after_sweep(
    model: Model, source: str, reading: Reading, persons: Persons, point: Mapping[str, object]
) -> Lines:
    """The release of a point of the grid."""
    words = promise_words([one for one in model.params if point.get(one.name)], point)
    read = reading_words(reading, persons)
    yield told([model.name, source, *read, *words, *place_words(reading)])
    yield "with the values that you choose from the table"


def after_hierarchy(
    source: str, out: Path, reading: Reading, persons: Persons, of: str | None
) -> Lines:
    """A release by the hierarchy; `of` a release, the file goes with it."""
    if of is not None:
        yield f"hand over with the release: {output.printable(str(out))}"
        return
    words = ["coherence", source, *reading_words(reading, persons), "--hierarchy", str(out)]
    words += ["--method", "generalize", "--k", "5", "--p", "2"]
    yield told([*words, *place_words(reading)])
    kept = output.printable(str(out))
    yield f"keep to yourself: {kept}, which names all items, also those that a release leaves out"


def after_rename(written: str, key: Path, reading: Reading) -> Lines:
    """The attack that shows what renaming hides."""
    words = ["reidentify", written, *reading_words(reading, Persons()), "--itemsets"]
    yield told([*words, "ITEMSETS", "--key", str(key)])
    yield from _kept([key])


def after_replay(trail: Path, release: str, *, fine: bool) -> Lines:
    """A trail lists suppressed items."""
    if fine:
        yield f"hand over: {output.printable(release)}"
    else:
        yield f"do not hand over: {output.printable(release)}"
    yield from _kept([trail])


def after_generation(out: Path) -> Lines:
    """Advice on the data."""
    yield told(["advise", str(out)])


def after_slice(
    model: Model,
    target: str,
    ledger: str,
    source: str,
    reading: Reading,
    persons: Persons,
    given: Mapping[str, object],
    *,
    renumbered: bool,
) -> Lines:
    """The check of all slices. Their ledger knows all transactions, and is the key of their ids."""
    words = ["verify", model.name, target, *promise_words(model.promise, given)]
    if model.beside_original:
        words += ["--original", source]
    if persons.person:
        words += ["--persons-of", source]
    words += reading_words(reading, persons)
    if renumbered and (model.beside_original or persons.person):
        words += ["--key", ledger]
    yield told(words)
    yield f"hand over: {output.printable(target)}"
    yield f"keep to yourself, in the backup: the ledger of {output.printable(target)}"


def after_rows(out: str) -> Lines:
    """Rows about the source are as confidential as the source."""
    yield f"keep to yourself: {output.printable(out)}"


def tell(lines: Iterable[str], *, everywhere: bool = False) -> None:
    """Print lines for a person; a program that reads the output gets none but with `everywhere`."""
    if everywhere or output.is_terminal():
        for one in lines:
            output.say(one)


def _kept(paths: Sequence[Path]) -> list[str]:
    return [f"keep to yourself: {_files(paths)}"] if paths else []


def _files(paths: Sequence[Path]) -> str:
    return ", ".join(output.printable(str(one)) for one in paths)

"""The parts that commands share: reading, explaining, publishing, reporting."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ParamSpec, Protocol

import typer

from setveil.backends.addresses import may_be_address
from setveil.cli import output, progress
from setveil.cli.groups import NO_PERSONS, NOTHING_EXPLAINED, Explaining, Persons, Reading, carried
from setveil.errors import INTERRUPTED, InputError, QueryError, SetveilError, command_line
from setveil.run.files.folders import check_folder
from setveil.run.files.into import check_table
from setveil.run.files.parts import FILES, second_table
from setveil.run.files.source import is_file_name
from setveil.run.inputs import refuse_twice
from setveil.run.reading import Baskets, read
from setveil.run.release import Release, check_targets
from setveil.run.renumbering import KEPT, Ids
from setveil.run.shape import LEVEL, generalized_shape
from setveil.run.slices.promise import Appending
from setveil.run.writing import check_trail
from setveil.trail import explain as explaining
from setveil.trail.course import Course
from setveil.trail.sections import SECTIONS

P = ParamSpec("P")

# The stages of commands that make no release.
MEASURING = ("read", "number", "measure")
CHECKING = ("read", "number", "check")


@contextlib.contextmanager
def reading(
    source: str,
    options: Reading,
    explaining: Explaining = NOTHING_EXPLAINED,
    *,
    quiet: bool,
    persons: Persons = NO_PERSONS,
    carry: Sequence[str] | None = None,
    key: Path | None = None,
    into: Sequence[str] = (),
    force: bool = False,
    once: bool = True,
    by_level: bool = False,
    by_row: bool = False,
    outputs: Mapping[str, Path | None] | None = None,
    append: Appending | None = None,
    stages: Sequence[str] = MEASURING,
) -> Iterator[Baskets]:
    """Read the transactions of a source for the block, which makes one release unless not `once`.

    Refused are `into` tables that cannot be made, and an output that is also an input. `outputs`
    are files by their options. `by_level` is for commands that read nodes with their levels. On a
    terminal, `stages` of the run are shown.
    """
    named = options.database
    if named is not None and is_file_name(named) and not may_be_address(named):
        raise InputError(f"--database: {named} is a file of data: name it as SOURCE instead")
    if not explaining.explain:
        refuse_twice(outputs or {})
    course = Course(stages)
    with contextlib.ExitStack() as run:
        run.enter_context(progress.shown(course, quiet=quiet or explaining.explain))
        baskets = run.enter_context(
            read(
                source,
                **asdict(options) | {"tid": options.keys},
                **asdict(explaining),
                **asdict(persons),
                note=output.note,
                chat=(lambda text: None) if quiet else output.chat,
                once=once,
                by_row=by_row,
                carry=carried(carry),
                key=key,
                append=append,
                course=course,
            )
        )
        if not explaining.explain:
            baskets.session.inputs.announce(outputs or {})
        for table in into:
            check_table(baskets.session, baskets.source, table, force=force)
        if LEVEL in baskets.shape.beside and not by_level:
            output.note(
                f"the column {LEVEL!r} is not read here: if it is of a generalized release, nodes "
                "of the same label count as one item; verify k-anonymity, verify km-anonymity and "
                "compare distinguish them"
            )
        yield baskets


def check_shape(baskets: Baskets, out: Path | None, *, of_nodes: bool) -> None:
    """Refuse a file whose format cannot hold the release."""
    shape = generalized_shape(baskets.shape) if of_nodes else baskets.shape
    check_targets(shape, out=out, force=True)


def explained(baskets: Baskets) -> None:
    """Print the statements that would run."""
    for text in explaining.explained(baskets.session):
        output.say(text)


class Clock:
    """Seconds since the command began."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        return round(time.perf_counter() - self._start, 3)


def report(
    command: str,
    baskets: Baskets,
    parameters: dict[str, object],
    guarantee: dict[str, object] | None,
    metrics: Any,
    clock: Clock,
    **more: object,
) -> dict[str, Any]:
    """The one JSON object of a command."""
    content: dict[str, Any] = {
        "command": command,
        "source": baskets.source.name,
        "parameters": parameters,
    }
    if guarantee is not None:
        content["guarantee"] = guarantee
    steps = len([one for one in baskets.session.statements if one.text])
    return content | {"metrics": asdict(metrics), "seconds": clock.seconds, "steps": steps, **more}


class Writable(Protocol):
    """The result of a run: a release, or mined itemsets."""

    def write(self, path: Path, *, trail: Path | None, force: bool) -> None: ...
    def write_table(self, table: str, *, trail: Path | None, force: bool) -> None: ...


def publish(
    release: Writable, out: Path | None, into: str | None, trail: Path | None, *, force: bool
) -> str | None:
    """Write the result to the file or table that is named, and return its name."""
    if out is not None:
        release.write(out, trail=trail, force=force)
        return str(out)
    if into is not None:
        release.write_table(into, trail=trail, force=force)
        return into
    return None


def publish_release(
    release: Release[Any],
    out: Path | None,
    into: str | None,
    trail: Path | None,
    ids: Ids,
    *,
    force: bool,
    redact: bool = False,
) -> str | None:
    """Write a release. Its ids can be replaced, and its trail can leave out listed items."""
    if out is None and into is None:
        return None
    write: Callable[..., None] = release.write if out is not None else release.write_table
    where = str(out) if out is not None else into
    write(where, trail=trail, force=force, renumber=ids.renumber, key=ids.key, redact=redact)
    return where


def release_targets(*, out: Path | None, trail: Path | None, force: bool) -> None:
    """The check of `check_outputs` for a release whose shape is not known yet."""
    check_targets(None, out=out, trail=trail, force=force)


def parted_targets(*, out: Path | None, trail: Path | None, force: bool) -> None:
    """The check of `check_outputs` for a release in two parts, whose file is a folder."""
    if out is not None:
        check_folder(str(out), tuple(FILES.values()), {"--trail": trail}, force=force)
    check_trail(None, trail, force=force)


def release_stages(*, written: bool, trail: bool) -> list[str]:
    """The sections of a run that makes a release; the seal is one of the trail's."""
    left = {"seal": trail, "write": written}
    return [name for name in SECTIONS if left.get(name, True)]


def tables_of(into: str | None, *, in_parts: bool = False) -> list[str]:
    """The tables that a release is written to."""
    if into is None:
        return []
    return [into, second_table(into)] if in_parts else [into]


def tell_written(written: str | None, clock: Clock, *, quiet: bool) -> None:
    """Print the file or table that was written."""
    if written is not None:
        output.say(f"written: {output.printable(written)} ({clock.seconds} s)")
    elif not quiet:
        output.chat("nothing was written: name a file with --out, or a table with --into")


def check_outputs(
    out: Path | None,
    into: str | None,
    trail: Path | None,
    database: str | None,
    *,
    force: bool,
    check: Callable[..., None] = release_targets,
    ids: Ids = KEPT,
) -> None:
    """Refuse outputs that cannot be written, before the source is read."""
    if out is not None and into is not None:
        raise InputError("--out and --into exclude each other: give one")
    if into is not None and database is None:
        raise InputError("--into needs --database; to write a file, use --out")
    if trail is not None and out is None and into is None:
        raise InputError("--trail needs --out or --into: without a release there is no trail")
    if ids.renumber and out is None and into is None:
        raise InputError("--renumber needs --out or --into: without them no id is written")
    ids.check()
    check(out=out, trail=trail, force=force)


def with_exit_code(command: Callable[P, int | None]) -> Callable[P, None]:
    """Wrap a command: it prints an error on one line and exits with the code of the error."""

    @functools.wraps(command)
    @command_line()
    def coded(*args: P.args, **kwargs: P.kwargs) -> None:
        output.NOTES.clear()
        try:
            if kwargs.get("explain") and kwargs.get("json"):
                raise InputError(
                    "--explain runs nothing, so --json has no result to print: leave one out"
                )
            code = command(*args, **kwargs)
        except SetveilError as error:
            output.fail(str(error))
            if kwargs.get("json"):
                output.print_error(error.exit_code, str(error), error.hint)
            raise typer.Exit(error.exit_code) from error
        except MemoryError as error:
            output.fail("out of memory: ask for less, or raise --memory-limit")
            raise typer.Exit(QueryError.exit_code) from error
        except (KeyboardInterrupt, typer.Abort) as error:  # Abort: a question got no answer
            raise typer.Exit(INTERRUPTED) from error
        raise typer.Exit(code or 0)

    return coded


ALONE = "k = 1 protects nobody: each transaction may be the only one of its kind"


def note_promise(given: Mapping[str, Any]) -> None:
    """Note the parameters of a promise that protect nobody."""
    if given.get("k") == 1:
        output.note(ALONE)
    if "h" in given:
        note_h(given["h"], given["private"])


def note_h(h: str | None, private: str | None) -> None:
    """Note that h has no effect where no item is private."""
    if h is not None and private is None:
        output.note("--h has no effect: it bounds private items, and --private names none")

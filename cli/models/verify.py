"""The command `verify MODEL` of every model, from its entry."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from setveil.cli import nexts, output, running
from setveil.cli.command import (
    Command,
    declared,
    framed,
    given_of,
    ignore_unknown,
    option_of,
    show,
    source_option,
    texts_of,
)
from setveil.cli.groups import Explaining, Persons, Reading, Showing
from setveil.cli.models import history
from setveil.cli.models.asking import with_query
from setveil.cli.options import Fanout
from setveil.errors import InputError
from setveil.hierarchy.cover import Cover
from setveil.models.model import Model
from setveil.run.files.parts import parts_of
from setveil.run.reading import Baskets, read_original
from setveil.run.words import Blocks, counted, names
from setveil.verify import cover, judged, levelled

LEVEL = Annotated[
    str | None,
    typer.Option("--level", metavar="COL", help='The column of the levels (default "level").'),
]
ORIGINAL = Annotated[
    str | None,
    typer.Option(
        "--original",
        metavar="SOURCE",
        help="The source of the release: a file; with --database, a table, view or query.",
    ),
]
COUNTS = Annotated[
    str | None,
    typer.Option(
        "--counts",
        metavar="SOURCE",
        help="The second part of the release. Default: sensitive.parquet beside the first, or the "
        "table of its name and _sensitive.",
    ),
]
ORIGINAL_DATABASE = Annotated[
    Path | None,
    typer.Option(
        "--original-database",
        metavar="FILE",
        help="The DuckDB file of --original (default: --database).",
    ),
]


def verify_command(model: Model) -> Command:
    """The command that judges a release by the promise of the model."""
    run, more = _verifier(model)
    run, together = history.with_history(model, run)
    run = with_query(model, run)
    promise = [option_of(one, needed=one is not model.listed) for one in model.promise]
    own = [source_option(), *promise, *more, *together]
    own += ignore_unknown(model)
    about = f"{model.title}: find violations of the promise.\n\n{_said_of(model)}"
    return framed(run, own=own, about=about), model.violation


def _said_of(model: Model) -> str:
    if model.beside_original:
        return (
            "The release is compared with its original, transaction by transaction: by id, or line "
            "by line where there are no ids."
        )
    if model.in_parts:
        return (
            "RELEASE is the folder of both files, or the first of two tables. Each item of the "
            "second part is judged, listed or not."
        )
    if model.lists_items:
        return "Listed names that the release lacks are skipped: they may have been suppressed."
    if model.of_nodes:
        return "With --original, every node is also checked to stand for items of the original."
    return "Only the rows of the release are read."


def _verifier(model: Model) -> tuple[Callable[..., int], list[inspect.Parameter]]:
    """The run of `verify MODEL`, and its options beside those of the promise."""
    if model.judges_nodes:
        tree = {"hierarchy": history.HIERARCHY, "fanout": Fanout}
        of_nodes = {"level": LEVEL, "original": ORIGINAL, **tree}
        return _nodes_verifier(model), declared(**of_nodes)
    if model.beside_original:
        beside = {"original": ORIGINAL, "original_database": ORIGINAL_DATABASE}
        return _plain_verifier(model), declared(**beside)
    if model.in_parts:
        return _plain_verifier(model), declared(counts=COUNTS)
    return _plain_verifier(model), declared()


def _plain_verifier(model: Model) -> Callable[..., int]:
    def run(
        source: str,
        persons: Persons,
        reading: Reading,
        explaining: Explaining,
        showing: Showing,
        *,
        persons_of: str | None,
        key: Path | None,
        **given: Any,
    ) -> int:
        clock = running.Clock()
        promise = given_of(model.promise, given)
        own, of_source = history.persons_of(persons, persons_of)
        running.note_promise(given)
        more = {name: given[name] for name in given if name not in promise}
        more = {name: value for name, value in more.items() if value is not None}
        if model.in_parts:
            source = parts_of(source, is_file=reading.database is None)[0]
        with running.reading(
            source,
            reading,
            explaining,
            quiet=showing.quiet,
            persons=own,
            key=key,
            stages=running.CHECKING,
        ) as baskets:
            if model.beside_original:
                more["item"] = reading.item
            verdict = judged(
                model.name, baskets, persons=of_source, by_slice=True, **promise, **more
            )
            slices = history.by_slice(model, baskets, given, of_source)
            if explaining.explain:
                running.explained(baskets)
                return 0
            holds = verdict.holds and (slices is None or slices.holds)
            if showing.json:
                content = _judged_json(model, promise, verdict, clock, baskets, holds)
                output.print_json(content | history.of_slices(slices))
            else:
                show(texts_of(model).verdict(verdict))
                history.show_slices(slices)
                nexts.tell(
                    nexts.after_verdict(
                        model,
                        source,
                        given.get("original") or persons_of,
                        reading,
                        persons,
                        given,
                        key,
                        holds=holds,
                    ),
                    everywhere=not showing.quiet,
                )
        return 0 if holds else 1

    return run


def _nodes_verifier(model: Model) -> Callable[..., int]:
    def run(
        source: str,
        persons: Persons,
        reading: Reading,
        explaining: Explaining,
        showing: Showing,
        *,
        persons_of: str | None,
        level: str | None,
        original: str | None,
        hierarchy: str | None,
        fanout: int | None,
        key: Path | None,
        **given: Any,
    ) -> int:
        clock = running.Clock()
        running.note_promise(given)
        if original is None and (hierarchy is not None or fanout is not None):
            raise InputError("--hierarchy and --fanout need --original, whose items they compare")
        own, of_source = history.persons_of(persons, persons_of)
        if original is None and persons_of is None and key is not None:
            raise InputError(
                "--key matches transactions with those of the original: add --original"
            )
        with running.reading(
            source,
            reading,
            explaining,
            quiet=showing.quiet,
            persons=own,
            key=key,
            by_level=True,
            stages=running.CHECKING,
        ) as baskets:
            verdict = judged(
                model.name, baskets, level=level, persons=of_source, by_slice=True, **given
            )
            slices = history.by_slice(model, baskets, given | {"level": level}, of_source)
            if explaining.explain:
                running.explained(baskets)
                return 0
            covers = None
            if original is not None:
                tid, item = reading.keys, reading.item
                with read_original(baskets, original, tid=tid, item=item) as before:
                    covers = cover(
                        baskets,
                        before,
                        hierarchy=hierarchy,
                        fanout=fanout,
                        level=level,
                        suppressed=model.leaves_out,
                    )
            holds = verdict.holds and (covers is None or covers.holds)
            holds = holds and (slices is None or slices.holds)
            if showing.json:
                content = _judged_json(model, given, verdict, clock, baskets, holds)
                content |= {"cover": None if covers is None else asdict(covers)}
                output.print_json(content | history.of_slices(slices))
            else:
                show(_with_cover(texts_of(model).verdict(verdict), verdict.holds, covers))
                history.show_slices(slices)
                nexts.tell(
                    nexts.after_verdict(
                        model,
                        source,
                        original or persons_of,
                        reading,
                        persons,
                        given | _tree(baskets, level, hierarchy, fanout),
                        key,
                        holds=holds,
                    ),
                    everywhere=not showing.quiet,
                )
        return 0 if holds else 1

    return run


def _tree(
    release: Baskets, level: str | None, hierarchy: str | None, fanout: int | None
) -> dict[str, object]:
    """The hierarchy of a release, by which its page tells the information that is lost."""
    if hierarchy is None and fanout is None and levelled(release.shape, level).level is not None:
        hierarchy = "HIERARCHY"
    return {"hierarchy": hierarchy, "fanout": fanout}


def _judged_json(
    model: Model,
    promise: dict[str, Any],
    verdict: Any,
    clock: running.Clock,
    baskets: Any,
    holds: bool,
) -> dict[str, Any]:
    guarantee = {"model": model.name, "holds": holds}
    parameters = history.promised_json(model, promise)
    return running.report(f"verify {model.name}", baskets, parameters, guarantee, verdict, clock)


def _with_cover(verdict: Blocks, holds: bool, covers: Cover | None) -> Blocks:
    """The verdict on the release alone, then on the release compared with its original."""
    if holds and covers is not None and not covers.holds:
        yield (
            "does not hold: the published nodes do not match the original; was the release made "
            "with this hierarchy?"
        )
    else:
        yield from verdict
    if covers is None:
        return
    if covers.holds:
        gone = counted(covers.suppressed, "item")
        but = f"but for {gone} that it suppresses, " if covers.suppressed else ""
        yield f"every node stands for items of the original, and {but}every item has a node"
    if covers.uncovered:
        shown = names(covers.uncovered_items)
        yield f"without a node: {counted(covers.uncovered, 'occurrence')}, most often of {shown}"
    if covers.unfounded:
        shown = names(covers.unfounded_nodes)
        yield f"without an item: {counted(covers.unfounded, 'node')}, most often {shown}"

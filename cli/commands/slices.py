"""The part of a model's command that appends a slice to a target."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from setveil.cli import nexts, output, running
from setveil.cli.command import given_of, show, texts_of
from setveil.cli.groups import (
    Explaining,
    Persons,
    Places,
    Publishing,
    Reading,
    Showing,
    Slicing,
    carried,
)
from setveil.errors import InputError
from setveil.models.model import Model
from setveil.run.slices.appending import Appended
from setveil.run.words import counted
from setveil.slices import appended, appending, without


def _refuse_beside_slices(
    places: Places,
    publishing: Publishing,
    explaining: Explaining,
    reading: Reading,
    slicing: Slicing,
) -> None:
    """Refuse options that have no meaning beside --append."""
    for option, given in (
        ("--out", places.out),
        ("--into", places.into),
        ("--force", places.force or None),
    ):
        if given is not None:
            raise InputError(f"--append and {option} exclude each other: leave {option} out")
    if explaining.explain and slicing.erase is not None:
        raise InputError(
            "--explain reads no data, and what an erasure has to repair follows from the slices: "
            "leave --erase out, and see the statements of a new slice"
        )
    if publishing.key is not None:
        raise InputError("the ledger of --append keeps the ids and their numbers: leave --key out")
    if reading.engine != "in-place":
        raise InputError(
            "--append writes a slice where its ledger is, beside the data: leave --engine out"
        )


def append_slice(
    model: Model,
    publishing: Publishing,
    places: Places,
    persons: Persons,
    reading: Reading,
    explaining: Explaining,
    slicing: Slicing,
    showing: Showing,
    given: dict[str, Any],
) -> None:
    """Append the transactions of the source that no slice has, and say what was done."""
    _refuse_beside_slices(places, publishing, explaining, reading, slicing)
    clock = running.Clock()
    assert slicing.append is not None
    running.note_promise(given)
    options = given_of(model.params, given)
    wanted = appending(
        model,
        slicing.append,
        options,
        renumber=publishing.renumber,
        accept_new=slicing.accept_new,
        wait=slicing.wait,
        max_age=slicing.max_age,
        persons=(persons.person is not None, persons.guests),
        carry=carried(publishing.carry),
    )
    if model.lists_items:
        options["ignore_unknown"] = given["ignore_unknown"]
    with running.reading(
        given["source"],
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        carry=publishing.carry,
        by_level=model.reads_nodes,
        append=wanted,
        stages=running.release_stages(written=True, trail=places.trail is not None),
    ) as baskets:
        if slicing.erase is not None:
            done = without(baskets, model, options, slicing.erase)
        else:
            done = appended(baskets, model, options, trail=places.trail, redact=publishing.redact)
        if explaining.explain:
            return running.explained(baskets)
        if showing.json:
            output.print_json(_report(model, baskets, done, clock))
        else:
            _tell(model, done, clock, erases=slicing.erase is not None, quiet=showing.quiet)
            if done.release is not None:
                lines = nexts.after_slice(
                    model,
                    done.target,
                    done.ledger,
                    given["source"],
                    reading,
                    persons,
                    given,
                    renumbered=publishing.renumber,
                )
                nexts.tell(lines)


def _report(model: Model, baskets: Any, done: Appended, clock: running.Clock) -> dict[str, Any]:
    release = done.release
    told = {
        name: getattr(done, name) for name in Appended.__dataclass_fields__ if name != "release"
    }
    content: dict[str, Any] = {
        "command": model.name,
        "source": baskets.source.name,
        "parameters": {} if release is None else release.parameters,
        "append": told,
    }
    if release is not None:
        content["guarantee"] = {"model": model.name, "holds": release.verdict.holds}
        content["metrics"] = asdict(release.metrics)
    return content | {"seconds": clock.seconds}


def _tell(model: Model, done: Appended, clock: running.Clock, *, erases: bool, quiet: bool) -> None:
    if erases:
        output.say(
            f"erased: {counted(done.erased, 'transaction')} of {output.printable(done.target)} "
            f"({clock.seconds} s)"
        )
    elif done.release is not None:
        show(texts_of(model).release(done.release))
        output.say(
            f"appended: slice {done.slice} of {output.printable(done.target)}, "
            f"{counted(done.released, 'transaction')} ({clock.seconds} s)"
        )
    elif not done.fresh and not done.waiting and not quiet:
        output.chat(f"nothing is new for {output.printable(done.target)}: nothing was done")

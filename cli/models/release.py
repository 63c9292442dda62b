"""The command `setveil MODEL` of every model, from its entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from setveil.cli import nexts, output, running
from setveil.cli.command import (
    Command,
    framed,
    given_of,
    ignore_unknown,
    option_of,
    show,
    source_option,
    texts_of,
)
from setveil.cli.groups import (
    Explaining,
    Persons,
    Places,
    Publishing,
    Reading,
    Showing,
    Slicing,
)
from setveil.models.forecast import Forecast, forecast
from setveil.models.model import Late, Model
from setveil.run.reading import Baskets

WORTH_TELLING = 5.0  # seconds

# Slices need the checkers of all models: a release without them does not wait for that.
append_slice = Late("setveil.cli.commands.slices", "append_slice")


def release_command(model: Model) -> Command:
    """The command that makes a release of the model."""
    own = [source_option(), *map(option_of, model.params), *ignore_unknown(model)]

    def run(
        publishing: Publishing,
        places: Places,
        persons: Persons,
        reading: Reading,
        explaining: Explaining,
        slicing: Slicing,
        showing: Showing,
        **given: Any,
    ) -> None:
        if slicing.append is not None:
            append_slice(
                model, publishing, places, persons, reading, explaining, slicing, showing, given
            )
            return
        slicing.refuse_without_target()
        _anonymize(model, publishing, places, persons, reading, explaining, showing, given)

    return framed(run, own=own, about=model.about), model.short


def _anonymize(
    model: Model,
    publishing: Publishing,
    places: Places,
    persons: Persons,
    reading: Reading,
    explaining: Explaining,
    showing: Showing,
    given: dict[str, Any],
) -> None:
    clock, ids = running.Clock(), publishing.ids
    check = running.parted_targets if model.in_parts else running.release_targets
    running.note_promise(given)
    if not explaining.explain:
        running.check_outputs(
            places.out,
            places.into,
            places.trail,
            reading.database,
            force=places.force,
            ids=ids,
            check=check,
        )
    with running.reading(
        given["source"],
        reading,
        explaining,
        quiet=showing.quiet,
        persons=persons,
        carry=publishing.carry,
        into=running.tables_of(places.into, in_parts=model.in_parts),
        force=places.force,
        by_level=model.reads_nodes,
        outputs=places.outputs | {"--key": publishing.key},
        stages=running.release_stages(
            written=(places.out or places.into) is not None, trail=places.trail is not None
        ),
    ) as baskets:
        options = given_of(model.params, given)
        if not model.in_parts:
            running.check_shape(baskets, places.out, of_nodes=model.publishes_nodes(options))
        if model.lists_items:
            options["ignore_unknown"] = given["ignore_unknown"]
        expected = _foretold(model, baskets, options)
        release = model.anonymize(baskets, **options)
        if explaining.explain:
            return running.explained(baskets)
        written = running.publish_release(
            release,
            places.out,
            places.into,
            places.trail,
            ids,
            force=places.force,
            redact=publishing.redact,
        )
        if showing.json:
            guarantee = {"model": model.name, "holds": release.verdict.holds}
            output.print_json(
                running.report(
                    model.name,
                    baskets,
                    release.parameters,
                    guarantee,
                    release.metrics,
                    clock,
                    out=written,
                    forecast=None if expected is None else asdict(expected),
                )
            )
        else:
            show(texts_of(model).release(release))
            running.tell_written(written, clock, quiet=showing.quiet)
            if written is not None:
                show(
                    iter(
                        nexts.after_release(
                            model,
                            written,
                            given["source"],
                            places,
                            publishing,
                            reading,
                            persons,
                            given,
                        )
                    )
                )


def _foretold(model: Model, baskets: Baskets, given: Mapping[str, object]) -> Forecast | None:
    """Say what a run will take, if that is more than some seconds, and show what is left of it."""
    if model.forecast is None:
        return None
    expected = forecast(baskets, partial(model.forecast, **given))
    if expected is not None and expected.seconds >= WORTH_TELLING:
        session = baskets.session
        session.chat(str(expected))
        session.course.expect_end(expected.seconds - session.seconds_of_reading)
    return expected

"""The sections of a comparison on all releases together."""

from __future__ import annotations

from collections.abc import Iterator

from setveil.comparison.views.view import View
from setveil.history.texts import place
from setveil.run.words import SHOWN, counted
from setveil.show.page import Section
from setveil.show.tables import Table, share


def what_releases_add(view: View) -> Iterator[Section]:
    """A row for each release: the share that is singled out by it and all before it."""
    if view.found.history is None:
        return
    k, at = view.found.parameters["k"], "metrics.history.added"
    known = range(len(view.found.history.added[0].singled_out))
    kinds = ["singled_out"]
    if view.found.history.added[0].singled_out_persons is not None:
        kinds.append("singled_out_persons")
    rows = tuple(
        (
            f"and {view.names[n]}" if n else view.names[n],
            view.cell(f"{at}.{n}.transactions"),
            *(view.cell(f"{at}.{n}.{kind}.{size}", share) for kind in kinds for size in known),
        )
        for n in range(len(view.found.history.added))
    )
    units = ["transactions", "persons"][: len(kinds)]
    head = [f"{unit}, {counted(size + 1, 'item')} known" for unit in units for size in known]
    yield Section(
        "The risk that each release adds",
        "An attacker with all releases up to this one sees all that they show of a transaction. "
        f"It is singled out if fewer than {k} in exactly the same of these releases match.",
        table=Table(("releases", "transactions", *head), rows),
        sql=view.found.sql.get("history.history", ()),
    )


def verdict_on_all(view: View) -> Iterator[Section]:
    """The verdict on all releases together: where the promise is broken, and for how many."""
    if view.found.history is None or (verdict := view.found.history.verdict) is None:
        return
    names = dict(zip(verdict.releases, view.names, strict=True))
    at = "metrics.history.verdict"
    rows = tuple(
        (place(one, names), *view.cells(f"{at}.broken.{n}", ("transactions", "exposed", "found")))
        for n, one in enumerate(verdict.broken[:SHOWN])
    )
    groups = counted(verdict.judged, "group of transactions", "groups of transactions")
    kept = "holds" if verdict.holds else f"does not hold in {len(verdict.broken):,}"
    yield Section(
        "Verdict on all releases together",
        f"{verdict.model} {kept} of {groups}, each in exactly the same releases.",
        table=Table(("releases", "transactions", "exposed", "violations"), rows) if rows else None,
        sql=view.found.sql.get("history.history", ()),
    )

"""The steps of permutation and of its checker, for tests/golden."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql import pairs
from setveil.sql.models.permutation import check, group, order, release
from setveil.sql.run import reading
from setveil.sql.step import Step, duck

KEY, GROUP = reading.column("basket no"), reading.column("group")
CELLS, LISTED = exp.to_table("release_cell"), exp.to_table("listed")
GROUPS = check.groups_of("release", KEY, GROUP)
COUNTS = check.counts_of("release_sensitive", "group", "o'brien", "count")

Made = Iterator[tuple[str, Step]]


def of_order() -> Made:
    yield "harmless", order.harmless()
    yield "ranked", order.ranked()
    yield "vertices", order.vertices()
    yield "degrees", order.degrees()
    for number in (0, 2, 3):
        yield f"components-{number}", order.components(number)
    yield "starts", order.starts(2)
    yield "first_level", order.first_level(3)
    for number in (1, 2, 3):
        yield f"touched-{number}", order.touched(number)
        yield f"level-{number}", order.level(number)
    yield "queue", order.queue(3, 2)


def of_group() -> Made:
    for persons in (False, True):
        kind = "-persons" if persons else ""
        yield f"clashes{kind}", group.clashes(persons=persons)
        yield f"members{kind}", group.members(2, blank=True, persons=persons)
    yield "members-long", group.members(0, blank=False, persons=False)
    yield "crowded", group.crowded(4)
    yield "whole", group.whole()
    for number in (2, 3):
        yield f"halves-{number}", group.halves(number, 24)
        yield f"uncut-{number}", group.uncut(number, 4)
        yield f"cut-{number}", group.cut(number)
    yield "opened", group.opened(2)
    yield "windows", group.windows(2, 24, 4)
    yield "scarce", group.scarce(2, 4)
    yield "seeds", group.seeds(2)
    yield "barred", group.barred(2)
    yield "likened", group.likened(2)
    yield "passed_over", group.passed_over(2)
    yield "drawn", group.drawn(2, 4)
    yield "given_up", group.given_up(2)
    yield "formed", group.formed(2)
    yield "reopened", group.reopened(2)
    yield "rests", group.rests(2)
    yield "settled", group.settled(2)
    yield "settled-none", group.settled(0)
    yield "loose", group.loose()
    yield "wooed", group.wooed(2)
    yield "refused", group.refused(2)
    yield "joined", group.joined(2)
    yield "resettled", group.resettled(2)
    yield "still_loose", group.still_loose(2)
    yield "unsettled", group.unsettled(2)


def of_release() -> Made:
    yield "grouping", release.grouping()
    made = reading.release_long(
        ("basket no", "o'brien"), "number", KEY, reading.column("o'brien"), everywhere=False,
        distinct=True,
    )  # fmt: skip
    yield "released", release.released(made, ("basket no", "o'brien", "number"), KEY, "group")
    yield "held", release.held()
    yield "counted", release.counted("group", "o'brien", "count", "number")
    yield "sizes", release.sizes()


def of_check() -> Made:
    yield "unkeyed", check.unkeyed(CELLS)
    for persons in (False, True):
        kind = "-persons" if persons else ""
        yield f"with_items_of{kind}", check.with_items_of(COUNTS, persons=persons)
        yield f"faults{kind}", check.faults(CELLS, LISTED, 4, persons=persons)
    slices = check.slices_of("source", "counted", "group", "slice")
    yield "faults-sliced", check.faults(CELLS, LISTED, 4, persons=False, slices=slices)
    yield "counted", check.counted(COUNTS, "counted")
    yield "members", check.members(GROUPS)
    yield "sizes", check.sizes()
    yield "counts", check.counts(COUNTS)
    yield "summary", check.summary()
    yield "worst", check.worst(20)


def of_pairs() -> Made:
    after = pairs.expected("held", "plain", "grouping")
    yield "pairs", pairs.pairs(pairs.together(release.secrets(), "plain"), after)
    before = duck("SELECT p.code AS code, p.item AS item, p.before AS support FROM pair AS p")
    yield "pairs-again", pairs.pairs(before, before)
    yield "divergence", pairs.divergence()


SOURCES = {order: of_order, group: of_group, release: of_release, check: of_check, pairs: of_pairs}

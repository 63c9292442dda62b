"""The steps of rho-uncertainty, for the golden files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from setveil.sql import subsets
from setveil.sql.models.uncertainty import anonymize as uncertainty
from setveil.sql.models.uncertainty import bound as loss_bound
from setveil.sql.models.uncertainty import coding, exchanges, supports
from setveil.sql.step import Step

FRAME = subsets.Frame(places=3, most=3, radix=1 << 31, harmless=40, rho=Fraction(7, 10))


def of_coding() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "coded", coding.coded()
    yield "totals", coding.totals()
    yield "original", coding.original(2, 7)
    yield "extents", coding.extents(40)
    yield "lengths", coding.lengths()
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"guarded-{kind}", coding.guarded(frame, evenly=evenly)
        yield f"cut-{kind}", coding.cut(frame, 7, evenly=evenly)
    yield "watched", coding.watched()
    yield "apart", coding.apart(40)
    yield "listed", coding.listed(3)
    yield "cut_everywhere", coding.cut_everywhere(frame)
    yield "losses", coding.losses()


def of_supports() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "masks", supports.masks(frame)
    yield "facets", supports.facets(frame)
    yield "members", supports.members(frame)
    yield "arranged", supports.arranged(frame, "gone")
    yield "subsets", supports.subsets(frame)
    for listed in (True, False):
        kind = "listed" if listed else "at-once"
        yield f"counted-{kind}", supports.counted(frame, listed=listed)
    for size in (2, 3):
        yield f"reached-{size}", supports.reached(frame, size)
    yield "elsewhere", supports.elsewhere(frame, 2)


def of_uncertainty() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "unsafe", uncertainty.unsafe(frame, 2, 3)
    yield "targets", uncertainty.targets(frame)
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"victims-{kind}", uncertainty.victims(frame, 2, evenly=evenly)
    yield "leftover", uncertainty.leftover("gone")
    yield "blamed", uncertainty.blamed(frame)
    yield "victims_everywhere", uncertainty.victims_everywhere(frame, 2)


def of_exchanges() -> Iterator[tuple[str, Step]]:
    yield "lost", exchanges.lost()
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"promising-{kind}", exchanges.promising(FRAME, 2, 7, 3, evenly=evenly)
    yield "standing", exchanges.standing(FRAME)
    yield "moved", exchanges.moved(FRAME)
    yield "still_lost", exchanges.still_lost(FRAME, 2, 9)
    yield "suppressed", exchanges.suppressed(2)


def of_loss_bound() -> Iterator[tuple[str, Step]]:
    yield "commonness", loss_bound.commonness()
    yield "early", loss_bound.early()
    yield "outlines", loss_bound.outlines(62)
    yield "uncommon", loss_bound.uncommon(62)
    yield "meetings", loss_bound.meetings()
    yield "shared", loss_bound.shared(62, 90, 1, 3)
    yield "least_loss", loss_bound.least_loss()


SOURCES = {
    loss_bound: of_loss_bound,
    coding: of_coding,
    supports: of_supports,
    exchanges: of_exchanges,
    uncertainty: of_uncertainty,
}

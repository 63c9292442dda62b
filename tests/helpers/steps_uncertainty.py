"""The steps of rho-uncertainty, for the golden files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from setveil.sql import subsets
from setveil.sql.models.uncertainty import anonymize as uncertainty
from setveil.sql.models.uncertainty import bound as loss_bound
from setveil.sql.models.uncertainty import coding, cohorts, exchanges, supports
from setveil.sql.models.uncertainty.compared import everywhere, paper, search, tdcontrol
from setveil.sql.step import Step

FRAME = subsets.Frame(places=3, most=3, radix=1 << 31, harmless=40, rho=Fraction(7, 10))
OWNED = replace(FRAME, persons=True)
SCOPE = search.Scope(harmless=40, rho=Fraction(7, 10))


def of_coding() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "coded", coding.coded()
    yield "totals", coding.totals()
    yield "original", coding.original(2, 7)
    yield "original-persons", coding.original(2, 7, persons=True)
    yield "extents", coding.extents(40)
    yield "lengths", coding.lengths()
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"guarded-{kind}", coding.guarded(frame, evenly=evenly)
        yield f"cut-{kind}", coding.cut(frame, 7, evenly=evenly)
    yield "repeated", coding.repeated()
    yield "watched", coding.watched()
    yield "watched-persons", coding.watched(persons=True)
    yield "apart", coding.apart(40)
    yield "apart-persons", coding.apart(40, persons=True)
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
        yield f"counted-{kind}", supports.counted(frame, listed=listed, moved=not listed)
    yield "counted-evenly", supports.counted(frame, listed=True, moved=True, evenly=True)
    yield "arranged-persons", supports.arranged(OWNED, "gone")
    yield "own_holders", supports.own_holders(OWNED)
    yield "counted-persons", supports.counted(OWNED, listed=True, moved=True)
    yield "counted-evenly-persons", supports.counted(OWNED, listed=True, moved=True, evenly=True)


def of_cohorts() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "begun", cohorts.begun(frame)
    yield "listed", cohorts.listed(frame)
    yield "listed-in-turns", cohorts.listed(frame, cohorts.Pick(1, 2))
    for size in (1, 2, 3):
        yield f"reached-{size}", cohorts.reached(frame, size)
    yield "reached-in-turns", cohorts.reached(frame, 1, cohorts.Pick(1, 2))
    share = cohorts.Pick(share=range(5, 20), sought="sought")
    yield "sought", cohorts.sought(frame)
    yield "reached-in-shares", cohorts.reached(frame, 2, share)
    yield "cohorts-in-shares", cohorts.cohorts(frame, share)
    yield "elsewhere", cohorts.elsewhere(frame, 2)
    sizes = [cohorts.elsewhere(frame, size) for size in (1, 2)]
    yield "in_all_sizes", cohorts.in_all_sizes(sizes)
    for size in (1, 2):
        yield f"reached-persons-{size}", cohorts.reached(OWNED, size)
    yield "elsewhere-persons", cohorts.elsewhere(OWNED, 2)
    yield "outer_holders", cohorts.outer_holders(OWNED, 2)
    yield "cohorts", cohorts.cohorts(frame)
    yield "cohorts-persons", cohorts.cohorts(OWNED)


def of_uncertainty() -> Iterator[tuple[str, Step]]:
    frame = FRAME
    yield "unsafe", uncertainty.unsafe(frame, 2, 3)
    yield "unsafe-persons", uncertainty.unsafe(OWNED, 2, 3)
    yield "targets", uncertainty.targets(frame)
    yield "targets-persons", uncertainty.targets(OWNED)
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"victims-{kind}", uncertainty.victims(frame, 2, evenly=evenly)
    yield "leftover", uncertainty.leftover("gone")


def of_exchanges() -> Iterator[tuple[str, Step]]:
    yield "lost", exchanges.lost()
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"promising-{kind}", exchanges.promising(FRAME, 2, 7, 3, evenly=evenly)
    yield "promising-persons", exchanges.promising(OWNED, 2, 7, 3, evenly=False)
    yield "standing", exchanges.standing(FRAME)
    yield "standing-persons", exchanges.standing(OWNED)
    yield "chosen", exchanges.chosen(FRAME)
    yield "chosen-persons", exchanges.chosen(OWNED)
    yield "moved", exchanges.moved(FRAME)
    yield "moved-persons", exchanges.moved(OWNED)
    yield "still_lost", exchanges.still_lost(FRAME, 2, 9)
    yield "suppressed", exchanges.suppressed(2)


def of_loss_bound() -> Iterator[tuple[str, Step]]:
    yield "commonness", loss_bound.commonness()
    yield "early", loss_bound.early()
    yield "outlines", loss_bound.outlines(62)
    yield "uncommon", loss_bound.uncommon(62)
    yield "meetings", loss_bound.meetings()
    yield "near", loss_bound.near(62, 90, 1, 3)
    yield "nearest", loss_bound.nearest()
    yield "lacking", loss_bound.lacking()
    yield "kept_with_little", loss_bound.kept_with_little()
    yield "least_loss", loss_bound.least_loss()


def of_search() -> Iterator[tuple[str, Step]]:
    owned = replace(SCOPE, persons=True)
    yield "placed", search.placed(SCOPE)
    yield "placed-persons", search.placed(owned)
    for size in (1, 2, 3):
        yield f"sets-{size}", search.sets(SCOPE, size)
        yield f"met-{size}", search.met(SCOPE, size)
    yield "sets-persons", search.sets(owned, 2)
    yield "met-persons", search.met(owned, 2)
    yield "outlook", search.outlook(2)
    yield "unsafe", search.unsafe(SCOPE, search.Slice(2, 7, 40))
    yield "unsafe-persons", search.unsafe(owned, search.Slice(2))
    yield "all_unsafe", search.all_unsafe([1, 2])


def of_paper() -> Iterator[tuple[str, Step]]:
    yield "whole", paper.whole()
    yield "costs", paper.costs(1)
    yield "halved", paper.halved(1, [0, 1])
    yield "nothing", paper.nothing()
    yield "held", paper.held(1)
    for evenly in (False, True):
        kind = "distribution" if evenly else "rules"
        yield f"worth-{kind}", paper.worth(1, evenly=evenly)
        yield f"best_known-{kind}", paper.best_known(2, evenly=evenly)
        yield f"ranked-{kind}", paper.ranked(SCOPE, 2, evenly=evenly)
    yield "first_choices", paper.first_choices(2, [1, 2])
    yield "undisputed", paper.undisputed(2, 2)
    yield "chosen", paper.chosen([1, 2], 2, 5)
    yield "suppressing", paper.suppressing(1, 6)
    yield "untouched", paper.untouched(2, [1, 2], 2, 6)
    yield "suppressed", paper.suppressed()


def of_everywhere() -> Iterator[tuple[str, Step]]:
    yield "nothing", everywhere.nothing("left_out")
    yield "held", everywhere.held(SCOPE)
    yield "held-persons", everywhere.held(replace(SCOPE, persons=True))
    yield "remedies", everywhere.remedies(40)
    yield "remedies_of_candidates", everywhere.remedies_of_candidates()
    yield "opened", everywhere.opened(2)
    yield "aims", everywhere.aims(1, 2)
    yield "chosen", everywhere.chosen(1, 2)
    yield "still_open", everywhere.still_open(1, 2)
    yield "stuck", everywhere.stuck([1, 2])
    yield "candidates", everywhere.candidates(4)
    yield "tried", everywhere.tried()
    yield "waiting", everywhere.waiting()
    yield "without_candidates", everywhere.without_candidates()
    yield "totals", everywhere.totals()
    yield "found", everywhere.found(1)
    yield "suppressed", everywhere.suppressed(1)


def of_tdcontrol() -> Iterator[tuple[str, Step]]:
    owned = replace(SCOPE, persons=True)
    yield "climb", tdcontrol.climb()
    yield "frozen", tdcontrol.frozen(exp.to_table("frozen"))
    yield "stand_ins", tdcontrol.stand_ins(2)
    yield "held", tdcontrol.held(SCOPE)
    yield "held-persons", tdcontrol.held(owned)
    yield "remedies", tdcontrol.remedies(SCOPE)
    yield "recoded", tdcontrol.recoded(SCOPE)
    yield "suppressed", tdcontrol.suppressed()
    yield "losses", tdcontrol.losses()


SOURCES = {
    tdcontrol: of_tdcontrol,
    everywhere: of_everywhere,
    search: of_search,
    paper: of_paper,
    loss_bound: of_loss_bound,
    coding: of_coding,
    supports: of_supports,
    cohorts: of_cohorts,
    exchanges: of_exchanges,
    uncertainty: of_uncertainty,
}

"""rho-uncertainty: suppress single occurrences until every rule is safe.

A rule q -> e has a sensitive item e and a set q of other items that some transaction holds. It is
safe if at most a share rho of the transactions that hold q hold e.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.

Long transactions, whose subsets are too many to list, lose all sensitive items first: on sparse
data their other items are unique, so rules to sensitive items would be certain. In the other
transactions all subsets are counted. Each round suppresses occurrences of the worst unsafe rules,
in the longest transactions first. Then passes return occurrences while every rule stays safe. They
also exchange one occurrence for another: this costs nothing and lets further occurrences return.

With persons, a rule must be safe in persons too. Every subset is counted in persons as well, so no
set is skipped. A person leaves a rule only if each of the person's transactions loses an item of
it. Parts have all transactions of their persons.

To keep the distribution, long transactions keep a few arbitrary items. A return or an exchange must
then bring the shares of the items closer to the original.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

from sqlglot import exp

from setveil.arguments.shares import Share, share
from setveil.arguments.strict import strict
from setveil.errors import InputError, option
from setveil.hierarchy.information import information_suppressed
from setveil.hierarchy.recode import refuse_carried
from setveil.hierarchy.trees import read_hierarchy
from setveil.models.uncertainty.bound import least_loss
from setveil.models.uncertainty.check import UncertaintyVerdict, check_uncertainty
from setveil.models.uncertainty.choices import (
    B_MAX,
    T_MAX,
    Limits,
    check_options,
    check_own,
    number_of_parts,
)
from setveil.models.uncertainty.cohorts import SETTLING, TURN, count_cohorts
from setveil.models.uncertainty.compared.everywhere import Everywhere
from setveil.models.uncertainty.compared.paper import Paper, refuse_unsafe
from setveil.models.uncertainty.compared.tdcontrol import NodesMetrics, tdcontrol
from setveil.models.uncertainty.metrics import Made, UncertaintyMetrics, metrics_of
from setveil.run import cost as costs
from setveil.run.persons import note_persons
from setveil.run.reading import Baskets
from setveil.run.release import Release, kept, make_release
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.roles.promise import Promise
from setveil.run.session import Session
from setveil.sql.models.uncertainty import anonymize as sql
from setveil.sql.models.uncertainty import coding, cohorts, exchanges, supports
from setveil.sql.run import lists
from setveil.sql.step import Step, counts
from setveil.sql.subsets import Frame

SUBSETS = 25  # listed subsets per transaction, on average; more with refine
MOST = 200_000  # subsets that are listed in any case
LONGEST = 12  # items of the longest transaction whose every subset is listed
PLACES = 31  # bits of a mask: items of a transaction, where only small subsets are listed
STAGES = 5  # rounds until the shortest transactions are included
PASSES = 5  # passes of returns and exchanges
IDLE = 2  # passes without a gain that end the exchange
SWAPS = 2  # exchanges that a pass tries for each suppressed occurrence


@strict
def uncertainty(
    baskets: Baskets,
    *,
    sensitive: Items,
    rho: Share,
    keep: str = "rules",
    method: str = "partial",
    max_knowledge: int | None = None,
    hierarchy: str | Path | None = None,
    fanout: int | None = None,
    parts: int | str = 1,
    refine: bool = False,
    b_max: int = B_MAX,
    t_max: int = T_MAX,
    seed: int = 0,
    ignore_unknown: bool = False,
) -> Release[UncertaintyMetrics] | Release[NodesMetrics]:
    """Suppress single occurrences until no rule is unsafe; the release has passed the checker.

    UnreachableError: the method `paper` has ended with an unsafe rule.
    """
    session, exact = baskets.session, share(rho, "rho")
    check_options(keep, method, max_knowledge, seed)
    check_own(method, parts=parts != 1, refine=refine)
    limits = Limits(b_max, t_max)
    number = number_of_parts(baskets, parts)
    if method == "tdcontrol":
        refuse_carried(baskets.shape)
    elif hierarchy is not None or fanout is not None:
        raise InputError(f"a hierarchy is for the method tdcontrol; {method} suppresses items")
    session.begin()
    note_persons(session, baskets.shape, baskets.persons)
    secret = item_numbers(session, sensitive, "sensitive", ignore_unknown=ignore_unknown)
    session.decide("sensitive_item", "the items that must not be inferred", secret)
    if method == "tdcontrol":
        tall = read_hierarchy(baskets, hierarchy, fanout)
        tree: dict[str, object] = (
            {"fanout": fanout} if hierarchy is None else {"hierarchy": str(hierarchy)}
        )
        return tdcontrol(baskets, tall, exact, len(secret), max_knowledge, tree)
    evenly = keep == "distribution"
    if method == "paper":
        work = Paper(session, exact, max_knowledge, limits, evenly=evenly).suppress(seed)
    elif method == "global":
        owned = baskets.persons is not None
        work = Everywhere(session, exact, max_knowledge, persons=owned).suppress()
    else:
        work = _partial(baskets, exact, evenly, max_knowledge, number, refine, seed)
    losses = session.one(coding.losses())
    untold = information_suppressed(session)
    least = None
    if refine and exact < 1 and max_knowledge is None:
        least = least_loss(session, baskets.transactions)

    def check(cells: exp.Expr) -> UncertaintyVerdict:
        verdict = check_uncertainty(
            session,
            cells,
            lists.labels("sensitive_item"),
            rho=exact,
            max_knowledge=max_knowledge,
            owners=baskets.owners,
        )
        if method == "paper":
            refuse_unsafe(verdict)
        return verdict

    verdict = make_release(baskets, kept(baskets), check)
    parameters: dict[str, object] = {
        "rho": float(exact),
        "keep": keep,
        "method": method,
        "max_knowledge": max_knowledge,
        "parts": number,
        "refine": refine,
        "b_max": b_max,
        "t_max": t_max,
        "seed": seed,
    }
    terms = {"rho": str(exact), "max_knowledge": max_knowledge}
    return Release(
        baskets,
        promise=Promise("uncertainty", terms, {"sensitive": "sensitive_item"}),
        model="uncertainty",
        parameters=parameters,
        verdict=verdict,
        metrics=metrics_of(baskets, work, len(secret), max_knowledge, losses, untold, least),
        run=session.runs,
    )


def _partial(
    baskets: Baskets,
    rho: Fraction,
    evenly: bool,
    max_knowledge: int | None,
    parts: int,
    refine: bool,
    seed: int,
) -> Made:
    """Our own method: suppress in rounds, then exchange."""
    session = baskets.session
    work = _Work(baskets, rho, evenly, max_knowledge, parts, refine, seed)
    work.list_subsets()
    work.suppress()
    session.create(exchanges.lost())
    work.exchange()
    session.create(exchanges.suppressed(work.made))
    return Made(
        secrets=work.secrets,
        parts=parts,
        listed=work.frame.places,
        rounds=work.rounds,
        found=work.found,
        taken=work.taken,
        moved=work.moved,
    )


class _Work:
    """The relations of a run and its counters."""

    def __init__(
        self,
        baskets: Baskets,
        rho: Fraction,
        evenly: bool,
        max_knowledge: int | None,
        parts: int,
        refine: bool,
        seed: int,
    ) -> None:
        self.session: Session = baskets.session
        self.items, self.transactions = baskets.items, baskets.transactions
        self.persons = baskets.persons is not None
        self.budget = max(MOST, SUBSETS * (4 if refine else 1) * baskets.transactions)
        self.passes = PASSES * (6 if refine else 1)
        self.rho, self.evenly, self.knowledge = rho, evenly, max_knowledge
        self.parts, self.seed, self.refined = parts, seed, refine
        self.listed = self.telling = 0  # subsets of transactions; those with a sensitive item
        self.rounds = self.found = self.taken = self.moved = self.made = 0

    def list_subsets(self) -> None:
        """Choose the guarded transactions, whose subsets are listed; count the rules of others."""
        run = self.session
        run.create(coding.coded())
        harmless, self.secrets = map(int, run.one(coding.totals()))
        run.create(coding.original(self.parts, self.seed, persons=self.persons), compact=False)
        run.create(coding.extents(harmless))
        places = self._places([(int(a), int(b), int(n)) for a, b, n in run.ask(coding.lengths())])
        most = places if self.knowledge is None else min(places, self.knowledge + 1)
        self.frame = Frame(places, most, self.items + 1, harmless, self.rho, self.persons)
        run.decide(
            "place",
            "the places of a transaction, as powers of two",
            [1 << n for n in range(places)],
        )
        self._allow()
        run.create(supports.masks(self.frame))
        run.create(supports.facets(self.frame))
        run.create(supports.members(self.frame))
        run.create(coding.guarded(self.frame, evenly=self.evenly))
        run.create(coding.cut(self.frame, self.seed, evenly=self.evenly))
        if self.persons:
            run.create(coding.repeated())
        run.create(coding.watched(persons=self.persons))
        run.create(coding.apart(harmless, persons=self.persons))
        if not self.refined:  # the bound on the loss reads it
            run.give_back("original")
        run.give_back("extent")
        run.create(supports.arranged(self.frame, "gone"))
        if not self.evenly:
            run.create(cohorts.begun(self.frame))
        count_cohorts(run, self.frame, self.transactions, self.listed, evenly=self.evenly)
        run.give_back("apart")
        self.session.anew(supports.subsets(self.frame))
        self._count_again(listed=True, moved=False)

    def suppress(self) -> None:
        """Suppress in rounds until no rule is unsafe; each round takes at least one occurrence."""
        run, places, stage = self.session, self.frame.places, 0
        while True:
            least = max(2, places - stage * places // STAGES)
            found = self._counted_anew(sql.unsafe(self.frame, least, self.rounds + 1))
            if not found and least == 2:
                break
            stage += 1
            if not found:
                continue
            self.rounds, self.found = self.rounds + 1, self.found + found
            for step in (sql.targets(self.frame), sql.leftover("gone")):
                self._within(step)
            run.append(sql.victims(self.frame, self.rounds, evenly=self.evenly))
            self._count("gone")
        (self.taken,) = run.one(counts(["gone"]))

    def exchange(self) -> None:
        """Return occurrences while all rules stay safe, alone or in exchange for another."""
        run, standing, idle = self.session, self.taken, 0
        for number in range(1, self.passes + 1):
            if self.evenly:
                self.session.anew(sql.leftover(f"lost_{number - 1}"))
            self.session.anew(
                exchanges.promising(
                    self.frame, number, self.seed, SWAPS, parts=self.parts, evenly=self.evenly
                )
            )
            self.session.anew(exchanges.standing(self.frame))
            self._within(exchanges.chosen(self.frame))
            self.session.anew(exchanges.moved(self.frame))
            run.create(exchanges.still_lost(self.frame, number, self.rounds + number))
            moved, left = run.sizes("moved", f"lost_{number}")
            self.made, self.moved = number, self.moved + moved
            idle = 0 if left < standing else idle + 1
            if not moved or idle == IDLE or number == self.passes:
                break
            standing = left
            self._count(f"lost_{number}", listed=False)

    def _count(self, lost: str, *, listed: bool = True) -> None:
        """Make the subsets of the remaining occurrences, and their supports."""
        self.session.anew(supports.arranged(self.frame, lost))
        if listed:
            self.session.anew(supports.subsets(self.frame))
        self._count_again(listed=listed, moved=True)

    def _count_again(self, *, listed: bool, moved: bool) -> None:
        if self.persons:
            self.session.anew(supports.own_holders(self.frame))
        self.session.anew(
            supports.counted(self.frame, listed=listed, moved=moved, evenly=self.evenly)
        )

    def _within(self, step: Step) -> None:
        """Make a relation that the next statements of a round read."""
        self.session.give_way(step.name)
        self.session.within(step)

    def _counted_anew(self, step: Step) -> int:
        self.session.anew(step)
        return self.session.sizes(step.name)[0]

    def _places(self, lengths: list[tuple[int, int, int]]) -> int:
        """The length up to which the subsets of a transaction are listed."""
        longest = max((held for held, _, _ in lengths), default=2)
        best = 2
        for places in range(2, min(longest, LONGEST if self.knowledge is None else PLACES) + 1):
            guarded = [row for row in lengths if row[0] <= places or self.evenly]
            listed = sum(n * self._subsets(min(held, places)) for held, _, n in guarded)
            if listed > self.budget:
                break
            best, self.listed = places, listed
            self.telling = listed - sum(
                n * self._subsets(min(known, places)) for _, known, n in guarded
            )
        return self.session.supposed(best, 4)

    def _allow(self) -> None:
        """Refuse more subsets than the run has room for: harmless ones are counted in turns."""
        smaller = f"split the data into more parts with {option('parts')}"
        what = f"subsets of up to {self.frame.most} items"
        most = self.listed if self.evenly else max(self.telling, min(self.listed, SETTLING * TURN))
        costs.allow(self.session, costs.Outlook(what, most, self.listed, smaller))

    def _subsets(self, held: int) -> int:
        if self.knowledge is None:
            return 1 << held
        return sum(comb(held, size) for size in range(1, min(held, self.knowledge + 1) + 1))

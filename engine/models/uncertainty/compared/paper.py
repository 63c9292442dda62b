"""Partial suppression as the paper prints it: Algorithms 1 to 3, for comparison.

Algorithm 3 splits the transactions at random until a part costs at most t_max. Algorithm 1 fills a
buffer with up to b_max sets of known items, and goes on to the next sets once these are safe. It
ends after a pass over all sets without an unsafe rule. Algorithm 2 suppresses, for the best unsafe
rule of the buffer, N_s occurrences of its best item in random transactions.

The print leaves four points open, which are settled here:

- A buffer takes sets of few items first, since no buffer holds all subsets of a long transaction.
  Sets with the transactions of a smaller set are left out: they have no other rules.
- Supports are those in the whole part, for any size of the buffer.
- Equal rules: first the one that needs fewer suppressions, then the one with more known items.
- Line 13 of Algorithm 1 is read as i > |T|; otherwise the last transaction may stay unread.

A round takes several rules of Algorithm 2 at once. No better rule touches their items in their
transactions, so they could be taken one after another. Rules are ranked anew before an item has
lost a quarter of its occurrences, so that formulas 6 and 7 see the loss.

The algorithms count transactions. With persons, the checker judges the release in persons too.
Jia et al.: rho-uncertainty anonymization by partial suppression, DASFAA 2014.
"""

from __future__ import annotations

from fractions import Fraction

from setveil.errors import UnreachableError, option
from setveil.models.uncertainty.check import UncertaintyVerdict
from setveil.models.uncertainty.choices import Limits, cost
from setveil.models.uncertainty.compared.search import Search
from setveil.models.uncertainty.metrics import Made
from setveil.run.session import Session
from setveil.run.words import printable
from setveil.sql.models.uncertainty import coding
from setveil.sql.models.uncertainty.compared import paper as sql
from setveil.sql.models.uncertainty.compared import search
from setveil.sql.models.uncertainty.compared.search import Scope, Slice
from setveil.sql.step import counts

ENOUGH = 1000  # unsafe rules of few known items that make a round
PASSES = 12  # rounds until the rules are ranked anew
LONG = 1000  # a mean length above which the cost of a part is no number of Python


class Paper:
    """The run of the three algorithms, and its counters."""

    def __init__(
        self, session: Session, rho: Fraction, most: int | None, limits: Limits, *, evenly: bool
    ) -> None:
        self.session, self.limits, self.evenly = session, limits, evenly
        session.create(coding.coded())
        harmless, self.secrets = map(int, session.one(coding.totals()))
        self.scope = Scope(harmless, rho)
        self.search = Search(session, self.scope, most)
        self.parts, self.level = 1, 0
        self.rounds = self.found = self.listed = 0

    def suppress(self, seed: int) -> Made:
        """Algorithm 3: split the data, and suppress in all parts at once."""
        run = self.session
        run.create(coding.original(1, seed))
        run.create(sql.whole())
        while costly := self._costly():
            run.create(sql.halved(self.level, costly))
            self.level += 1
        run.create(sql.nothing())
        self._partial_suppressor()
        run.create(sql.suppressed())
        (taken,) = run.one(counts(["gone"]))
        return Made(
            secrets=self.secrets,
            parts=self.parts,
            listed=self.listed,
            rounds=self.rounds,
            found=self.found,
            taken=int(taken),
        )

    def _costly(self) -> list[int]:
        """The parts that Formula 8 finds too expensive; one transaction cannot be split."""
        rows = [tuple(map(int, row)) for row in self.session.ask(sql.costs(self.level))]
        self.parts = self.session.supposed(max(1, len(rows)), 1)
        return self.session.supposed(
            [part for part, *sizes in rows if sizes[0] > 1 and self._cost(*sizes)], []
        )

    def _cost(self, transactions: int, occurrences: int, items: int) -> bool:
        long = occurrences > LONG * transactions
        return long or cost(transactions, occurrences, items) > self.limits.cost

    def _partial_suppressor(self) -> None:
        """Algorithm 1: fill buffers until a pass over all sets finds no unsafe rule."""
        start, safe = Slice(1), True
        while True:
            sizes, found, rest = self._buffer(start)
            if found := self.session.supposed(found, int(safe)):
                self._sanitize(sizes, found)
                safe = False
            elif rest is not None:
                start = rest
            elif safe or start == Slice(1):
                return
            else:
                start, safe = Slice(1), True

    def _buffer(self, start: Slice) -> tuple[list[int], int, Slice | None]:
        """Find the unsafe rules of up to b_max sets from `start` on, of few items first.

        Return the sizes, the number of rules, and where the next buffer starts; None at the end.
        """
        own, room = self.search, self.limits.sets
        own.lay_out(sql.held(self.level))
        sizes: list[int] = []
        found = 0
        while found < ENOUGH and (not sizes or own.larger <= room):
            if not (sets := own.grow()):
                return sizes, found, None
            self.listed = max(self.listed, own.sizes)
            if own.sizes < start.size:
                continue
            after = start.after if own.sizes == start.size else 0
            upto = min(sets, after + room)
            sizes.append(own.sizes)
            found += own.unsafe(Slice(own.sizes, after, upto))
            if upto < sets:
                return sizes, found, Slice(own.sizes, upto)
            room -= upto - after
        return sizes, found, Slice(own.sizes + 1)

    def _sanitize(self, sizes: list[int], found: int) -> None:
        """Algorithm 2, for all rules that do not touch each other; then for untouched ones."""
        largest, anew = max(sizes), self.search.anew
        self.found, before = self.found + found, self.rounds
        anew(search.all_unsafe(sizes))
        anew(sql.worth(self.level, evenly=self.evenly))
        anew(sql.best_known(largest, evenly=self.evenly))
        anew(sql.ranked(self.scope, largest, evenly=self.evenly))
        for number in range(1, PASSES + 1):
            anew(sql.first_choices(number, sizes))
            anew(sql.undisputed(number, largest))
            anew(sql.chosen(sizes, largest, before))
            if not self.session.sizes("chosen")[0]:
                break
            self.rounds += 1
            self.session.append(sql.suppressing(self.level, self.rounds))
            anew(sql.untouched(number, sizes, largest, self.rounds))
            self.session.drop(f"ranked_{number}")
            if not self.session.sizes(f"ranked_{number + 1}")[0]:
                break


def refuse_unsafe(verdict: UncertaintyVerdict) -> None:
    """Refuse a release of the printed algorithms that the checker does not pass."""
    if not verdict.holds:
        worst = verdict.violations[0]
        raise UnreachableError(
            f"the algorithms of the paper ended with {verdict.found:,} unsafe rules, such as "
            f"{', '.join(map(printable, worst.known))} -> {printable(worst.secret)}; they count "
            f"transactions, not persons: take {option('method', 'partial')}"
        )

"""Suppress items everywhere until no rule is unsafe, for comparison.

Unsafe rules are searched by their number of known items. Of the rules of a size, items are
suppressed everywhere: first those that stop most rules for the occurrences that they lose. The
supports of all other items stay exact, so smaller rules stay safe. At the end, items return if no
rule becomes unsafe by them. Groups of them are tried, and what makes a rule unsafe goes again.

Sensitive items are in every rule, other items can be rarer. So both are tried: to suppress any
items, and to suppress sensitive ones alone.

Cao, Karras, Raissi, Tan: rho-uncertainty, inference-proof transaction anonymization, VLDB 2010,
suppress items globally too; Jia et al. compare with them.
"""

from __future__ import annotations

from fractions import Fraction

from setveil.models.uncertainty.compared.search import Search
from setveil.models.uncertainty.metrics import Made
from setveil.run.session import Session
from setveil.sql.models.uncertainty import coding
from setveil.sql.models.uncertainty.compared import everywhere as sql
from setveil.sql.models.uncertainty.compared.search import Scope, Slice
from setveil.sql.step import Step

ANY, SECRETS = TRIED = (1, 2)  # two ways: any item may go, or sensitive ones alone
ROWS = 30_000_000  # rows that are counted at once for rules


class Everywhere:
    """The run of the method, and its counters."""

    exact = True  # supports of published items never change: smaller rules stay safe

    def __init__(self, session: Session, rho: Fraction, most: int | None, *, persons: bool) -> None:
        self.session = session
        session.create(coding.coded())
        harmless, self.secrets = map(int, session.one(coding.totals()))
        self.scope = Scope(harmless, rho, persons)
        self.search = Search(session, self.scope, most)
        self.rounds = self.found = self.listed = 0

    def suppress(self) -> Made:
        """Suppress any items, or sensitive ones alone: whatever loses less after the returns."""
        run, found = self.session, []
        for number in TRIED:
            for step in (sql.nothing("left_out"), sql.nothing("tried"), sql.nothing("stuck")):
                self.search.anew(step)
            self.search.anew(sql.remedies(self.scope.harmless if number == SECRETS else 0))
            sizes = self._suppress()
            _, taken = map(int, run.one(sql.totals()))
            self._return(sizes)
            _, lost = map(int, run.one(sql.totals()))
            run.create(sql.found(number))
            found.append((lost, taken, number))
        _, taken, best = min(found)
        run.create(sql.suppressed(best))
        return Made(
            secrets=self.secrets,
            parts=1,
            listed=self.listed,
            rounds=self.rounds,
            found=self.found,
            taken=taken,
        )

    def _return(self, sizes: set[int]) -> None:
        """Return items, the most frequent first, in groups that double."""
        run, group = self.session, 1
        while sizes:
            run.append(sql.stuck(sorted(sizes)))
            self.search.anew(sql.candidates(group))
            if not run.supposed(run.sizes("candidate")[0], int(group == 1)):
                break
            run.append(sql.tried())
            for step in (sql.waiting(), sql.without_candidates(), sql.remedies_of_candidates()):
                self.search.anew(step)
            sizes, group = sizes | self._suppress(), 2 * group

    def _suppress(self) -> set[int]:
        """Stop all unsafe rules, smaller ones first; return the sizes that had some."""
        search, start, sizes = self.search, Slice(1), set[int]()
        while True:
            search.lay_out(self._held())
            while sets := search.grow():
                self.listed = max(self.listed, search.sizes)
                if search.sizes < start.size:
                    continue
                after = start.after if search.sizes == start.size else 0
                upto = min(sets, after + max(1, sets * ROWS // max(ROWS, search.rules)))
                found = search.unsafe(Slice(search.sizes, after, upto))
                found = self.session.supposed(found, int(not sizes))
                whole = not after and upto == sets
                if found:
                    self._stop(search.sizes, found)
                    sizes.add(search.sizes)
                    start = Slice(search.sizes + whole if self.exact else 1)
                    break
                start = Slice(search.sizes + 1) if upto == sets else Slice(search.sizes, upto)
                if upto < sets:
                    break
            else:
                return sizes

    def _held(self) -> Step:
        """Read the occurrences that are published."""
        return sql.held(self.scope)

    def _stop(self, size: int, found: int) -> None:
        """Suppress the best items of these rules until none of the rules is left."""
        run, number = self.session, 0
        self.found += found
        self.search.anew(sql.opened(size))
        while found:
            number, self.rounds = number + 1, self.rounds + 1
            self.search.anew(sql.aims(number, size))
            run.append(sql.chosen(number, size))
            run.create(sql.still_open(number, size))
            run.drop(f"open_{number}")
            found = run.supposed(run.sizes(f"open_{number + 1}")[0], 0)
        run.drop(f"open_{number + 1}")

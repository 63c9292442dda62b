"""Search for unsafe rules by their number of known items, as the methods from the papers do it.

The search of `partial` lists every subset of a transaction, so it cannot list long transactions.
This one grows sets of known items by one item at a time, and leaves out what cannot be unsafe.
"""

from __future__ import annotations

from setveil.errors import option
from setveil.run import cost
from setveil.run.session import Session
from setveil.sql.models.uncertainty.compared import search as sql
from setveil.sql.models.uncertainty.compared.search import Scope, Slice
from setveil.sql.step import Step

ANY = 2**31 - 1  # more items than any transaction holds


class Search:
    """The sets of known items in `held`, which is made anew whenever something is suppressed."""

    def __init__(self, session: Session, scope: Scope, most: int | None) -> None:
        self.session, self.scope = session, scope
        self.most = ANY if most is None else most
        self.sizes = self.larger = 0  # the largest size that was made, and the rows of the next

    def lay_out(self, held: Step) -> None:
        """Read the occurrences that are left."""
        self.anew(held)
        self.anew(sql.placed(self.scope))
        self.sizes, self.larger = 0, self.session.sizes("placed")[0]

    def grow(self) -> int:
        """Make the sets of the next size; return their number."""
        if not self.larger or self.sizes == self.most or self.scope.rho == 1:
            return 0
        size = self.sizes + 1
        self._allow(f"sets of {size} known items", self.larger)
        found = self._counted(sql.sets(self.scope, size))
        self.anew(sql.met(self.scope, size))
        larger, self.rules = map(int, self.session.one(sql.outlook(size)))
        self.sizes, self.larger = size, self.session.supposed(larger, 0)
        return found

    def unsafe(self, part: Slice) -> int:
        """Make the relation of the unsafe rules of these sets; return their number."""
        self._allow("rules to a sensitive item", self.rules)
        return self._counted(sql.unsafe(self.scope, part))

    def anew(self, step: Step) -> None:
        """Make a relation in the place of an earlier one."""
        if step.name in self.session.relations:
            self.session.drop(step.name)
        self.session.create(step)

    def _counted(self, step: Step) -> int:
        self.anew(step)
        return self.session.sizes(step.name)[0]

    def _allow(self, what: str, rows: int) -> None:
        smaller = f"set {option('max_knowledge', max(1, self.sizes - 1))}"
        cost.allow(self.session, cost.Outlook(what, rows, rows, smaller))

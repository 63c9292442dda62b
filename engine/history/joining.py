"""Make the relations of groups: their transactions, and what their releases show of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setveil.history.groups import Group
from setveil.history.reading import Together
from setveil.run.session import Session
from setveil.sql.history import joint as ask
from setveil.sql.history import tuples as of_tuples
from setveil.sql.step import Step, decided


@dataclass(frozen=True, slots=True)
class Joint:
    """Releases in numbers, and how the items that they show are joined.

    With `twins` a node counts for each release by itself, with `tuples` the nodes of an item are
    one joint node. With `empty` each transaction has node 0 too, so none is without items.
    """

    together: Together
    twins: bool = False
    empty: bool = False
    tuples: bool = False

    @property
    def session(self) -> Session:
        return self.together.session

    @property
    def nodes(self) -> str:
        """The relation of the nodes that cells name."""
        return "history_tuple" if self.tuples else "history_node"

    def choose(self, groups: Sequence[Group], *, sliced: bool = False) -> int:
        """Make the relations of the groups, and of the slices of their transactions.

        Return the number of parts: groups, or of each group the transactions of equal slices.
        """
        kinds = {one.presence: one.kind for one in self.together.present}
        self._decide(
            "history_group",
            "the transactions of each group, by the number of the releases that hold them",
            ("group_no", "kind"),
            [(n, kinds[presence]) for n, one in enumerate(groups) for presence in one.presences],
        )
        self._decide(
            "history_of",
            "the releases by which each group is judged",
            ("group_no", "release"),
            [(n, release) for n, one in enumerate(groups) for release in one.shown],
        )
        if not sliced:
            return len(groups)
        self._make(ask.vectors())
        (parts,) = self.session.one(ask.vectors_counted())
        return int(parts)

    def keep(self, parts: Sequence[int], *, sliced: bool = False) -> None:
        """Make the transactions of these parts, and what is shown of them."""
        self._decide("history_left", "the parts to judge", ("part",), [(one,) for one in parts])
        self._make(ask.members_by_slice() if sliced else ask.members())
        if self.tuples:
            self._make(of_tuples.joint())
            self._make(of_tuples.tuples())
            self._make(ask.joint_cells(empty=self.empty))
        else:
            self._make(ask.union_cells(twins=self.twins, empty=self.empty))

    def _make(self, step: Step) -> None:
        """Make a relation, in place of that of other groups."""
        if step.name in self.session.relations:
            self.session.drop(step.name)
        self.session.create(step)

    def _decide(
        self, name: str, why: str, columns: Sequence[str], rows: Sequence[Sequence[int]]
    ) -> None:
        self._make(decided(name, why, columns, rows))

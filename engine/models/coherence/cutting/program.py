"""Prove how little any cut loses, by HiGHS: a bound, and on small trees the best choice.

The program has a variable per fit node. Of a path, a clique of nodes that exclude each other, and
a larger mole, not all nodes are published. Rows are added only for what a solution publishes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from setveil.models.coherence.choose import Ints, Small
from setveil.models.coherence.cutting.cut import Bools, Forest, Graph
from setveil.run.solver import new_solver, run

ROUNDS = 12  # of the relaxation
LEFT = 3_000  # nodes that the whole-number program may have
EXACT = 60  # rounds of the whole-number program
SLACK = 1e-6
EXACTLY = 1e-12  # the error of a sum, as a share of it
DIGITS = 6
# A point inside the best face is cut off by more cliques than a corner, and is found sooner.
INTERIOR = {"solver": "ipx", "run_crossover": "off"}


@dataclass(frozen=True, slots=True)
class Limits:
    """The work of the relaxation: rows per round, and nodes of a row."""

    cliques: int = 1_500
    widest: int = 40


@dataclass(frozen=True, slots=True)
class Best:
    """A choice, and the most that any choice gains."""

    chosen: Bools
    bound: int


class Program:
    """The rows so far; gains are shares of the greatest possible sum."""

    def __init__(self, forest: Forest, graph: Graph, limits: Limits | None = None) -> None:
        self.graph, self.limits = graph, limits or Limits()
        self.open = np.flatnonzero(graph.gain > 0)
        self.unit = max(1, int(graph.gain.max(initial=1)) // 1_000)
        self.rows: list[tuple[Ints | Small, int]] = [
            (one, 1) for one in forest.paths() if len(one) > 1
        ]
        moles = graph.larger
        for number, size in enumerate(moles.sizes):
            members = moles.members(np.array([number]))
            self.rows.append((members, int(size) - 1))

    def bounded(self, known: Bools, nodes: int) -> Best:
        """The best choice that the limits allow, never worse than `known`."""
        gained = self._gained(known)
        if not len(self.open):
            return Best(known, gained)
        bound, prices = self._relaxed(gained)
        bound = max(bound, gained)
        # A node whose price exceeds the gap is in no better choice.
        kept = self.open[prices <= bound - gained + SLACK * self.unit]
        if bound == gained or len(kept) > LEFT:
            return Best(known, bound)
        chosen, least = self._exact(kept, known, nodes)
        best = max(known, chosen, key=self._gained)
        return Best(best, max(self._gained(best), min(bound, least)))

    def _gained(self, chosen: Bools) -> int:
        return int(self.graph.gain[chosen].sum())

    def _relaxed(self, gained: int) -> tuple[int, npt.NDArray[np.float64]]:
        """A bound on the gain by linear programs, and the price of each open node at the best."""
        bound, prices = int(self.graph.gain.sum()), np.zeros(len(self.open))
        for _ in range(ROUNDS):
            solver = new_solver(0)
            for name, value in INTERIOR.items():
                solver.setOptionValue(name, value)
            model = self._model(self.open, whole=False)
            solver.passModel(model)
            run(solver)
            solution = solver.getSolution()
            if not solution.value_valid:  # the solver gave up
                break
            proven, priced = self._proven(model, -np.asarray(solution.row_dual))
            if proven < bound:
                bound, prices = proven, priced
            found = [] if bound <= gained else self._cliques(np.asarray(solution.col_value))
            if not found:
                break
            self.rows += ((clique, 1) for clique in found)
        return bound, prices

    def _proven(
        self, model: highspy.HighsLp, duals: npt.NDArray[np.float64]
    ) -> tuple[int, npt.NDArray[np.float64]]:
        """The bound that these duals prove, and the price of each open node.

        Any duals prove one: rows are charged for, and a node is published if that still gains.
        """
        duals, rows = np.maximum(0, duals), model.a_matrix_
        each = np.repeat(duals, np.diff(rows.start_))
        charged = np.bincount(rows.index_, weights=each, minlength=len(self.open))
        prices = charged - self.graph.gain[self.open] / self.unit
        most = float(duals @ np.asarray(model.row_upper_)) + float(np.maximum(0, -prices).sum())
        return int(most * self.unit * (1 + EXACTLY)), np.maximum(0, prices) * self.unit

    def _cliques(self, values: npt.NDArray[np.float64]) -> list[Ints]:
        """Sets of nodes that exclude each other and that the solution publishes more than once."""
        share = np.zeros(self.graph.nodes)
        share[self.open] = np.round(values, DIGITS)  # further digits differ between machines
        active = np.flatnonzero(share > SLACK)
        active = active[np.lexsort((active, -share[active]))]
        found: dict[tuple[int, ...], Ints] = {}
        for node in active:
            clique = self._grown([int(node)], active)
            if share[clique].sum() > 1 + 100 * SLACK and tuple(sorted(clique)) not in found:
                found[tuple(sorted(clique))] = self._widened(clique)
            if len(found) >= self.limits.cliques:
                break
        return list(found.values())

    def _grown(self, clique: list[int], among: Ints) -> list[int]:
        """Add nodes in this order, each of which excludes all so far."""
        clique, among = list(clique), self._excluded(among, clique[-1])
        while len(among) and len(clique) < self.limits.widest:
            clique.append(int(among[0]))
            among = self._excluded(among, clique[-1])
        return clique

    def _excluded(self, among: Ints, node: int) -> Ints:
        """Keep the nodes that this one excludes."""
        marks = np.zeros(self.graph.nodes, dtype=bool)
        marks[self.graph.beside(node)] = True
        return among[marks[among]]

    def _widened(self, clique: list[int]) -> Ints:
        """Add nodes that the solution does not publish: the row cuts off more."""
        common = self.graph.beside(clique[0]).astype(np.int64)
        for node in clique[1:]:
            common = self._excluded(common, node)
        common = common[self.graph.gain[common] > 0]
        order = common[np.lexsort((common, -self.graph.gain[common]))]
        more: list[int] = []
        while len(order) and len(clique) + len(more) < self.limits.widest:
            more.append(int(order[0]))
            order = self._excluded(order, more[-1])
        return np.array(clique + more, dtype=np.int64)

    def _exact(self, kept: Ints, known: Bools, nodes: int) -> tuple[Bools, int]:
        """The best choice among these nodes, and a bound on the gain of any choice among them."""
        start, best, bound = known, known, int(self.graph.gain.sum())
        place = self._places(kept)
        for _ in range(EXACT):
            solver = new_solver(nodes)
            solver.passModel(self._model(kept, whole=True))
            first = highspy.HighsSolution()
            first.col_value = start[kept].astype(float).tolist()
            solver.setSolution(first)
            run(solver)
            info = solver.getInfo()
            proven = -float(info.mip_dual_bound) * self.unit * (1 + SLACK)
            if np.isfinite(proven):  # else it stopped before its first bound
                bound = int(np.floor(proven))
            values = np.asarray(solver.getSolution().col_value)
            if not len(values):
                break
            chosen = np.zeros(self.graph.nodes, dtype=bool)
            chosen[kept[values > 0.5]] = True
            if self.graph.is_free(chosen):
                best = max(best, chosen, key=self._gained)
                if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
                    bound = self._gained(chosen)
                break
            self._add_conflicts(chosen, place)
        return best, bound

    def _add_conflicts(self, chosen: Bools, place: Ints) -> None:
        """Add a row for each pair that the solution publishes and that excludes each other."""
        nodes = np.flatnonzero(chosen)
        for node in nodes:
            clique = self._grown([int(node)], nodes)
            if len(clique) > 1:
                wide = self._widened(clique)
                self.rows.append((wide[place[wide] >= 0], 1))

    def _places(self, columns: Ints) -> Ints:
        place = np.full(self.graph.nodes, -1, dtype=np.int64)
        place[columns] = np.arange(len(columns))
        return place

    def _model(self, columns: Ints, *, whole: bool) -> highspy.HighsLp:
        """Maximize the gain of these nodes; all others stay out."""
        place = self._places(columns)
        rows = [(place[one][place[one] >= 0], most) for one, most in self.rows]
        rows = [(one, most) for one, most in rows if len(one) > most]
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(columns), len(rows)
        model.col_cost_ = -self.graph.gain[columns] / self.unit
        model.col_lower_ = np.zeros(len(columns))
        model.col_upper_ = np.ones(len(columns))
        if whole:
            model.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
        model.row_lower_ = np.full(len(rows), -highspy.kHighsInf)
        model.row_upper_ = np.array([float(most) for _, most in rows])
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.cumsum([0, *(len(one) for one, _ in rows)]).astype(np.int32)
        model.a_matrix_.index_ = _joined(one for one, _ in rows).astype(np.int32)
        model.a_matrix_.value_ = np.ones(len(model.a_matrix_.index_))
        return model


def _joined(parts: Iterable[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])

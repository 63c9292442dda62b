"""Choose a cut of a hierarchy, the published nodes of each branch, at the least loss.

A cut is given by the inner nodes that are split, always with all nodes above them. A conflict is a
set of nodes that must not all be split. The gain of splitting a node is the cost that its
occurrences save. So the cut of least loss is the split set of greatest gain without a conflict: an
integer program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np

from setveil.backends import Columns, integers
from setveil.run.solver import new_solver, run

Conflict = frozenset[int]


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes with occurrences, by number. A cost is in leaves: NCP times the number of items."""

    parent: list[int]  # -1 for the root
    children: list[list[int]]
    level: list[int]
    support: list[int]  # transactions below the node, or persons if these are counted
    cost: list[int]  # the cost of a node's occurrences, if they are published as this node
    root: int

    def gain(self, node: int) -> int:
        """The cost that is saved if the children of a node are published instead."""
        return self.cost[node] - sum(self.cost[child] for child in self.children[node])


def tree_of(columns: Columns) -> Tree:
    """Build the tree from the rows of `sql.tree`."""
    counted = "persons" if "persons" in columns else "support"
    parent, level, leaves, support, held = (
        integers(columns[name]) for name in ("parent", "level", "leaves", counted, "held")
    )
    children: list[list[int]] = [[] for _ in parent]
    for node in np.flatnonzero((held > 0) & (parent >= 0)).tolist():
        children[int(parent[node])].append(node)
    cost = np.where(leaves > 1, leaves, 0) * held
    return Tree(
        parent.tolist(), children, level.tolist(), support.tolist(), cost.tolist(), len(parent) - 1
    )


def conflict(tree: Tree, parents: Iterable[int]) -> Conflict:
    """A conflict of these nodes, without those above others: they are split with these anyway."""
    needed = set(parents)
    for node in set(needed):
        above = tree.parent[node]
        while above >= 0:
            needed.discard(above)
            above = tree.parent[above]
    return frozenset(needed)


def cut_of(tree: Tree, split: set[int]) -> list[int]:
    """The nodes that are published."""
    found, left = [], [tree.root]
    while left:
        node = left.pop()
        if node in split:
            left += tree.children[node]
        else:
            found.append(node)
    return sorted(found)


def best_split(
    tree: Tree, level: int, conflicts: set[Conflict], nodes: int
) -> tuple[set[int], int]:
    """The split set of greatest gain above a level, and a bound on the gain of any such set.

    All published nodes are on `level` or higher. The search ends after so many `nodes`, possibly
    with a set of less gain.
    """
    allowed = _allowed(tree, level, conflicts)
    known = {node: place for place, node in enumerate(allowed)}
    binding = [sorted(one) for one in conflicts if all(node in known for node in one)]
    start = _completed(tree, set(), allowed, binding)
    if not binding:
        return start, _gained(tree, start)
    chosen, bound = _solved(tree, known, sorted(binding), start, nodes)
    found = _completed(tree, chosen, allowed, binding)
    best = max(found, start, key=lambda split: _gained(tree, split))
    return best, max(bound, _gained(tree, best))


def _gained(tree: Tree, split: set[int]) -> int:
    return sum(tree.gain(node) for node in split)


def _allowed(tree: Tree, level: int, conflicts: set[Conflict]) -> list[int]:
    """The inner nodes that can be split without a conflict, parents first."""
    found, left = [], [tree.root]
    while left:
        node = left.pop(0)
        if tree.children[node] and tree.level[node] > level and frozenset({node}) not in conflicts:
            found.append(node)
            left += tree.children[node]
    return found


def _completed(
    tree: Tree, split: set[int], allowed: list[int], binding: list[list[int]]
) -> set[int]:
    """Greedily add splits that violate no conflict, by gain, then by node number."""
    holding: dict[int, list[int]] = {node: [] for node in allowed}
    missing = [len(one) for one in binding]
    for number, one in enumerate(binding):
        for node in one:
            holding[node].append(number)
    done: set[int] = set()

    def add(node: int) -> None:
        done.add(node)
        for number in holding[node]:
            missing[number] -= 1

    for node in split:
        add(node)
    order = sorted(allowed, key=lambda node: (-tree.gain(node), node))
    grew = True
    while grew:
        grew = False
        for node in order:
            reached = node == tree.root or tree.parent[node] in done
            if node in done or not reached or any(missing[one] == 1 for one in holding[node]):
                continue
            add(node)
            grew = True
            break
    return done


def _solved(
    tree: Tree, known: dict[int, int], binding: list[list[int]], start: set[int], nodes: int
) -> tuple[set[int], int]:
    solver = new_solver(nodes)
    solver.passModel(_model(tree, known, binding))
    first = highspy.HighsSolution()
    first.col_value = [float(node in start) for node in known]
    solver.setSolution(first)
    run(solver)
    values = np.asarray(solver.getSolution().col_value)
    chosen = {node for node, place in known.items() if len(values) and values[place] > 0.5}
    # Gains are whole numbers, so a bound can be rounded down.
    bound = np.floor(-float(solver.getInfo().mip_dual_bound) + 1e-6)
    return chosen, int(bound)


def _model(tree: Tree, known: dict[int, int], binding: list[list[int]]) -> highspy.HighsLp:
    """The program: maximize the gain; split a node only with its parent, no whole conflict."""
    rows: list[list[tuple[int, float]]] = []
    upper: list[float] = []
    for node, place in known.items():
        if node != tree.root:
            rows.append([(place, 1.0), (known[tree.parent[node]], -1.0)])
            upper.append(0.0)
    for one in binding:
        rows.append([(known[node], 1.0) for node in one])
        upper.append(len(one) - 1.0)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(known), len(rows)
    model.col_cost_ = np.array([-float(tree.gain(node)) for node in known])
    model.col_lower_ = np.zeros(len(known))
    model.col_upper_ = np.ones(len(known))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(known)
    model.row_lower_ = np.full(len(rows), -highspy.kHighsInf)
    model.row_upper_ = np.array(upper)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    model.a_matrix_.index_ = np.array([p for row in rows for p, _ in row], dtype=np.int32)
    model.a_matrix_.value_ = np.array([value for row in rows for _, value in row])
    return model

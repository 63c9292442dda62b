"""The integer and linear programs that match published itemsets with mined ones.

The variable u(A, B) is 1 if code B stands for name A, and u(X, Y) is 1 if mined itemset Y is X.
Every name, code and itemset is matched once, at the least sum of squared differences of frequency.
If itemsets may be missing or false, an unmatched itemset has a cost instead. An item of X matches
item B exactly if X matches some Y that holds B: one equation for each X and B, and likewise for
each Y and A. The paper has one constraint for each X and Y, which is their sum and weaker: itemset
variables that are not whole can then hide a wrong naming (`faithful`).
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from setveil.run.solver import new_solver, run

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

METHODS = ("integer", "mixed", "linear")
LITTLE = 1e-6  # weights below this are the solver's rounding


class Itemsets:
    """Itemsets by number: their sizes and frequencies (in billionths), and their items."""

    def __init__(self, ids: Ints, sizes: Ints, nano: Ints, of: Ints, items: Ints) -> None:
        """`of` and `items` are the pairs of an itemset and an item that it holds, in order."""
        self.ids, self.sizes, self.nano = ids, sizes, nano
        self.flat = items
        self.start: Ints = np.searchsorted(of, ids)
        self.items: Ints = np.unique(items)

    @property
    def larger(self) -> Ints:
        """The itemsets of two items or more."""
        larger: Ints = self.ids[self.sizes > 1]
        return larger

    @property
    def alone(self) -> Ints:
        """The items that are itemsets of size one."""
        alone: Ints = self.flat[self.start[self.sizes == 1]]
        return alone

    def members(self, ids: Ints) -> tuple[Ints, Ints]:
        """The items of these itemsets, which may repeat, each with its place in `ids`."""
        at = np.searchsorted(self.ids, ids)
        sizes, starts = self.sizes[at], self.start[at]
        owner = np.repeat(np.arange(len(ids)), sizes)
        return owner, self.flat[np.repeat(starts, sizes) + _within(sizes)]

    def by_items(self) -> dict[tuple[int, ...], int]:
        """Every itemset with its frequency."""
        ends = self.start + self.sizes
        return {
            tuple(int(one) for one in self.flat[first:last]): int(nano)
            for first, last, nano in zip(self.start, ends, self.nano, strict=True)
        }


def _within(counts: Ints) -> Ints:
    """The numbers 0, 1, … below each count, concatenated."""
    ends = np.cumsum(counts)
    places: Ints = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
    return places


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs that may match, and the difference of their frequencies in billionths."""

    known: Ints
    mined: Ints
    apart: Ints

    def __len__(self) -> int:
        return len(self.known)


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The costs of itemsets without a match, published ones and mined ones, in their order."""

    known: Floats
    mined: Floats

    @property
    def total(self) -> float:
        return float(self.known.sum() + self.mined.sum())


@dataclass(frozen=True, slots=True)
class Problem:
    """The matching to solve. `unmatched` is None if every itemset needs a match."""

    known: Itemsets
    mined: Itemsets
    items: Pairs
    sets: Pairs
    tolerance: int
    unmatched: Unmatched | None = None
    faithful: bool = False

    def cost(self, pairs: Pairs) -> Floats:
        """Squared differences, relative to the tolerance."""
        if not self.tolerance:
            return np.zeros(len(pairs))
        squared: Floats = (pairs.apart / self.tolerance) ** 2
        return squared


@dataclass(frozen=True, slots=True)
class Answer:
    """Weights of the pairs of items, and the status of the solver."""

    weights: Floats | None  # None: the solver found no answer
    status: str  # optimal, infeasible, or the limit that was reached
    cost: float | None = None
    gap: float | None = None
    nodes: int = 0
    columns: int = 0
    rows: int = 0


class _Rows:
    """The rows of a sparse matrix that is being built."""

    def __init__(self) -> None:
        self._rows: list[Ints] = []
        self._columns: list[Ints] = []
        self._values: list[Floats] = []
        self.low: list[Floats] = []
        self.high: list[Floats] = []
        self.count = 0

    def add(self, keys: Ints, columns: Ints, values: Floats, low: float, high: float) -> None:
        """One row for each key that occurs."""
        found, row = np.unique(keys, return_inverse=True)
        self._rows.append(row + self.count)
        self._columns.append(columns)
        self._values.append(values)
        self.low.append(np.full(len(found), low))
        self.high.append(np.full(len(found), high))
        self.count += len(found)

    def fill(self, model: highspy.HighsLp) -> None:
        row, column = np.concatenate(self._rows), np.concatenate(self._columns)
        value = np.concatenate(self._values)
        width = int(column.max(initial=0)) + 1
        cells, back = np.unique(row * width + column, return_inverse=True)
        model.num_row_ = self.count
        model.row_lower_, model.row_upper_ = np.concatenate(self.low), np.concatenate(self.high)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        starts = np.searchsorted(cells // width, np.arange(self.count + 1))
        model.a_matrix_.start_ = starts.astype(np.int32)
        model.a_matrix_.index_ = (cells % width).astype(np.int32)
        summed = np.bincount(back, weights=value, minlength=len(cells))
        model.a_matrix_.value_ = summed.astype(float)


def solve(problem: Problem, method: str, *, nodes: int, seconds: float | None = None) -> Answer:
    """Match names and codes by one of the METHODS."""
    if problem.unmatched is None and _someone_has_no_choice(problem):
        return Answer(None, "infeasible")
    if not len(problem.items):
        lost = 0.0 if problem.unmatched is None else problem.unmatched.total
        return Answer(np.zeros(0), "optimal", lost, 0.0)
    solver = new_solver(nodes, seconds)
    model, offset = _model(problem, method)
    solver.passModel(model)
    run(solver)
    return _answer(solver, problem, method, offset)


def _someone_has_no_choice(problem: Problem) -> bool:
    """Is there an item or itemset without any possible partner?"""
    return any(
        len(np.setdiff1d(wanted, found)) > 0
        for wanted, found in (
            (problem.known.items, problem.items.known),
            (problem.mined.items, problem.items.mined),
            (problem.known.larger, problem.sets.known),
            (problem.mined.larger, problem.sets.mined),
        )
    )


def _answer(solver: highspy.Highs, problem: Problem, method: str, offset: float) -> Answer:
    status, info = solver.getModelStatus(), solver.getInfo()
    found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    known = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
        highspy.HighsModelStatus.kSolutionLimit: "node limit",
        highspy.HighsModelStatus.kTimeLimit: "time limit",
    }
    text = known.get(status, solver.modelStatusToString(status).lower())
    size = {"columns": solver.getNumCol(), "rows": solver.getNumRow()}
    if not found:
        return Answer(None, text, **size)
    values = np.clip(np.asarray(solver.getSolution().col_value)[: len(problem.items)], 0.0, 1.0)
    whole = method != "linear"
    weights = np.round(values) if whole else np.where(values < LITTLE, 0.0, values)
    cost = max(0.0, float(info.objective_function_value) + offset)
    bound = float(info.mip_dual_bound) + offset if whole else cost
    gap = max(0.0, cost - bound) / cost if cost > LITTLE else 0.0
    return Answer(weights, text, cost, gap, int(info.mip_node_count) if whole else 0, **size)


def _model(problem: Problem, method: str) -> tuple[highspy.HighsLp, float]:
    """Make the program, and the constant to add to its objective."""
    items, sets = problem.items, problem.sets
    columns = len(items) + len(sets)
    model, rows = highspy.HighsLp(), _Rows()
    _match_once(problem, rows)
    if problem.faithful:
        _link_as_in_the_paper(problem, rows)
    else:
        _link(problem, rows, problem.known, sets.known, problem.mined, sets.mined, flipped=False)
        _link(problem, rows, problem.mined, sets.mined, problem.known, sets.known, flipped=True)
    rows.fill(model)
    cost, offset = _costs(problem)
    model.num_col_ = columns
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = np.zeros(columns), np.ones(columns)
    kinds = highspy.HighsVarType
    if method != "linear":
        others = kinds.kInteger if method == "integer" else kinds.kContinuous
        model.integrality_ = [kinds.kInteger] * len(items) + [others] * len(sets)
    return model, offset


def _costs(problem: Problem) -> tuple[Floats, float]:
    """The costs of matches. A match saves the cost of leaving both sides unmatched."""
    cost = np.concatenate([problem.cost(problem.items), problem.cost(problem.sets)])
    if problem.unmatched is None:
        return cost, 0.0
    spared, other = problem.unmatched.known, problem.unmatched.mined
    saved = np.concatenate(
        [
            _alone(problem.known, spared, problem.items.known)
            + _alone(problem.mined, other, problem.items.mined),
            spared[np.searchsorted(problem.known.ids, problem.sets.known)]
            + other[np.searchsorted(problem.mined.ids, problem.sets.mined)],
        ]
    )
    return cost - saved, problem.unmatched.total


def _alone(itemsets: Itemsets, costs: Floats, items: Ints) -> Floats:
    """The cost of each item as an itemset of its own; 0 if it is none."""
    most = int(max(items.max(initial=0), itemsets.items.max(initial=0)))
    found = np.zeros(most + 1)
    found[itemsets.alone] = costs[itemsets.sizes == 1]
    of_items: Floats = found[items]
    return of_items


def _match_once(problem: Problem, rows: _Rows) -> None:
    """Every item and itemset has one partner; at most one, if some may be unmatched."""
    low = 1.0 if problem.unmatched is None else 0.0
    items, sets = problem.items, problem.sets
    for pairs, first in ((items, 0), (sets, len(items))):
        columns = first + np.arange(len(pairs))
        for side in (pairs.known, pairs.mined):
            rows.add(side, columns, np.ones(len(pairs)), low, 1.0)


def _link(
    problem: Problem,
    rows: _Rows,
    here: Itemsets,
    own: Ints,
    there: Itemsets,
    partners: Ints,
    *,
    flipped: bool,
) -> None:
    """For itemset X and item B: the partner of X holds B exactly if an item of X matches B."""
    items = problem.items
    mine, others = (items.mined, items.known) if flipped else (items.known, items.mined)
    width = int(others.max(initial=0)) + int(there.items.max(initial=0)) + 1
    place, held = there.members(partners)
    keys = [own[place] * width + held]
    columns = [len(items) + place]
    place, held = here.members(here.larger)
    first, last = (
        np.searchsorted(np.sort(mine), held),
        np.searchsorted(np.sort(mine), held, "right"),
    )
    counts = last - first
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = np.argsort(mine, kind="stable")[np.repeat(first, counts) + within]
    keys.append(np.repeat(here.larger[place], counts) * width + others[chosen])
    columns.append(chosen)
    values = [np.ones(len(columns[0])), -np.ones(len(columns[1]))]
    low = 0.0 if problem.unmatched is None else -highspy.kHighsInf
    rows.add(np.concatenate(keys), np.concatenate(columns), np.concatenate(values), low, 0.0)


def _link_as_in_the_paper(problem: Problem, rows: _Rows) -> None:
    """For itemsets X and Y: at least |X| u(X, Y) of their items are matched with each other."""
    items, sets = problem.items, problem.sets
    width = int(max(items.mined.max(initial=0), problem.mined.items.max(initial=0))) + 1
    place, left = problem.known.members(sets.known)
    sizes = np.bincount(place, minlength=len(sets))
    again = np.repeat(place, sizes[place])
    left = np.repeat(left, sizes[place])
    start = problem.mined.start[np.searchsorted(problem.mined.ids, sets.mined)]
    right = problem.mined.flat[start[again] + _within(sizes[place])]
    own = items.known * width + items.mined  # ascending, as the pairs are
    at = np.minimum(np.searchsorted(own, left * width + right), max(0, len(own) - 1))
    matched = own[at] == left * width + right
    keys = np.concatenate([again[matched], np.arange(len(sets))])
    columns = np.concatenate([at[matched], len(items) + np.arange(len(sets))])
    values = np.concatenate([np.ones(int(matched.sum())), -sizes.astype(float)])
    rows.add(keys, columns, values, 0.0, highspy.kHighsInf)


def best_matching(items: Pairs, weights: Floats) -> list[int]:
    """The pairs of greatest total weight that match every name and code at most once."""
    chosen = np.flatnonzero(weights > LITTLE)
    if not len(chosen):
        return []
    voted = Pairs(items.known[chosen], items.mined[chosen], items.apart[chosen])
    rows = _Rows()
    for side in (voted.known, voted.mined):
        rows.add(side, np.arange(len(voted)), np.ones(len(voted)), 0.0, 1.0)
    model = highspy.HighsLp()
    rows.fill(model)
    model.num_col_ = len(voted)
    model.col_cost_ = -weights[chosen]
    model.col_lower_, model.col_upper_ = np.zeros(len(voted)), np.ones(len(voted))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(voted)
    solver = new_solver(10**6)
    solver.passModel(model)
    run(solver)
    values = np.asarray(solver.getSolution().col_value)
    return [int(place) for place in chosen[values > 0.5]]


def drawn_matching(items: Pairs, weights: Floats, seed: int) -> list[int]:
    """The paper's rounding: codes in random order draw a name each, by the weights that are left.

    A code whose names are all taken gets none.
    """
    chance = np.random.default_rng(seed)
    taken: set[int] = set()
    chosen = []
    for code in chance.permutation(np.unique(items.mined)):
        places = np.flatnonzero((items.mined == code) & (weights > LITTLE))
        free = np.array([one for one in places if int(items.known[one]) not in taken], dtype=int)
        if len(free):
            place = int(chance.choice(free, p=weights[free] / weights[free].sum()))
            taken.add(int(items.known[place]))
            chosen.append(place)
    return sorted(chosen)

"""Choose victims that keep legitimate itemsets frequent at `min_support`.

Transactions of one kind hold the same patterns and the same threatened itemsets. An integer program
decides how many of each kind lose which items. Every pattern must lose its number of transactions;
an itemset with more losses than its slack is lost. The program minimizes lost itemsets, then
suppressed occurrences. HiGHS solves small programs; a greedy choice serves large ones. Both give
the same result on any machine.
After Sun and Yu, A border-based approach for hiding sensitive frequent itemsets, ICDM 2005.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from setveil.models.coherence.choose import Ints
from setveil.run.solver import new_solver, run

Items = tuple[int, ...]
Numbers = npt.NDArray[np.float64]

MOST_CHOICES = 256  # sets of victims for one set of patterns
EXACT = 30_000  # entries of the matrix, up to which the program is solved
NODES = 20  # nodes of the branch-and-bound tree
WORK = 250_000  # entries visited in all: bounds come slowly if many itemsets must be lost
ROUNDS = 200  # rounds of the greedy choice while the needs halve
LOSES = 1e6  # weight of a lost itemset, relative to one that comes near its slack


@dataclass(frozen=True, slots=True)
class Kind:
    """Transactions that hold the same patterns and threatened itemsets."""

    transactions: int
    patterns: Items
    itemsets: Items


@dataclass(frozen=True, slots=True)
class Task:
    """The patterns to hide, and the itemsets that should stay frequent."""

    kinds: Sequence[Kind]
    needs: Sequence[int]  # for each pattern, the number of transactions that must lose an item
    pattern_items: Sequence[Items]
    slack: Mapping[int, int]  # for each threatened itemset, the number of losses it can bear
    itemset_items: Mapping[int, frozenset[int]]  # the items of patterns in it


@dataclass(frozen=True, slots=True)
class Plan:
    """The losses: `times` transactions of a kind lose `items`. The other fields are their cost."""

    losses: list[tuple[int, Items, int]]  # (kind, items, times)
    lost: int  # legitimate itemsets that become rare
    removed: int  # occurrences
    bound: int | None  # no choice loses fewer itemsets; None is unknown


def choose(task: Task) -> Plan:
    """Find a plan and a bound on its loss."""
    program = _Program(task)
    found = _greedy(program)
    bound: int | None = None if program.cut else 0
    if program.entries <= EXACT:
        better, proven = _solve(program, found)
        found = min(better, found, key=program.cost)
        bound = None if program.cut else proven
    lost, removed = program.cost(found)
    losses = [
        (int(program.kind[n]), program.items[n], int(found[n])) for n in np.flatnonzero(found)
    ]
    return Plan(losses, lost, removed, bound)


class _Program:
    """The choices for each kind, the patterns that each hits and the itemsets that it hurts."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.cut = False
        self.items: list[Items] = []
        kinds: list[int] = []
        hits: list[Items] = []
        hurts: list[Items] = []
        self.spots = {number: spot for spot, number in enumerate(sorted(task.slack))}
        known: dict[Items, list[tuple[Items, Items]]] = {}
        for kind, one in enumerate(task.kinds):
            if one.patterns not in known:
                known[one.patterns] = self._choices(one.patterns)
            for items, hit in known[one.patterns]:
                gone = frozenset(items)
                kinds.append(kind)
                self.items.append(items)
                hits.append(hit)
                hurts.append(
                    tuple(
                        self.spots[number]
                        for number in one.itemsets
                        if not gone.isdisjoint(task.itemset_items[number])
                    )
                )
        self.kind = np.array(kinds, dtype=np.int64)
        self.weight = np.array([len(items) for items in self.items], dtype=np.int64)
        self.hits = _Sparse(hits, len(task.needs))
        self.hurts = _Sparse(hurts, len(self.spots))
        self.held = _Sparse([one.patterns for one in task.kinds], len(task.needs))
        self.needs = np.array(task.needs, dtype=np.int64)
        self.slack = np.array([task.slack[n] for n in sorted(task.slack)], dtype=np.int64)
        self.transactions = np.array([one.transactions for one in task.kinds], dtype=np.int64)

    @property
    def entries(self) -> int:
        return len(self.hits.of) + len(self.hurts.of) + len(self.kind)

    def cost(self, times: Ints) -> tuple[int, int]:
        """Return the number of lost itemsets and of suppressed occurrences."""
        losses = self.hurts.total(times)
        return int((losses > self.slack).sum()), int((times * self.weight).sum())

    def _choices(self, patterns: Items) -> list[tuple[Items, Items]]:
        """Sets of victims without a needless item, with the patterns they break; small first."""
        sets = {one: frozenset(self.task.pattern_items[one]) for one in patterns}
        candidates = sorted(frozenset().union(*sets.values()))
        found: dict[Items, Items] = {}
        layer: list[Items] = [()]
        while layer:
            following = []
            for chosen in layer:
                for item in candidates:
                    if (not chosen or item > chosen[-1]) and len(found) < MOST_CHOICES:
                        more = (*chosen, item)
                        if _none_is_needless(more, sets.values()):
                            following.append(more)
                            found[more] = tuple(n for n in patterns if not sets[n].isdisjoint(more))
            layer = following
        self.cut |= len(found) >= MOST_CHOICES
        if patterns not in found.values():  # at least one set must break all patterns
            cover = _cover(sets)
            found[cover] = patterns
        return list(found.items())


def _none_is_needless(items: Items, patterns: Iterable[frozenset[int]]) -> bool:
    """Does each item break a pattern that no other item breaks?"""
    alone: set[int] = set()
    for pattern in patterns:
        broken = pattern.intersection(items)
        if len(broken) == 1:
            alone |= broken
    return len(alone) == len(items)


def _cover(sets: Mapping[int, frozenset[int]]) -> Items:
    """Items that break all patterns; each breaks the most of the patterns that are left."""
    left, chosen = dict(sets), list[int]()
    while left:
        count: dict[int, int] = {}
        for pattern in left.values():
            for item in pattern:
                count[item] = count.get(item, 0) + 1
        best = min(count, key=lambda item: (-count[item], item))
        chosen.append(best)
        left = {n: pattern for n, pattern in left.items() if best not in pattern}
    return tuple(sorted(chosen))


class _Sparse:
    """A matrix of zeros and ones: for each row, the columns with a one."""

    def __init__(self, rows: Sequence[Items], columns: int) -> None:
        self.columns = columns
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        self.start: Ints = np.concatenate([[0], np.cumsum(sizes)])
        self.of: Ints = np.array([one for row in rows for one in row], dtype=np.int64)
        self.row: Ints = np.repeat(np.arange(len(rows)), sizes)
        self.rows = len(rows)

    def __getitem__(self, row: int) -> Ints:
        columns: Ints = self.of[self.start[row] : self.start[row + 1]]
        return columns

    def sum(self, value: Numbers) -> Numbers:
        """For each row, the sum of its columns' values."""
        total: Numbers = np.bincount(self.row, weights=value[self.of], minlength=self.rows).astype(
            float
        )
        return total

    def total(self, times: Ints) -> Ints:
        """For each column, the sum over the rows with a one in it."""
        counted: Ints = np.zeros(self.columns, dtype=np.int64)
        np.add.at(counted, self.of, times[self.row])
        return counted


def _greedy(program: _Program) -> Ints:
    """Choose transactions with the least cost per pattern, until every pattern has enough.

    A chosen transaction loses an item of each of its patterns that still needs one. So the
    remaining transactions always suffice.
    """
    times = np.zeros(len(program.kind), dtype=np.int64)
    needs, slack = program.needs.copy(), program.slack.copy()
    left = program.transactions.copy()
    while needs.any():
        open_ = (needs > 0).astype(float)
        served = program.hits.sum(open_)
        fit = (served > 0) & (served == program.held.sum(open_)[program.kind])
        fit &= left[program.kind] > 0
        near = np.where(slack == 0, LOSES, np.where(slack > 0, 1 / (np.abs(slack) + 1.0), 0.0))
        cost = program.hurts.sum(near) + program.weight / 1000
        candidates = np.flatnonzero(fit)
        order = candidates[np.argsort(cost[candidates] / served[candidates], kind="stable")]
        batch = max(1, int(needs.sum()) // ROUNDS)
        for choice in order[:batch]:
            kind = program.kind[choice]
            serves, hurts = program.hits[choice], program.hurts[choice]
            wanted = needs[program.held[kind]]
            if not left[kind] or not (needs[serves] > 0).any():
                continue
            if (needs[serves] > 0).sum() < (wanted > 0).sum():
                continue
            room = [batch, left[kind], needs[serves][needs[serves] > 0].min()]
            room += slack[hurts][slack[hurts] > 0].tolist()
            step = int(max(1, min(room)))
            times[choice] += step
            left[kind] -= step
            needs[serves] = np.maximum(0, needs[serves] - step)
            slack[hurts] -= step
    return times


def _solve(program: _Program, start: Ints) -> tuple[Ints, int]:
    """Solve the program from `start`; return its choice and a bound on the lost itemsets."""
    if not len(program.kind):
        return start, 0
    each = int(program.needs.sum()) + 1  # a lost itemset costs more than all occurrences
    solver = new_solver(NODES, looks=WORK // max(1, program.entries))
    solver.passModel(_model(program, each))
    known = highspy.HighsSolution()
    lost = program.hurts.total(start) > program.slack
    known.col_value = np.concatenate([start, lost]).astype(float).tolist()
    solver.setSolution(known)
    run(solver)
    values = np.asarray(solver.getSolution().col_value)[: len(start)]
    found = np.rint(values).astype(np.int64)
    dual = float(solver.getInfo().mip_dual_bound)
    bound = max(0, int(np.ceil((dual - each + 1) / each - 1e-6)))
    return (found if _is_enough(program, found) else start), bound


def _is_enough(program: _Program, times: Ints) -> bool:
    """Does every pattern lose enough transactions, and no transaction lose items twice?"""
    of_kind = np.bincount(program.kind, weights=times, minlength=len(program.transactions))
    return bool(
        (times >= 0).all()
        and (of_kind <= program.transactions).all()
        and (program.hits.total(times) >= program.needs).all()
    )


def _model(program: _Program, each: int) -> highspy.HighsLp:
    """The program: a column per choice counts it, a column per itemset is 1 if it is lost."""
    choices, itemsets = len(program.kind), len(program.slack)
    patterns, kinds = len(program.needs), len(program.transactions)
    infinite = highspy.kHighsInf
    worst = program.hurts.total(program.transactions[program.kind])
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = choices + itemsets, patterns + itemsets + kinds
    model.col_cost_ = np.concatenate([program.weight, np.full(itemsets, each)]).astype(float)
    model.col_lower_ = np.zeros(choices + itemsets)
    upper = np.concatenate([program.transactions[program.kind], np.ones(itemsets)])
    model.col_upper_ = upper.astype(float)
    model.integrality_ = [highspy.HighsVarType.kInteger] * (choices + itemsets)
    model.row_lower_ = np.concatenate([program.needs, np.full(itemsets + kinds, -infinite)])
    model.row_upper_ = np.concatenate(
        [np.full(patterns, infinite), program.slack, program.transactions]
    ).astype(float)
    start, index, value = [0], list[int](), list[float]()
    for choice in range(choices):
        rows = [*program.hits[choice], *(patterns + program.hurts[choice])]
        rows.append(patterns + itemsets + program.kind[choice])
        index += map(int, rows)
        value += [1.0] * len(rows)
        start.append(len(index))
    for itemset in range(itemsets):
        index.append(patterns + itemset)
        value.append(-float(max(0, worst[itemset] - program.slack[itemset])))
        start.append(len(index))
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.array(start, dtype=np.int32)
    model.a_matrix_.index_ = np.array(index, dtype=np.int32)
    model.a_matrix_.value_ = np.array(value)
    return model

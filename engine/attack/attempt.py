"""One attempt to name codes, with weights for names that no solver can distinguish.

An automorphism of the data's itemsets turns a naming into another that is equally good. So the
weight of a name is averaged over these namings: codes that nobody can distinguish share their
names. A linear program cannot distinguish codes of one cell of colour refinement either: spreading
their weights evenly over the cell satisfies the same equations at the same cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from setveil.attack.candidates import Candidates
from setveil.attack.program import (
    LITTLE,
    Answer,
    Floats,
    Pairs,
    best_matching,
    drawn_matching,
    solve,
)
from setveil.attack.symmetry import Ambiguity

Named = tuple[int, int]  # a code and a name, by their numbers


@dataclass(frozen=True, slots=True)
class Attack:
    """The names that were chosen, and the weight of every name that is possible."""

    answer: Answer
    chosen: tuple[Named, ...]  # each code and each name at most once, in the order of the codes
    weights: Mapping[Named, float]

    @property
    def sure(self) -> int:
        """The number of codes that have one name in all equally good namings."""
        return sum(self.weights[one] > 1 - LITTLE for one in self.chosen)

    def expected(self, truth: Mapping[int, int]) -> float:
        """The number of codes with their true name, on average over equally good namings."""
        return sum(self.weights.get(one, 0.0) for one in truth.items())


def attack(
    candidates: Candidates,
    ambiguity: Ambiguity,
    method: str,
    *,
    nodes: int,
    seconds: float | None = None,
    seed: int = 0,
) -> Attack:
    """Name the codes by one method. The relaxation of the paper is rounded by draws of the seed."""
    problem = candidates.problem
    pairs = candidates.unpruned if method == "uniform" else problem.items
    answer = (
        Answer(_uniform(pairs), "optimal")
        if method == "uniform"
        else solve(problem, method, nodes=nodes, seconds=seconds)
    )
    if answer.weights is None:
        return Attack(answer, (), {})
    if problem.faithful and method == "linear":
        chosen = drawn_matching(pairs, answer.weights, seed)
    else:
        chosen = best_matching(pairs, answer.weights)
    named = sorted((int(pairs.mined[one]), int(pairs.known[one])) for one in chosen)
    alike = ambiguity.cell if method == "linear" else ambiguity.of
    return Attack(answer, tuple(named), averaged(pairs, answer.weights, alike))


def averaged(pairs: Pairs, weights: Floats, alike: Mapping[int, int]) -> dict[Named, float]:
    """The weight of each name, averaged over the codes of one class."""
    total: dict[Named, float] = {}  # the weight of a class and a name
    for mined, known, weight in zip(pairs.mined, pairs.known, weights, strict=True):
        if weight > LITTLE:
            vote = alike[int(mined)], int(known)
            total[vote] = total.get(vote, 0.0) + float(weight)
    codes: dict[int, list[int]] = {}
    for code, group in alike.items():
        codes.setdefault(group, []).append(code)
    return {
        (code, known): weight / len(codes[group])
        for (group, known), weight in total.items()
        for code in codes[group]
    }


def uniform(candidates: Candidates, truth: Mapping[int, int]) -> float:
    """The expected number of right names if each code draws among the names of its frequency."""
    pairs = candidates.unpruned
    shares = zip(pairs.mined, pairs.known, _uniform(pairs), strict=True)
    return sum(float(share) for code, name, share in shares if truth.get(int(code)) == int(name))


def _uniform(pairs: Pairs) -> Floats:
    """Equal weights for all names that a code may have."""
    _, code, votes = np.unique(pairs.mined, return_inverse=True, return_counts=True)
    shares: Floats = 1.0 / votes[code] if len(pairs) else np.zeros(0)
    return shares

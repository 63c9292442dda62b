"""The choices of a run: what is kept, the method, and the number of parts."""

from __future__ import annotations

from dataclasses import dataclass

from setveil.errors import InputError, option
from setveil.run.reading import Baskets

KEEPS = ("rules", "distribution")
STRATEGIES = ("partial", "paper", "global", "tdcontrol")
B_MAX, T_MAX = 1_000_000, 500  # the paper's experiments have these


@dataclass(frozen=True, slots=True)
class Limits:
    """Sets in a buffer (b_max), and the cost above which a part is split (t_max)."""

    sets: int
    cost: int

    def __post_init__(self) -> None:
        for name, limit in (("b_max", self.sets), ("t_max", self.cost)):
            if limit < 1:
                raise InputError(f"{name} is a whole number of at least 1, not {limit}")


def cost(transactions: int, occurrences: int, items: int) -> float:
    """Formula 8: |T| * 2^(|N| / |T|) / |D(T)|."""
    return transactions * 2 ** (occurrences / max(1, transactions)) / max(1, items)


def number_of_parts(baskets: Baskets, parts: int | str) -> int:
    """The number of parts. auto halves them until each costs at most the paper's t_max."""
    if parts == "auto":
        number, size = 1, baskets.transactions
        share_ = baskets.occurrences / max(1, size)
        while size > 1 and cost(size, int(size * share_), baskets.items) > T_MAX:
            number, size = number * 2, size // 2
        return number
    try:
        number = int(parts)
    except ValueError:
        number = 0
    if number < 1:
        raise InputError(f"parts is a whole number of at least 1, or auto, not {parts!r}")
    return number


def check_options(keep: str, method: str, max_knowledge: int | None, seed: int) -> None:
    for name, value, known in (("keep", keep, KEEPS), ("method", method, STRATEGIES)):
        if value not in known:
            raise InputError(f"there is no {name} {value!r}; choose one of {', '.join(known)}")
    if max_knowledge is not None and max_knowledge < 1:
        raise InputError(f"max_knowledge is a whole number of at least 1, not {max_knowledge}")
    if seed < 0:
        raise InputError(f"seed is a whole number of at least 0, not {seed}")


def check_own(method: str, *, parts: bool, refine: bool) -> None:
    """Refuse options of `partial` with a method from the papers."""
    for name, given in (("parts", parts), ("refine", refine)):
        if given and method != "partial":
            raise InputError(f"{option(name)} is for the method partial, not for {method}")

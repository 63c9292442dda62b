"""The choices of a run: what is kept, the method, and the number of parts."""

from __future__ import annotations

from setveil.errors import InputError
from setveil.run.reading import Baskets

KEEPS = ("rules", "distribution")
STRATEGIES = ("partial", "global")
PART_COST = 500  # t_max of the paper


def cost(transactions: int, occurrences: int, items: int) -> float:
    """Formula 8: |T| * 2^(|N| / |T|) / |D(T)|."""
    return transactions * 2 ** (occurrences / max(1, transactions)) / max(1, items)


def number_of_parts(baskets: Baskets, parts: int | str) -> int:
    """The number of parts. auto halves them until each costs at most the paper's t_max."""
    if parts == "auto":
        number, size = 1, baskets.transactions
        share_ = baskets.occurrences / max(1, size)
        while size > 1 and cost(size, int(size * share_), baskets.items) > PART_COST:
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

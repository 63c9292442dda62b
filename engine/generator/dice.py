"""Random numbers by seed and purpose, which the database makes from the ids of rows."""

from __future__ import annotations

MODULUS = 2_147_483_647


def offset(seed: int, purpose: str) -> int:
    """The start of the random numbers for a purpose, far from those of other purposes."""
    at = seed
    for letter in purpose.encode():
        at = pow((at * 48_271 + letter * 69_621 + 1) % MODULUS, 5, MODULUS)
    return at

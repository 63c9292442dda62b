"""Shares as exact fractions: no ratio is compared as a binary number."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from setveil.errors import InputError

Share = float | str | Decimal | Fraction


def share(h: Share, name: str = "h") -> Fraction:
    """The exact share of a text: 0.4, or 40%, is two fifths, not a number near it."""
    text = str(h).strip()
    try:
        exact = Fraction(text[:-1].strip()) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} is a share between 0 and 1, not {h!r}") from None
    if not 0 <= exact <= 1:
        raise InputError(f"{name} is a share between 0 and 1, not {h}: write 40 % as 0.4 or 40%")
    if exact.denominator > 10**9:
        raise InputError(f"{name} has too many digits: {h}; nine after the point are kept exactly")
    return exact

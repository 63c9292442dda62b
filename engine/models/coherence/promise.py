"""The promise of (h, k, p)-coherence, and the moles that a search finds at each size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from setveil.arguments.shares import Share, share
from setveil.errors import InputError
from setveil.run.roles.known import divide_items
from setveil.run.roles.lists import Items
from setveil.run.session import Session

if TYPE_CHECKING:
    from setveil.models.coherence.choose import Small


@dataclass(frozen=True, slots=True)
class Promise:
    """The parameters h, k and p, and how many items are private and public."""

    h: Fraction
    k: int
    p: int
    private: int  # number of private items
    public: int  # number of public items

    def without_secrets(self) -> Promise:
        """The promise without private items: only rare itemsets are moles."""
        return replace(self, private=0)


@dataclass(frozen=True, slots=True)
class Level:
    """The itemsets of one size that some transaction holds."""

    size: int
    plan: str
    present: int
    moles: Small  # the minimal moles, a row of item numbers for each
    revealing: int  # the moles that are not rare
    width: int = 1  # of the blocks that mark exposed transactions
    dominance: Fraction = Fraction(0)  # the largest share of one person up to this size

    @property
    def extendible(self) -> int:
        return self.present - len(self.moles)

    @property
    def enough(self) -> int:
        """The number of itemsets that at least k transactions hold."""
        return self.extendible + self.revealing


def promised(
    session: Session,
    k: int,
    p: int,
    h: Share | None,
    private: Items,
    public: Items | None,
    *,
    ignore_unknown: bool = False,
    released: bool = False,
    brief: bool = False,
) -> Promise:
    """Make the relations private_item and public_item, and return the promise.

    A listed item that a release lacks may have been suppressed. With `brief`, only this run reads
    the relations.
    """
    exact = _bound(h, private)
    for name, value in (("k", k), ("p", p)):
        if value < 1:
            raise InputError(f"{name} is a whole number of at least 1, not {value}")
    secret, known = divide_items(
        session,
        private,
        public,
        ignore_unknown=ignore_unknown,
        released=released,
        brief=brief,
    )
    return Promise(exact, k, p, private=secret, public=known)


def _bound(h: Share | None, private: Items) -> Fraction:
    """The share h as an exact fraction. It is needed if an item is private."""
    if h is not None:
        return share(h)
    if isinstance(private, str | Path) or tuple(private):
        raise InputError("--private needs --h: the share of a cohort that may hold such an item")
    return Fraction(1)

"""What (h, k, p)-coherence promises, and what a search for its moles finds on a level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from setveil.models.coherence.choose import Ints


@dataclass(frozen=True, slots=True)
class Promise:
    """At least k, a private item in at most h, against attackers who know up to p public items."""

    h: Fraction
    k: int
    p: int
    private: int  # how many items are private
    public: int  # and how many public

    def without_secrets(self) -> Promise:
        """The same, with nobody's secrets at stake: what is left is rarity."""
        return replace(self, private=0)


@dataclass(frozen=True, slots=True)
class Level:
    """The itemsets of one size that were met: those that some transaction holds."""

    size: int
    plan: str
    present: int
    moles: Ints  # the minimal moles, an itemset of item numbers per row
    revealing: int  # the moles that are not rare

    @property
    def extendible(self) -> int:
        return self.present - len(self.moles)

    @property
    def enough(self) -> int:
        """How many are held by k transactions or more."""
        return self.extendible + self.revealing

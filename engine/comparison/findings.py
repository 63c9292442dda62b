"""The result of a comparison: the original, its releases, and the figures of each.

A figure that was not asked for, or that means nothing for a release, is None or empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from setveil.comparison.evidence.facts import Evidence
from setveil.comparison.history import History
from setveil.comparison.inspection import Band
from setveil.comparison.judging import Guarantee
from setveil.comparison.risk import Risk
from setveil.hierarchy.recode import LevelLoss, SuppressedLoss
from setveil.mine.patterns import PatternMeasures
from setveil.models.uncertainty.check import UnsafeRule
from setveil.run.inputs import Inputs
from setveil.run.results.tabled import Listed
from setveil.run.session import Statement
from setveil.run.words import counted, names, printable

SIZES = ("transactions", "persons", "items", "occurrences", "mean_length")
BESIDE = ("kl", "symmetric_kl", "dissimilarity", "discernibility", "ncp", "information_lost")


@dataclass(frozen=True, slots=True)
class Side:
    """The original, or a release.

    `confidence` is the highest of any rule that tells a sensitive item, in transactions or in
    persons: 0 if there is no such rule, None if none was asked for.
    """

    transactions: int
    persons: int | None  # None: transactions are counted
    items: int
    occurrences: int
    mean_length: float
    supports: tuple[Band, ...]
    risk: Risk
    confidence: float | None = None
    surest_rule: UnsafeRule | None = None

    @property
    def singled_out(self) -> tuple[float, ...]:
        """The shares that attackers of power 1, 2, … p single out, which plots show."""
        shares = self.risk["singled_out"]
        assert isinstance(shares, tuple)
        return shares


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item with less support than it had."""

    item: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class LostItemset:
    """A frequent itemset with less support; `after` is None where it is frequent no more."""

    items: tuple[str, ...]
    before: int
    after: int | None


@dataclass(frozen=True, slots=True)
class Changed:
    """How many of a kind there were, are, and are both."""

    before: int
    after: int
    kept: int

    @property
    def lost(self) -> int:
        return self.before - self.kept

    @property
    def new(self) -> int:
        return self.after - self.kept


@dataclass(frozen=True, slots=True)
class Itemsets(Changed):
    """The frequent itemsets of one size."""

    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A release beside its original; `itemsets` and what was lost of them if they were mined.

    `transactions_kept` and `occurrences_kept` are None where transactions cannot be matched. A
    `generalized` release holds nodes, each a level and a label. No node is an item: nothing is said
    of items and itemsets, and attackers know all nodes but private items.
    """

    name: str
    generalized: bool
    side: Side
    items_gone: int | None
    items_new: int | None
    gone_support: int | None  # occurrences that the items had which went
    transactions_kept: int | None
    occurrences_kept: int | None
    ncp_by_level: tuple[LevelLoss, ...]
    ncp_of_suppressed: SuppressedLoss | None
    items_lost_most: tuple[LostItem, ...]
    itemsets: tuple[Itemsets, ...]
    itemsets_lost_most: tuple[LostItemset, ...]
    rules: Changed | None
    patterns: PatternMeasures | None
    guarantee: Guarantee | None
    measures: dict[str, float]

    def content(self) -> dict[str, Any]:
        """The fields as JSON has them; some measures stand beside the others, too."""
        more = {
            "itemsets": [_changed(one) for one in self.itemsets],
            "rules": _changed(self.rules) if self.rules else None,
        }
        return asdict(self) | {name: self.measures.get(name) for name in BESIDE} | more


def _changed(one: Changed) -> dict[str, Any]:
    return asdict(one) | {"lost": one.lost, "new": one.new}


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Listed):
    """All that was found. `sql` has the statements behind each figure."""

    source: str
    parameters: dict[str, object]
    original: Side
    releases: tuple[Compared, ...]
    sql: dict[str, tuple[Statement, ...]]
    history: History | None = None  # of all releases together
    evidence: Evidence | None = None  # if it was asked for
    inputs: Inputs = field(default_factory=Inputs, repr=False, compare=False)

    def content(self) -> dict[str, Any]:
        """The parameters and all figures as JSON has them; the cells of tables are read off it."""
        releases = [one.content() for one in self.releases]
        return {
            "parameters": self.parameters,
            "evidence": None if self.evidence is None else asdict(self.evidence),
            "metrics": {
                "original": asdict(self.original),
                "releases": releases,
                "history": None if self.history is None else self.history.content(),
            },
        }

    def lines(self) -> Iterator[str]:
        yield f"{printable(self.source)} and {counted(len(self.releases), 'release')} of it"
        yield f"releases: {names([one.name for one in self.releases])}"
        judged = [(one.name, one.guarantee.holds) for one in self.releases if one.guarantee]
        told = [f"{printable(name)} {'holds' if holds else 'fails'}" for name, holds in judged]
        yield f"promise: {', '.join(told)}" if told else "no promise was checked: name one, verify="

    def records(self) -> list[dict[str, Any]]:
        """A row for the original and for each release: sizes, risk and the measures of use."""
        none: dict[str, float] = {}
        each: list[tuple[str, Side, dict[str, float], Guarantee | None]]
        each = [(self.source, self.original, none, None)]
        each += [(one.name, one.side, one.measures, one.guarantee) for one in self.releases]
        return [
            {
                "name": name,
                "holds": None if guarantee is None else guarantee.holds,
                **{size: getattr(side, size) for size in SIZES},
                **{f"singled_out_{n}": one for n, one in enumerate(side.singled_out, 1)},
                **measures,
            }
            for name, side, measures, guarantee in each
        ]

    def to_markdown(self) -> str:
        """All of it as Markdown, for a comment on a pull request. It names no item."""
        from setveil.comparison.views.comparison import (
            comparison_markdown,  # which reads what is defined here
        )

        return comparison_markdown(self)

    def write_report(self, path: str | Path, *, public: bool = False, force: bool = False) -> None:
        """Write all of it as one HTML page: for the owner's eyes, or `public`, without names.

        With evidence, it is the page that a data protection officer or an expert files.
        """
        from setveil.comparison.views.comparison import (
            comparison_page,  # which reads what is defined here
        )
        from setveil.comparison.views.evidence import evidence_page
        from setveil.show.page import write_page

        page = comparison_page if self.evidence is None else evidence_page
        write_page(page(self, public=public), path, self.inputs, force=force)

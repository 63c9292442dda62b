"""The facts of evidence on releases, beside the figures of their comparison.

A data protection officer files them, or an expert signs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from setveil.comparison.evidence.crosswalk import Clause

BLANKS = (
    "Recipient and purpose of the release",
    "Means of the recipient: other data, skills, motive",
    "Controls on access, contract, ban on re-identification",
    "Retention: the release is deleted on",
    "Review: this page is judged again on",
    "Trail, key and ledger are kept by",
    "Person responsible, date, signature",
    "Data protection officer or expert, date, signature",
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The bytes of files, or the rows of a relation with the sum of their digests."""

    name: str
    sha256: str | None = None
    files: int | None = None  # None: one file
    rows: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A release, the verdict on it in one sentence, and what its readers see beside items."""

    identity: Identity
    verdict: str
    renumbered: bool
    uncovered: tuple[str, ...]  # columns that no promise covers
    dangerous: tuple[str, ...]  # the uncovered columns that find people by themselves


@dataclass(frozen=True, slots=True)
class Evidence:
    """The facts of a page that is filed, beside the figures of its comparison."""

    at: str
    versions: Mapping[str, str]
    original: Identity
    releases: tuple[Judged, ...]
    person: str | None  # the column of persons; None: transactions are counted
    in_source: int  # transactions
    left_out: int  # transactions without a person, which nobody judged
    promise: str
    attacker: str
    draws: int
    seed: int
    not_covered: tuple[str, ...]
    repeat: tuple[str, ...]  # commands
    repeat_without_names: tuple[str, ...]
    blanks: tuple[str, ...]
    crosswalk: tuple[Clause, ...]

"""Queries with marks in place of what a project gives: numbers, columns and relations.

A mark is a number or a name that nothing else in a query has. An exporter replaces the marks by the
words of its tool, so that the tool's text is the query itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from sqlglot import exp

from setveil.export.query import Options, built
from setveil.export.tables import Tables
from setveil.models import REGISTRY
from setveil.sql.dialects import TESTED, settled
from setveil.sql.step import render

WHOLE = 10**9  # shares are given in parts of it
PART = 123_456_789  # stands for the parts of a share; it shares no factor with WHOLE
LEAST = 900_000_001  # stands for k, or for the least support
SHARE = Fraction(PART, WHOLE)

NUMBERS = {
    str(PART * LEAST): "parts * least",
    str(WHOLE - PART): "rest",
    str(PART): "parts",
    str(LEAST): "least",
}
NAMED = re.compile(r'(?:\b(?P<owner>\w)\.)?["`]setveil_(?P<name>[a-z]+)["`]', re.IGNORECASE)
NUMBER = re.compile(rf"\b({'|'.join(NUMBERS)})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One form of a test: its size, and whether it has a list, persons, or a least support.

    `size` is the p, m or most knowledge of the promise; None where the promise has none.
    """

    model: str
    size: int | None = None
    listed: bool = False
    persons: bool = False
    by_support: bool = False

    @property
    def name(self) -> str:
        """The name of the test, with what distinguishes this form."""
        parts = [self.model.replace("-", "_")]
        parts += [f"of_{self.size}"] if self.size else []
        parts += ["listed"] if self.listed and self.model == "coherence" else []
        parts += ["by_support"] if self.by_support else []
        parts += ["of_persons"] if self.persons else []
        return "_".join(parts)

    @property
    def promise(self) -> dict[str, Any]:
        """The promise, with marks for its numbers."""
        if self.model == "coherence":
            share = {"h": SHARE} if self.listed else {}
            return {"k": LEAST, "p": self.size, **share}
        if self.model == "km-anonymity":
            return {"k": LEAST, "m": self.size}
        if self.model == "uncertainty":
            return {"rho": SHARE, "max_knowledge": self.size}
        if self.model == "hiding":
            return {"min_support": LEAST} if self.by_support else {"psi": SHARE}
        return {"k": LEAST}


SIZES = (1, 2, 3)
BOTH = (False, True)
VARIANTS = (
    *(
        Variant(model="coherence", size=size, listed=listed, persons=persons)
        for size in SIZES
        for listed in BOTH
        for persons in BOTH
    ),
    *(Variant(model="k-anonymity", persons=persons) for persons in BOTH),
    *(
        Variant(model="km-anonymity", size=size, persons=persons)
        for size in SIZES
        for persons in BOTH
    ),
    *(
        Variant(model="uncertainty", size=size, listed=True, persons=persons)
        for size in SIZES
        for persons in BOTH
    ),
    *(Variant(model="hiding", listed=True, by_support=one) for one in BOTH),
)


@cache  # both tools have equal queries
def marked(variant: Variant, dialect: str) -> str:
    """The query of a variant, on one line, with its marks."""
    tree = _built(variant, TESTED[0] if dialect in TESTED else dialect)
    return re.sub(r"\s+", " ", render(settled(tree, dialect), dialect))


@cache  # until it is lowered, a query is alike on the tested databases
def _built(variant: Variant, dialect: str) -> exp.Select:
    tables = Tables(
        release="setveil_release",
        tid="setveil_tid",
        item="setveil_item",
        person="setveil_person" if variant.persons else None,
        persons="setveil_persons" if variant.persons else None,
        list="setveil_list" if variant.listed else None,
        original="setveil_original" if variant.model == "hiding" else None,
    )
    tree, _ = built(REGISTRY[variant.model], tables, variant.promise, Options(dialect))
    tree = tree.copy()
    tree.set("order", None)  # the tool puts the query into another
    return tree


def filled(text: str, names: Mapping[str, str], numbers: Mapping[str, str]) -> str:
    """The text with its marks replaced, by name and by the sense of a number."""

    def named(found: re.Match[str]) -> str:
        owner = f"{found['owner']}." if found["owner"] else ""
        return names[found["name"].lower()].replace("$owner", owner)

    text = NAMED.sub(named, text)
    return NUMBER.sub(lambda found: numbers[NUMBERS[found[1]]], text)

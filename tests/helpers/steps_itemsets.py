"""The steps that find itemsets and rules, for their golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType

from sqlglot import exp

from setveil.sql.inverted import Blocks
from setveil.sql.mine import bits, rules
from setveil.sql.mine import itemsets as mined
from setveil.sql.mine import search as itemsets
from setveil.sql.step import Step

LEAST = 20
Made = Iterator[tuple[str, Step | exp.Query]]


def of_itemsets() -> Made:
    occurrences = exp.to_table("occurrence")
    yield "counted_items", itemsets.counted_items("found", occurrences, LEAST)
    yield "occurring", itemsets.occurring("found", occurrences)
    yield "meetings", itemsets.meetings("found")
    for level in (2, 3):
        yield f"counted_in_lists-{level}", itemsets.counted_in_lists("found", level, 1000, LEAST)
    yield "met_in_lists", itemsets.met_in_lists("found", 2, 1000, LEAST, 1, 3)
    yield "counted_in_lists-met", itemsets.counted_in_lists("found", 2, 1000, LEAST, met=True)
    for level in (3, 4):
        yield f"prospects-{level}", itemsets.prospects("found", level)
        yield f"prospects-met-{level}", itemsets.prospects("found", level, met=1000)
    for level in (2, 3):
        yield f"cohorts-{level}", itemsets.cohorts("found", level, 1000, 5000)


def of_bits() -> Made:
    yield "side_by_side", bits.side_by_side("found", 100)
    yield "posted_items", bits.posted_items("found", 4096, placed=False)
    yield "posted_items-placed", bits.posted_items("found", 126, placed=True)
    for level in (3, 4):
        yield f"possible-{level}", bits.possible("found", level)
        yield f"none-{level}", bits.none("found", level)
    for parts in ((1, 1), (2, 1), (1, 1, 1), (3, 2)):
        level, name = sum(parts), "".join(map(str, parts))
        yield f"candidates-{name}", bits.candidates("found", level, parts)
        for width in (4096, 126):
            blocks, kind = Blocks(width), f"{name}-{width}"
            counted = bits.counted_in_bits("found", level, parts, blocks, LEAST)
            yield f"counted_in_bits-{kind}", counted
            yield f"posted-{kind}", bits.posted("found", level, parts, blocks)


def of_rules() -> Made:
    for size in (2, 3):
        yield f"to_one_item-{size}", rules.to_one_item("rules", "found", size, Fraction(2, 5))
    for sizes in ((1, 2), (2, 2), (1, 3)):
        name = "to_more_items-{}-{}".format(*sizes)
        yield name, rules.to_more_items("rules", "found", *sizes, Fraction(2, 5))


def of_mined() -> Made:
    for sizes in (0, 1, 3):
        yield f"itemsets-{sizes}", mined.itemsets("found", sizes, 5000)
    yield "rules-0", mined.rules("rules", [], 5000)
    yield "rules-2", mined.rules("rules", [(1, 1), (2, 1), (1, 2)], 5000)


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    itemsets: of_itemsets,
    bits: of_bits,
    mined: of_mined,
    rules: of_rules,
}

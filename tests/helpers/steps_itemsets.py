"""The steps that find itemsets and rules, for their golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType

from sqlglot import exp

from setveil.sql.inverted import Blocks
from setveil.sql.mine import bits, growth, rules, words
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
        yield f"prospects-{level}", itemsets.prospects("found", level, 1000)
    for level in (2, 3):
        yield f"cohorts-{level}", itemsets.cohorts("found", level, 1000, 5000)


def of_bits() -> Made:
    yield "side_by_side", bits.side_by_side("found", 100)
    yield "posted_items", bits.posted_items("found", 4096, placed=False)
    yield "posted_items-placed", bits.posted_items("found", 126, placed=True)
    for parts in ((1, 1), (2, 1), (1, 1, 1), (3, 2)):
        level, name = sum(parts), "".join(map(str, parts))
        yield f"parted-{name}", bits.parted("found", level, parts)
        for width in (4096, 126):
            blocks, kind = Blocks(width), f"{name}-{width}"
            counted = bits.counted_in_bits("found", level, parts, blocks, LEAST)
            yield f"counted_in_bits-{kind}", counted
            yield f"posted-{kind}", bits.posted("found", level, parts, blocks)


def of_growth() -> Made:
    for level in (2, 3, 4):
        yield f"candidates-{level}", growth.candidates("found", level, 1000)
    yield "possible-4", growth.possible("found", 4, 1000)
    counts = exp.select("c.met", "c.support").from_("counts AS c")
    for level in (2, 3):
        yield f"grown-{level}", growth.grown("found", level, counts, "somewhere")
    yield "none-3", growth.none("found", 3)


def of_words() -> Made:
    yield "spots", words.spots("found", 1000)
    for width in (63, 252):
        blocks = Blocks(width, always=True)
        yield f"posted_pairs-{width}", words.posted_pairs("found", 1000, blocks)
        yield f"posted-{width}", words.posted("found", 3, 1000, blocks)
        counted = words.counted_in_words("found", 3, 1000, blocks, LEAST)
        yield f"counted_in_words-{width}", counted


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
    growth: of_growth,
    words: of_words,
    mined: of_mined,
    rules: of_rules,
}

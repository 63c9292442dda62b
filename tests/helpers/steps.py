"""The steps in tests/golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from types import ModuleType

from sqlglot import exp

import steps_check_uncertainty
import steps_comparison
import steps_generalization
import steps_generator
import steps_hiding
import steps_history
import steps_itemsets
import steps_partition
import steps_permutation
import steps_persons
import steps_renaming
import steps_slices
import steps_uncertainty
import steps_verdicts
from setveil.sql import inverted, levels
from setveil.sql.comparison import inspection
from setveil.sql.hierarchy import named
from setveil.sql.models.coherence import check as check_coherence
from setveil.sql.models.coherence import search as moles
from setveil.sql.models.coherence import violations
from setveil.sql.run import keys, lists, merging, values
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step
from setveil.sql.trail import seal

H, K = Fraction(2, 5), 20
STRINGS, WORDS = inverted.Blocks(4096), inverted.Blocks(126)
RULE = check_coherence.Rule(over=2, under=5, k=K)
OF_PERSONS = replace(RULE, persons=True)
OF_MANY = replace(OF_PERSONS, many=True)


COLUMNS = ("basket no", "sku", "o'brien")
KEY, SKU = transactions.column("basket no"), transactions.column("sku")


Made = Iterator[tuple[str, Step | exp.Query]]


def of_inspection() -> Made:
    yield "exposed_by_items", inspection.exposed_by_items(64)
    for level in (2, 3):
        yield f"exposed_in_lists-{level}", inspection.exposed_in_lists(level, 64, 100)
        yield f"exposed_in_bits-{level}", inspection.exposed_in_bits(level)
    for level in (2, 3):
        yield f"exposure-{level}", inspection.exposure(level)
    yield "exposed_persons", inspection.exposed_persons(2, 64)
    yield "histogram", inspection.histogram()
    yield "lengths", inspection.lengths()


def of_inverted() -> Made:
    yield "secrets", inverted.secrets()
    yield "extensions", inverted.extensions()
    yield "holders", inverted.holders(K).this
    for width in (64, 126, 4096):
        rows = moles.cohort(1)
        yield f"postings-{width}", inverted.postings("posting_1", width, rows, "the index")
    ranked = exp.to_table("ranked")
    yield "side_by_side", inverted.side_by_side("place", ranked, 100)
    yield "side_by_side-few", inverted.side_by_side("place", ranked, 5)
    yield "density", inverted.density()


def of_lists() -> Made:
    condition = exp.column("support") > 10
    yield "chosen_by", lists.chosen_by("private", condition)
    yield "names", lists.names()
    yield "chosen_by_name", lists.chosen_by_name("private")
    yield "all_but_private", lists.all_but_private()
    yield "leaving", lists.leaving()
    yield "told_labels", lists.told_labels("private_item")
    yield "named_numbers", lists.named_numbers([3, 5])
    yield "public", lists.public()
    yield "supports", lists.supports()
    yield "roles", lists.roles().this
    yield "emptied", lists.emptied()


def of_moles() -> Made:
    yield "unbearable", moles.unbearable(H)
    yield "unbearable-persons", moles.unbearable(H, 100)
    yield "judged-2-persons", moles.judged(2, H, K, private=True, persons=True)
    yield "counted_items", moles.counted_items()
    yield "counted_pairs", moles.counted_pairs(1000)
    yield "counted_pairs-last", moles.counted_pairs(1000, last=True)
    for level in (2, 3):
        yield f"candidates-{level}", moles.candidates(level)
        yield f"intersections-{level}", moles.intersections(level, STRINGS)
        yield f"intersections-{level}-words", moles.intersections(level, WORDS)
        yield f"cohorts-{level}", moles.cohorts(level, K, ordered=level == 2)
        yield f"holders-{level}", moles.holders(level, K)
        yield f"links_in_bits-{level}", moles.links_in_bits(level)
        for last in (False, True):
            kind = f"{level}-last" if last else f"{level}"
            yield f"bounds-{kind}", moles.bounds(level, H, K, last=last)
            for blocks, of in ((STRINGS, kind), (WORDS, f"{kind}-words")):
                yield f"counted_in_bits-{of}", moles.counted_in_bits(level, blocks, kept=not last)
                exact = moles.exact_hits(level, H, blocks, kept=not last, every=False)
                yield f"exact_hits-{of}", exact
    yield "exact_hits-2-every", moles.exact_hits(2, H, STRINGS, kept=True, every=True)
    yield "side_by_side", moles.side_by_side(100)
    yield "at_places", moles.at_places(moles.cohort(1), moved=True).this
    yield "counted_in_lists-3", moles.counted_in_lists(3, 1000)
    yield "counted_in_lists-3-last", moles.counted_in_lists(3, 1000, last=True)
    part = moles.counted_in_lists(3, 1000, last=True, part=1, parts=4)
    yield "counted_in_lists-3-part", part
    for level in (2, 3):
        cohort = levels.table("cohort", level)
        yield f"links_in_lists-{level}", moles.links_in_lists(level, cohort, 1000, H, K)
        yield f"judged-{level}", moles.judged(level, H, K, private=True)
        yield f"moles-{level}", moles.moles(level)
        yield f"prospects-{level}", moles.prospects(level)
        yield f"links_within_bounds-{level}", moles.links_within_bounds(level, cohort, 1000)
    yield "found-2", moles.found(2)
    yield "judged-2-rare_only", moles.judged(2, H, K, private=False)


def of_transactions() -> Made:
    cells = exp.to_table("cells")
    yield "cells", transactions.cells("source", KEY, SKU).this
    yield "listed_cells", transactions.listed_cells("release", KEY, SKU)
    levels = transactions.column("levels")
    yield "listed_cells-levels", transactions.listed_cells("release", KEY, SKU, levels)
    yield "nulls_long", transactions.nulls_long(KEY, SKU)
    yield "itemless", transactions.itemless(SKU)
    yield "with_item", transactions.with_item(COLUMNS, SKU)
    yield "nulls_listed", transactions.nulls_listed(KEY, SKU)
    yield "labels", transactions.labels(cells)
    yield "baskets", transactions.baskets(cells)
    yield "occurrences", transactions.occurrences(cells)
    yield "items", transactions.items()
    yield "baskets-persons", transactions.baskets(cells, persons=True)
    yield "items-persons", transactions.items(persons=True)
    yield "suppressed_items", transactions.suppressed_items(exp.to_table("suppressed_item"))
    for everywhere in (False, True):
        name = "-everywhere" if everywhere else ""
        long = transactions.release_long(
            COLUMNS, "number", KEY, SKU, everywhere=everywhere, distinct=everywhere
        )
        yield f"release_long{name}", long
        listed = transactions.release_listed(COLUMNS, "line", KEY, "sku", everywhere=everywhere)
        yield f"release_listed{name}", listed
    yield "published", transactions.published(COLUMNS, COLUMNS)


def of_keys() -> Made:
    columns = ("store", "o'brien")
    yield "keyed", keys.keyed("source", COLUMNS, columns, "key")
    yield "parts", keys.parts(columns, "key")
    text = keys.with_text(exp.to_table("t"), [SKU, KEY], transactions.column("key"))
    yield "with_text", exp.Select().select("*").from_(text)
    order = ("key", "sku")
    yield "with_parts", keys.with_parts(transactions.published(order, order), columns, "key")


def of_merging() -> Made:
    places = ("basket no", "sku", "line")
    yield "contradictions", merging.contradictions(("o'brien", "map"), ("map",), *places)
    yield "merged", merging.merged(COLUMNS, *places)


def of_values() -> Made:
    query = exp.Select().from_("t")
    yield "plain", query.select(values.plain(SKU, "float"))
    yield "plain-list", query.select(values.plain(SKU, "list double"))
    yield "trimmed", query.select(values.trimmed(SKU, values.UNSCALED))
    read = [values.plain(SKU, "double")]
    yield "mended", values.mended(exp.to_table("t"), [SKU], read)


def of_check_coherence() -> Made:
    cells, roles = exp.to_table("cells"), exp.to_table("roles")
    yield "keys", check_coherence.keys(cells)
    yield "items", check_coherence.items(cells, roles)
    yield "holdings", check_coherence.holdings(cells)
    yield "sizes", check_coherence.sizes(cells)
    yield "knowing_nothing", check_coherence.knowing_nothing(RULE)
    for private, width in ((False, 1), (True, 63)):
        name = "secrets" if private else "public"
        yield f"words-{width}", check_coherence.words(f"check_{name}", private=private, width=width)
    yield "empty_set", check_coherence.empty_set(RULE)
    yield "secrets", check_coherence.secrets(RULE)
    yield "fine-0", check_coherence.fine(0, RULE)
    for size in (2, 3):
        yield f"sets-{size}", check_coherence.sets(size, RULE)
        yield f"fine-{size}", check_coherence.fine(size, RULE)
        yield f"cohorts-{size}", check_coherence.cohorts(size)
        yield f"suspects-{size}", check_coherence.suspects(size, RULE, bounded=False)
        yield f"bounds-{size}", check_coherence.bounds(size, RULE)
        yield f"lengths-{size}", check_coherence.lengths(size)
        yield f"prospects-{size}", check_coherence.prospects(size)
        yield f"links-{size}", check_coherence.links(size)
        yield f"suspects-{size}-bounded", check_coherence.suspects(size, RULE, bounded=True)
    yield "keys_of_persons", check_coherence.keys_of_persons()
    yield "whose", check_coherence.whose()
    yield "knowing_nothing-persons", check_coherence.knowing_nothing(OF_PERSONS)
    yield "empty_set-persons", check_coherence.empty_set(OF_PERSONS)
    yield "secrets-persons", check_coherence.secrets(OF_PERSONS)
    yield "sets-2-many", check_coherence.sets(2, OF_MANY)
    yield "sets-3-persons", check_coherence.sets(3, OF_PERSONS)
    yield "fine-3-persons", check_coherence.fine(3, OF_PERSONS)
    yield "bounds-3-persons", check_coherence.bounds(3, OF_PERSONS)
    yield "suspects-3-persons", check_coherence.suspects(3, OF_PERSONS, bounded=True)


def of_violations() -> Made:
    for size in (0, 2, 3):
        yield f"violations-{size}", violations.violations(size, RULE, 20)
    yield "violations-2-persons", violations.violations(2, OF_PERSONS, 20)


def of_seal() -> Made:
    yield "fingerprint", seal.fingerprint(COLUMNS)
    yield "told", seal.told()
    yield "told_of", seal.told_of("source", COLUMNS)
    yield "seal", seal.seal(20, 10**22, judged=True)
    yield "seal-unjudged", seal.seal(20, 10**22, judged=False)


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    **steps_generalization.SOURCES,
    **steps_partition.SOURCES,
    **steps_permutation.SOURCES,
    **steps_history.SOURCES,
    **steps_persons.SOURCES,
    **steps_slices.SOURCES,
    inspection: of_inspection,
    inverted: of_inverted,
    keys: of_keys,
    lists: of_lists,
    merging: of_merging,
    moles: of_moles,
    seal: of_seal,
    transactions: of_transactions,
    values: of_values,
    check_coherence: of_check_coherence,
    violations: of_violations,
    **steps_itemsets.SOURCES,
    **steps_hiding.SOURCES,
    **steps_check_uncertainty.SOURCES,
    **steps_uncertainty.SOURCES,
    **steps_renaming.SOURCES,
    **steps_comparison.SOURCES,
    **steps_verdicts.SOURCES,
    **steps_generator.SOURCES,
}


MODULES = tuple(SOURCES)
# The generator, the checker of a history and a tree learned from names leave no trail. Nor does a
# ledger: it is of its target.
STAYING = (*steps_generator.SOURCES, *steps_history.SOURCES, *steps_slices.OF_LEDGERS, named)
TRAVELLING = tuple(one for one in MODULES if one not in STAYING)


def called(module: ModuleType) -> str:
    return module.__name__.removeprefix("setveil.sql.").replace(".", "_")


@cache
def steps(module: ModuleType) -> dict[str, Step | exp.Query]:
    """Every step of a module, by its name and variant."""
    return dict(SOURCES[module]())


def text(step: Step | exp.Query) -> str:
    if isinstance(step, Step):
        return f"-- {step.name}: {step.why}\n{step.sql()};\n"
    return f"{step.sql(dialect='duckdb', pretty=True)};\n"

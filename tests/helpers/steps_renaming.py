"""The steps of renaming and of the attack on it, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.attack import candidates as matching
from setveil.sql.attack import costs
from setveil.sql.models.renaming import anonymize as renaming
from setveil.sql.models.renaming import check as check_renaming
from setveil.sql.run import reading as transactions
from setveil.sql.run import renumbering
from setveil.sql.step import Step

COLUMNS = ("basket no", "sku", "o'brien")
KEY, SKU = transactions.column("basket no"), transactions.column("sku")
FILE, PAIRS = exp.to_table("file"), exp.to_table("pairs")
LEVELS = {1: exp.to_table("frequent_1"), 3: exp.to_table("frequent_3")}

Made = Iterator[tuple[str, Step | exp.Query]]


def of_matching() -> Made:
    yield "published_sets", matching.published_sets(FILE)
    yield "faults", matching.faults()
    yield "known_items", matching.known_items()
    yield "known_sets", matching.known_sets()
    yield "known_members", matching.known_members()
    yield "known_frequencies", matching.known_frequencies()
    yield "sizes", matching.sizes("known_set")
    yield "perturbed", matching.perturbed([(0, 500), (1, -7)])
    yield "next_set", matching.next_set()
    yield "false_sets", matching.false_sets([(7, 2, 200_000_000)])
    yield "false_members", matching.false_members([(7, 1), (7, 3)])
    yield "mined_sets", matching.mined_sets(LEVELS, 9835)
    yield "mined_members", matching.mined_members(LEVELS)
    yield "item_pairs", matching.item_pairs("known_set", 1000)
    yield "set_pairs", matching.set_pairs("sought", 1000)
    for strict in (True, False):
        kind = "" if strict else "-some_missing"
        yield f"pruned_sets{kind}", matching.pruned_sets(2, all_matched=strict)
        yield f"pruned_items{kind}", matching.pruned_items(2, "known_set", all_matched=strict)
    yield "item_choices", matching.item_choices(2, "known_set")
    yield "set_choices", matching.set_choices(2, "known_set")
    yield "set_numbers", matching.set_numbers("mined_set")
    yield "member_numbers", matching.member_numbers("mined_member", "mined_set")
    yield "assigned", matching.assigned([(3, 1, 500_000), (4, 0, 1_000_000)])
    yield "assigned-none", matching.assigned([])
    yield "named", matching.named(judged=False)
    yield "named-judged", matching.named(judged=True)
    yield "truth", matching.truth()
    yield "true_pairs", matching.true_pairs()


def of_renaming() -> Made:
    yield "codes", renaming.codes("a secret")
    yield "key_pairs", renaming.key_pairs(FILE)
    yield "key_sizes", renaming.key_sizes()
    yield "unknown_codes", renaming.unknown_codes(5)
    yield "decoded", renaming.decoded()
    for distinct in (False, True):
        kind = "-distinct" if distinct else ""
        long = renaming.renamed_long(COLUMNS, "number", KEY, SKU, distinct=distinct)
        yield f"renamed_long{kind}", long
    yield "renamed_listed", renaming.renamed_listed(COLUMNS, "line", KEY, "sku")


def of_renumbering() -> Made:
    written = transactions.published(COLUMNS, ("basket no", "number", "o'brien"))
    yield "entropy", renumbering.entropy("a secret")
    yield "numbers", renumbering.numbers(KEY)
    yield "renumbered", renumbering.renumbered(written, KEY)
    yield "groups", renumbering.groups(KEY, "group")
    yield "groups-above", renumbering.groups(KEY, "group", 12)
    yield "above_others", renumbering.above_others(written, "o'brien", 12)
    yield "key_rows", renumbering.key_rows()
    yield "key_read", renumbering.key_read(FILE)
    yield "key_sizes", renumbering.key_sizes()
    yield "unknown_numbers", renumbering.unknown_numbers(KEY)
    yield "put_back", renumbering.put_back(COLUMNS, KEY, exp.column("id", table="k"))


def of_check_renaming() -> Made:
    for lists in (False, True):
        kind = "-lists" if lists else ""
        held = check_renaming.occurrences(
            "check_before", "source", "line", "basket no", "sku", lists=lists
        )
        yield f"occurrences{kind}", held
    yield "one_to_one", check_renaming.one_to_one(PAIRS)
    yield "differences", check_renaming.differences(PAIRS)
    yield "changed_lists", check_renaming.changed_lists(COLUMNS, "basket no", "sku")
    yield "changed_rows", check_renaming.changed_rows(COLUMNS, "basket no", "sku", PAIRS)


def of_costs() -> Made:
    yield "given_costs", costs.given_costs(FILE)
    yield "cost_faults", costs.cost_faults()
    for side in ("known", "mined"):
        yield f"own_costs-{side}", costs.own_costs(side)
        yield f"costs-{side}", costs.costs(side)


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    matching: of_matching,
    costs: of_costs,
    renaming: of_renaming,
    renumbering: of_renumbering,
    check_renaming: of_check_renaming,
}

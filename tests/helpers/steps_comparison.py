"""The steps of comparisons and sweeps, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.advising import sample
from setveil.sql.comparison import changes as comparison
from setveil.sql.comparison import intruder, measures, nodes
from setveil.sql.models.coherence import sweep
from setveil.sql.run import columns
from setveil.sql.step import Step

Made = Iterator[tuple[str, Step | exp.Query]]


def of_comparison() -> Made:
    def original(relation: str) -> exp.Table:
        return exp.table_(relation, db="main", catalog="run")

    yield "matched_items", comparison.matched_items(original("item"), 1000)
    yield "matched_baskets", comparison.matched_baskets(original("basket"))
    for lists, key in ((False, "tid"), (True, None)):
        rows = comparison.nodes_as_items(
            original("source"), key, "line", "it'em", "level", lists=lists
        )
        yield f"nodes_as_items-{'lists' if lists else 'long'}", rows
    yield "private_nodes", comparison.private_nodes(original("item"), original("private_item"))
    yield "unchanged_items", comparison.unchanged_items(original("item"))
    yield "parts", comparison.parts("private", original("private_item"))
    yield "after", comparison.after()
    secrets = original("sensitive_item")
    yield "secret", comparison.secret("after", secrets)
    yield "plain", comparison.plain("after", secrets)
    counts, groups = exp.to_table("counted"), exp.to_table("grouping")
    yield "counts_in_numbers", comparison.counts_in_numbers(counts, original("item"))
    yield "groups_in_numbers", comparison.groups_in_numbers(groups)
    yield "occurrences_kept", comparison.occurrences_kept(original("occurrence"))
    yield "items_changed", comparison.items_changed()
    yield "items_lost_most", comparison.items_lost_most(10)
    yield "supports_changed", comparison.supports_changed()
    for size in (2, 3):
        theirs, ours = original(f"frequent_{size}"), exp.to_table(f"frequent_{size}")
        yield f"itemsets_kept-{size}", comparison.itemsets_kept(theirs, ours, size)
        lost = comparison.itemsets_lost_most(theirs, ours, size, 10)
        yield f"itemsets_lost_most-{size}", lost
    all_lost = comparison.itemsets_lost_most(original("frequent_2"), None, 2, 10)
    yield "itemsets_lost_most-2-all", all_lost
    both = (
        [original(f"frequent_{n}") for n in (1, 2)],
        [exp.to_table(f"frequent_{n}") for n in (1, 2, 3)],
    )
    yield "disclosed", comparison.disclosed(*both, "frequent")
    yield "disclosed-none", comparison.disclosed([], [], "frequent")
    of_release = (original(name) for name in ("item", "occurrence", "matched_basket"))
    yield "published_nodes", comparison.published_nodes(*of_release)
    yield "recoded", comparison.recoded()
    yield "leaving_items", comparison.leaving_items()
    yield "unlike_suppression", comparison.unlike_suppression()
    yield "breaches", comparison.breaches(2)
    yield "knowing_nothing", comparison.knowing_nothing()
    yield "knowing_nothing-persons", comparison.knowing_nothing(persons=True)
    yield "breaches-2-persons", comparison.breaches(2, persons=True)


def of_measures() -> Made:
    sizes = ((1, 1), (2, 1))
    both = (
        {size: exp.to_table(f"{name}_{size[0]}_1", db="main", catalog="run") for size in sizes}
        for name in ("before", "after")
    )
    yield "common_rules", measures.common_rules(*both)


def of_nodes() -> Made:
    above, node = (exp.table_(one, db="main", catalog="run") for one in ("above", "node"))
    single, two = exp.to_table("learned_1"), exp.to_table("learned_2")
    yield "above", nodes.above(99)
    yield "spread", nodes.spread()
    for levels in (False, True):
        named = "levels" if levels else "items"
        yield f"released_spread-{named}", nodes.released_spread(node, above, levels=levels)
    pairs = nodes.pairs_of(two, above)
    yield (
        "in_common",
        nodes.in_common("rules_learned", "", nodes.rules_of(single, pairs, 1, 2), None),
    )
    rules, path = nodes.rules_of(single, pairs, 1, 2), exp.table_("path", db="main", catalog="run")
    items = nodes.rules_of_items(rules, node)
    special = nodes.specialized(rules, node, path)
    yield "in_common-specialized", nodes.in_common("rules_specialized", "", items, special)


def of_sweep() -> Made:
    yield "bearers", sweep.bearers()
    yield "unemptied", sweep.unemptied()
    for level in (2, 3):
        yield f"verges-{level}", sweep.verges(level, 100, 88162)


def of_intruders() -> Made:
    yield "drawn", intruder.drawn(1000, 1)
    yield "revealed", intruder.revealed(2, 1)
    yield "known-2", intruder.known(2)
    yield "candidates-2", intruder.candidates(2, persons=False)
    yield "candidates-2-persons", intruder.candidates(2, persons=True)


def of_advice_on_columns() -> Made:
    yield "rare_values", columns.rare_values("da'y", exp.column("tid"), 5)
    yield "rare_together", columns.rare_together(["da'y", "b"], exp.column("tid"), 5)


def of_samples() -> Made:
    source, basket = (exp.table_(one, db="main", catalog="run") for one in ("source", "basket"))
    for name, persons, line in (("transactions", False, None), ("persons", True, "line")):
        key = exp.column("tid" if line is None else line)
        rows = sample.part(source, basket, ["it'em"], key, 4, persons=persons, line=line)
        yield f"part-{name}", rows


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    columns: of_advice_on_columns,
    comparison: of_comparison,
    intruder: of_intruders,
    sample: of_samples,
    measures: of_measures,
    nodes: of_nodes,
    sweep: of_sweep,
}

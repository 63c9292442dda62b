"""The steps that choose the transactions of a slice, for tests/golden."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from setveil.sql.run import reading
from setveil.sql.run.slices import choosing, erasing, ledger, target, tree
from setveil.sql.step import Step, duck

KEY, PERSON = reading.column("basket no"), reading.column("o'brien")
CELLS = reading.cells("source", KEY, reading.column("sku"))
NODES = reading.cells("release", KEY, reading.column("sku"), reading.column("level"))
PART = exp.table_("part", db="main", catalog="ledger")


def of_ledger() -> Iterator[tuple[str, Step]]:
    yield "empty", ledger.empty("part")
    yield "empty-sum", ledger.empty("sum")
    yield "copied", ledger.copied("part", PART, PART)
    yield "copied-role", ledger.copied("role", PART, exp.to_table("attempts"))
    yield "typed", ledger.typed("attempt", exp.to_table("given"))
    counted = ledger.counted("part", PART, exp.to_table("sums"), "0f")
    yield "copied-written", ledger.copied("part", counted, exp.to_table("attempts"))
    yield "named_write", ledger.named_write(exp.to_table("given"), "part", "0f")
    yield "sum_row", ledger.sum_row(3, "0f")
    yield "last_sum", ledger.last_sum(exp.to_table("sums"))
    yield "told", ledger.told(exp.to_table("told"))
    yield "attempts", ledger.attempts()
    yield "sources", ledger.sources(PART)
    yield "nights", ledger.nights()
    yield "released", ledger.released()
    yield "key_of_slices", ledger.key_of_slices()
    yield "own_secret", ledger.own_secret()
    yield "of_slice", ledger.of_slice(PART, 4)
    yield "arrivals", ledger.arrivals(7, "2026-11-19")
    yield "parts", ledger.parts(4, renumbered=False)
    yield "parts-renumbered", ledger.parts(4, renumbered=True)
    yield "with_role", ledger.with_role("private_item", "private", 4)
    yield "plain_items", ledger.plain_items(4)
    yield "erased_everywhere", ledger.erased_everywhere("2026-11-19")
    yield "erased", ledger.erased(3, 4, "2026-11-19")
    yield "changed_roles", ledger.changed_roles("listed_private", "private")


def of_choosing() -> Iterator[tuple[str, Step]]:
    yield "arrived", choosing.arrived(CELLS, KEY, None, guests=False)
    yield "arrived-persons", choosing.arrived(CELLS, KEY, PERSON, guests=False)
    yield "arrived-guests", choosing.arrived(CELLS, KEY, PERSON, guests=True)
    yield "changes", choosing.changes()
    yield "waiting", choosing.waiting()
    yield "unlisted", choosing.unlisted(CELLS, ("listed_private", "listed_public"))
    yield "unlisted_number", choosing.unlisted_number()
    yield "chosen", choosing.chosen(listed=False)
    yield "chosen-listed", choosing.chosen(listed=True)
    yield "ages", choosing.ages()
    yield "restricted", choosing.restricted(("basket no", "sku"), KEY)


def of_target() -> Iterator[tuple[str, Step]]:
    yield "largest", target.largest()
    yield "largest_group", target.largest_group("group")
    yield "left", target.left(CELLS)
    yield "held", target.held(exp.to_table("safe"), ("basket no", "sku"))
    new = duck("SELECT r.$key AS $key, r.sku AS sku FROM release AS r", key=KEY)
    yield "whole-first", target.whole(None, KEY, ("basket no", "sku"), new)
    yield "whole", target.whole(exp.to_table("safe"), KEY, ("basket no", "sku"), new)
    yield "owners", target.owners(renumbered=False)
    yield "owners-renumbered", target.owners(renumbered=True)


def of_erasing() -> Iterator[tuple[str, Step]]:
    columns, item, safe = ("basket no", "sku", "level"), reading.column("sku"), exp.to_table("safe")
    yield "affected", erasing.affected(safe, KEY)
    yield "known_keys", erasing.known_keys()
    yield "remaining", erasing.remaining(safe, KEY, columns, 3)
    counts, group = exp.to_table("safe_sensitive"), reading.column("group")
    yield "kept_counts", erasing.kept_counts(safe, counts, KEY, group, ("group", "sku"), 3)
    yield "whole_classes", erasing.whole_classes(KEY, item, columns, 5)
    yield "with_kept_nodes", erasing.with_kept_nodes(CELLS, KEY, item, columns)
    yield "kept_rows", erasing.kept_rows(columns, exp.to_table("release"))
    yield "no_rows", erasing.no_rows(columns)
    yield "owners", erasing.owners()
    yield "longest", erasing.longest(KEY)
    yield "of_whole_but", erasing.of_whole_but(safe, columns, 3)


def of_tree() -> Iterator[tuple[str, Step]]:
    yield "places", tree.places()
    yield "new_places", tree.new_places(4)
    yield "moved", tree.moved()
    yield "frozen", tree.frozen()
    yield "splits", tree.splits(NODES, 4)


SOURCES = {
    choosing: of_choosing,
    erasing: of_erasing,
    ledger: of_ledger,
    target: of_target,
    tree: of_tree,
}
OF_LEDGERS = (erasing, ledger, target, tree)  # these queries are in no trail

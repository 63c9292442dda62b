"""The steps of the generator that tests/golden keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.generator import buying, generate, products, shapes
from setveil.sql.preparing import prepare
from setveil.sql.step import Step

GROUPS = [
    ("milk", "dairy", "food", 3, False, "Alpen,Wiesen", "whole,skimmed", "1 l,2 l"),
    ("Rx insulin", "diabetes", "pharmacy", 1, True, "", "rapid,basal", "5 ml"),
]

Made = Iterator[tuple[str, Step]]


def of_products() -> Made:
    yield "assortment", products.assortment(GROUPS)
    yield "occasions", products.occasions([(1, 1, "milk"), (1, 2, "Rx insulin")])
    yield "places", products.places(500)
    yield "words", products.words()
    yield "products", products.products()
    yield "hierarchy", products.hierarchy()
    for prescription in (False, True):
        yield (
            f"product_urn-{'prescription' if prescription else 'public'}",
            products.product_urn(prescription=prescription),
        )


def of_generate() -> Made:
    yield "size_urn", generate.size_urn("size_urn", 10.0, 475)
    yield "size_urn-least", generate.size_urn("size_urn", 10.0, 475, 8)
    yield "pattern_urn", generate.pattern_urn()
    yield "pattern_rolls", generate.pattern_rolls(250, 11)
    yield "patterns", generate.patterns(correlation=0.5, corruption=0.25)
    yield "slots", generate.slots(12)
    yield "shelves", generate.shelves()
    yield "pattern_items", generate.pattern_items(13)
    yield "keeps", generate.keeps()
    yield "remedies", generate.remedies(14)
    yield "generated", generate.generated()
    yield "generated-persons", generate.generated(persons=True)
    yield "ordered", generate.ordered()
    yield "ordered_hierarchy", generate.ordered_hierarchy()
    yield "sizes", generate.sizes()


def of_buying() -> Made:
    yield "baskets", buying.baskets(1, 5001, 15)
    yield "picks", buying.picks(3.5, 16)
    yield "owners", buying.owners(1000, 16)
    yield "picks-persons", buying.picks(3.5, 16, persons=True)
    yield "chosen", buying.chosen(17, 18, visits=20, remedied=3)
    yield "missing", buying.missing(475, 294, 19)


def of_shapes() -> Made:
    yield "lengths", shapes.lengths(1, 5001, 4.2, 1, 50, 23)
    yield "uniform", shapes.uniform(5000, 24)
    yield "words", shapes.words(30_000)
    yield "word_urn", shapes.word_urn()
    yield "sessions", shapes.sessions(1, 5001, 8.0, 2.5, 25)
    yield "queries", shapes.queries(26)
    yield "sessions_in_order", shapes.sessions_in_order()


def of_prepare() -> Made:
    relations = [exp.to_table(f"run.main.{name}") for name in ("drawn", "basket", "item")]
    left = exp.to_table("run.main.prepared")
    yield "drawn", prepare.drawn(1000, 20, persons=False)
    yield "drawn-persons", prepare.drawn(1000, 20, persons=True)
    yield "common", prepare.common(50)
    yield "prepared", prepare.prepared(None, 21)
    yield "prepared-cutoff", prepare.prepared(5, 21)
    yield "items_left", prepare.items_left()
    yield "named_rows", prepare.named_rows(left, *relations[1:])
    yield "listed_rows", prepare.listed_rows(left, *relations)
    yield "chosen_patterns", prepare.chosen_patterns("frequent", range(2, 4), 4000, 10, 27)
    yield "marked", prepare.marked(40, 22)
    yield "marked_names", prepare.marked_names()
    yield "surest_names", prepare.surest_names()


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    products: of_products,
    generate: of_generate,
    buying: of_buying,
    prepare: of_prepare,
    shapes: of_shapes,
}

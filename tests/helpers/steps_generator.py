"""The steps of the generator that tests/golden keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from setveil.sql.generator import buying, generate, products
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


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    products: of_products,
    generate: of_generate,
    buying: of_buying,
}

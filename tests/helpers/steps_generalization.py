"""The steps of hierarchies and k^m-anonymity, for the golden files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sqlglot import exp

from setveil.sql.hierarchy import cover as check_cover
from setveil.sql.hierarchy import information, learned, named, published
from setveil.sql.hierarchy import recode as generalization
from setveil.sql.hierarchy import trees as hierarchy
from setveil.sql.models.coherence import generalize
from setveil.sql.models.coherence import nodes as check_nodes
from setveil.sql.models.km_anonymity import apriori
from setveil.sql.models.km_anonymity import check as check_km
from setveil.sql.models.km_anonymity import check_persons as check_km_persons
from setveil.sql.models.km_anonymity import cuts as km
from setveil.sql.models.km_anonymity import persons as km_persons
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step

K = 20
KEY, SKU = transactions.column("basket no"), transactions.column("sku")
LEVEL = transactions.column("level")
CELLS = transactions.cells("release", KEY, SKU, LEVEL)

Made = Iterator[tuple[str, Step | exp.Query]]


def of_hierarchy() -> Made:
    columns = [transactions.column(f"level{n}") for n in (1, 2)]
    yield "given", hierarchy.given(exp.to_table("tree"), SKU, columns)
    yield "even", hierarchy.even(5, 120)
    yield "faults", hierarchy.faults(2, 5)
    yield "named_leaves", hierarchy.named_leaves()
    yield "faults-no-levels", hierarchy.faults(0, 5)
    yield "leaves", hierarchy.leaves()
    yield "lineage", hierarchy.lineage(2)
    yield "named_nodes", hierarchy.named_nodes()
    yield "strays", hierarchy.strays(5)
    yield "nodes", hierarchy.nodes()
    yield "paths", hierarchy.paths(169)
    yield "names", hierarchy.names()
    yield "sizes", hierarchy.sizes()


def of_generalization() -> Made:
    columns = ("basket no", "sku", "level", "o'brien")
    for suffix, everywhere in (("", False), ("-everywhere", True)):
        yield (
            f"released_long{suffix}",
            generalization.released_long(
                "basket no", "sku", "level", "setveil_item", everywhere=everywhere
            ),
        )
        yield (
            f"released_listed{suffix}",
            generalization.released_listed(
                columns, "setveil_line", KEY, "sku", "level", everywhere=everywhere
            ),
        )
        yield f"ncp{suffix}", generalization.ncp(everywhere=everywhere)
        yield f"ncp_by_level{suffix}", generalization.ncp_by_level(everywhere=everywhere)
        leaving = exp.to_table("leaving_item")
        left = generalization.ncp(everywhere=everywhere, leaving=leaving)
        yield f"ncp{suffix}-leaving", left
        left = generalization.ncp_by_level(everywhere=everywhere, leaving=leaving)
        yield f"ncp_by_level{suffix}-leaving", left


def of_learned() -> Made:
    yield "anchors", learned.anchors(K)
    yield "bonds", learned.bonds()
    yield "seats", learned.seats()
    yield "given", learned.given(K, 1)
    yield "clashes", learned.clashes(learned.LEVELS)


def of_named() -> Made:
    yield "words", named.words()
    yield "known", named.known(K, persons=False)
    yield "known-persons", named.known(K, persons=True)
    yield "joined", named.joined()
    yield "leanings", named.leanings()
    yield "seats", named.seats()
    yield "ladders", named.ladders()
    yield "shared", named.shared(K, persons=False)
    yield "labels", named.labels()
    yield "given", named.given(1)


def of_information() -> Made:
    yield "suppressed", information.suppressed()
    leaving = exp.to_table("leaving_item")
    for suffix, everywhere in (("", False), ("-everywhere", True)):
        rows = generalization.held(everywhere=everywhere)
        yield f"generalized{suffix}", information.generalized(rows)
        yield f"generalized{suffix}-leaving", information.generalized(rows, leaving)


def of_generalize() -> Made:
    yield "climb", generalize.climb()
    yield "secrets", generalize.secrets()
    for persons in (False, True):
        suffix = "-persons" if persons else ""
        yield f"above{suffix}", generalize.above(persons=persons)
        yield f"forest{suffix}", generalize.forest(Fraction(2, 5), K, persons=persons)
        yield f"lifted{suffix}", generalize.lifted(persons=persons)
        yield f"chosen{suffix}", generalize.chosen("cut_1", "general_1", persons=persons)
        for size in (2, 3):
            for private in (False, True):
                step = generalize.conflicts(
                    size, "lifted", Fraction(2, 5), K, private=private, persons=persons
                )
                yield f"conflicts-{size}{'-private' if private else ''}{suffix}", step
    yield "nodes", generalize.nodes()
    yield "lengths", generalize.lengths("lifted")
    yield "listed", generalize.listed(3)
    yield "recoded", generalize.recoded()
    yield "suppressed", generalize.suppressed()


def of_nodes() -> Made:
    items = exp.to_table("role")
    yield "roles", check_nodes.roles(CELLS, items)
    yield "cells", check_nodes.cells(CELLS)
    yield "unlevelled", check_nodes.unlevelled(CELLS)
    yield "unclear", check_nodes.unclear(CELLS, items)


def of_km() -> Made:
    yield "tree", km.tree(64)
    yield "recoded", km.recoded("recoded_3", "split_3")
    yield "general", km.general(3, 100)
    yield "general-many", km.general(3, 1000)
    yield "lengths", km.lengths(3)
    yield "item_lengths", km.item_lengths()
    for size in (2, 3):
        yield f"violations-{size}", km.violations(3, size, K, 100)
        yield f"violations-{size}-fresh", km.violations(3, size, K, 100, [7, 9])


def of_apriori() -> Made:
    yield "ancestors", apriori.ancestors(1000)
    yield "extended", apriori.extended(2)
    yield "extended_of_persons", apriori.extended_of_persons(2)
    yield "longest", apriori.longest(2)
    yield "lengths", apriori.lengths(2)
    for size in (2, 3):
        yield f"rare-{size}", apriori.rare(size, size, K, persons=False)
        yield f"listed-{size}", apriori.listed(size, size)
    yield "rare-persons", apriori.rare(2, 2, K, persons=True)


def of_km_persons() -> Made:
    yield "tree", km_persons.tree(1000, 300)
    for nodes in (10, 1000):
        yield f"kinds-{nodes}", km_persons.kinds(3, nodes)
    for k in (5, K):
        yield f"general-{k}", km_persons.general(3, k)
    for size in (2, 3):
        yield f"doubts-{size}", km_persons.doubts(3, size, K)
        yield f"held-{size}", km_persons.held(3, size)
        yield f"violations-{size}", km_persons.violations(3, size, K, 100)


def of_check_km_persons() -> Made:
    yield "transactions", check_km_persons.transactions()
    for size in (1, 2, 3):
        yield f"sets-{size}", check_km_persons.sets(size, 5 if size == 1 else K)
        yield f"doubts-{size}", check_km_persons.doubts(size, K)
        yield f"few-{size}", check_km_persons.few(size, K)
        yield f"counted-{size}", check_km_persons.counted(size, K)
        yield f"violations-{size}", check_km_persons.violations(size, K, 10)
    yield "counted-0", check_km_persons.counted(0, K)
    yield "members", check_km_persons.members()
    yield "kinds", check_km_persons.kinds()
    yield "fitting", check_km_persons.fitting(K)
    yield "whole", check_km_persons.whole(K, 10)


def of_check_km() -> Made:
    yield "nodes", check_km.nodes(CELLS, levels=True)
    yield "nodes-names", check_km.nodes(CELLS, levels=False)
    yield "transactions", check_km.transactions(CELLS)
    yield "held", check_km.held(CELLS, levels=True)
    yield "sizes", check_km.sizes(CELLS, levels=True)
    for size in (2, 3):
        yield f"sets-{size}", check_km.sets(size)
        yield f"counted-{size}", check_km.counted(size, K)
        yield f"violations-{size}", check_km.violations(size, K, 10)
    yield "kinds", check_km.kinds()
    yield "lengths", check_km.lengths()
    yield "meetings", check_km.meetings(K)
    yield "meetings-persons", check_km.meetings(K, "persons")
    yield "fitting", check_km.fitting(K)
    yield "whole", check_km.whole(K, 10)


def of_check_cover() -> Made:
    yield "released", check_cover.released(CELLS)
    yield "original", check_cover.original(CELLS)
    yield "ancestors", check_cover.ancestors(2)
    yield "matches", check_cover.matches()
    yield "uncovered", check_cover.uncovered(5)
    yield "uncovered-suppressed", check_cover.uncovered(5, suppressed=True)
    yield "suppressed", check_cover.suppressed()
    yield "unfounded", check_cover.unfounded(5)


def of_published() -> Made:
    yield "nodes", published.nodes(CELLS)
    yield "strange", published.strange(5)
    for suffix, k, persons in (("", K, False), ("-persons", K, True), ("-none", None, False)):
        yield f"members{suffix}", published.members(k, persons=persons)
    yield "readable", published.readable(2)


SOURCES = {
    hierarchy: of_hierarchy,
    generalization: of_generalization,
    information: of_information,
    learned: of_learned,
    named: of_named,
    generalize: of_generalize,
    check_nodes: of_nodes,
    km: of_km,
    apriori: of_apriori,
    check_km: of_check_km,
    km_persons: of_km_persons,
    check_km_persons: of_check_km_persons,
    check_cover: of_check_cover,
    published: of_published,
}

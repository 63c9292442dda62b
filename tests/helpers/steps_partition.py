"""The steps of partition and of its checker, for the golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from sqlglot import exp

from setveil.sql.models.k_anonymity import anonymize as partition
from setveil.sql.models.k_anonymity import check as k_anonymity
from setveil.sql.models.k_anonymity import persons, specialize
from setveil.sql.models.k_anonymity import refine as refinement
from setveil.sql.models.k_anonymity import refine_persons as refined_persons
from setveil.sql.run import reading as transactions
from setveil.sql.step import Step

K = 20

Made = Iterator[tuple[str, Step | exp.Query]]


def of_partition() -> Made:
    yield "known", partition.known()
    yield "branches", partition.branches()
    yield "descents", partition.descents()
    yield "slots", partition.slots()
    yield "widest", partition.widest()
    for children in (5, 500):
        yield f"held-{children}", partition.held(children, 837)
    yield "opened", partition.opened()
    yield "closed", partition.closed()
    yield "picked", partition.picked(2, K)
    yield "split", partition.split(2)
    yield "buckets", partition.buckets(2, K)
    yield "drawn", partition.drawn(2)
    yield "moved", partition.moved(2)
    yield "left_over", partition.left_over([2])
    yield "reopened", partition.reopened(2)
    yield "recoded", partition.recoded()
    yield "empty_transactions", partition.empty_transactions()
    yield "leftovers", partition.leftovers()
    key, columns = transactions.column("basket no"), ("basket no", "sku", "level")
    yield "as_given-long", partition.as_given(columns, "sku", key, "level", "number", "line")
    yield "as_given-lists", partition.as_given(columns, "sku", key, "level", None, "line")


def of_persons() -> Made:
    yield "crowds", persons.crowds(2)
    yield "picked", persons.picked(2, K)
    yield "shares", persons.shares(2)
    yield "sizes", persons.sizes(2)
    yield "lacks", persons.lacks(2, K)
    yield "givers", persons.givers(2, K)
    yield "fills", persons.fills(2, K)
    yield "buckets", persons.buckets(2, K)
    yield "drawn", persons.drawn(2)
    yield "persons_of_kinds", persons.persons_of_kinds()


def of_refined_persons() -> Made:
    yield "belongings", refined_persons.belongings(2)
    yield "members", refined_persons.members(2)
    yield "stakes", refined_persons.stakes(2, K, 20_000)
    yield "choices", refined_persons.choices(2, K)
    yield "takers", refined_persons.takers(2)


def of_refinement() -> Made:
    yield "falls", refinement.falls()
    yield "drops", refinement.drops()
    yield "first_cells", refinement.first_cells()
    yield "settled", refinement.settled()
    yield "loads", refinement.loads(2, 837)
    yield "offers", refinement.offers(2, 20_000, 837)
    yield "choices", refinement.choices(2, K)
    yield "takers", refinement.takers(2, K)
    yield "heirs", refinement.heirs(2)
    yield "settling", refinement.settling(2)
    yield "next_cells", refinement.next_cells(2)
    yield "costs", refinement.costs()
    yield "recoded", refinement.recoded()


def of_k_anonymity() -> Made:
    cells = exp.to_table("cells")
    for levels in (False, True):
        known = k_anonymity.known(cells, exp.to_table("role"), levels=levels)
        yield f"known{'-levels' * levels}", known
    yield "keys", k_anonymity.keys(cells)
    yield "unkeyed", k_anonymity.unkeyed(cells)
    for levels in (False, True):
        kind = "-levels" if levels else ""
        yield f"nodes{kind}", k_anonymity.nodes(cells, levels=levels)
        yield f"holdings{kind}", k_anonymity.holdings(cells, levels=levels)
    yield "alike", k_anonymity.alike()
    yield "likely", k_anonymity.likely()
    yield "unlike", k_anonymity.unlike(1)
    yield "regrouped", k_anonymity.regrouped(1)
    yield "classes", k_anonymity.classes(2)
    yield "keys_of_persons", k_anonymity.keys_of_persons()
    yield "classes_of_persons", k_anonymity.classes_of_persons(2)
    for counted in (False, True):
        kind = "-persons" if counted else ""
        yield f"summary{kind}", k_anonymity.summary(K, persons=counted)
        yield f"violations{kind}", k_anonymity.violations(K, 20, 12, persons=counted)


def of_specialization() -> Made:
    yield "falls", specialize.falls()
    yield "shapes", specialize.shapes()
    yield "held", specialize.held()
    yield "gains", specialize.gains()
    yield "supports", specialize.supports()
    yield "whole", specialize.whole(empty=False, persons=False)
    yield "whole-lists-persons", specialize.whole(empty=True, persons=True)
    for counted in (False, True):
        kind = "-persons" * counted
        yield f"rooted{kind}", specialize.rooted(persons=counted)
        yield f"smallest{kind}", specialize.smallest(1, persons=counted)
        yield f"fits{kind}", specialize.fits(2, K, persons=counted)
        yield f"divided{kind}", specialize.divided(2, persons=counted)
    for tree in (False, True):
        kind = "-tree" * tree
        yield f"opened{kind}", specialize.opened(tree=tree)
        yield f"reopened{kind}", specialize.reopened(2, tree=tree)
    yield "choices", specialize.choices(2)
    yield "suppressed", specialize.suppressed()
    yield "recoded", specialize.recoded()


SOURCES: dict[ModuleType, Callable[[], Made]] = {
    partition: of_partition,
    refinement: of_refinement,
    persons: of_persons,
    refined_persons: of_refined_persons,
    k_anonymity: of_k_anonymity,
    specialize: of_specialization,
}

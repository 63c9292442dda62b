"""The steps that read persons, and find those of a release, for tests/golden."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sqlglot import exp

from setveil.sql.models.coherence import persons as coherence
from setveil.sql.run import matching, persons, reading
from setveil.sql.step import Step

H, K = Fraction(2, 5), 20
KEY, PERSON = reading.column("basket no"), reading.column("o'brien")


def of_persons() -> Iterator[tuple[str, Step]]:
    yield "persons", persons.persons(PERSON)
    yield "named_owners", persons.named_owners(KEY, PERSON)
    yield "faults", persons.faults()
    yield "owners", persons.owners(guests=False)
    yield "owners-guests", persons.owners(guests=True)
    yield "owned", persons.owned(("basket no", "sku", "o'brien"), KEY)
    yield "numbers", persons.numbers()
    yield "matched", persons.matched("check_owner", exp.to_table("cell"), exp.to_table("owner"))
    yield "matches", persons.matches("check_owner")
    yield "likely", persons.likely(("sku", "o'brien"), KEY)


def of_matching() -> Iterator[tuple[str, Step]]:
    cells, originals = exp.to_table("cell"), exp.to_table("original")
    for levels in (False, True):
        kind = "-levels" if levels else ""
        yield f"strangers{kind}", matching.strangers(cells, originals, 7, levels=levels)


def of_coherence() -> Iterator[tuple[str, Step]]:
    yield "known_persons", coherence.known_persons()
    yield "held_alone", coherence.held_alone(K)
    yield "dominated_item", coherence.dominated_item(K)
    for level in (2, 3):
        yield f"doubtful-{level}", coherence.doubtful(level, H, K, private=level == 2)
        yield f"held-{level}", coherence.held(level, lists=level == 2)
        yield f"persons-{level}", coherence.persons(level)
        yield f"reached-{level}", coherence.reached(level, H, K)
        yield f"dominated-{level}", coherence.dominated(level, K, H)
        doubted, name = level == 2, f"dominating-{level}"
        yield name, coherence.dominating(level, K, lists=False, doubted=doubted)


SOURCES = {persons: of_persons, matching: of_matching, coherence: of_coherence}

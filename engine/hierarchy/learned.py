"""Learn a hierarchy from the data, where nobody has one: by transactions, or by names.

Private items have no part in it: they stand below a node for items that belong nowhere. Labels name
only public items that at least k transactions hold, or k persons.
"""

from __future__ import annotations

from collections.abc import Callable

from setveil.arguments.strict import strict
from setveil.errors import InputError
from setveil.hierarchy.trees import Hierarchy, build
from setveil.run.reading import Baskets
from setveil.run.roles.lists import Items, item_numbers
from setveil.sql.hierarchy import learned, named
from setveil.sql.run import lists
from setveil.sql.step import Step

BASKETS, NAMES = "baskets", "names"
LEVELS = {BASKETS: learned.LEVELS, NAMES: named.LEVELS}


@strict
def learned_hierarchy(
    baskets: Baskets,
    learn: str,
    *,
    k: int,
    private: Items = (),
    ignore_unknown: bool = False,
) -> Hierarchy:
    """Make `node` and `path` of a hierarchy of items that transactions, or words, join.

    `learn` is "baskets" for items that are in transactions together, or "names" for items whose
    names share words.
    """
    if learn not in LEVELS:
        raise InputError(f"--learn is {' or '.join(LEVELS)}, not {learn!r}")
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    session, persons = baskets.session, baskets.persons is not None
    secret = item_numbers(session, private, "private", ignore_unknown=ignore_unknown)
    session.decide("private_item", "the items that must not be inferred", secret)
    session.create(lists.all_but_private())
    steps, given = (_by_baskets if learn == BASKETS else _by_names)(k, persons=persons)
    for step in steps:
        session.create(step)
    mark = 0
    while not mark or session.one(learned.clashes(LEVELS[learn]))[0]:
        if mark:
            session.drop("given_hierarchy")
        session.create(given(mark))
        mark += 1
    return build(baskets, LEVELS[learn], "the learned one")


def share_words(
    baskets: Baskets, *, k: int, private: Items = (), ignore_unknown: bool = False
) -> bool:
    """Do most public items have a word of their name in common with others, as codes have not?"""
    session = baskets.session
    session.begin()
    secret = item_numbers(session, private, "private", ignore_unknown=ignore_unknown)
    session.decide("private_item", "the items that must not be inferred", secret)
    for step in (
        lists.all_but_private(),
        named.words(),
        named.known(k, persons=baskets.persons is not None),
    ):
        session.create(step)
    return bool(session.one(named.joined())[0])


Made = tuple[tuple[Step, ...], Callable[[int], Step]]  # the steps, and the labels by their marks


def _by_baskets(k: int, *, persons: bool) -> Made:
    steps = learned.anchors(k, persons=persons), learned.bonds(), learned.seats()
    return steps, lambda mark: learned.given(k, 1 + mark, persons=persons)


def _by_names(k: int, *, persons: bool) -> Made:
    steps = (
        named.words(),
        named.known(k, persons=persons),
        named.leanings(),
        named.seats(),
        named.ladders(),
        named.shared(k, persons=persons),
        named.labels(),
    )
    return steps, named.given

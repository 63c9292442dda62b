"""Learn a hierarchy from the transactions, where nobody has one.

Private items have no part in it: they stand below a node for items that belong nowhere. Labels name
only public items that at least k transactions hold.
"""

from __future__ import annotations

from setveil.arguments.strict import strict
from setveil.errors import InputError
from setveil.hierarchy.trees import Hierarchy, build
from setveil.run.reading import Baskets
from setveil.run.roles.lists import Items, item_numbers
from setveil.sql.hierarchy import learned as sql
from setveil.sql.run import lists

BASKETS = "baskets"
LEVELS = 3


@strict
def learned_hierarchy(
    baskets: Baskets,
    learn: str,
    *,
    k: int,
    private: Items = (),
    ignore_unknown: bool = False,
) -> Hierarchy:
    """Make `node` and `path` of a hierarchy of items that are in transactions together."""
    if learn != BASKETS:
        raise InputError(f"--learn is {BASKETS}, not {learn!r}")
    if k < 1:
        raise InputError(f"k is a whole number of at least 1, not {k}")
    session = baskets.session
    secret = item_numbers(session, private, "private", ignore_unknown=ignore_unknown)
    session.decide("private_item", "the items that must not be inferred", secret)
    for step in (lists.all_but_private(), sql.anchors(k), sql.bonds(), sql.seats()):
        session.create(step)
    session.create(sql.given(k, 1))
    mark = 1
    while session.one(sql.clashes())[0]:
        mark += 1
        session.drop("given_hierarchy")
        session.create(sql.given(k, mark))
    return build(baskets, LEVELS, "the learned one")

"""The items that attackers can know: listed as public, or all that are not private."""

from __future__ import annotations

from setveil.errors import InputError
from setveil.run.roles.lists import Items, item_numbers
from setveil.run.session import Session
from setveil.sql.run import lists


def divide_items(
    session: Session,
    private: Items,
    public: Items | None,
    *,
    ignore_unknown: bool = False,
    released: bool = False,
    brief: bool = False,
) -> tuple[int, int]:
    """Make the relations private_item and public_item; return their sizes.

    A listed item that a release lacks may have been suppressed. With `brief`, only this run reads
    the relations.
    """
    secret = item_numbers(
        session, private, "private", ignore_unknown=ignore_unknown, released=released
    )
    session.decide("private_item", "the items that must not be inferred", secret, brief=brief)
    if public is None:
        (session.within if brief else session.create)(lists.all_but_private())
        return len(secret), session.sizes("item")[0] - len(secret)
    missing = ignore_unknown or released
    known = item_numbers(session, public, "public", ignore_unknown=missing)
    if both := sorted(set(secret) & set(known)):
        shown = ", ".join(repr(name) for (name,) in session.ask(lists.named_numbers(both[:5])))
        raise InputError(f"items are both private and public, among them {shown}")
    session.decide("public_item", "the items that an attacker can know", known, brief=brief)
    return len(secret), len(known)

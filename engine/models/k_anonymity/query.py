"""The checker of k-anonymity as one query."""

from __future__ import annotations

from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.sql.models.k_anonymity import check
from setveil.sql.models.k_anonymity import query as sql
from setveil.sql.query import given

ROLES, KNOWN, NAMES = "check_role", "check_known", "check_name"


def query(
    asked: Asked, *, k: int, private: Items | None = None, public: Items | None = None
) -> Parts:
    """The relations and violations of a release."""
    kind = {"levels": asked.levels, "persons": asked.persons}
    secret, listed = asked.lists.get("private"), asked.lists.get("public")
    if secret is None and listed is None:
        return parts(sql.relations(table(asked.cells), **kind), sql.found(k, **kind))
    known = check.known(table(asked.cells), table(ROLES), levels=asked.levels)
    before = {
        ROLES: given.roles(secret, listed),
        KNOWN: known.query,
        NAMES: given.labels(table(asked.cells), "name"),
    }
    faults = asked.unlisted("private", NAMES)
    if secret is not None and listed is not None:
        faults.append(given.in_both(secret, listed, NAMES))
    found = (*faults, *sql.found(k, **kind))
    return parts(sql.relations(table(KNOWN), **kind), found, before=before)

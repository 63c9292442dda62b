"""The checker of rho-uncertainty as one query."""

from __future__ import annotations

from setveil.arguments.shares import Share, share
from setveil.errors import InputError, option
from setveil.models.asked import Asked, Parts, parts, table
from setveil.run.roles.lists import Items
from setveil.run.words import counted
from setveil.sql.models.uncertainty import query as sql
from setveil.sql.models.uncertainty.check import Rule
from setveil.sql.step import duck

NAMES = "check_label"


def query(
    asked: Asked,
    *,
    rho: Share,
    sensitive: Items | None = None,
    max_knowledge: int | None = None,
) -> Parts:
    """The relations and violations of a release, for rules of up to `max_knowledge` items."""
    if max_knowledge is None:
        raise InputError(
            "a query cannot search until no rule can be unsafe; "
            f"give {option('max_knowledge')}, the most items that an attacker knows"
        )
    exact = share(rho, "rho")
    rule = Rule(exact.numerator, exact.denominator, asked.persons)
    secrets = table(asked.lists["sensitive"])
    names = duck("SELECT DISTINCT n.label AS label FROM check_name AS n")
    return parts(
        sql.relations(table(asked.cells), secrets, rule, max_knowledge),
        [*asked.unlisted("sensitive", NAMES), *sql.found(rule, max_knowledge)],
        after={NAMES: names},
        unproven=f"rules of more than {counted(max_knowledge, 'known item')}",
    )

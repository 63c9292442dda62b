"""Frequent itemsets and association rules.

An itemset is frequent if at least `min_support` transactions hold all of its items. A rule divides
a frequent itemset into antecedent and consequent, both not empty. Its confidence is the share of
the transactions with the antecedent that also hold the consequent. Its lift is the confidence
divided by the share of all transactions that hold the consequent. The result is exact, and as
confidential as the data.
Agrawal, Srikant: Fast algorithms for mining association rules, VLDB 1994.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from sqlglot import exp

from setveil.arguments.strict import strict
from setveil.backends import Row
from setveil.backends.local import Relation
from setveil.errors import InputError
from setveil.mine.rules import Rules, association_rules
from setveil.mine.search import LIMIT, PLANS, Frequent, frequent_itemsets
from setveil.run import writing
from setveil.run.files import publishing, results
from setveil.run.reading import Baskets
from setveil.run.results.tabled import Framed
from setveil.run.words import counted, names, printable
from setveil.sql.mine import itemsets as sql
from setveil.sql.step import Step
from setveil.trail.render import Told

LISTS = ("items", "antecedent", "consequent")

Support = int | float | str | Decimal | Fraction
Share = float | str | Decimal | Fraction


@dataclass(frozen=True, slots=True)
class ItemsetMetrics:
    """The sizes of the result. `least` is the minimum support as a number of transactions."""

    transactions: int
    items: int
    occurrences: int
    duplicates: int
    least: int
    itemsets: tuple[int, ...]  # number of itemsets of 1, 2, … items
    rules: int | None  # None: itemsets were mined


@dataclass(frozen=True, slots=True, weakref_slot=True, repr=False)
class Mined(Framed):
    """Itemsets or rules, in their run. They live as long as the baskets."""

    baskets: Baskets
    parameters: dict[str, object]
    metrics: ItemsetMetrics
    run: int
    step: Step

    def __post_init__(self) -> None:
        self.baskets.session.hold(self.run, self)

    def relation(self) -> Relation:
        """The rows as a DuckDB relation over a copy."""
        return publishing.as_relation(self.baskets.session, self._query())

    def taken(self) -> Relation:
        return publishing.taken(self.baskets.session, self._query())

    def rows(self) -> list[Row]:
        """The rows in their order, from any database."""
        return publishing.fetched(self.baskets.session, self._query())

    def head(self, rows: int) -> list[Row]:
        """The first rows."""
        first = replace(self.step, query=self._query().limit(rows))
        return self.baskets.session.look_up(first)

    def lines(self) -> Iterator[str]:
        rules, sizes = self.metrics.rules, self.metrics.itemsets
        found = counted(sum(sizes), "itemset") if rules is None else counted(rules, "rule")
        yield f"{found} of {printable(self.baskets.source.name)}"
        yield f"each itemset is held by at least {counted(self.metrics.least, 'transaction')}"
        yield f"columns: {names(self.step.query.named_selects)}"

    def head_of_table(self, most: int) -> tuple[Sequence[str], Sequence[Row]]:
        if not self.baskets.session.has_rows:
            return (), ()
        return self.step.query.named_selects, self.head(most)

    def write(
        self, path: str | Path, *, trail: str | Path | None = None, force: bool = False
    ) -> None:
        """Write the rows to a confidential file, whose suffix is its format, and the trail."""
        session, target = self.baskets.session, str(path)
        check_targets(out=target, trail=trail, force=force)
        self.baskets.session.inputs.check({"--out": target, "--trail": trail})
        statement = results.copy_statement(session, self._query(), target, LISTS)
        writing.write_file(self._origin, statement, target, trail=trail, force=force)

    def write_table(
        self, table: str, *, trail: str | Path | None = None, force: bool = False
    ) -> None:
        """Write the rows to a table in the database of the source."""
        check_targets(trail=trail, force=force)
        self.baskets.session.inputs.check({"--trail": trail})
        writing.write_table(self._origin, self._query(), table, trail=trail, force=force)

    @property
    def _origin(self) -> writing.Origin:
        return writing.Origin(
            self.baskets,
            Told("itemsets", self.parameters, self.baskets.shape),
            mode=0o600,
        )

    def _query(self) -> exp.Query:
        self.baskets.session.resume(self.run)
        return self.step.query


@strict
def itemsets(
    baskets: Baskets,
    *,
    min_support: Support,
    max_size: int | None = None,
    rules: bool = False,
    min_confidence: Share | None = None,
    max_consequent: int = 1,
    plan: str = "auto",
    limit: int = LIMIT,
) -> Mined:
    """Mine frequent itemsets, or with `rules` the association rules among them.

    `min_support` is a whole number of transactions, or a share of them: 0.01, "1%". A rule has one
    item as its consequent unless `max_consequent` allows more. UnreachableError: there may be more
    than `limit`.
    """
    session = baskets.session
    _check_options(max_size, rules, min_confidence, max_consequent, plan, limit)
    confidence = confidence_of(min_confidence) if min_confidence is not None else None
    least = least_support(min_support, baskets.transactions)
    session.begin()
    found = frequent_itemsets(
        session,
        exp.to_table("occurrence"),
        items=baskets.items,
        transactions=baskets.transactions,
        least=least,
        max_size=max_size,
        plan=plan,
        limit=limit,
    )
    implied = None
    if confidence is not None:
        implied = association_rules(
            session, found, confidence=confidence, max_consequent=max_consequent, limit=limit
        )
    parameters: dict[str, object] = {"min_support": str(min_support), "max_size": max_size}
    if implied:
        parameters |= {"min_confidence": str(min_confidence), "max_consequent": max_consequent}
    return Mined(
        baskets,
        parameters=parameters,
        metrics=_metrics(baskets, found, implied),
        run=session.runs,
        step=_published(baskets, found, implied),
    )


def least_support(min_support: Support, transactions: int) -> int:
    """The smallest number of transactions that is enough, exactly.

    A whole number counts transactions; a text with a point, slash or percent sign is a share.
    """
    text = str(min_support).strip()
    try:
        whole = int(text)
    except ValueError:
        return _least_share(text, transactions)
    if isinstance(min_support, Fraction | Decimal):
        return _least_share(text, transactions)
    if not 1 <= whole < 2**62:
        raise InputError(f"min support is a number of transactions of at least 1, not {text}")
    return whole


def _least_share(text: str, transactions: int) -> int:
    share = _fraction(text)
    if share is None:
        raise InputError(
            f"min support is a whole number of transactions, or a share such as 0.01 or 1%, "
            f"not {text!r}"
        )
    if not 0 < share <= 1:
        raise InputError(
            f"min support as a share is above 0 and at most 1 (100%), not {text}; a number of "
            "transactions has no point"
        )
    return max(1, -(-share.numerator * transactions // share.denominator))


def _fraction(text: str) -> Fraction | None:
    """The exact share of a text: 0.4, 2/5 or 40%. None if the text is no share."""
    try:
        return Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        return None


def check_targets(
    *, out: str | Path | None = None, trail: str | Path | None = None, force: bool = False
) -> None:
    """Refuse outputs that cannot be written, before any work."""
    if out is not None:
        results.check_place(str(out), force=force)
    writing.check_trail(out, trail, force=force)


def confidence_of(given: Share) -> Fraction:
    """A minimum confidence, exactly."""
    exact = _fraction(str(given).strip())
    if exact is None or not 0 <= exact <= 1:
        raise InputError(f"min confidence is a share such as 0.6 or 60%, not {given!r}")
    if exact.denominator > 10**9:
        raise InputError(f"min confidence has too many digits: {given}; nine are kept exactly")
    return exact


def _published(baskets: Baskets, found: Frequent, implied: Rules | None) -> Step:
    if implied is None:
        return sql.itemsets(found.found, len(found.counts), baskets.transactions)
    return sql.rules(implied.rules, implied.counts, baskets.transactions)


def _metrics(baskets: Baskets, found: Frequent, implied: Rules | None) -> ItemsetMetrics:
    return ItemsetMetrics(
        transactions=baskets.transactions,
        items=baskets.items,
        occurrences=baskets.occurrences,
        duplicates=baskets.duplicates,
        least=found.least,
        itemsets=found.counts,
        rules=implied.total if implied else None,
    )


def _check_options(
    max_size: int | None,
    rules: bool,
    min_confidence: Share | None,
    max_consequent: int,
    plan: str,
    limit: int,
) -> None:
    if plan not in PLANS:
        raise InputError(f"there is no plan {plan!r}; choose one of {', '.join(PLANS)}")
    if rules and min_confidence is None:
        raise InputError("rules need a least confidence: add --min-confidence, such as 0.6")
    if not rules and min_confidence is not None:
        raise InputError("--min-confidence is for rules: add --rules")
    sizes = {"max size": max_size, "max consequent": max_consequent, "limit": limit}
    for name, value in sizes.items():
        if value is not None and value < 1:
            raise InputError(f"{name} is a whole number of at least 1, not {value}")
    if max_consequent > 1 and not rules:
        raise InputError("--max-consequent is for rules: add --rules")

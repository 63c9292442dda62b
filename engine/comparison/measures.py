"""The measures of a release beside its original: one entry each, in the order of the tables.

To add a measure, write its formula as a function under `@measure`. Its name is its key in JSON, its
docstring the formula of its paper, or the formula alone. Terminal, page and JSON of `setveil
compare` derive from it. The other places:

1. A figure that is not counted yet: a Step in `sql/comparison/changes`, whose head describes the
   relations; for a measure of risk, in `sql/comparison/inspection`. `Seen.one` asks the release's
   run. `tests/helpers/steps_comparison.py` yields the Step for the golden SQL.
2. The formula again, by brute force, in `tests/helpers/oracles_comparison.py`; `check_measures` in
   `tests/comparison/test_comparison.py` demands it for every measure.
3. The tests: pytest tests/comparison tests/house tests/backends/test_dialects.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Protocol

from setveil.backends import Row
from setveil.comparison.changes import Changes
from setveil.comparison.findings import Compared
from setveil.comparison.itemsets import Mined
from setveil.comparison.nodes import Learned
from setveil.comparison.penalties import Penalties
from setveil.comparison.sides import Beside
from setveil.hierarchy import information
from setveil.mine import patterns
from setveil.models.permutation.divergence import pair_divergence as divergence_of_pairs
from setveil.sql import pairs
from setveil.sql.comparison import changes as sql
from setveil.sql.step import Step


class Sized(Protocol):
    """The original, or a release: what was read of it, or a side of a comparison."""

    @property
    def transactions(self) -> int: ...

    @property
    def occurrences(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Seen:
    """The counts that measures are taken from. A measure can ask the release's run for more."""

    beside: Beside
    original: Sized
    release: Sized
    changes: Changes
    mined: Mined
    penalties: Penalties
    hides: bool  # are there patterns to hide?
    secret: bool = False  # are there sensitive items?
    learned: Learned | None = None  # pairs of nodes and rules, where a hierarchy is known

    def one(self, step: Step) -> Row:
        """Ask the release's run a question that has one row as its answer."""
        return self.beside.run.session.one(step)


Formula = Callable[[Seen], float]
Condition = Callable[[Seen], bool]


@dataclass(frozen=True, slots=True)
class Measure:
    """A key of JSON, a title in plain words, a formula, and the condition to take it.

    `said` explains a term of the title where it is shown.
    """

    name: str
    title: str
    formula: Formula
    when: Condition
    is_share: bool = True
    lower_is_better: bool = True
    said: str = ""

    @property
    def label(self) -> str:
        """The title as it stands in tables."""
        return self.title if self.lower_is_better else f"{self.title}; more is better"


MEASURES: dict[str, Measure] = {}


def measure(
    title: str,
    *,
    when: Condition,
    is_share: bool = True,
    lower_is_better: bool = True,
    said: str = "",
) -> Callable[[Formula], Formula]:
    """Enter the formula below into the table of measures, under its own name."""

    def enter(formula: Formula) -> Formula:
        name = formula.__name__
        MEASURES[name] = Measure(name, title, formula, when, is_share, lower_is_better, said)
        return formula

    return enter


def take(seen: Seen) -> dict[str, float]:
    """All measures that can be taken of a release."""
    return {one.name: one.formula(seen) for one in MEASURES.values() if one.when(seen)}


def taken_of(releases: Iterable[Compared]) -> list[Measure]:
    """The measures that were taken of any of the releases, in the order of the table."""
    names = {name for one in releases for name in one.measures}
    return [one for one in MEASURES.values() if one.name in names]


# Conditions


def is_matched(seen: Seen) -> bool:
    """Every transaction of the release is one of the original."""
    return seen.changes.transactions_kept == seen.release.transactions


def is_suppressed(seen: Seen) -> bool:
    """Every occurrence of the release is one of the original: the others were suppressed.

    Not of a release in two parts: one of them publishes items for all transactions of a group.
    """
    return (
        seen.beside.parts is None
        and is_matched(seen)
        and seen.changes.occurrences_kept == seen.release.occurrences
    )


def is_generalized(seen: Seen) -> bool:
    """The release holds nodes in the place of items."""
    return seen.beside.generalized


def has_penalty(seen: Seen) -> bool:
    """A hierarchy tells which items the release's nodes stand for."""
    return seen.penalties.ncp is not None


def has_information(seen: Seen) -> bool:
    """Occurrences were suppressed, or a hierarchy tells which items the nodes stand for."""
    return seen.penalties.information is not None or is_suppressed(seen)


def is_whole(seen: Seen) -> bool:
    """Transactions are matched, so that each occurrence can be found again."""
    found = is_matched(seen) and seen.changes.as_they_were is not None
    return found and seen.beside.parts is None


def has_secret_pairs(seen: Seen) -> bool:
    """Some items are sensitive, and the release holds items rather than nodes."""
    return seen.secret and not seen.beside.generalized


def has_pairs(seen: Seen) -> bool:
    """The original has frequent pairs of items."""
    return seen.mined.pairs is not None and seen.mined.pairs[0] > 0


def has_nodes(seen: Seen) -> bool:
    """The original has frequent pairs of items and nodes."""
    return seen.learned is not None and seen.learned.pairs.before > 0


def has_node_rules(seen: Seen) -> bool:
    """Rules between items and nodes were counted."""
    return seen.learned is not None and seen.learned.rules is not None


def is_mined(seen: Seen) -> bool:
    """The original or the release has frequent itemsets."""
    return bool(seen.mined.itemsets)


def has_rules(seen: Seen) -> bool:
    """Rules were mined of both."""
    return seen.mined.rules is not None


def keeps_rules(seen: Seen) -> bool:
    """Occurrences were suppressed, and original and release have rules in common, or none."""
    return is_suppressed(seen) and has_rules(seen) and rules_jaccard(seen) > 0


def has_patterns(seen: Seen) -> bool:
    """There are patterns to hide, and itemsets were mined that may hold them."""
    return seen.mined.patterns is not None


def is_less(seen: Seen) -> bool:
    """There are patterns to hide, and no item has more support than it had.

    Otherwise one item's gain would make up for another's loss.
    """
    pairs = zip(seen.changes.before, seen.changes.after, strict=True)
    return seen.hides and not seen.beside.generalized and all(had >= has for had, has in pairs)


# Measures


@measure("occurrences suppressed", when=is_suppressed)
def information_loss(seen: Seen) -> float:
    """Suppressed occurrences / occurrences of the original."""
    lost = seen.original.occurrences - (seen.changes.occurrences_kept or 0)
    return lost / max(1, seen.original.occurrences)


@measure("occurrences of items suppressed everywhere", when=is_suppressed)
def distortion(seen: Seen) -> float:
    """S/N: the supports of the items that are suppressed everywhere / all occurrences.

    Xu et al., KDD 2008, section 4. Where items are suppressed in places only, that is less than
    the information loss.
    """
    return (seen.changes.gone_support or 0) / max(1, seen.original.occurrences)


@measure(
    "information lost (bits)",
    when=has_information,
    said="Information lost: the share of all bits of the data that a reader can no longer tell. An "
    "item that is left out loses all its bits, an item below a node some.",
)
def information_lost(seen: Seen) -> float:
    """Bits that are left untold / (N * H(items)), N and occ(i) being of the original.

    An occurrence of item i published as node u leaves log2(occ(u) / occ(i)), occ(u) the sum over
    the leaves of u. A suppressed one leaves log2(N / occ(i)).
    """
    if seen.penalties.information is not None:
        return seen.penalties.information
    pairs = zip(seen.changes.before, seen.changes.after, strict=True)
    return information.information_lost(
        one for had, has in pairs for one in ((had, had, has), (had, None, had - has))
    )


@measure("occurrences published as they were", when=is_whole, lower_is_better=False)
def as_they_were(seen: Seen) -> float:
    """Occurrences that the release holds as items / occurrences of the original."""
    return (seen.changes.as_they_were or 0) / max(1, seen.original.occurrences)


@measure(
    "divergence of the items' distribution (KL, nats)",
    when=is_suppressed,
    is_share=False,
    said="Divergence (Kullback–Leibler, KL): how far the shares of items moved; 0 if they did not. "
    "The symmetric one compares both with their mean, and is 0.69 at most.",
)
def kl(seen: Seen) -> float:
    """KL(T' || T) = sum P'(i) log (P'(i) / P(i)), P(i) the support of i / the sum of supports.

    Jia et al., DASFAA 2014, section 4.1; in nats. 0 for an empty release.
    """
    return divergence(*_distributions(seen))


@measure("symmetric divergence of the items' distribution", when=is_suppressed, is_share=False)
def symmetric_kl(seen: Seen) -> float:
    """KL(T || M) / 2 + KL(T' || M) / 2, M being the mean of both; the section of KL."""
    return symmetric_divergence(*_distributions(seen))


@measure(
    "divergence of pairs with a sensitive item (our reading of Figure 9)",
    when=has_secret_pairs,
    is_share=False,
)
def pair_divergence(seen: Seen) -> float:
    """KL(T || M) / 2 + KL(T' || M) / 2 over pairs of a sensitive item and another, M their mean.

    Jia et al., DASFAA 2014, Figure 9, which does not say of what; in nats. Of groups, the support
    of a pair is expected: sum count(e) n(q) / |group|.
    """
    original = seen.beside.of_original
    items, secrets = original("occurrence"), original("sensitive_item")
    before = pairs.together(sql.secret(items, secrets), sql.plain(items, secrets))
    after = pairs.together(sql.secret("after", secrets), sql.plain("after", secrets))
    if seen.beside.parts is not None:
        counts = sql.counts_in_numbers(seen.beside.parts.counts, original("item"))
        groups = sql.groups_in_numbers(seen.beside.parts.groups)
        after = pairs.expected(counts, sql.plain("after", secrets), groups)
    return divergence_of_pairs(seen.beside.run.session, before, after)


@measure(
    "penalty of generalization (NCP)",
    when=has_penalty,
    said="Penalty of generalization (normalized certainty penalty, NCP): the share of all items "
    "that a published node stands for, on average over occurrences. An item as it is costs 0, a "
    "suppressed one 1.",
)
def ncp(seen: Seen) -> float:
    """NCP(D) = the sum of |leaves(u)| / |I| over all occurrences, u their nodes / occurrences.

    He and Naughton, VLDB 2009, section 3.2; 0 for an occurrence that stayed as it was. The sum is
    that of `penalties`.
    """
    return seen.penalties.ncp or 0.0


@measure(
    "discernibility: transactions that look alike, summed",
    when=is_generalized,
    is_share=False,
    said="Discernibility: for each transaction, the number of those that look like it, summed. The "
    "larger it is, the less tells transactions apart.",
)
def discernibility(seen: Seen) -> float:
    """The sum of |E|^2 over the classes E of transactions that look the same.

    He and Naughton, VLDB 2009, section 3.2. The classes are those of the checker.
    """
    return seen.penalties.discernibility or 0


@measure("transactions lost", when=is_matched)
def transactions_lost(seen: Seen) -> float:
    """Transactions that the release does not hold any more / those of the original."""
    lost = seen.original.transactions - (seen.changes.transactions_kept or 0)
    return lost / max(1, seen.original.transactions)


@measure("frequent itemsets kept", when=is_mined, lower_is_better=False)
def itemsets_kept(seen: Seen) -> float:
    """Itemsets that are frequent before and after / those that are frequent before."""
    sizes = seen.mined.itemsets
    return sum(one.kept for one in sizes) / max(1, sum(one.before for one in sizes))


@measure("frequent pairs kept as items", when=has_pairs, lower_is_better=False)
def pairs_kept(seen: Seen) -> float:
    """Pairs of items that are frequent before and after / those that are frequent before."""
    before, kept = seen.mined.pairs or (0, 0)
    return kept / max(1, before)


@measure("frequent pairs of items and nodes kept", when=has_nodes, lower_is_better=False)
def node_pairs_kept(seen: Seen) -> float:
    """Pairs of nodes, items included, frequent before and after / those frequent before.

    A transaction holds all nodes above its items; no pair is of a node and one above it.
    """
    pairs = seen.learned.pairs if seen.learned else None
    return pairs.kept / max(1, pairs.before) if pairs else 0.0


def has_specialized_rules(seen: Seen) -> bool:
    """Rules of a generalized release were specialized to items."""
    return seen.learned is not None and seen.learned.specialized is not None


@measure("rules specialized to items (Jaccard)", when=has_specialized_rules, lower_is_better=False)
def specialized_rules_jaccard(seen: Seen) -> float:
    """J(R, R') = |R n R'| / |R u R'|, where R' has all rules of items below nodes with a rule.

    A rule of dairy and grains stands for milk and wheat, milk and rice, and so on. Items of the
    hierarchy that the original lacks are left out.
    """
    rules = seen.learned.specialized if seen.learned else None
    return jaccard(rules.kept, rules.before, rules.after) if rules else 1.0


@measure("rules of items and nodes in common (Jaccard)", when=has_node_rules, lower_is_better=False)
def node_rules_jaccard(seen: Seen) -> float:
    """J(R, R') = |R n R'| / |R u R'| of the rules from one node to another, items included."""
    rules = seen.learned.rules if seen.learned else None
    return jaccard(rules.kept, rules.before, rules.after) if rules else 1.0


@measure("frequent itemsets that are new", when=is_mined)
def itemsets_new(seen: Seen) -> float:
    """Itemsets that are frequent after and were not before / those that are frequent after."""
    sizes = seen.mined.itemsets
    return sum(one.new for one in sizes) / max(1, sum(one.after for one in sizes))


@measure(
    "rules in common (Jaccard)",
    when=has_rules,
    lower_is_better=False,
    said="Jaccard: the rules that both have, of all that either has.",
)
def rules_jaccard(seen: Seen) -> float:
    """J(R, R') = |R n R'| / |R u R'|, R and R' being the rules of the original and the release.

    Jia et al., DASFAA 2014, section 4.1.
    """
    rules = seen.mined.rules
    return jaccard(rules.kept, rules.before, rules.after) if rules else 1.0


@measure(
    "suppressed share times the divergence (NS·KL)",
    when=is_suppressed,
    is_share=False,
    said="NS·KL, by which papers compare methods: the share of occurrences that was suppressed "
    "(NS), times the divergence (KL). NS/J: that share, by the rules in common (J).",
)
def distribution_objective(seen: Seen) -> float:
    """f(T, T') = NS(T, T') KL(T' || T), NS = sum (sup(e) - sup'(e)) / sum sup(e) over all items e.

    Jia et al., DASFAA 2014, formula 1, for the distribution of the data.
    """
    return information_loss(seen) * kl(seen)


@measure("suppressed share by rules in common (NS/J)", when=keeps_rules, is_share=False)
def mining_objective(seen: Seen) -> float:
    """f(T, T') = NS(T, T') / J(R(T), R(T')), NS as above and J the Jaccard similarity of rules.

    Jia et al., DASFAA 2014, formula 1, for rule mining. It is not taken where no rule is common.
    """
    return information_loss(seen) / rules_jaccard(seen)


@measure("restrictive itemsets still found (hiding failure)", when=has_patterns)
def hiding_failure(seen: Seen) -> float:
    """HF = #R_P(D') / #R_P(D): frequent itemsets with a restrictive pattern that still are so.

    Oliveira and Zaïane, TR 02-13, section 5, as the two below and the dissimilarity.
    """
    found = seen.mined.patterns
    return patterns.hiding_failure(found.disclosed, found.restrictive) if found else 0.0


@measure("other itemsets lost (misses cost)", when=has_patterns)
def misses_cost(seen: Seen) -> float:
    """MC = (#~R_P(D) - #~R_P(D')) / #~R_P(D), of the frequent itemsets without such a pattern."""
    found = seen.mined.patterns
    return patterns.misses_cost(found.found, found.legitimate) if found else 0.0


@measure("itemsets found that are new (artifactual patterns)", when=has_patterns)
def artifactual_patterns(seen: Seen) -> float:
    """AP = (|P'| - |P n P'|) / |P'|, P and P' being the itemsets that are frequent."""
    sizes = seen.mined.itemsets
    return patterns.artifactual_patterns(
        sum(one.kept for one in sizes), sum(one.after for one in sizes)
    )


@measure("support of items lost (dissimilarity)", when=is_less)
def dissimilarity(seen: Seen) -> float:
    """Dif(D, D') = sum (f_D(i) - f_D'(i)) / sum f_D(i), f being the supports of the items i."""
    before, after = sum(seen.changes.before), sum(seen.changes.after)
    return (before - after) / max(1, before)


# Formulas on plain numbers


def divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """KL(P || Q) = sum P(i) log (P(i) / Q(i)), in nats.

    An item without probability in P adds nothing, as in the limit. Where P has some and Q has none,
    the divergence is infinite.
    """
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return float("inf")
    return max(0.0, fsum(x * log(x / y) for x, y in zip(p, q, strict=True) if x))


def symmetric_divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """S(H1 || H2) = KL(H1 || H1 u H2) / 2 + KL(H2 || H1 u H2) / 2, in nats.

    The union of two distributions is their mean: it is zero only where both are, so the measure is
    at most log 2.
    """
    union = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    return (divergence(p, union) + divergence(q, union)) / 2


def jaccard(common: int, before: int, after: int) -> float:
    """J(A, B) = |A n B| / |A u B|; two empty sets are the same: 1."""
    union = before + after - common
    return common / union if union else 1.0


def _distributions(seen: Seen) -> tuple[list[float], list[float]]:
    """The shares of the items in the release and in the original; none if the release is empty."""
    sides = seen.changes.after, seen.changes.before
    if not any(seen.changes.after):
        return [], []
    after, before = ([count / sum(side) for count in side] for side in sides)
    return after, before

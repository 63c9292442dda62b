"""The measures of a comparison: what each says, of which releases, and its formula.

`MEASURES` is the table of all of them. A measure that lacks something of a release is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from setveil.comparison.findings import Compared, Comparison, Side
from setveil.comparison.measures import jaccard


@dataclass(frozen=True, slots=True)
class Pair:
    """What the measures are taken of: all that is known of a release but its measures."""

    original: Side
    release: Compared


@dataclass(frozen=True, slots=True)
class Measure:
    """A name, what it says, when it says something, and its formula."""

    name: str
    says: str
    applies: Callable[[Pair], bool]
    of: Callable[[Pair], float]
    is_share: bool = True


def is_matched(pair: Pair) -> bool:
    """Every transaction of the release is one of the original."""
    return pair.release.transactions_kept == pair.release.side.transactions


def is_suppressed(pair: Pair) -> bool:
    """The release says nothing that the original does not: what it lacks was suppressed."""
    return is_matched(pair) and pair.release.occurrences_kept == pair.release.side.occurrences


def is_generalized(pair: Pair) -> bool:
    """The release holds nodes in the place of items."""
    return pair.release.generalized


def is_mined(pair: Pair) -> bool:
    """There are itemsets to keep."""
    return bool(pair.release.itemsets)


def has_rules(pair: Pair) -> bool:
    """Rules were mined of both."""
    return pair.release.rules is not None


def has_penalty(pair: Pair) -> bool:
    """A hierarchy tells what the release's nodes stand for."""
    return pair.release.ncp is not None


def has_patterns(pair: Pair) -> bool:
    """There are patterns to hide, and itemsets that may hold them."""
    return pair.release.patterns is not None


def is_less(pair: Pair) -> bool:
    """There are patterns to hide, and no item has more support than it had."""
    return pair.release.dissimilarity is not None


def information_loss(pair: Pair) -> float:
    """Suppressed occurrences / occurrences of the original."""
    lost = pair.original.occurrences - (pair.release.occurrences_kept or 0)
    return lost / max(1, pair.original.occurrences)


def distortion(pair: Pair) -> float:
    """S/N: the supports of the items that are suppressed everywhere / all occurrences.

    Xu et al., KDD 2008, section 4. Where items are suppressed in places only, that is less than
    the information loss.
    """
    return (pair.release.gone_support or 0) / max(1, pair.original.occurrences)


def transactions_lost(pair: Pair) -> float:
    """Transactions that the release does not hold any more / those of the original."""
    lost = pair.original.transactions - (pair.release.transactions_kept or 0)
    return lost / max(1, pair.original.transactions)


def kl_divergence(pair: Pair) -> float:
    """KL(T' || T) = sum P'(i) log (P'(i) / P(i)), P(i) the support of i / the sum of supports.

    Jia et al., DASFAA 2014, section 4.1; in nats.
    """
    return pair.release.kl or 0.0


def symmetric_divergence(pair: Pair) -> float:
    """KL(T || M) / 2 + KL(T' || M) / 2, M being the mean of both; the same section."""
    return pair.release.symmetric_kl or 0.0


def discernibility(pair: Pair) -> float:
    """The sum of |E|^2 over the classes E of transactions that look the same.

    He and Naughton, VLDB 2009, section 3.2.
    """
    return pair.release.discernibility or 0


def itemsets_kept(pair: Pair) -> float:
    """Itemsets that are frequent before and after / those that are frequent before."""
    sizes = pair.release.itemsets
    return sum(one.kept for one in sizes) / max(1, sum(one.before for one in sizes))


def itemsets_new(pair: Pair) -> float:
    """Itemsets that are frequent after and were not before / those that are frequent after."""
    sizes = pair.release.itemsets
    return sum(one.new for one in sizes) / max(1, sum(one.after for one in sizes))


def rules_jaccard(pair: Pair) -> float:
    """J(R, R') = |R n R'| / |R u R'|, R and R' being the rules of the original and the release.

    Jia et al., DASFAA 2014, section 4.1.
    """
    rules = pair.release.rules
    return jaccard(rules.kept, rules.before, rules.after) if rules else 1.0


def ncp(pair: Pair) -> float:
    """NCP(D) = the sum of |leaves(u)| / |I| over all occurrences, u their nodes / occurrences.

    He and Naughton, VLDB 2009, section 3.2; 0 for an occurrence that stayed as it was.
    """
    return pair.release.ncp or 0.0


def hiding_failure(pair: Pair) -> float:
    """HF = #R_P(D') / #R_P(D): frequent itemsets with a restrictive pattern that still are so.

    Oliveira and Zaïane, TR 02-13, section 5, as the two below and the dissimilarity.
    """
    return pair.release.patterns.hiding_failure if pair.release.patterns else 0.0


def misses_cost(pair: Pair) -> float:
    """MC = (#~R_P(D) - #~R_P(D')) / #~R_P(D), of the frequent itemsets without such a pattern."""
    return pair.release.patterns.misses_cost if pair.release.patterns else 0.0


def artifactual_patterns(pair: Pair) -> float:
    """AP = (|P'| - |P n P'|) / |P'|, P and P' being the itemsets that are frequent."""
    return pair.release.patterns.artifactual_patterns if pair.release.patterns else 0.0


def dissimilarity(pair: Pair) -> float:
    """Dif(D, D') = sum (f_D(i) - f_D'(i)) / sum f_D(i), f being the supports of the items i."""
    return pair.release.dissimilarity or 0.0


# A further measure joins by a line here; what it needs to know joins `Compared`.
MEASURES = (
    Measure("information_loss", "occurrences that were suppressed, of all", is_suppressed,
            information_loss),
    Measure("distortion", "occurrences of items that went everywhere, of all", is_suppressed,
            distortion),
    Measure("kl", "divergence of the items' distribution (KL, nats)", is_suppressed, kl_divergence,
            is_share=False),
    Measure("symmetric_kl", "the same, symmetric", is_suppressed, symmetric_divergence,
            is_share=False),
    Measure("ncp", "penalty of generalization (NCP)", has_penalty, ncp),
    Measure("discernibility", "discernibility: transactions that look like each, summed",
            is_generalized, discernibility, is_share=False),
    Measure("transactions_lost", "transactions that are gone, of all", is_matched,
            transactions_lost),
    Measure("itemsets_kept", "frequent itemsets that still are, of all", is_mined, itemsets_kept),
    Measure("itemsets_new", "frequent itemsets of the release that were not", is_mined,
            itemsets_new),
    Measure("rules_jaccard", "rules of both, of the rules of either (Jaccard)", has_rules,
            rules_jaccard),
    Measure("hiding_failure", "restrictive itemsets found nevertheless", has_patterns,
            hiding_failure),
    Measure("misses_cost", "other itemsets not found any more", has_patterns, misses_cost),
    Measure("artifactual_patterns", "itemsets found that were not there", has_patterns,
            artifactual_patterns),
    Measure("dissimilarity", "support that the items lost, of all", is_less, dissimilarity),
)  # fmt: skip


def measured(before: Side, found: Compared) -> Compared:
    """With all measures that apply."""
    pair = Pair(before, found)
    taken = {one.name: one.of(pair) for one in MEASURES if one.applies(pair)}
    return replace(found, measures=taken)


def measures_of(comparison: Comparison) -> Sequence[Measure]:
    """The measures that were taken of any of the releases, in the table's order."""
    taken = {name for one in comparison.releases for name in one.measures}
    return [one for one in MEASURES if one.name in taken]

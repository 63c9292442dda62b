"""The output of `setveil hiding` and `setveil verify hiding`."""

from __future__ import annotations

from setveil.models.hiding.anonymize import HidingMetrics
from setveil.models.hiding.check import HiddenPattern, HidingVerdict
from setveil.run.release import Release
from setveil.run.words import SHOWN, Blocks, counted, names, percent


def release(made: Release[HidingMetrics]) -> Blocks:
    """The hidden patterns and the loss."""
    metrics = made.metrics
    yield f"hidden: {counted(len(metrics.patterns), 'pattern')}, by {made.parameters['method']}"
    yield from _patterns(metrics.patterns)
    yield [
        ("transactions", metrics.transactions),
        ("  sensitive", metrics.sensitive_transactions),
        ("  conflicting", metrics.conflicting_transactions),
        ("  emptied", metrics.emptied_transactions),
        ("occurrences", metrics.occurrences),
        ("  suppressed", metrics.suppressed_occurrences),
        ("dissimilarity", percent(metrics.dissimilarity)),
        ("information lost (bits)", percent(metrics.information_lost)),
    ]
    if metrics.lost is not None:
        known = "" if metrics.lost_bound is None else f", of {metrics.lost_bound:,} that must be"
        yield f"legitimate itemsets lost: {metrics.lost:,}{known}"
    if (mined := metrics.mined) is not None:
        missed = mined.legitimate - mined.found
        yield f"mined before and after, at support {mined.support:,}:"
        yield [
            (
                "hiding failure",
                percent(mined.hiding_failure),
                f"{mined.disclosed:,} of {mined.restrictive:,}",
            ),
            ("misses cost", percent(mined.misses_cost), f"{missed:,} of {mined.legitimate:,}"),
            ("artifactual patterns", percent(mined.artifactual_patterns), ""),
        ]


def _patterns(patterns: tuple[HiddenPattern, ...]) -> Blocks:
    """Supports of each pattern in original and release, the allowed support, the share left."""
    rows = [
        (
            names(one.items),
            f"in {one.support:,}",
            f"now {one.remaining:,}",
            f"of {one.allowed:,} allowed",
            percent(one.remaining / max(1, one.support)),
        )
        for one in patterns[:SHOWN]
    ]
    if rows:
        yield rows
    if len(patterns) > SHOWN:
        yield f"  {len(patterns) - SHOWN:,} more patterns: --json shows all"


def verdict(found: HidingVerdict) -> Blocks:
    """The verdict, and the violations."""
    if found.holds:
        yield (
            f"holds: {counted(found.checked, 'pattern is', 'patterns are')} hidden, "
            f"{counted(found.removed, 'occurrence')} suppressed"
        )
        return
    yield (
        f"does not hold: {counted(found.disclosed, 'pattern')} disclosed, "
        f"{counted(found.added, 'occurrence')} added, {found.stray:,} removed for no pattern"
    )
    yield from _patterns(tuple(one for one in found.patterns if one.remaining > one.allowed))
    if found.tampered:
        yield f"  items changed for no pattern: {names(found.tampered[:SHOWN])}"

"""Hiding: restrictive patterns fall to a share of their support or below a support."""

from __future__ import annotations

from setveil.models.model import Late, Model, choice, count, patterns, share

HERE = "setveil.models.hiding"

MODEL = Model(
    name="hiding",
    title="hidden patterns",
    paper="Oliveira, Zaïane, TR 02-13, 2002",
    short="Hiding: items suppressed in transactions that hold a pattern.",
    about="""Hiding: suppress items in some transactions that hold a restrictive pattern.

    The support of each pattern falls to at most a share psi of its support in the original, or
    below the support at which others may mine. Nothing is added, and no other transaction changes.
    """,
    guarantee="each pattern is left in at most a share psi of the transactions that held it, or in "
    "fewer than `--min-support`; nothing else changes",
    violation="Restrictive patterns with more support than allowed.",
    attacker="mines the whole release, and knows nothing of the original",
    promise=(
        patterns(
            "patterns",
            "The restrictive patterns: a text file with one per line, items between commas; a line "
            "can be a rule such as A,B => C. Or a CSV or Parquet file with columns pattern and "
            "item, and psi if it varies.",
        ),
        share(
            "psi",
            "At most this share (0 to 1) of the transactions that hold a pattern keep it. "
            "Default: 0.",
            None,
        ),
        count(
            "min_support",
            "Instead of --psi: fewer than N transactions keep a pattern.",
            None,
        ),
    ),
    method=(
        choice(
            "method",
            "The item of a pattern to suppress: one that patterns share (iga), the least frequent "
            "(minfia), the most frequent (maxfia), or all (naive, which empties no transaction). "
            "border keeps the most other itemsets as frequent as --min-support.",
            "iga",
            "naive",
            "minfia",
            "maxfia",
            "border",
        ),
        count(
            "mining_support",
            "Mine original and release at this support; show which patterns are disclosed and "
            "which itemsets are missed.",
            None,
        ),
    ),
    anonymize=Late(f"{HERE}.anonymize", "hiding"),
    judge=Late(f"{HERE}.check", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("psi",),
    cost="dissimilarity",
    counts=("suppressed_occurrences", "emptied_transactions"),
    advised=({"psi": "0.3"}, {"psi": "0"}),
    beside_original=True,
)

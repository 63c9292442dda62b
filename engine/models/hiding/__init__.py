"""Hiding: restrictive patterns stay below a share or a support."""

from __future__ import annotations

from setveil.models.model import Late, Model, choice, count, patterns, share

HERE = "setveil.models.hiding"

MODEL = Model(
    name="hiding",
    title="hidden patterns",
    paper="Oliveira, Zaïane, TR 02-13, 2002",
    short="Hiding: items taken out of transactions that hold a pattern.",
    about="""Hiding: take items out of some transactions that hold a restrictive pattern.

    The support of each pattern falls to a share psi of its support in the original, or below a
    support at which others may mine. Nothing is added, and no other transaction changes.
    """,
    guarantee="each pattern is left in at most a share psi of the transactions that held it, or in "
    "fewer than `--min-support`; nothing else changes",
    violation="Restrictive patterns with more support than allowed.",
    promise=(
        patterns(
            "patterns",
            "The restrictive patterns: a text file with one per line, items between commas; or a "
            "CSV or Parquet file with columns pattern and item, and psi where patterns differ.",
        ),
        share(
            "psi",
            "This share (0 to 1) of the transactions that hold a pattern may keep it.",
            None,
        ),
        count(
            "min_support",
            "Instead of --psi: fewer than N transactions may keep a pattern, and no more is done.",
            None,
        ),
    ),
    method=(
        choice(
            "method",
            "Which items go: those that several patterns share (iga), the least frequent of each "
            "pattern (minfia), the most frequent (maxfia), all of them (naive), or those that "
            "leave the most other itemsets as frequent as --min-support (border).",
            "iga", "naive", "minfia", "maxfia", "border",
        ),
        count(
            "mining_support",
            "Mine before and after at this support, and show what is disclosed and missed.",
            None,
        ),
    ),
    anonymize=Late(f"{HERE}.anonymize", "hiding"),
    judge=Late(f"{HERE}.check", "judge"),
    texts=f"{HERE}.texts",
    axes=("psi",),
    cost="dissimilarity",
    counts=("suppressed_occurrences", "emptied_transactions"),
    beside_original=True,
)  # fmt: skip

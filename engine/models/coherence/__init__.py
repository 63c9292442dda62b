"""(h,k,p)-coherence: no p public items single out few transactions or reveal a private item."""

from __future__ import annotations

from setveil.models.model import Late, Model, choice, count, flag, items, number, share, text

HERE = "setveil.models.coherence"

MODEL = Model(
    name="coherence",
    title="(h,k,p)-coherence",
    paper="Xu, Wang, Fu, Yu, KDD 2008",
    short="(h,k,p)-coherence: items suppressed everywhere.",
    about="""(h,k,p)-coherence: suppress items until attackers who know p of them learn too little.

    Any set of up to p public items is held by at least k transactions or by none, and no private
    item is in more than a share h of those transactions. Items are suppressed everywhere, so the
    supports of all remaining items are true.
    """,
    guarantee="any set of up to p public items is held by at least k transactions or by none, and "
    "no private item is in more than a share h of those",
    violation="Itemsets of public items that tell too much.",
    promise=(
        share("h", "A private item is in at most this share (0 to 1) of any cohort.", None),
        count("k", "Any cohort has at least N transactions."),
        count("p", "Attackers know up to N public items."),
        items(
            "private",
            "Items that must not be inferred: a text file with a name per line, a CSV or Parquet "
            "file with a column item, or where:SQL on name and support.",
            None,
        ),
        items(
            "public",
            "Items that an attacker can know (default: all that are not private).",
            None,
        ),
    ),
    method=(
        choice(
            "method",
            "How items are chosen: mm-il (most moles per loss), mm, 1-il, rm-all (all public "
            "items), or optimal (the least loss, with a proven bound).",
            "mm-il", "mm", "1-il", "rm-all", "optimal",
        ),
        text(
            "loss", "What an item costs: support, unit, or a file with item and loss.", "support",
            metavar="LOSS",
        ),
        flag("faithful", "Do not return items that could return."),
        number("nodes", "For optimal: search up to N nodes.", 10),
        number(
            "time_limit",
            "For optimal: stop then. The result then depends on the machine.",
            None, metavar="SECONDS",
        ),
        choice("plan", "How cohorts are kept.", "auto", "lists", "bits"),
    ),
    anonymize=Late(f"{HERE}.anonymize", "coherence"),
    judge=Late(f"{HERE}.check", "judge"),
    texts=f"{HERE}.texts",
    axes=("public", "h", "p", "method", "k"),
    cost="information_loss",
    counts=("suppressed_items", "emptied_transactions"),
    points=Late(f"{HERE}.grid", "points"),
)  # fmt: skip

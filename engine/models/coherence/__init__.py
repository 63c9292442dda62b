"""(h,k,p)-coherence: no p public items identify few transactions or reveal a private item."""

from __future__ import annotations

from setveil.models.model import (
    Joined,
    Late,
    Model,
    choice,
    count,
    flag,
    items,
    number,
    share,
    text,
    tree,
)

HERE = "setveil.models.coherence"

MODEL = Model(
    name="coherence",
    title="(h,k,p)-coherence",
    paper="Xu, Wang, Fu, Yu, KDD 2008",
    short="(h,k,p)-coherence: items suppressed or generalized everywhere.",
    about="""(h,k,p)-coherence: suppress items until p known items identify nobody.

    Any set of up to p public items is held by at least k transactions or by none, and no private
    item is in more than a share h of those transactions. An item is suppressed in every transaction
    or in none, so the supports of all remaining items are exact. With a hierarchy, --method
    generalize publishes nodes above items, such as bakery for bread, and suppresses the rest: it
    loses much less.
    """,
    guarantee="any set of up to p public items is held by at least k transactions or by none; "
    "no private item is in more than a share h of those",
    guarantee_in_persons="any set of up to p public items is held by at least k different persons "
    "or by nobody; no private item is in more than a share h of those transactions, or of those "
    "persons",
    violation="Moles: public itemsets that identify or reveal too much.",
    attacker="knows up to p public items of a transaction",
    readable="private items are published by name, in each transaction that has them: the promise "
    "bounds how surely public items tell them, and hides none",
    promise=(
        share(
            "h",
            "A private item is in at most this share (0 to 1) of any cohort; needs --private. "
            "Default: 1, no bound.",
            None,
        ),
        count(
            "k",
            "Any cohort, the transactions that hold a set of known items, has at least N "
            "transactions.",
        ),
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
            "Suppress first the item with most moles per loss (mm-il), most moles (mm) or least "
            "loss (1-il); all public items (rm-all); or the choice of least loss (optimal). "
            "Publish nodes of a hierarchy, and suppress what is left (generalize).",
            "mm-il",
            "mm",
            "1-il",
            "rm-all",
            "optimal",
            "generalize",
        ),
        text(
            "loss",
            "The cost of an item: support (the default), unit (1), or a file with item and loss. "
            "For generalize: information (the default) or ncp.",
            None,
            metavar="LOSS",
        ),
        *tree(),
        flag("faithful", "Follow the paper: suppressed items that could return stay suppressed."),
        number("nodes", "For optimal and generalize: search up to N branches.", 10),
        number(
            "time_limit",
            "For optimal: stop after this time. The result then depends on the machine.",
            None,
            metavar="SECONDS",
        ),
        choice("plan", "How cohorts are stored; the result is the same.", "auto", "lists", "bits"),
    ),
    anonymize=Late(f"{HERE}.anonymize", "coherence"),
    judge=Late(f"{HERE}.nodes", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("public", "h", "p", "method", "k"),
    cost="information_loss",
    counts=("suppressed_items", "emptied_transactions"),
    advised=tuple(
        {"h": "0.5", "k": k, "p": 2, **method}
        for method in ({}, {"method": "generalize"})
        for k in (5, 12)
    ),
    points=Late(f"{HERE}.grid", "points"),
    node_methods=("generalize",),
    joined=Joined(empty=True, all_sizes=True),
)

"""rho-uncertainty: no sensitive item is inferred too surely from any set of known items."""

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
    seed,
    share,
    text,
    tree,
)

HERE = "setveil.models.uncertainty"

MODEL = Model(
    name="uncertainty",
    title="rho-uncertainty",
    paper="Jia et al., DASFAA 2014",
    short="rho-uncertainty: items suppressed in single transactions.",
    about="""rho-uncertainty: suppress single occurrences until no sensitive item is inferred.

    Among the transactions that contain any given set of items, sensitive ones included, at most a
    share rho contains any one further sensitive item. This bounds inference; it does not stop an
    attacker from identifying a transaction.
    """,
    guarantee="among transactions that contain any given set of items, at most a share rho contain "
    "any one further sensitive item",
    guarantee_in_persons="among transactions that contain any given set of items, and among their "
    "persons, at most a share rho contain any one further sensitive item",
    violation="Rules that infer a sensitive item too surely.",
    attacker="knows any items of a transaction, sensitive ones too",
    readable="sensitive items that are not suppressed are published by name: the promise bounds "
    "how surely other items tell them, and hides none",
    promise=(
        items(
            "sensitive",
            "Items that must not be inferred: a text file with a name per line, a CSV or Parquet "
            "file with a column item, or where:SQL on name and support.",
        ),
        share("rho", "At most this share (0 to 1) of a cohort holds a further sensitive item."),
        count("max_knowledge", "Attackers know up to N items (default: any number).", None),
    ),
    method=(
        choice(
            "keep",
            "Preserve rules (lowest loss) or distribution (relative frequencies of items, at a "
            "higher loss).",
            "rules",
            "distribution",
        ),
        choice(
            "method",
            "partial suppresses single occurrences. From the papers, to compare with: paper "
            "(partial suppression as printed), global (items everywhere) and tdcontrol "
            "(nodes of a hierarchy; sensitive items everywhere).",
            "partial",
            "paper",
            "global",
            "tdcontrol",
        ),
        *tree(),
        text(
            "parts",
            "Split the transactions at random into N parts, and make each safe by itself: less "
            "memory, more loss. Spark works on parts in parallel. auto: by the paper's estimate.",
            "1",
            metavar="N",
        ),
        flag("refine", "Take much longer to lose less, and prove a bound on the loss."),
        number("b_max", "For paper: a buffer has up to N sets of known items.", 1_000_000),
        number("t_max", "For paper: split the data until a part costs at most N.", 500),
        seed(),
    ),
    anonymize=Late(f"{HERE}.anonymize", "uncertainty"),
    judge=Late(f"{HERE}.nodes", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    query_needs="max_knowledge",
    texts=f"{HERE}.texts",
    axes=("rho",),
    cost="information_loss",
    counts=("suppressed_occurrences", "emptied_transactions"),
    advised=({"rho": "0.5"}, {"rho": "0.3"}),
    node_methods=("tdcontrol",),
    joined=Joined(),
)

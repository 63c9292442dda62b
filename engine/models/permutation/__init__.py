"""Permutation: nobody is linked to a sensitive item with more than probability 1/N."""

from __future__ import annotations

from setveil.models.model import Late, Model, choice, count, items

HERE = "setveil.models.permutation"

MODEL = Model(
    name="permutation",
    title="permutation",
    paper="Jia et al., DASFAA 2014",
    short="Permutation: sensitive items per group of transactions.",
    about="""permutation: publish sensitive items per group, apart from the transactions.

    The release has two relations. One has the other items of every transaction and its group. The
    other has each sensitive item of a group and how many transactions hold it: at most a share 1/N
    of the group. Nothing else is suppressed or changed. Transactions without other items lose their
    sensitive ones, which no group could hide. This model serves to compare with: it does not
    protect sensitive items from each other.
    """,
    guarantee="at most one in N transactions of a group holds any one sensitive item, and which "
    "ones do is not published",
    guarantee_in_persons="at most one in N transactions of a group holds any one sensitive item, "
    "and which ones do is not published; a group has at most one transaction of a person",
    violation="Groups that hold a sensitive item too often.",
    attacker="knows the other items of a transaction, and finds its group",
    readable="sensitive items are published by name, for each group: the promise bounds how surely "
    "one of its transactions holds them",
    promise=(
        items(
            "sensitive",
            "Items that must not be linked to a transaction: a text file with a name per line, a "
            "CSV or Parquet file with a column item, or where:SQL on name and support.",
        ),
        count("degree", "At most one in N transactions of a group holds a sensitive item."),
    ),
    method=(choice("method", "How groups are formed.", "cahd"),),
    anonymize=Late(f"{HERE}.anonymize", "permutation"),
    judge=Late(f"{HERE}.check", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("degree",),
    cost="pair_divergence",
    cost_is_share=False,
    counts=("groups", "transactions"),
    from_paper=True,
    in_parts=True,
)

"""k-anonymity: every transaction has k - 1 twins with equal nodes."""

from __future__ import annotations

from setveil.models.model import Joined, Late, Model, choice, count, flag, items, tree

HERE = "setveil.models.k_anonymity"
UNPROTECTED = (
    "items that are not public are published by name, in each transaction that has them: twins "
    "need not share them, so their values are not protected"
)

MODEL = Model(
    name="k-anonymity",
    title="k-anonymity",
    paper="He, Naughton, VLDB 2009",
    short="k-anonymity: items generalized in single transactions.",
    about="""k-anonymity: generalize items until every transaction has k - 1 twins.

    Twins are transactions with equal nodes. An item is replaced by a node above it in the
    hierarchy, only in the transactions that need it. The column level of the release says how far
    above: 0 is an unchanged item. Running the command on its own release changes nothing. With
    --person, the twins are transactions of at least k persons.

    You need not mark items as private. With --private or --public, twins agree on public items
    only; the others are published as they are, and are not protected.

    From the papers, to compare with: --method tds recodes an item alike in all transactions, from
    the root down. Without a hierarchy it suppresses items: each is published or not.
    """,
    guarantee="every transaction has k − 1 twins with the same nodes of public items",
    guarantee_in_persons="every transaction and its twins, which have the same nodes of public "
    "items, are of at least k different persons",
    violation="Transactions with fewer than k - 1 twins.",
    attacker="knows all public items of a transaction",
    readable=UNPROTECTED,
    promise=(
        count("k", "Every transaction has N - 1 twins; with --person, of N persons in all."),
        items(
            "private",
            "Items that twins need not share; they are published as they are. A text file with a "
            "name per line, a CSV or Parquet file with a column item, or where:SQL.",
            None,
        ),
        items(
            "public",
            "Items that an attacker can know, on which twins agree (default: all that are not "
            "private).",
            None,
        ),
    ),
    method=(
        choice(
            "method",
            "Generalize in single transactions, by partitions (partition), or everywhere, by "
            "top-down specialization (tds): from the papers, to compare with.",
            "partition",
            "tds",
        ),
        *tree(),
        flag(
            "refine",
            "Take longer to lose less. A node can then be published beside an ancestor that covers "
            "other items of the transaction.",
        ),
    ),
    anonymize=Late(f"{HERE}.anonymize", "k_anonymity"),
    refuse=Late(f"{HERE}.anonymize", "refuse_unreachable"),
    judge=Late(f"{HERE}.check", "judge"),
    forecast=Late(f"{HERE}.forecast", "work"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("k",),
    cost="ncp",
    counts=("partitions", "generalized_occurrences"),
    advised=({"k": 5}, {"k": 12}),
    of_nodes=True,
    item_methods=("tds",),
    reads_nodes=True,
    joined=Joined(twins=True, empty=True, all_sizes=True),
)

"""k-anonymity: every transaction has k - 1 twins with equal nodes."""

from __future__ import annotations

from setveil.models.model import Joined, Late, Model, count, flag, tree

HERE = "setveil.models.k_anonymity"

MODEL = Model(
    name="k-anonymity",
    title="k-anonymity",
    paper="He, Naughton, VLDB 2009",
    short="k-anonymity: items generalized in single transactions.",
    about="""k-anonymity: generalize items until every transaction has k - 1 twins.

    Twins are transactions with equal nodes. An item is replaced by a node above it in the
    hierarchy, only in the transactions that need it. The column level of the release says how far
    above: 0 is an unchanged item. You need not mark items as private. Running the command on its
    own release changes nothing. With --person, the twins are transactions of at least k persons.
    """,
    guarantee="every transaction has k − 1 twins with the same nodes",
    violation="Transactions with fewer than k - 1 twins.",
    promise=(count("k", "Every transaction has N - 1 twins; with --person, of N persons in all."),),
    method=(
        *tree(),
        flag(
            "refine",
            "Take longer to lose less. A node can then be published beside an ancestor that covers "
            "other items of the transaction.",
        ),
    ),
    anonymize=Late(f"{HERE}.anonymize", "k_anonymity"),
    judge=Late(f"{HERE}.check", "judge"),
    query=Late(f"{HERE}.query", "query"),
    texts=f"{HERE}.texts",
    axes=("k",),
    cost="ncp",
    counts=("partitions", "generalized_occurrences"),
    advised=({"k": 5}, {"k": 10}),
    of_nodes=True,
    reads_nodes=True,
    of_persons=True,
    joined=Joined(twins=True, empty=True, all_sizes=True),
)

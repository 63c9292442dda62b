"""Examples from the papers."""

from __future__ import annotations

from oracles_hiding import Database

PAPER = {  # He, Naughton, Figure 1 and Table 1
    "T1": ("Beer", "Diapers"),
    "T2": ("Wine", "Diapers", "Pregnancy Test"),
    "T3": ("Beer", "Wine", "Pregnancy Test"),
    "T4": ("Beer", "Wine", "Diapers", "Pregnancy Test"),
}


GROUPS = {
    "Beer": "Alcohol",
    "Wine": "Alcohol",
    "Diapers": "Health Care",
    "Pregnancy Test": "Health Care",
}


def rows(baskets):
    return [(key, item) for key, items in baskets.items() for item in items]


TABLE_1B = {
    "T1": [("Alcohol", 1), ("Health Care", 1)],
    "T2": [("Alcohol", 1), ("Health Care", 1)],
    "T3": [("Beer", 0), ("Wine", 0), ("Health Care", 1)],
    "T4": [("Beer", 0), ("Wine", 0), ("Health Care", 1)],
}


Baskets = list[frozenset[str]]


TABLE_1: Baskets = [
    frozenset({"bread", "beer", "condom"}),
    frozenset({"coffee", "fruits"}),
    frozenset({"beer", "condom"}),
    frozenset({"coffee", "fruits"}),
    frozenset({"flour", "condom"}),
    frozenset({"bread", "coffee"}),
    frozenset({"fruits", "condom"}),
]


GLOBAL = [(tid, "condom") for tid in (0, 2, 4, 6)]


APPROACH_1 = [(0, "condom"), (4, "flour")]


APPROACH_2 = [(0, "condom"), (4, "condom")]


FIGURE_3: Database = {
    1: frozenset("ABCD"),
    2: frozenset("ABC"),
    3: frozenset("ABD"),
    4: frozenset("ACD"),
    5: frozenset("ABC"),
    6: frozenset("BD"),
}


RESTRICTED = ["ABD", "ACD"]

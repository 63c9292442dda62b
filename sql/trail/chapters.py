"""Name the chapters of a long trail, and explain the numbers in its statements."""

from __future__ import annotations

MOLES = "moles of size {n}: fewer than k transactions hold them, or they reveal a private item"
FREQUENT = "itemsets of size {n}: enough transactions hold all items"
SETS = "sets of size {n}: at least k transactions must hold each"
HIERARCHY = {"given_hierarchy": "hierarchy: the nodes above every item"}

# For each model, the heading above the step of this name; {n} counts its occurrences. A name that
# ends in _# stands for all numbers at its end, and {n} is the number.
CHAPTERS = {
    "uncertainty": {
        "coded": "codes: harmless items first, so that sensitive ones stand last",
        "place": "sets of places: how the codes at some places are packed into one key",
        "guarded": "guarded: the transactions that can keep sensitive items",
        "reached_1": "elsewhere: other holders of the harmless itemsets of guarded transactions",
        "unsafe": "round {n}: unsafe rules, and the occurrences that are suppressed to stop them",
        "record_0": "parts: the transactions, split until no part costs more than t_max",
        "ranked_1": "ranking {n}: unsafe rules, the best first, and what is suppressed for them",
        "stand_in": "cut {n}: the nodes that stand for items, and what stops rules over them",
        "open_1": "rules {n}: unsafe rules of a size, and the items that go everywhere for them",
        "lost_0": "lost: suppressed occurrences, which could return",
        "promising": "pass {n}: occurrences return, alone or in exchange for another occurrence",
        "suppressed": "suppressed: the occurrences that the release leaves out",
        "check_set_1": "sets of 1 item: the secrets that an attacker infers from each",
        "check_witness_2": "sets of 2 items, and larger ones that could still be unsafe",
        "check_whole": "whole transactions: secrets inferred by attackers who know all other items",
    },
    "coherence": {
        "private_item": "items: private ones must not be inferred; attackers may know public ones",
        "public_item": "items: private ones must not be inferred; attackers may know public ones",
        "prospects_#": MOLES,
        "candidate_#": MOLES,
        "counted_#": MOLES,
        "extension": "larger itemsets: they are made of the items that are no mole alone",
        "supports": "choice: the items to suppress, so that no mole is left",
        "check_key": "cells: the transactions and items of the release, in numbers",
        "check_lengths_#": "sets of size {n}: none may violate the promise",
        "check_prospects_#": "sets of size {n}: none may violate the promise",
        "check_set_#": "sets of size {n}: none may violate the promise",
    },
    "k-anonymity": HIERARCHY
    | {
        "branch": "branches: the nodes that can be expanded into their children",
        "open_1": "partitions: transactions of equal nodes; all start in one, at the root",
        "picked_#": "round {n}: every partition expands the branch that gains most",
        "fall": "refinement: lower nodes can be published beside their ancestors",
        "load_#": "refined round {n}: every partition publishes the lower node that saves most",
        "costs": "choice: the release that loses less",
        "recoded": "result: the published node of every occurrence",
        "check_key": "twins: transactions that hold equal nodes",
    },
    "km-anonymity": HIERARCHY
    | {
        "tree": "nodes: a cut chooses one node above each item, and publishes it everywhere",
        "split_#": "cut {n}: do k transactions hold every set of its nodes?",
        "split": "result: the cut of least loss that keeps the promise",
        "check_node": "cells: the transactions and nodes of the release, in numbers",
        "check_set_#": SETS,
        "check_kind": "kinds: k transactions must hold all nodes of each transaction",
    },
    "permutation": {
        "plain": "order: transactions that share items stand side by side",
        "component_0": "order: the parts of the data that share no item",
        "level_#": "order: level {n} of the search in breadth",
        "clash": "clashes: transactions that cannot be in one group",
        "half_#": "parts: cut {n} of the order, where both halves can be grouped",
        "window_#": "round {n}: every window makes a group around a transaction",
        "rest": "rest: the transactions that no round has grouped",
        "member": "groups: the transactions of each, with the numbers that are published",
        "check_member": "groups of the release: their transactions and their sensitive items",
    },
    "hiding": {
        "restricted": "patterns: the itemsets to hide, and the transactions that hold them",
        "supports": "choice: the transactions that lose each pattern, and the items they lose",
        "frequent_1": "frequent itemsets: others may mine them",
        "legitimate": "border: frequent itemsets without a pattern, which suppression threatens",
        "kind": "kinds: transactions of equal patterns and threatened itemsets, planned together",
        "suppressed": "suppressed: the occurrences that the release leaves out",
        "check_key": "cells: the original and the release, matched by keys and names",
        "check_cohort": "patterns kept: the transactions that hold a pattern, before and after",
        "check_excused": "changes: only items of a pattern may be missing",
    },
    "itemsets": {
        "frequent_prospects_#": FREQUENT,
        "frequent_possible_#": FREQUENT,
        "frequent_candidate_#": FREQUENT,
        "frequent_#": FREQUENT,
        "rules_#": "rules: transactions with the antecedent also hold the consequent",
    },
    "reidentify": {
        "published_set": "published: the itemsets that the attacker knows by name",
        "key_pair": "key: the true names, to measure the attack",
        "frequent_1": "renamed data: the frequent itemsets of codes",
        "item_pair_0": "pairs: a name and a code, or two itemsets, of similar frequency",
        "set_pair_0": "pairs: a name and a code, or two itemsets, of similar frequency",
        "set_pair_#": "pruning {n}: pairs that still fit all itemsets of their items",
        "item_pair_#": "pruning {n}: pairs that still fit all itemsets of their items",
        "known_set_number": "program: the input of the solver, in numbers",
        "assigned": "names: the codes that the solver named",
    },
}

# Numbers that no reader can guess, with their meaning.
NUMBERS = {
    "2654435761": "the prime that packs two numbers into one: pair // it and pair % it",
    "2147483647": "the prime 2^31 - 1: products modulo it, such as a roll, look random",
    "27720": "a common multiple of 1 to 12, so that shares of it are whole numbers",
}

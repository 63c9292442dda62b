"""Name the chapters of a long trail, and explain the numbers in its statements."""

from __future__ import annotations

# For each model, the heading above the step of this name; {n} counts its occurrences.
CHAPTERS = {
    "uncertainty": {
        "coded": "codes: harmless items first, so that sensitive ones stand last",
        "place": "sets of places: how the codes at some places are packed into one key",
        "guarded": "guarded: the transactions that can keep sensitive items",
        "reached_1": "elsewhere: who else holds the harmless itemsets of guarded transactions",
        "unsafe": "round {n}: unsafe rules, and what is suppressed to stop them",
        "lost_0": "lost: what was suppressed so far, and could return",
        "promising": "pass {n}: what returns, alone or in exchange for another occurrence",
        "suppressed": "suppressed: what the release leaves out in the end",
        "check_set_1": "sets of 1 item: what is inferred from each",
        "check_witness_2": "sets of 2 items, and so on: only those that could still tell more",
        "check_whole": "whole transactions: what is inferred by who knows all other items",
    },
}

# Numbers that no reader can guess, with their meaning.
NUMBERS = {
    "2654435761": "the prime that packs two numbers into one: pair // it and pair % it",
    "2147483647": "the prime of a roll, a number from a transaction and the seed that looks random",
    "27720": "a common multiple of 1 to 12, so that shares of it are whole numbers",
}

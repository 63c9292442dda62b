"""Match published itemsets with itemsets of renamed data, by frequency and structure.

The attacker read known_item(item, name), known_set(id, size, nano) and known_member(id, item) from
a file. The renamed data gives mined_set(id, size, support, nano) and mined_member(id, item).
Frequencies are whole billionths (nano). A pair (known, mined) is a possible match: item_pair_n of
items, set_pair_n of itemsets of two items and more, after n rounds of pruning.
Mielikäinen: On inverse frequent set mining and the anonymization of transactions, 2004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from setveil.sql.step import Step, duck, joins, numbers, shown

BILLION = 10**9
MILLION = 10**6
ROUNDED = 1  # billionth: the error of a frequency that is written as a float

Rows = Sequence[tuple[int, ...]]


# The published itemsets


def published_sets(relation: exp.Expr) -> Step:
    """One row per itemset of the file: its items, once and in order, and its frequency."""
    query = duck(
        """
        SELECT LIST_SORT(LIST_DISTINCT(f.items)) AS items, f.frequency AS frequency
        FROM $file AS f
        """,
        file=relation,
    )
    return Step(
        "published_set",
        "each row is an itemset that the attacker knows, with its published frequency",
        query,
    )


def faults() -> Step:
    """One row: the itemsets without a list or a frequency, and the itemsets that repeat."""
    query = duck(
        """
        SELECT
            COUNT(CASE WHEN p.items IS NULL OR p.frequency IS NULL THEN 1 END) AS incomplete,
            COUNT(p.items) - COUNT(DISTINCT p.items) AS repeated
        FROM published_set AS p
        """
    )
    return Step(
        "faults",
        "counts incomplete and repeated itemsets: each needs one list and one frequency",
        query,
    )


def known_items() -> Step:
    """One row per published item, numbered by name."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY n.name) - 1 AS INT) AS item, n.name AS name
        FROM (SELECT DISTINCT UNNEST(p.items) AS name FROM published_set AS p) AS n
        """
    )
    return Step("known_item", "each row is a published item with its name, numbered by name", query)


def known_sets() -> Step:
    """One row per published itemset that is not empty: its number of items and its frequency."""
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY LEN(p.items), p.items) - 1 AS INT) AS id,
            CAST(LEN(p.items) AS INT) AS size,
            CAST(ROUND(p.frequency * $billion) AS BIGINT) AS nano
        FROM published_set AS p WHERE LEN(p.items) > 0
        """,
        billion=BILLION,
    )
    return Step("known_set", "each row is a published itemset, numbered by size and items", query)


def known_members() -> Step:
    """One row per published itemset and item of it.

    Itemsets are numbered before their lists are unnested: Spark would number the items.
    """
    query = duck(
        """
        SELECT s.id AS id, i.item AS item
        FROM (
            SELECT n.id AS id, UNNEST(n.items) AS name
            FROM (
                SELECT CAST(ROW_NUMBER() OVER (ORDER BY LEN(p.items), p.items) - 1 AS INT) AS id,
                    p.items AS items
                FROM published_set AS p WHERE LEN(p.items) > 0
            ) AS n
        ) AS s
        JOIN known_item AS i ON i.name = s.name
        """
    )
    return Step("known_member", "each row is an item of a published itemset", query)


def sizes(known: str) -> Step:
    """One row per size of the published itemsets, ascending: their number and least frequency."""
    query = duck(
        """
        SELECT k.size AS size, COUNT(*) AS itemsets, MIN(k.nano) AS nano
        FROM $known AS k GROUP BY k.size ORDER BY size
        """,
        known=known,
    )
    return Step(
        "known_size",
        "counts published itemsets by size; their least frequency bounds the search in the data",
        query,
    )


def known_frequencies() -> Step:
    """One row per published itemset; the sweep chooses and perturbs these frequencies."""
    query = duck("SELECT k.id AS id, k.nano AS nano FROM known_set AS k ORDER BY id")
    return Step(
        "known_frequencies", "lists the published frequencies, which an experiment perturbs", query
    )


def next_set() -> Step:
    """One row: the first number that no published itemset has."""
    query = duck("SELECT COALESCE(MAX(k.id), -1) + 1 AS id FROM known_set AS k")
    return Step("next_set", "finds a free number for itemsets that are false", query)


def false_sets(rows: Rows) -> Step:
    """One row per false itemset (id, size, nano) of an experiment."""
    query = _values(rows, {"id": "INT", "size": "INT", "nano": "BIGINT"})
    return Step("known_set", "adds itemsets that are false, of published items", query)


def false_members(rows: Rows) -> Step:
    """One row per false itemset and item (id, item) of it."""
    query = _values(rows, {"id": "INT", "item": "INT"})
    return Step("known_member", "adds the items of itemsets that are false", query)


def perturbed(rows: Rows) -> Step:
    """One row per itemset (id, nano) of an experiment, with its size."""
    query = duck(
        """
        SELECT k.id AS id, k.size AS size, n.nano AS nano
        FROM $noisy AS n JOIN known_set AS k ON k.id = n.id
        """,
        noisy=_values(rows, {"id": "INT", "nano": "BIGINT"}),
    )
    return Step(
        "sought", "each row is an itemset of an experiment, with noise in its frequency", query
    )


# The itemsets of the renamed data


def mined_sets(levels: Mapping[int, exp.Table], transactions: int) -> Step:
    """One row per frequent itemset of the data; `levels` has the relation of each size."""
    found = [
        duck(
            "SELECT $size AS size, f.id AS source, f.support AS support FROM $frequent AS f",
            size=size,
            frequent=relation,
        )
        for size, relation in levels.items()
    ]
    query = duck(
        """
        SELECT CAST(ROW_NUMBER() OVER (ORDER BY f.size, f.source) - 1 AS INT) AS id,
            CAST(f.size AS INT) AS size, f.source AS source, f.support AS support,
            f.doubled // $double AS nano
        FROM (
            SELECT e.size AS size, e.source AS source, e.support AS support,
                2 * e.support * $billion + $n AS doubled
            FROM $found AS e
        ) AS f
        """,
        found=found,
        billion=BILLION,
        n=max(1, transactions),
        double=2 * max(1, transactions),  # to round to the nearest billionth
    )
    return Step("mined_set", "each row is a frequent itemset of the renamed data", query)


def mined_members(levels: Mapping[int, exp.Table]) -> Step:
    """One row per frequent itemset and item of it."""
    found = [
        duck(
            "SELECT $size AS size, f.id AS source, f.$item AS item FROM $frequent AS f",
            size=size,
            item=f"item_{place}",
            frequent=relation,
        )
        for size, relation in levels.items()
        for place in range(1, size + 1)
    ]
    query = duck(
        """
        SELECT s.id AS id, f.item AS item
        FROM $found AS f JOIN mined_set AS s ON s.size = f.size AND s.source = f.source
        """,
        found=found,
    )
    return Step(
        "mined_member", "each row is an item of a frequent itemset of the renamed data", query
    )


# Pairs that may match


def item_pairs(known: str, tolerance: int) -> Step:
    """One row per published item and code whose frequencies differ by at most `tolerance`.

    An item without a published frequency of its own may be any code.
    """
    query = duck(
        """
        SELECT k.item AS known, m.item AS mined
        FROM (
            SELECT i.item AS item, COALESCE(s.nano - $off, 0) AS low,
                COALESCE(s.nano + $off, $billion) AS high
            FROM (
                SELECT DISTINCT c.item AS item
                FROM known_member AS c JOIN $known AS u ON u.id = c.id
            ) AS i
            LEFT JOIN (
                SELECT c.item AS item, u.nano AS nano
                FROM $known AS u JOIN known_member AS c ON c.id = u.id
                WHERE u.size = 1
            ) AS s ON s.item = i.item
        ) AS k
        JOIN (
            SELECT c.item AS item, u.nano AS nano
            FROM mined_set AS u JOIN mined_member AS c ON c.id = u.id
            WHERE u.size = 1
        ) AS m ON m.nano >= k.low AND m.nano <= k.high
        """,
        known=known,
        off=tolerance + ROUNDED,
        billion=BILLION,
    )
    return Step(
        "item_pair_0",
        "each row is a name and a code of similar frequency: the code may stand for the name",
        query,
    )


def set_pairs(known: str, tolerance: int) -> Step:
    """One row per published and mined itemset of equal size and similar frequency."""
    query = duck(
        """
        SELECT k.id AS known, m.id AS mined
        FROM $known AS k
        JOIN mined_set AS m
            ON m.size = k.size AND m.nano >= k.nano - $off AND m.nano <= k.nano + $off
        WHERE k.size > 1
        """,
        known=known,
        off=tolerance + ROUNDED,
    )
    return Step(
        "set_pair_0",
        "each row is a published and a mined itemset of equal size and similar frequency",
        query,
    )


def pruned_sets(round_: int, *, all_matched: bool) -> Step:
    """The pairs of itemsets in which every item has a partner in the other itemset."""
    held = duck(
        """
        SELECT p.known AS known, p.mined AS mined
        FROM $pairs AS p
        JOIN known_set AS k ON k.id = p.known
        JOIN known_member AS c ON c.id = p.known
        JOIN mined_member AS d ON d.id = p.mined
        JOIN $items AS i ON i.known = c.item AND i.mined = d.item
        GROUP BY p.known, p.mined
        HAVING COUNT(DISTINCT c.item) = MIN(k.size) AND COUNT(DISTINCT d.item) = MIN(k.size)
        """,
        pairs=_pair("set", round_ - 1),
        items=_pair("item", round_ - 1),
    )
    why = "each row is a pair of itemsets whose items can still be matched one by one"
    if not all_matched:
        return Step(f"set_pair_{round_}", why, held)
    return Step(f"set_pair_{round_}", f"{why}; an only choice excludes others", _only(held))


def pruned_items(round_: int, known: str, *, all_matched: bool) -> Step:
    """The pairs of items whose itemsets all have partners that hold the other item.

    Where itemsets may stay unmatched, all pairs of items stay.
    """
    why = "each row is a name and a code whose itemsets still match; an only choice excludes others"
    if not all_matched:
        query = duck(
            "SELECT i.known AS known, i.mined AS mined FROM $items AS i",
            items=_pair("item", round_ - 1),
        )
        return Step(
            f"item_pair_{round_}",
            "each row is a name and a code; none is dropped, since itemsets may lack partners",
            query,
        )
    held = duck(
        """
        SELECT i.known AS known, i.mined AS mined
        FROM $items AS i
        JOIN (
            SELECT c.item AS item, COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
            FROM $known AS u JOIN known_member AS c ON c.id = u.id GROUP BY c.item
        ) AS k ON k.item = i.known
        JOIN (
            SELECT c.item AS item, COUNT(CASE WHEN u.size > 1 THEN 1 END) AS itemsets
            FROM mined_set AS u JOIN mined_member AS c ON c.id = u.id GROUP BY c.item
        ) AS m ON m.item = i.mined
        LEFT JOIN (
            SELECT c.item AS known_item, d.item AS mined_item,
                COUNT(DISTINCT p.known) AS of_known, COUNT(DISTINCT p.mined) AS of_mined
            FROM $pairs AS p
            JOIN known_member AS c ON c.id = p.known
            JOIN mined_member AS d ON d.id = p.mined
            GROUP BY c.item, d.item
        ) AS s ON s.known_item = i.known AND s.mined_item = i.mined
        WHERE COALESCE(s.of_known, 0) = k.itemsets AND COALESCE(s.of_mined, 0) = m.itemsets
        """,
        items=_pair("item", round_ - 1),
        pairs=_pair("set", round_),
        known=known,
    )
    return Step(f"item_pair_{round_}", why, _only(held))


def _only(pairs: exp.Select) -> exp.Select:
    """Drop pairs of a member that is the only choice of another member.

    A published member with one possible code takes it; the code is then no choice for other
    members.
    """
    return duck(
        """
        SELECT n.known AS known, n.mined AS mined
        FROM (
            SELECT c.known AS known, c.mined AS mined, c.choices AS choices, c.rivals AS rivals,
                MIN(c.choices) OVER (PARTITION BY c.mined) AS fewest_choices,
                MIN(c.rivals) OVER (PARTITION BY c.known) AS fewest_rivals
            FROM (
                SELECT p.known AS known, p.mined AS mined,
                    COUNT(*) OVER (PARTITION BY p.known) AS choices,
                    COUNT(*) OVER (PARTITION BY p.mined) AS rivals
                FROM $pairs AS p
            ) AS c
        ) AS n
        WHERE (n.choices = 1 OR n.fewest_choices > 1) AND (n.rivals = 1 OR n.fewest_rivals > 1)
        """,
        pairs=pairs,
    )


def _pair(kind: str, round_: int) -> str:
    return f"{kind}_pair_{round_}"


# The input of the solver: numbers of items and itemsets


def item_choices(round_: int, known: str) -> Step:
    """One row per pair of items that is left, with the difference of their frequencies."""
    query = duck(
        """
        SELECT p.known AS known, p.mined AS mined, COALESCE(s.nano - m.nano, 0) AS apart
        FROM $pairs AS p
        JOIN (
            SELECT c.item AS item, u.nano AS nano
            FROM mined_set AS u JOIN mined_member AS c ON c.id = u.id
            WHERE u.size = 1
        ) AS m ON m.item = p.mined
        LEFT JOIN (
            SELECT c.item AS item, u.nano AS nano
            FROM $known AS u JOIN known_member AS c ON c.id = u.id
            WHERE u.size = 1
        ) AS s ON s.item = p.known
        ORDER BY known, mined
        """,
        pairs=_pair("item", round_),
        known=known,
    )
    return Step(
        "item_choice",
        "lists the codes that each name may have, with the difference of their frequencies",
        query,
    )


def set_choices(round_: int, known: str) -> Step:
    """One row per pair of itemsets that is left, with the difference of their frequencies."""
    query = duck(
        """
        SELECT p.known AS known, p.mined AS mined, k.nano - m.nano AS apart
        FROM $pairs AS p
        JOIN $known AS k ON k.id = p.known
        JOIN mined_set AS m ON m.id = p.mined
        ORDER BY known, mined
        """,
        pairs=_pair("set", round_),
        known=known,
    )
    return Step("set_choice", "lists the mined itemsets that each published itemset may be", query)


def set_numbers(relation: str) -> Step:
    """One row per itemset of `sought`, `known_set` or `mined_set`."""
    query = duck(
        "SELECT s.id AS id, s.size AS size, s.nano AS nano FROM $sets AS s ORDER BY id",
        sets=relation,
    )
    return Step(
        f"{relation}_number",
        "lists the itemsets with size and frequency, as numbers for the solver",
        query,
    )


def member_numbers(relation: str, sets: str) -> Step:
    """One row per itemset of `sets` and item of it."""
    query = duck(
        """
        SELECT c.id AS id, c.item AS item
        FROM $members AS c JOIN $sets AS s ON s.id = c.id
        ORDER BY id, item
        """,
        members=relation,
        sets=exp.to_table(sets),
    )
    return Step(
        f"{relation}_number", "lists the items of the itemsets, as numbers for the solver", query
    )


# The result of the attack


def assigned(rows: Rows) -> Step:
    """One row per code with a name: both numbers, and the weight of the match in millionths."""
    columns = {"mined": "INT", "known": "INT", "parts": "INT"}
    query = duck(
        "SELECT v.mined AS mined, v.known AS known, v.parts AS parts FROM $rows AS v",
        rows=_values(rows, columns),
    )
    return Step("assigned", "each row is a code with the name that the solver found for it", query)


def named(*, judged: bool) -> Step:
    """One row per named code: its name, its weight, and with a key whether the name is right."""
    truth = "LEFT JOIN truth AS t ON t.mined = a.mined AND t.known = a.known"
    query = duck(
        """
        SELECT c.name AS code, k.name AS name, CAST(a.parts AS DOUBLE) / $million AS weight,
            $correct
        FROM assigned AS a
        JOIN item AS c ON c.item = a.mined
        JOIN known_item AS k ON k.item = a.known
        JOIN $truth
        ORDER BY c.item
        """,
        million=MILLION,
        correct=[shown("NOT t.known IS NULL AS correct")] if judged else [],
        truth=joins(truth, [0]) if judged else [],
    )
    return Step("named", "lists the codes with the names that the attack found", query)


def truth() -> Step:
    """One row per code of the data whose true name is in the key and was published."""
    query = duck(
        """
        SELECT c.item AS mined, k.item AS known
        FROM key_pair AS p
        JOIN item AS c ON CAST(c.name AS TEXT) = p.code
        JOIN known_item AS k ON CAST(k.name AS TEXT) = p.name
        """
    )
    return Step("truth", "each row is a code with its true name, from the key", query)


def true_pairs() -> Step:
    """One row per code and its true name, as numbers."""
    query = duck("SELECT t.mined AS mined, t.known AS known FROM truth AS t ORDER BY mined, known")
    return Step(
        "true_pair",
        "lists codes with their true names, to measure how many names the attack got right",
        query,
    )


def _values(rows: Rows, columns: dict[str, str]) -> exp.Select:
    """Rows of whole numbers that Python decided on."""
    text = {"INT": "CAST(v.$name AS INT) AS $name", "BIGINT": "CAST(v.$name AS BIGINT) AS $name"}
    return duck(
        "SELECT $columns FROM $rows AS v",
        columns=[shown(text[kind], name=name) for name, kind in columns.items()],
        rows=numbers(tuple(columns), rows),
    )

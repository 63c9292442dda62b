"""Learn a hierarchy from the names of items: items whose names share words share a node.

Reads item and public_item. A word is known if names of several public items have it that enough
transactions or persons hold. An item goes to the most frequent of its known words; below that word,
items with the same further words share a node. Makes word(item, word, place, before),
known_word(word, items, rank) and leaning(item, rank), then seat(item, rank, place, size) and
ladder(item, rank, at1, …). From shared(level, rank, at, word, place, before) and
tree_label(level, rank, at, label, turn) it makes given_hierarchy(name, level1, …).
"""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.hierarchy.learned import held
from setveil.sql.step import Step, duck, each, joins, together

LEVELS = 4
FEW, MOST = 4, 256  # items below a node of the lowest level; items with a word above all levels
FURTHER = 3  # words that put the items of a word in order
NO_WORD, NOT_PUBLIC = 0, -1  # the rank of items without a known word, and of items that stay out
# Letters become small, and signs become spaces: the same on every database.
SIGNS = '!"#$%&()*+,./:;<=>?@[]^_`{|}~'
GIVEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + SIGNS
READ = "abcdefghijklmnopqrstuvwxyz" + " " * len(SIGNS)
FILLERS = ("and", "for", "from", "the", "with")


def words() -> Step:
    """One row per public item and word of its name, with its place and the word before it."""
    query = duck(
        """
        SELECT w.item AS item, w.word AS word, w.place AS place, w.before AS before
        FROM (
            SELECT u.item AS item, u.word AS word, u.place AS place,
                LAG(u.word) OVER (PARTITION BY u.item ORDER BY u.place) AS before,
                ROW_NUMBER() OVER (PARTITION BY u.item, u.word ORDER BY u.place) AS turn
            FROM (
                SELECT t.item AS item, UNNEST(t.words) AS word,
                    UNNEST(RANGE(LEN(t.words))) AS place
                FROM (
                    SELECT i.item AS item,
                        STRING_SPLIT(TRANSLATE(CAST(i.name AS TEXT), $given, $read), ' ') AS words
                    FROM item AS i JOIN public_item AS r ON r.item = i.item
                ) AS t
            ) AS u
        ) AS w
        WHERE w.turn = 1 AND w.word LIKE '___%' AND TRANSLATE(w.word, $plain, '') <> ''
            AND NOT w.word IN ($fillers)
        """,
        given=exp.Literal.string(GIVEN),
        read=exp.Literal.string(READ),
        plain=exp.Literal.string("0123456789-'"),
        fillers=[exp.Literal.string(one) for one in FILLERS],
    )
    return Step("word", "each row is a word in the name of a public item", query)


def known(k: int, *, persons: bool) -> Step:
    """One row per word of several items that k hold, the most frequent first."""
    query = duck(
        """
        SELECT w.word AS word, COUNT(*) AS items,
            ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, w.word) AS rank
        FROM word AS w JOIN item AS i ON i.item = w.item
        WHERE $held >= $k
        GROUP BY w.word
        HAVING COUNT(*) > 1
        """,
        held=held("i", persons=persons),
        k=k,
    )
    return Step(
        "known_word", f"each row is a word of several items that {k} hold, with its rank", query
    )


def joined() -> Step:
    """One row: 1 if most public items have a known word, else 0."""
    query = duck(
        """
        SELECT CASE WHEN 2 * COUNT(DISTINCT w.item) > COUNT(DISTINCT r.item) THEN 1 ELSE 0 END
            AS joined
        FROM public_item AS r
        LEFT JOIN (
            SELECT o.item AS item FROM word AS o JOIN known_word AS n ON n.word = o.word
        ) AS w ON w.item = r.item
        """
    )
    return Step("joined", "tells if most items share a word of their names with others", query)


def leanings() -> Step:
    """One row per public item with a known word: the most frequent that is not too common."""
    query = duck(
        """
        SELECT w.item AS item, MIN(n.rank) AS rank
        FROM word AS w JOIN known_word AS n ON n.word = w.word
        WHERE n.items BETWEEN $few AND $most
        GROUP BY w.item
        """,
        few=FEW,
        most=MOST,
    )
    return Step("leaning", "each row is an item and the word of its name that most share", query)


def seats() -> Step:
    """One row per item: its word, and its place among the items there, by their further words.

    A word that too few items lean to gathers none: they go to another of their words.
    """
    query = duck(
        """
        WITH chosen AS (
            SELECT w.item AS item, MIN(n.rank) AS rank
            FROM word AS w JOIN known_word AS n ON n.word = w.word
            JOIN (
                SELECT l.rank AS rank FROM leaning AS l GROUP BY l.rank HAVING COUNT(*) >= $few
            ) AS g ON g.rank = n.rank
            GROUP BY w.item
        ), further AS (
            SELECT o.item AS item, $ranks
            FROM (
                SELECT w.item AS item, n.rank AS rank,
                    ROW_NUMBER() OVER (PARTITION BY w.item ORDER BY n.rank) AS turn
                FROM word AS w
                JOIN known_word AS n ON n.word = w.word
                LEFT JOIN chosen AS c ON c.item = w.item
                WHERE c.rank IS NULL OR c.rank <> n.rank
            ) AS o
            GROUP BY o.item
        )
        SELECT s.item AS item, s.rank AS rank,
            ROW_NUMBER() OVER (PARTITION BY s.rank ORDER BY $order, s.item) - 1 AS place,
            COUNT(*) OVER (PARTITION BY s.rank) AS size
        FROM (
            SELECT i.item AS item, $others,
                CASE WHEN r.item IS NULL THEN $outside ELSE COALESCE(c.rank, $none) END AS rank
            FROM item AS i
            LEFT JOIN public_item AS r ON r.item = i.item
            LEFT JOIN chosen AS c ON c.item = i.item
            LEFT JOIN further AS f ON f.item = i.item
        ) AS s
        """,
        few=FEW,
        ranks=each(
            "MAX(CASE WHEN o.turn = {n} THEN o.rank END) AS rank_{n}", range(1, FURTHER + 1)
        ),
        order=each("s.rank_{n}", range(1, FURTHER + 1)),
        others=each(
            "COALESCE(f.rank_{n}, $last) AS rank_{n}", range(1, FURTHER + 1), last=2**31 - 1
        ),
        outside=NOT_PUBLIC,
        none=NO_WORD,
    )
    return Step("seat", "each row is an item, its word and its place among the items there", query)


def ladders() -> Step:
    """One row per item: its word and, per level, the number of its node below the word."""
    rows: exp.Query = duck(
        "SELECT s.item AS item, s.rank AS rank, s.place AS at0, s.size AS size0 FROM seat AS s"
    )
    for level in range(1, LEVELS):
        rows = duck(
            """
            SELECT n.item AS item, n.rank AS rank, $lower, n.$at * n.wide // n.$size AS $up,
                n.wide AS $width
            FROM (
                SELECT e.item AS item, e.rank AS rank, $kept, e.$size AS $size,
                    GREATEST(1, (e.$size + $half) // $few) AS wide
                FROM $rows AS e
            ) AS n
            """,
            lower=each("n.at{n} AS at{n}", range(level)),
            kept=each("e.at{n} AS at{n}", range(level)),
            at=f"at{level - 1}",
            size=f"size{level - 1}",
            up=f"at{level}",
            width=f"size{level}",
            half=FEW // 2,
            few=FEW,
            rows=rows,
        )
    query = duck(
        "SELECT e.item AS item, e.rank AS rank, $at, 0 AS $top FROM $rows AS e",
        at=each("e.at{n} AS at{n}", range(1, LEVELS)),
        top=f"at{LEVELS}",
        rows=rows,
    )
    why = "each row is an item, its word and the numbers of its nodes below that word"
    return Step("ladder", why, query)


def shared(k: int, *, persons: bool) -> Step:
    """One row per node and word that all its public items share, in the order of their names.

    A node without an item that k hold has the word that gathered it alone, which others have too.
    """
    parts = [
        duck(
            """
            SELECT $level AS level, e.rank AS rank, e.$at AS at, w.word AS word,
                MIN(w.place) AS place,
                CASE WHEN MIN(w.before) = MAX(w.before) AND COUNT(w.before) = COUNT(*)
                    THEN MIN(w.before) END AS before
            FROM ladder AS e
            JOIN (
                SELECT x.rank AS rank, x.$at AS at, COUNT(*) AS items,
                    SUM(CASE WHEN $held >= $k THEN 1 ELSE 0 END) AS told
                FROM ladder AS x JOIN item AS i ON i.item = x.item
                GROUP BY x.rank, x.$at
            ) AS m ON m.rank = e.rank AND m.at = e.$at
            JOIN word AS w ON w.item = e.item
            LEFT JOIN known_word AS n ON n.word = w.word AND n.rank = e.rank
            WHERE m.told > 0 OR NOT n.word IS NULL
            GROUP BY e.rank, e.$at, w.word, m.items
            HAVING COUNT(*) = m.items
            """,
            level=level,
            at=f"at{level}",
            held=held("i", persons=persons),
            k=k,
        )
        for level in range(1, LEVELS + 1)
    ]
    return Step(
        "shared",
        f"each row is a node and a word that all its items share, one of them held by {k}",
        together(parts),
    )


def labels() -> Step:
    """One row per node: the words that its items share, with a comma where a name has others."""
    nodes = [
        duck(
            "SELECT DISTINCT $level AS level, e.rank AS rank, e.$at AS at FROM ladder AS e",
            level=level,
            at=f"at{level}",
        )
        for level in range(1, LEVELS + 1)
    ]
    query = duck(
        """
        SELECT t.level AS level, t.rank AS rank, t.at AS at, t.label AS label,
            ROW_NUMBER() OVER (PARTITION BY t.level, t.label ORDER BY t.rank, t.at) AS turn
        FROM (
            SELECT n.level AS level, n.rank AS rank, n.at AS at,
                COALESCE(SUBSTRING(s.text, 3), 'others') AS label
            FROM $nodes AS n
            LEFT JOIN (
                SELECT w.level AS level, w.rank AS rank, w.at AS at,
                    STRING_AGG(w.gap || w.word, '' ORDER BY w.place, w.word) AS text
                FROM (
                    SELECT h.level AS level, h.rank AS rank, h.at AS at, h.word AS word,
                        h.place AS place,
                        CASE WHEN h.before = LAG(h.word) OVER (
                            PARTITION BY h.level, h.rank, h.at ORDER BY h.place, h.word
                        ) THEN ' ' ELSE ', ' END AS gap
                    FROM shared AS h
                ) AS w
                GROUP BY w.level, w.rank, w.at
            ) AS s ON s.level = n.level AND s.rank = n.rank AND s.at = n.at
        ) AS t
        """,
        nodes=together(nodes).subquery(),
    )
    why = "each row is a node and its label: the words that its items share"
    return Step("tree_label", why, query)


def given(mark: int) -> Step:
    """One row per item with its labels; equal ones of a level are numbered, and marked so often."""
    numbers = range(1, LEVELS + 1)
    text = """
        n{n}.label || CASE WHEN n{n}.turn > 1 THEN ' ' || CAST(n{n}.turn AS TEXT) ELSE '' END
            || $mark AS level{n}
        """
    join = (
        "JOIN tree_label AS n{n} ON n{n}.level = {n} AND n{n}.rank = e.rank AND n{n}.at = e.at{n}"
    )
    query = duck(
        """
        SELECT CAST(i.name AS TEXT) AS name, $labels
        FROM ladder AS e JOIN item AS i ON i.item = e.item JOIN $nodes
        """,
        labels=each(text, numbers, mark=exp.Literal.string(" …" * mark)),
        nodes=joins(join, numbers),
    )
    return Step(
        "given_hierarchy",
        "each row is an item with its nodes, named by the words they share",
        query,
    )

"""Build the inverted index: blocks of bits per item, one bit per transaction; no empty block.

`posting_1(id, block, bits)` holds the items that may still be extended, `secret_posting` the
private items. Two postings are intersected by `a.bits & b.bits` where their blocks are equal; a
support is `SUM(BIT_COUNT(bits))`. A wide block of numbers has several words, bits_1, bits_2, … A
cohort, all transactions that hold an itemset, can also be a list `(id, tid)`: it is shorter for
sparse data.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from setveil.sql.levels import lengths
from setveil.sql.step import PAIR, Step, duck, each, term

WORD = 63  # transactions per word of a wide block: a BIGINT without its sign
RANKS = 62  # items by which transactions are put in order: bits of one number


@dataclass(frozen=True, slots=True)
class Blocks:
    """How the bits of `width` transactions are kept: as words of 63 bits, or as one value.

    A single word is one value of the database's own kind, unless blocks are words `always`.
    """

    width: int
    always: bool = False

    @property
    def words(self) -> int:
        return 1 if self.width % WORD else self.width // WORD

    @property
    def is_one(self) -> bool:
        return self.words == 1 and not self.always

    def common(self, *owners: str) -> list[exp.Expr]:
        """The bits that all owners have, as columns of a block."""
        if self.is_one:
            return [term(_all_of("bits", owners)).as_("bits")]
        return each(f"{_all_of('bits_{n}', owners)} AS bits_{{n}}", range(1, self.words + 1))

    def number(self, *owners: str) -> exp.Expr:
        """The number of transactions of a block that all owners have."""
        if self.is_one:
            return term(f"BIT_COUNT({_all_of('bits', owners)})")
        text = f"CAST(ONES({_all_of('bits_{n}', owners)}) AS INT)"
        return term(" + ".join(text.format(n=n) for n in range(1, self.words + 1)))

    def at(self, owner: str, name: str, block: str) -> list[exp.Expr]:
        """The conditions for the block of an owner, by the columns of two other relations.

        Words are looked up by one number. Else blocks could first be joined with all others that
        cover their transactions, which are many more.
        """
        if self.is_one:
            return [term(f"{owner}.id = {name}"), term(f"{owner}.block = {block}")]
        left, right = f"{owner}.id * $pair + {owner}.block", f"{name} * $pair + {block}"
        return [term(f"{left} = {right}", pair=PAIR)]

    def met(self, *owners: str) -> exp.Expr:
        """The condition that all owners have a transaction of a block in common."""
        if self.is_one:
            return term(f"BIT_COUNT({_all_of('bits', owners)}) > 0")
        text = f"{_all_of('bits_{n}', owners)} <> 0"
        return term(" OR ".join(text.format(n=n) for n in range(1, self.words + 1)))


def _all_of(column: str, owners: tuple[str, ...]) -> str:
    both = " & ".join(f"{owner}.{column}" for owner in owners)
    return f"({both})" if len(owners) > 1 else both


def secrets() -> Step:
    """One row per transaction and private item it holds."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN private_item AS r ON r.item = o.item
        """
    )
    return Step(
        "secret",
        "each row is a private item that a transaction holds; an attacker wants to infer it",
        query,
    )


def extensions() -> Step:
    """One row per transaction and public item that is no mole by itself."""
    query = duck(
        """
        SELECT o.tid AS tid, o.item AS item
        FROM occurrence AS o JOIN judged_1 AS j ON j.id = o.item
        WHERE j.verdict = 0
        """
    )
    return Step(
        "extension",
        "each row is an occurrence of a public item that is no mole alone; larger "
        "itemsets use these",
        query,
    )


def holders(k: int) -> exp.Subquery:
    """One row per public item with enough support and transaction that holds it."""
    query = duck(
        """
        SELECT c.id AS id, o.tid AS tid
        FROM occurrence AS o JOIN counted_1 AS c ON c.id = o.item
        WHERE c.support >= $k
        """,
        k=k,
    )
    return query.subquery()


def postings(name: str, width: int, rows: str | exp.Expr, why: str) -> Step:
    """One row per id and block of `width` transactions that holds one of `rows(id, tid)`."""
    blocks = Blocks(width)
    query = packed(rows, width) if blocks.is_one else in_words(rows, blocks)
    return Step(name, why, query)


def packed(rows: str | exp.Expr, width: int) -> exp.Select:
    """The rows of `postings` whose blocks are one string of bits."""
    return duck(
        """
        SELECT r.id AS id, CAST(HIGH(r.tid, $width) AS INT) AS block,
            PACK(LOW(r.tid, $width), $width) AS bits
        FROM $rows AS r
        GROUP BY r.id, CAST(HIGH(r.tid, $width) AS INT)
        """,
        width=width,
        rows=rows,
    )


def words(rows: str | exp.Expr) -> exp.Select:
    """One row per id and block of 63 transactions: its bits as a number."""
    return duck(
        """
        SELECT r.id AS id, CAST(HIGH(r.tid, $width) AS INT) AS block,
            BIT_OR(CAST(1 AS BIGINT) << CAST(LOW(r.tid, $width) AS INT)) AS bits
        FROM $rows AS r
        GROUP BY r.id, CAST(HIGH(r.tid, $width) AS INT)
        """,
        width=WORD,
        rows=rows,
    )


def in_words(rows: str | exp.Expr, blocks: Blocks) -> exp.Select:
    """One row per id and block: its words are packed first, and then put side by side."""
    text = "MAX(CASE WHEN LOW(w.word, $words) = $place THEN w.bits ELSE 0 END) AS bits_{n}"
    words = blocks.words
    return duck(
        """
        SELECT w.id AS id, CAST(HIGH(w.word, $words) AS INT) AS block, $bits
        FROM (
            SELECT r.id AS id, HIGH(r.tid, $word) AS word,
                BIT_OR(CAST(1 AS BIGINT) << CAST(LOW(r.tid, $word) AS INT)) AS bits
            FROM $rows AS r
            GROUP BY r.id, HIGH(r.tid, $word)
        ) AS w
        GROUP BY w.id, CAST(HIGH(w.word, $words) AS INT)
        """,
        bits=[one for n in range(words) for one in each(text, [n + 1], words=words, place=n)],
        word=WORD,
        words=words,
        rows=rows,
    )


def side_by_side(name: str, rows: exp.Expr, items: int) -> Step:
    """One row per transaction: its place in the order of its items.

    `rows(tid, rank)` has the items of transactions, ranked by support from 0 up to below `items`.
    Where transactions that are alike stand side by side, fewer blocks hold an itemset. The most
    frequent items decide, and of these the rarest first.
    """
    lowest = max(0, items - RANKS)
    bit = term("CAST(1 AS BIGINT) << CAST($highest - r.rank AS INT)", highest=items - 1)
    query = duck(
        """
        SELECT s.tid AS tid, ROW_NUMBER() OVER (ORDER BY s.items, s.tid) - 1 AS place
        FROM (
            SELECT r.tid AS tid,
                BIT_OR(CASE WHEN r.rank >= $lowest THEN $bit ELSE 0 END) AS items
            FROM $rows AS r GROUP BY r.tid
        ) AS s
        """,
        rows=rows,
        bit=bit,
        lowest=lowest,
    )
    return Step(name, "puts transactions with alike items side by side: blocks fill up", query)


def density() -> Step:
    """One row per length: how many transactions hold so many of the extendible items."""
    why = "counts transactions by their number of extendible items: decides between lists and bits"
    return Step("density", why, lengths("extension"))

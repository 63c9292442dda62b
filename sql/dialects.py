"""Translate queries for each database: one small lowering per dialect, from tree to tree.

Queries are written in DuckDB's dialect with five words of our own: `PACK(offset, width)`, the
aggregate that sets bit `offset` of a string of `width` bits, which `BIT_COUNT` counts;
`ONES(word)`, the number of bits that are set in an integer; `DIGEST(text)`, a number made of the
text's MD5, different in each database; `HIGH(pair, n)` and `LOW(pair, n)`, the two numbers that are
packed into one as high * n + low. `a // b` divides integers that are not negative, and rounds down.
Everything else in a model's steps means the same on every engine we know.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

DUCKDB, POSTGRES, SPARK = "duckdb", "postgres", "spark"
OURS = ("PACK", "ONES", "DIGEST", "HIGH", "LOW")
TEXT = "text"  # marks a LENGTH of a text, which is of a list elsewhere
FIRST = "first"  # marks a subquery that the database must compute before the query around it

Lowering = Callable[[exp.Expr], exp.Expr]
Division = Callable[[exp.Expr, exp.Expr], exp.Expr]
ARITHMETIC = (exp.Add, exp.Div, exp.IntDiv, exp.Mod, exp.Mul, exp.Sub)


def lower(tree: exp.Expr, dialect: str) -> exp.Expr:
    """Return the tree in the words of `dialect`; the given tree itself if it needs no change."""
    if dialect == DUCKDB:
        ours = any(_is_called(node, *OURS) for node in tree.find_all(exp.Anonymous))
        return from_below(tree.copy(), _duckdb) if ours else tree
    if dialect not in _LOWERING:
        raise LookupError(f"{dialect} has no lowering: add one to _LOWERING in sql/dialects.py")
    return from_below(tree.copy(), _LOWERING[dialect])


def from_below(tree: exp.Expr, lowering: Lowering) -> exp.Expr:
    """Lower every node, after the nodes below it."""
    for node in reversed(list(tree.walk())):
        lowered = lowering(node)
        if lowered is node:
            continue
        if node is tree:
            return lowered
        node.replace(lowered)
    return tree


def _is_called(node: exp.Expr, *names: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() in names


def _is_cast(node: exp.Expr, kind: str) -> bool:
    """Is the node a cast to this type? The type of a server's catalog is a name, and no such."""
    to = node.args.get("to") if isinstance(node, exp.Cast) else None
    return isinstance(to, exp.DataType) and to.is_type(kind)


def _half(node: exp.Expr, divided: Division) -> exp.Expr:
    """Lower HIGH, LOW and `//` with the dialect's division; return other nodes unchanged."""
    if isinstance(node, exp.IntDiv):
        return divided(node.this, node.expression)
    if not _is_called(node, "HIGH", "LOW"):
        return node
    pair, base = (_bracketed(one) for one in node.expressions)
    high = node.name.upper() == "HIGH"
    half = divided(pair, base) if high else exp.Mod(this=pair, expression=base)
    return exp.Paren(this=half) if type(node.parent) in ARITHMETIC else half


def _bracketed(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node) if isinstance(node, exp.Binary) else node


def _whole(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.IntDiv(this=one, expression=other)


def _typed(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Divide with `/`, which rounds down in databases that keep the type of integers."""
    return exp.Div(this=one, expression=other, typed=True, safe=False)


def _even(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Divide without remainder, for databases whose `/` gives fractions of integers."""
    rest = exp.Mod(this=one.copy(), expression=other.copy())
    even = exp.Paren(this=exp.Sub(this=one, expression=rest))
    return exp.cast(exp.Div(this=even, expression=other), "BIGINT")


def _duckdb(node: exp.Expr) -> exp.Expr:
    if _is_called(node, "HIGH", "LOW"):
        return _half(node, _whole)
    if _is_called(node, "PACK"):
        offset, width = node.expressions
        last = exp.Literal.number(int(width.name) - 1)
        bits: exp.Expr = exp.func(
            "BITSTRING_AGG", exp.cast(offset, "INT"), exp.Literal.number(0), last
        )
        return bits
    if _is_called(node, "ONES"):
        node.set("this", "BIT_COUNT")
    if _is_called(node, "DIGEST"):
        node.set("this", "MD5_NUMBER_LOWER")
    return node


def _postgres(node: exp.Expr) -> exp.Expr:
    """Compare text by code points, and divide integers so that the result stays an integer."""
    if _is_called(node, "PACK"):
        offset, width = (one.copy() for one in node.expressions)
        zeros = exp.func("REPEAT", exp.Literal.string("0"), width)
        empty = exp.cast(zeros, _bits(width.name))
        return exp.func("BIT_OR", exp.func("SET_BIT", empty, exp.cast(offset, "INT"), _one()))
    if _is_called(node, "ONES"):
        word = exp.cast(node.expressions[0], "BIGINT")
        return exp.func("BIT_COUNT", exp.cast(word, _bits("64")))
    if _is_called(node, "DIGEST"):
        digits = exp.DPipe(this=exp.Literal.string("x"), expression=_digits(node, 16))
        return exp.cast(exp.cast(digits, _bits("64")), "BIGINT")
    if isinstance(node, exp.Div):
        return _typed(node.this, node.expression)
    if isinstance(node, exp.IntDiv) or _is_called(node, "HIGH", "LOW"):
        return _half(node, _typed)
    if isinstance(node, exp.Subquery) and node.meta.get(FIRST):
        return exp.Subquery(this=node.this.offset(0, copy=False), alias=node.args.get("alias"))
    if _is_cast(node, "text"):
        return _by_code_points(node) if not isinstance(node.parent, exp.Collate) else node
    if isinstance(node, exp.Length) and not node.meta.get(TEXT):
        return exp.func("CARDINALITY", node.this)
    if isinstance(node, exp.Typeof):
        return exp.cast(exp.Anonymous(this="PG_TYPEOF", expressions=[node.this]), "TEXT")
    if _is_called(node, "LIST_COUNT"):
        return exp.func("CARDINALITY", exp.func("ARRAY_REMOVE", node.expressions[0], exp.null()))
    if isinstance(node, exp.Explode) and isinstance(node.this, exp.GenerateSeries):
        return node.this  # it makes rows, not a list
    if isinstance(node, exp.Split):
        return exp.func("STRING_TO_ARRAY", node.this, node.expression)
    if isinstance(node, exp.Array) and not node.expressions:
        return exp.Literal.string("{}")
    if isinstance(node, exp.Transform):
        return _of_every_pair(node)
    return node


def _of_every_pair(node: exp.Transform) -> exp.Expr:
    """Lower LIST_TRANSFORM over a LIST_ZIP, whose elements are unpacked by x[1], x[2], …"""
    lists, names, element = _unpacked(node, "z")
    zipped = exp.Unnest(
        expressions=[one.copy() for one in lists],
        alias=exp.TableAlias(this=exp.to_identifier("z"), columns=names),
    )
    query = exp.Select().select(element).from_(zipped)
    return exp.Array(expressions=[query])  # the parser gives this form to ARRAY(SELECT …)


def _unpacked(
    node: exp.Transform, relation: str | None = None
) -> tuple[list[exp.Expr], list[exp.Identifier], exp.Expr]:
    """Return the lists, a name for the elements of each, and the expression over the elements."""
    lists, each = node.this.expressions, node.expression.copy()
    names = [exp.to_identifier(f"x{number}") for number in range(len(lists))]
    for one in list(each.this.find_all(exp.Bracket)):
        place = int(one.expressions[0].name)
        one.replace(exp.column(names[place].copy(), table=relation))
    return lists, names, each.this


def _by_code_points(text: exp.Expr) -> exp.Expr:
    return exp.Collate(this=text.copy(), expression=exp.column("C", quoted=True))


def _bits(width: str) -> exp.DataType:
    return exp.DataType.build(f"BIT({width})", dialect=POSTGRES)


def _digits(digest: exp.Expr, many: int) -> exp.Expr:
    """Return the first hexadecimal digits of the text's MD5, as many as asked for."""
    text = exp.func("MD5", digest.expressions[0])
    return exp.func("SUBSTRING", text, _one(), exp.Literal.number(many))


def _one() -> exp.Expr:
    return exp.Literal.number(1)


def _spark(node: exp.Expr) -> exp.Expr:
    """Use integers as words of bits, keep the order of lists, and drop ORDER BY of new tables."""
    if _is_called(node, "PACK"):
        place = exp.cast(node.expressions[0].copy(), "INT")
        one = exp.cast(_one(), "BIGINT")
        return exp.func("BIT_OR", exp.BitwiseLeftShift(this=one, expression=place))
    if _is_called(node, "ONES"):
        return exp.func("BIT_COUNT", node.expressions[0])
    if _is_called(node, "DIGEST"):
        base = exp.Literal.number(16), exp.Literal.number(10)
        return exp.cast(
            exp.Anonymous(this="CONV", expressions=[_digits(node, 15), *base]), "BIGINT"
        )
    if isinstance(node, exp.Div) and not _is_fraction(node.this):
        return _whole(node.this, node.expression)
    if _is_called(node, "HIGH", "LOW"):
        return _half(node, _whole)
    if isinstance(node, exp.Length) and not node.meta.get(TEXT):
        return exp.func("SIZE", node.this)
    if _is_called(node, "LIST_COUNT"):
        return exp.func("SIZE", exp.func("ARRAY_COMPACT", node.expressions[0]))
    if isinstance(node, exp.Transform):
        lists, names, element = _unpacked(node)
        each = exp.Lambda(this=element, expressions=names)
        return exp.func("ZIP_WITH" if len(lists) > 1 else "TRANSFORM", *lists, each)
    if isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order):
        return _sorted(node.this)
    if isinstance(node, exp.Window) and not node.args.get("partition_by"):
        if isinstance(node.this, exp.RowNumber) and not node.args.get("order"):
            return exp.Add(this=exp.func("MONOTONICALLY_INCREASING_ID"), expression=_one())
    if isinstance(node, exp.Select):
        return _side_by_side(node)
    if isinstance(node, exp.Create) and not node.expression.args.get("limit"):
        node.expression.set("order", None)
    return node


def _is_fraction(node: exp.Expr) -> bool:
    """Is the expression computed in fractions from the start?"""
    node = node.unnest()
    if isinstance(node, exp.Binary):
        return _is_fraction(node.this) or _is_fraction(node.expression)
    return _is_cast(node, "double")


def _sorted(given: exp.Order) -> exp.Expr:
    """Collect values into a list, ordered by the expression of ORDER BY."""
    key = given.expressions[0].this
    if key == given.this:
        return exp.func("SORT_ARRAY", exp.func("COLLECT_LIST", given.this))
    pair = exp.func("STRUCT", key.as_("place"), given.this.as_("kept"))
    kept = exp.Dot(this=exp.column("pair"), expression=exp.to_identifier("kept"))
    each = exp.Lambda(this=kept, expressions=[exp.to_identifier("pair")])
    return exp.func("TRANSFORM", exp.func("SORT_ARRAY", exp.func("COLLECT_LIST", pair)), each)


def _side_by_side(select: exp.Select) -> exp.Select:
    """Unnest several lists with one INLINE: Spark allows a single generator in a SELECT."""
    lists = [one for one in select.expressions if isinstance(one.unalias(), exp.Explode)]
    if len(lists) < 2:
        return select
    zipped = exp.func("ARRAYS_ZIP", *(one.unalias().this.copy() for one in lists))
    names = [exp.to_identifier(one.alias) for one in lists]
    together = exp.Aliases(this=exp.func("INLINE", zipped), expressions=names)
    others = [one for one in select.expressions if one not in lists]
    select.set("expressions", [*others, together])
    return select


# Databases on which these queries are tested, and those for which they are only printed.
TESTED = (DUCKDB, POSTGRES, SPARK)
EXPORTS = ("bigquery", "clickhouse", "databricks", "redshift", "snowflake", "trino")

PLAIN = re.compile("[a-z_][a-z0-9_]*")


def stored(name: str, dialect: str) -> str:
    """The name as a database stores it that was written without quotes."""
    return name.upper() if dialect == "snowflake" and PLAIN.fullmatch(name) else name


def settled(tree: exp.Select, dialect: str) -> exp.Select:
    """The query with the settings without which its meaning would differ."""
    if dialect == "clickhouse":  # else a row without a match holds 0 for NULL
        setting = exp.EQ(this=exp.column("join_use_nulls"), expression=exp.Literal.number(1))
        tree = tree.copy()
        tree.set("settings", [setting])
    return tree


def _words(node: exp.Expr) -> exp.Expr:
    """Keep bits in words of 63, which fit in any BIGINT, and count them as in any integer."""
    if _is_called(node, "PACK"):
        one = exp.cast(exp.Literal.number(1), "BIGINT")
        offset = exp.cast(node.expressions[0], "INT")
        return exp.BitwiseOrAgg(this=exp.BitwiseLeftShift(this=one, expression=offset))
    if _is_called(node, "ONES"):
        return exp.func("BIT_COUNT", *node.expressions)
    return _half(node, _even)


# A digit of a hexadecimal number becomes a letter by its bits: one, two, three or four.
DIGITS, LETTERS = "12483569ac7bdef0 ", "aaaabbbbbbccccd"


def _spelled(hexadecimal: exp.Expr) -> exp.Expr:
    """Count the bits of a number by its hexadecimal digits, for databases without a function."""
    text = exp.func("LOWER", hexadecimal)
    digits, letters = exp.Literal.string(DIGITS), exp.Literal.string(LETTERS)
    text = exp.Anonymous(this="TRANSLATE", expressions=[text, digits, letters])
    for letter, bits in (("b", 2), ("c", 3), ("d", 4)):
        both = exp.Literal.string(letter), exp.Literal.string("a" * bits)
        text = exp.Anonymous(this="REPLACE", expressions=[text, *both])
    return exp.cast(exp.Anonymous(this="LENGTH", expressions=[text]), "BIGINT")


def _snowflake(node: exp.Expr) -> exp.Expr:
    if _is_called(node, "ONES", "BIT_COUNT"):
        form = exp.Literal.string("X" * 16)
        number = exp.cast(node.expressions[0], "BIGINT")
        return _spelled(exp.Anonymous(this="TO_CHAR", expressions=[number, form]))
    return _words(node)


def _redshift(node: exp.Expr) -> exp.Expr:
    """Divide as PostgreSQL does, and order the texts of a list in the words of Redshift."""
    if _is_called(node, "ONES", "BIT_COUNT"):
        number = exp.cast(node.expressions[0], "BIGINT")
        return _spelled(exp.Anonymous(this="TO_HEX", expressions=[number]))
    if isinstance(node, exp.Div):
        return _typed(node.this, node.expression)
    if isinstance(node, exp.IntDiv) or _is_called(node, "HIGH", "LOW"):
        return _half(node, _typed)
    if isinstance(node, exp.GroupConcat):
        return _within_group(node)
    return _words(node)


def _within_group(node: exp.GroupConcat) -> exp.Expr:
    order = node.this
    assert isinstance(order, exp.Order)
    listed = exp.Anonymous(this="LISTAGG", expressions=[order.this, node.args["separator"]])
    return exp.WithinGroup(this=listed, expression=exp.Order(expressions=order.expressions))


def _bigquery(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Div) and not _is_fraction(node.this):
        return _whole(node.this, node.expression)
    if isinstance(node, exp.IntDiv) or _is_called(node, "HIGH", "LOW"):
        return _half(node, _whole)
    if isinstance(node, exp.GroupConcat) and isinstance(node.this, exp.Order):
        for one in node.this.expressions:  # no text is NULL, and BigQuery takes no place for NULLs
            one.set("nulls_first", True)
    return _words(node)


def _trino(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Div):
        return _typed(node.this, node.expression)
    if isinstance(node, exp.IntDiv) or _is_called(node, "HIGH", "LOW"):
        return _half(node, _typed)
    if _is_called(node, "ONES", "BIT_COUNT") and len(node.expressions) == 1:
        return exp.func("BIT_COUNT", *node.expressions, exp.Literal.number(64))
    return _words(node)


CLICKHOUSE: dict[type[exp.Expr], str] = {
    exp.BitwiseAnd: "bitAnd",
    exp.BitwiseOr: "bitOr",
    exp.BitwiseLeftShift: "bitShiftLeft",
}


def _divided(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="intDiv", expressions=[one, other])


def _sorted_texts(node: exp.GroupConcat) -> exp.Expr:
    """Join texts in their own order, which any database without WITHIN GROUP has too."""
    given = node.this.this if isinstance(node.this, exp.Order) else node.this
    texts = exp.Anonymous(this="groupArray", expressions=[given])
    ordered = exp.Anonymous(this="arraySort", expressions=[texts])
    return exp.Anonymous(this="arrayStringConcat", expressions=[ordered, node.args["separator"]])


def _clickhouse(node: exp.Expr) -> exp.Expr:
    if _is_called(node, "PACK"):
        return from_below(_words(node), _clickhouse)
    if _is_called(node, "ONES", "BIT_COUNT"):
        return exp.Anonymous(this="bitCount", expressions=node.expressions)
    if isinstance(node, exp.Div) and not _is_fraction(node.this):
        return _divided(node.this, node.expression)
    if isinstance(node, exp.IntDiv) or _is_called(node, "HIGH", "LOW"):
        return _half(node, _divided)
    if isinstance(node, exp.Create) and isinstance(node.expression, exp.Query):
        order = exp.Order(expressions=[exp.Tuple()])
        engine = exp.EngineProperty(this=exp.to_identifier("MergeTree"))
        node.set("properties", exp.Properties(expressions=[engine, order]))
        return node
    if isinstance(node, exp.GroupConcat):
        return _sorted_texts(node)
    if name := CLICKHOUSE.get(type(node)):
        return exp.Anonymous(this=name, expressions=[node.this, node.expression])
    return node


_LOWERING: dict[str, Lowering] = {
    POSTGRES: _postgres,
    SPARK: _spark,
    "bigquery": _bigquery,
    "clickhouse": _clickhouse,
    "databricks": _spark,
    "redshift": _redshift,
    "snowflake": _snowflake,
    "trino": _trino,
}

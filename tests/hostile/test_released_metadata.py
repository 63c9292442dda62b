"""A release contains no suppressed name, not even in a type, comment, default or statistic."""

from __future__ import annotations

import duckdb
import pytest

import setveil
from runs import suppress

HIDDEN = "Hepatitis-C"  # suppressed everywhere
NAMES = f"ENUM('{HIDDEN}', 'rice', 'soap')"
NESTED = {
    "mood": NAMES,
    "several": f"{NAMES}[]",
    "pair": f"{NAMES}[1]",
    "part": f"STRUCT(a {NAMES}, b DECIMAL(5, 2))",
    "known": f"MAP({NAMES}, INTEGER)",
    "either": f"UNION(x {NAMES}, y INTEGER)",
    "deep": f"STRUCT(a {NAMES}[])[]",
}
CATALOG = """
    SELECT COALESCE(sql, '') || COALESCE(comment, '') FROM duckdb_tables() WHERE table_name = 'safe'
    UNION ALL
    SELECT CONCAT(column_default, data_type, comment, numeric_scale) FROM duckdb_columns()
    WHERE table_name = 'safe'
    UNION ALL
    SELECT CONCAT(constraint_text, expression) FROM duckdb_constraints() WHERE table_name = 'safe'
"""


def fill(connection, form):
    """Make rows, with the hidden name in every place of a table besides its rows."""
    kind = NAMES if form == "long" else f"{NAMES}[]"
    rows = "'rice'" if form == "long" else "['rice', 'soap']"
    all_of = f"'{HIDDEN}'" if form == "long" else f"['{HIDDEN}', 'soap']"
    more = ", ".join(f"{name} {kind}" for name, kind in NESTED.items())
    connection.execute(
        f"CREATE TABLE t (tid INTEGER DEFAULT 7 CHECK (tid >= 0 AND '{HIDDEN}' <> ''), "
        f"item {kind}, note VARCHAR DEFAULT '{HIDDEN}', {more}, "
        f"made BOOLEAN GENERATED ALWAYS AS (note <> '{HIDDEN}'))"
    )
    connection.execute(f"COMMENT ON TABLE t IS '{HIDDEN}'")
    connection.execute(f"COMMENT ON COLUMN t.item IS '{HIDDEN}'")
    for value, keys in ((rows, "RANGE(0, 3000)"), (all_of, "RANGE(3000, 3002)")):
        connection.execute(
            f"INSERT INTO t (tid, item, note) SELECT range, {value}, 'n' FROM {keys}"  # noqa: S608
        )


@pytest.mark.parametrize("form", ["long", "lists"])
def test_a_table_of_duckdb(form):
    with duckdb.connect() as connection:
        fill(connection, form)
        with setveil.read(connection, "t", carry="all") as baskets:
            suppress(baskets, [HIDDEN]).write_table("safe")
        said = [text for (text,) in connection.execute(CATALOG).fetchall()]
        assert len(said) > len(NESTED)
        assert not [text for text in said if HIDDEN in text or "ENUM" in text]
        (held,) = connection.execute("SELECT STATS(item) FROM safe LIMIT 1").fetchall()
        assert HIDDEN[:8] not in str(held)


FORMS = [
    (form, suffix)
    for form, suffixes in (
        ("long", ("parquet", "csv", "tsv")),
        ("lists", ("parquet", "dat", "basket")),
    )
    for suffix in suffixes
]


@pytest.mark.parametrize(("form", "suffix"), FORMS)
def test_the_bytes_of_a_file(tmp_path, form, suffix):
    out = tmp_path / f"safe.{suffix}"
    with duckdb.connect() as connection:
        fill(connection, form)
        query = "SELECT * EXCLUDE (made, pair) FROM t"
        with setveil.read(connection, query, carry="all") as baskets:
            suppress(baskets, [HIDDEN]).write(out)
        found = out.read_bytes()
        if suffix == "parquet":  # its pages are compressed, its metadata is not
            plain = tmp_path / "plain.parquet"
            text = f"COPY (FROM '{out}') TO '{plain}' (COMPRESSION uncompressed)"
            connection.execute(text)
            found += plain.read_bytes()
            kept = connection.execute(f"FROM PARQUET_KV_METADATA('{out}')").fetchall()
            kept += connection.execute(f"FROM PARQUET_METADATA('{out}')").fetchall()
            found += str(kept).encode()
    assert b"rice" in found
    assert HIDDEN.encode() not in found


@pytest.mark.parametrize("form", ["long", "lists"])
def test_an_enum_is_read_as_its_text(form):
    """Its order is the order of text, as on every engine."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (tid INTEGER, item ENUM('b', 'a', 'c'))")
        connection.execute("INSERT INTO t VALUES (1, 'a'), (1, 'b'), (2, 'b'), (2, 'c')")
        query = "t" if form == "long" else "SELECT tid, LIST(item) AS item FROM t GROUP BY tid"
        with setveil.read(connection, query) as baskets:
            rows = suppress(baskets, ["c"]).rows()
    assert rows == (
        [(1, "a"), (1, "b"), (2, "b")] if form == "long" else [(1, ["a", "b"]), (2, ["b"])]
    )


ON_POSTGRES = pytest.mark.only_on("postgres", reason="is about types of PostgreSQL")
TYPED = {
    "mood": ("mood", "rice"),
    "several": ("mood[]", "{rice}"),
    "named": ("named", "rice"),
    "two": ("named_mood", "rice"),
    "listed": ("named[]", "{rice}"),
    "number": ("small", "3"),
    "part": ("part", "(rice,1)"),
    "parts": ("part[]", "{}"),
    "span": ("moods", "[rice,soap]"),
    "plain": ("varchar(9)", "rice"),
}
RELEASED = {
    "mood": "text", "several": "text[]", "named": "character varying(40)", "two": "text",
    "listed": "character varying(40)[]", "number": "integer", "part": "text", "parts": "text[]",
    "span": "text", "plain": "character varying(9)",
}  # fmt: skip


@ON_POSTGRES
@pytest.mark.parametrize("kind", ["mood", "mood[]", "named", "named[]", "named_mood"])
def test_a_table_of_postgres(server, kind):
    execute = server.connection.execute
    execute(
        f"""
        CREATE TYPE mood AS ENUM ('{HIDDEN}', 'rice', 'soap');
        CREATE DOMAIN named AS varchar(40) CHECK (VALUE IN ('{HIDDEN}', 'rice', 'soap'));
        CREATE DOMAIN named_mood AS mood CHECK (VALUE <> '{HIDDEN}' OR TRUE);
        CREATE DOMAIN small AS int CHECK (VALUE < 9 AND '{HIDDEN}' <> '');
        CREATE TYPE part AS (what mood, n small);
        CREATE TYPE moods AS RANGE (SUBTYPE = mood)
        """
    )
    columns = {"tid": "small DEFAULT 3", "item": kind} | {n: one for n, (one, _) in TYPED.items()}
    made = ", ".join(f"{name} {one}" for name, one in columns.items())
    lists = kind.endswith("[]")
    values = [value for _, value in TYPED.values()]
    rows = [[n, "{rice,soap}" if lists else "rice", *values] for n in range(1, 6)]
    rows += [[6, f'{{"{HIDDEN}",soap}}' if lists else HIDDEN, *values]]
    server.table(rows=rows, columns=made)
    execute(f"COMMENT ON TABLE t IS '{HIDDEN}'; COMMENT ON COLUMN t.item IS '{HIDDEN}'")
    execute("ANALYZE t")
    with setveil.read("t", database=server.url, carry="all") as baskets:
        suppress(baskets, [HIDDEN]).write_table("safe")
    execute("ANALYZE safe")
    found = execute(
        """
        SELECT a.attname, FORMAT_TYPE(a.atttypid, a.atttypmod), n.nspname,
            CONCAT(OBJ_DESCRIPTION(a.attrelid, 'pg_class'), COL_DESCRIPTION(a.attrelid, a.attnum),
                a.atthasdef, (SELECT s::text FROM pg_stats AS s
                    WHERE s.tablename = 'safe' AND s.attname = a.attname))
        FROM pg_attribute AS a
        JOIN pg_type AS t ON t.oid = a.atttypid JOIN pg_namespace AS n ON n.oid = t.typnamespace
        WHERE a.attrelid = 'safe'::REGCLASS AND a.attnum > 0
        """
    ).fetchall()
    kinds = {name: one for name, one, *_ in found}
    assert {name: kinds[name] for name in RELEASED} == RELEASED
    assert {schema for _, _, schema, _ in found} == {"pg_catalog"}
    assert not [said for *_, said in found if HIDDEN in said]


@pytest.mark.only_on("spark", "connect", reason="is about metadata that Spark hands on")
@pytest.mark.everywhere
def test_a_table_of_spark(server):
    said = f"COMMENT '{HIDDEN}'"
    server.sql(
        f"CREATE TABLE t (tid INT {said}, item STRING DEFAULT '{HIDDEN}' {said}, v VARCHAR(9),"
        f" n STRUCT<`a b`: INT {said}, c: ARRAY<STRUCT<x: STRING {said}>>>,"
        f" m MAP<STRING, STRUCT<y: INT {said}>>) USING parquet {said}"
        f" TBLPROPERTIES ('known' = '{HIDDEN}')"
    )
    more = "'v', NAMED_STRUCT('a b', 1, 'c', ARRAY(NAMED_STRUCT('x', 'z')))"
    more += ", MAP('k', NAMED_STRUCT('y', 2))"
    for tid, item in ((1, "rice"), (2, "rice"), (2, HIDDEN)):
        server.sql(f"INSERT INTO t SELECT {tid}, '{item}', {more}")  # noqa: S608
    with setveil.read("t", database=server.url, carry="all") as baskets:
        suppress(baskets, [HIDDEN]).write_table("safe")
    ((made,),) = server.sql("SHOW CREATE TABLE safe")
    assert HIDDEN not in made
    assert HIDDEN not in str(server.sql("DESCRIBE EXTENDED safe"))
    assert "v VARCHAR(9)" in made and "`a b`: INT" in made
    rows = server.sql("SELECT tid, item, n.`a b`, n.c[0].x, m['k'].y FROM safe ORDER BY tid")
    assert [tuple(row) for row in rows] == [(1, "rice", 1, "z", 2), (2, "rice", 1, "z", 2)]

"""PostgreSQL: names, readable sources, refusals, and secrets that no message repeats."""

from __future__ import annotations

import json
import logging
import shlex
import uuid

import psycopg
import pytest
from psycopg import sql

import setveil
from harness_postgres import ROWS
from hostile_names import NAMES, OURS
from runs import suppress
from setveil.backends.addresses import refuse_secrets
from setveil.cli.main import run
from setveil.errors import InputError, QueryError
from setveil.show import guide
from setveil.sql.step import duck

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

# A dictionary orders each pair the other way round.
WORDS = ["B", "Z", "_x", "a", "a b", "ab", "z", "é"]


def released(server, source, **options):
    with setveil.read(source, database=server.url, **options) as baskets:
        return suppress(baskets).rows()


# Order


def test_the_database_orders_text_as_a_dictionary(server):
    if not server.dictionary:
        pytest.skip("this machine has no localedef with the sources of en_US: install `locales`")
    rows = server.connection.execute(
        "SELECT x FROM UNNEST(%s::text[]) AS t (x) ORDER BY x", [WORDS]
    )
    assert [x for (x,) in rows] != WORDS


def test_items_are_ordered_by_code_points(server):
    server.table(rows=[(1, word) for word in reversed(WORDS)])
    with setveil.read("t", database=server.url) as baskets:
        numbered = baskets.session.backend.rows("item", "SELECT name FROM item ORDER BY item")
        assert [name for (name,) in numbered] == WORDS
        assert [name for _, name in suppress(baskets).rows()] == WORDS


def test_moments_are_called_what_they_are_in_utc(server):
    """The time zone of the database does not matter."""
    name = sql.Identifier(server.database)
    server.table()
    query = "SELECT tid, '2024-02-29 23:59:59+00'::TIMESTAMPTZ AS item FROM t"
    server.connection.execute(sql.SQL("ALTER DATABASE {} SET TimeZone = 'Asia/Tokyo'").format(name))
    try:
        with setveil.read(query, database=server.url) as baskets:
            named = baskets.session.backend.rows("item", "SELECT CAST(name AS TEXT) AS n FROM item")
            assert named == [("2024-02-29 23:59:59+00",)]
    finally:
        server.connection.execute(sql.SQL("ALTER DATABASE {} RESET TimeZone").format(name))


COLLATED = """
    SELECT a.attname, n.nspname || '.' || c.collname
    FROM pg_attribute AS a
    JOIN pg_collation AS c ON c.oid = a.attcollation
    JOIN pg_namespace AS n ON n.oid = c.collnamespace
    WHERE a.attrelid = %s::REGCLASS AND a.attnum > 0
"""


def collations(server, table):
    return dict(server.connection.execute(COLLATED, [table]).fetchall())


@pytest.mark.parametrize("lists", [False, True], ids=["long", "lists"])
def test_a_release_has_the_collations_of_its_source(server, tmp_path, lists):
    """Columns keep their collations, also of another schema, so that both tables can be joined."""
    server.connection.execute('CREATE SCHEMA there; CREATE COLLATION there.own FROM "POSIX"')
    columns = (
        f"tid TEXT COLLATE ucs_basic, item TEXT{'[]' if lists else ''} COLLATE there.own, "
        'note VARCHAR(9), words TEXT[] COLLATE "C", plain TEXT[], short NAME, n INT'
    )
    rows = [(tid, word, "n", "{Z,a}", "{b}", "s", 1) for tid in "aB" for word in ("a", "B", "rare")]
    if lists:
        rows = [(tid, "{a,B,rare}", *rest) for tid, _, *rest in rows[::3]]
    server.table(rows=rows, columns=columns)
    for source in ("t", "SELECT * FROM t -- all"):
        with setveil.read(source, database=server.url, carry="all") as baskets:
            suppress(baskets, ["rare"]).write_table(
                "safe", force=True, trail=tmp_path / "t.sql" if source == "t" else None
            )
        assert collations(server, "safe") == collations(server, "t")
        assert collations(server, "t")["item"] == "there.own"
        query = "SELECT COUNT(*) FROM t JOIN safe USING (tid, note, words, plain, short)"
        assert server.connection.execute(query).fetchone() != (0,)
        server.connection.execute("SELECT * FROM safe EXCEPT SELECT * FROM t").fetchall()
    stored = server.connection.execute("SELECT tid FROM safe ORDER BY ctid").fetchall()
    assert [tid for (tid,) in stored] == sorted(tid for (tid,) in stored)
    assert setveil.replay(tmp_path / "t.sql", database=server.url).same


def test_what_the_source_has_not_is_collated_as_the_database_does(server):
    """Itemsets and text of several collations get the default collation."""
    server.table(columns='tid INT, item TEXT COLLATE "POSIX"')
    with setveil.read("t", database=server.url) as baskets:
        setveil.itemsets(baskets, min_support=1).write_table("mined")
    assert collations(server, "mined") == {"items": "pg_catalog.default"}
    query = """
        SELECT *, x || y AS mixed
        FROM (SELECT tid, item, item AS x, 'y' COLLATE "C" AS y FROM t) AS s
        """
    with setveil.read(query, database=server.url, carry="all") as baskets:
        suppress(baskets).write_table("safe")
    found = collations(server, "safe")
    assert found == {
        "item": "pg_catalog.POSIX", "x": "pg_catalog.POSIX", "y": "pg_catalog.C",
        "mixed": "pg_catalog.default",
    }  # fmt: skip


# Names


@pytest.mark.parametrize("name", [*NAMES, *OURS, "item", "occurrence", "basket"], ids=ascii)
def test_tables_and_schemas_of_any_name(server, name):
    """Other tables may have this name, or the names of the run's relations."""
    for own in {"item", "source", "occurrence", "basket", "label"} - {name}:
        server.table(own, [(7, "wrong")])
    server.table(name)
    assert released(server, name) == ROWS
    server.connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(f"{name}s")))
    server.table(f"{name}_there", schema=f"{name}s")
    assert released(server, f"{name}_there") == ROWS
    assert released(server, f"{name}s.{name}_there") == ROWS
    with setveil.read(name, database=server.url) as baskets:
        suppress(baskets, ["a"]).write_table(f"{name}_safe")
    with setveil.read(name, database=server.url) as baskets:
        suppress(baskets, ["a", "b"]).write_table(f"{name}s.{name}_safe")
    assert released(server, f"public.{name}_safe") == [(1, "b"), (3, "c")]
    assert released(server, f"{name}s.{name}_safe") == [(3, "c")]


@pytest.mark.parametrize("name", [*NAMES, *OURS], ids=ascii)
def test_columns_of_any_name(server, name):
    columns = sql.SQL("{} INT, {} TEXT").format(
        sql.Identifier(name), sql.Identifier(f"{name}_item")
    )
    server.table(columns=columns.as_string(server.connection))
    assert released(server, "t", tid=name, item=f"{name}_item") == ROWS


def test_items_of_any_name(server):
    rows = sorted((name, name) for name in ["", *NAMES])
    server.table(rows=rows, columns="tid TEXT, item TEXT")
    assert released(server, "t") == rows


def test_databases_and_roles_of_any_name(server):
    name = f"o'brien \"{uuid.uuid4().hex[:6]}; --"
    for kind in ("ROLE", "DATABASE"):
        login = " LOGIN SUPERUSER" if kind == "ROLE" else ""
        server.connection.execute(
            sql.SQL("CREATE {} {}{}").format(sql.SQL(kind), sql.Identifier(name), sql.SQL(login))
        )
    url = server.url_of(name, database=name)
    try:
        with setveil.read("SELECT 1 AS tid, 'a' AS item", database=url) as baskets:
            assert suppress(baskets).rows() == [(1, "a")]
    finally:
        for kind in ("DATABASE", "ROLE"):
            drop = sql.SQL("DROP {} {}").format(sql.SQL(kind), sql.Identifier(name))
            server.connection.execute(drop)


def test_a_name_in_several_places(server):
    for schema in ("one", "two"):
        server.connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        server.table(schema=schema, rows=[(1, schema)])
    with pytest.raises(InputError, match=r"'t' is in several places: name one of 'one.t', 'two.t'"):
        released(server, "t")
    assert released(server, "two.t") == [(1, "two")]
    server.table()  # in public, which is on the path
    assert released(server, "t") == ROWS


@pytest.mark.parametrize("name", ["slaes", "public.slaes", 'public."slaes"', "shop.sale", "sales2"])
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_a_misspelt_name_is_answered_with_those_that_are_there(server, name, engine):
    server.connection.execute("CREATE SCHEMA shop; CREATE VIEW shop.sales AS SELECT 1 AS tid")
    server.table("Other")
    message = "is neither a table or view nor one query; the tables are: "
    with pytest.raises(InputError, match=f"{message}'public.Other', 'shop.sales'$"):
        released(server, name, engine=engine)
    for number in range(20):
        server.connection.execute(f"CREATE TABLE many_{number:02} ()".encode())
    with pytest.raises(InputError, match=f"{message}'shop.sales', .*, …$"):
        released(server, name, engine=engine)


def test_a_misspelt_name_is_answered_with_what_may_be_read(server):
    name = sql.Identifier(f"few_{server.database}")
    execute = server.connection.execute
    server.table("mine")
    server.table("others")
    execute(sql.SQL("CREATE ROLE {0} LOGIN; GRANT SELECT ON mine TO {0}").format(name))
    try:
        with pytest.raises(InputError, match="the tables are: 'public.mine'$"):
            setveil.read("mien", database=server.url_of(f"few_{server.database}"))
    finally:
        execute(sql.SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(name))


def test_names_with_their_schema_as_sql_writes_them(server):
    server.table("My Table")
    assert released(server, 'public."My Table"') == ROWS
    assert released(server, "My Table") == released(server, "public.My Table") == ROWS
    with pytest.raises(InputError, match="'my table' is neither a table or view nor one query"):
        released(server, "my table")


@pytest.mark.parametrize("kind", ["VIEW", "MATERIALIZED VIEW"])
def test_views(server, kind):
    server.table()
    server.connection.execute(f"CREATE {kind} v AS SELECT item, tid FROM t".encode())  # noqa: S608
    assert released(server, "v") == [(item, tid) for tid, item in ROWS]


def test_a_schema_that_only_begins_as_those_of_runs_do(server):
    server.connection.execute("CREATE SCHEMA setveil_data")
    server.table(schema="setveil_data")
    assert released(server, "t") == ROWS


def test_names_of_releases_are_not_cut_off(server):
    server.table()
    server.table("n" * 63)
    with setveil.read("t", database=server.url) as baskets:
        with pytest.raises(InputError, match="at most 63 bytes"):
            suppress(baskets).write_table("n" * 64, force=True)
    assert released(server, "n" * 63) == ROWS


@pytest.mark.parametrize("source", ["t", "public.t", 'public."t"', "SELECT * FROM t AS x"])
@pytest.mark.parametrize("into", ["t", "public.t", 'public."t"', "PUBLIC.T"])
def test_a_release_never_takes_the_place_of_its_source(server, source, into):
    server.table()
    with setveil.read(source, database=server.url) as baskets:
        with pytest.raises(InputError, match="is what the data was read from"):
            suppress(baskets, ["a"]).write_table(into, force=True)
    assert released(server, "t") == ROWS


@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize(
    "source",
    ["v", "w", "m", "SELECT * FROM v", "SELECT tid, item FROM u NATURAL JOIN w",
     "SELECT * FROM all_of_t()"],
)  # fmt: skip
@pytest.mark.parametrize("into", ["t", "PUBLIC.t", "v", "m"])
def test_nor_that_of_what_views_queries_and_functions_read(server, source, into, engine):
    if source == "m" and into != "m":
        pytest.skip("a materialized view was filled before: it reads nothing but itself")
    if engine == "duckdb" and "all_of_t" in source:
        pytest.skip("DuckDB reads in one transaction, and writes in another, which calls nothing")
    server.table()
    server.table("u")
    execute = server.connection.execute
    for text in (
        "CREATE VIEW v AS SELECT * FROM t", "CREATE VIEW w AS SELECT * FROM v",
        "CREATE MATERIALIZED VIEW m AS SELECT * FROM t",
        "CREATE FUNCTION all_of_t() RETURNS SETOF t LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN QUERY SELECT * FROM t; END $$",
    ):  # fmt: skip
        execute(text)
    with setveil.read(source, database=server.url, engine=engine) as baskets:
        with pytest.raises(InputError):
            suppress(baskets, ["a"]).write_table(into, force=True)
    assert released(server, "t") == released(server, "v") == released(server, "m") == ROWS


# Queries


GOOD = [
    "SELECT tid, item FROM t WHERE tid < 9;",
    "SELECT * FROM t -- a comment",
    "/* first */ SELECT * FROM t /* last */",
    "WITH w AS (SELECT * FROM t) SELECT * FROM w",
    "SELECT tid, item FROM t UNION SELECT tid, item FROM t ORDER BY 1, 2 LIMIT 99",
    "SELECT tid, item FROM t WHERE item <> $$;'$$ AND item <> E'\\';' AND item <> '%s {x}'",
]


@pytest.mark.parametrize("query", GOOD)
def test_queries(server, query):
    server.table()
    assert released(server, query) == ROWS


BAD = [
    "SELECT 1 AS tid, 2 AS item) AS x; DROP TABLE t; COMMIT; SELECT * FROM (SELECT 1",
    "SELECT 1 AS tid, 2 AS item; DROP TABLE t; COMMIT; SELECT 1",
    "SELECT 1 AS tid, 2 AS item) AS x; DROP TABLE t; --",
    "SELECT 1) ; DROP TABLE t; --",
    "SELECT 1 AS tid, 2 AS item; DROP TABLE t",
    "SELECT 1 AS tid, '\\' AS item) AS x; DROP TABLE t; --' AS item",
    "SELECT 1 AS tid, 2 AS item /* /* */ */) AS x; DROP TABLE t; --",
    "SELECT 1 AS tid, $a$ AS item) AS x; DROP TABLE t; --",
    "DROP TABLE t",
    "DELETE FROM t RETURNING tid, item",
    "WITH gone AS (DELETE FROM t RETURNING tid, item) SELECT * FROM gone",
    "SELECT tid, item INTO u FROM t",
    "INSERT INTO t VALUES (9, 'z')",
    "CREATE TABLE u AS SELECT * FROM t",
    "COPY t TO PROGRAM 'true'",
    "EXPLAIN SELECT * FROM t",
    "SELECT * FROM t; COMMIT",
    "SET search_path TO nowhere",
    "",
    "nothing of that name",
    "no.such",
    "other.public.t",
    "SELECT tid, item FROM no_such",
    "SELECT tid, item FROM",
]


@pytest.mark.parametrize("query", BAD)
def test_what_is_no_query_is_refused(server, query):
    server.table()
    with pytest.raises(InputError):
        released(server, query)
    assert server.left() == {"public", "public.t"}
    assert released(server, "t") == ROWS


@pytest.mark.parametrize("text", BAD[:10])
def test_what_our_parser_lets_pass_is_still_one_statement(server, monkeypatch, text):
    """The server accepts one statement only, even if our tokenizer reads the text differently."""
    server.table()
    parsed = [duck("SELECT 1 AS one")]
    monkeypatch.setattr("setveil.backends.names.sqlglot.parse", lambda text, **_: parsed)
    with pytest.raises(InputError):
        released(server, text)
    assert server.left() == {"public", "public.t"}
    assert server.connection.execute("SELECT tid, item FROM t ORDER BY 1, 2").fetchall() == ROWS


# Types


KINDS = [
    ("int2", "1", "2"), ("int4", "9", "10"), ("int8", "9", "10"), ("text", "Z", "a"),
    ("varchar(9)", "Z", "a"), ("char(3)", "Z", "a"), ("name", "Z", "a"), ("bool", "f", "t"),
    ("numeric(9,2)", "9.50", "10.00"), ("float8", "9.5", "10.25"),
    ("date", "2026-01-02", "2026-01-10"),
    ("timestamp", "2026-01-02 03:04:05", "2026-01-10 00:00:00"),
    ("timestamptz", "2026-01-02 03:04:05+02", "2026-01-10 00:00:00+00"),
    ("uuid", "00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000000"),
    ("mood", "happy", "sad"), ("bytea", "\\x00", "\\xff"), ("named", "Z", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "low", "high"), KINDS, ids=ascii)
@pytest.mark.parametrize("lists", [False, True], ids=["long", "lists"])
def test_types(server, kind, low, high, lists):
    """Values keep their order, and their types in the release."""
    execute = server.connection.execute
    execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    execute("CREATE DOMAIN named AS text CHECK (VALUE <> '')")
    columns = f"tid INT, item {kind}{'[]' if lists else ''}"
    rows = [(2, low), (1, high), (1, low)]
    if lists:
        rows = [(2, [low, None]), (1, [high, low, high]), (3, []), (4, None)]
    typed = sql.SQL("INSERT INTO t VALUES (%s, %s::text{}::{})").format(
        sql.SQL("[]" if lists else ""), sql.SQL(kind + ("[]" if lists else ""))
    )
    execute(sql.SQL("CREATE TABLE t ({})").format(sql.SQL(columns)))
    with server.connection.cursor() as cursor:
        cursor.executemany(typed, rows)
    with setveil.read("t", database=server.url, drop_nulls=lists) as baskets:
        suppress(baskets).write_table("safe")
    kinds = execute(
        """
        SELECT a.attrelid::regclass::text, FORMAT_TYPE(atttypid, NULL) FROM pg_attribute AS a
        WHERE attrelid IN ('t'::regclass, 'safe'::regclass) AND attname = 'item'
        """
    ).fetchall()
    given, made = sorted((table, found.removesuffix("[]")) for table, found in kinds)[::-1]
    kind = "text" if kind in ("mood", "named") else kind
    assert made[1] == ("text" if kind == "text" else given[1])
    low, high = (f"'{value}'::{kind}" for value in (low, high))
    wanted = {1: (high, low), 2: (low,)}
    made = [f"ROW({tid}, {value})" for tid, held in wanted.items() for value in reversed(held)]
    if lists:
        made = [f"ROW({tid}, ARRAY[{', '.join(reversed(held))}])" for tid, held in wanted.items()]
    rows = execute("SELECT ROW(tid, item)::text FROM safe WHERE tid < 3 ORDER BY ctid")
    expected = execute(f"SELECT {'::text, '.join(made)}::text".encode())
    assert [row for (row,) in rows] == list(expected.fetchall()[0])


@pytest.mark.parametrize("kind", ["json", "jsonb", "point", "interval", "int4range", "hstoreish"])
def test_types_without_a_plain_equality_are_refused(server, kind):
    server.connection.execute("CREATE TYPE hstoreish AS (a text, b text)")
    server.connection.execute(f"CREATE TABLE t (tid INT, item {kind})".encode())
    with pytest.raises(InputError, match="'item' .* cast it to text in a query"):
        released(server, "t")


CARRIED = {
    "js": ("json", '{"b": 1,  "a": null}'), "at": ("point", "(1.5,2)"), "doc": ("path", "[(1,2)]"),
    "many": ("json[]", '{1,NULL,"{\\"a\\": \\"ż\\"}"}'), "pair": ("duo", '(1,"[1, 2]")'),
    "own": ("there.doc", "[]"), "table_of": ("regclass", "other"), "span": ("int4range", "[1,3)"),
    "nothing": ("json", None),
}  # fmt: skip


@pytest.mark.parametrize("lists", [False, True], ids=["long", "lists"])
@pytest.mark.parametrize("model", ["suppress", "rename", "itemsets"])
def test_carried_columns_need_neither_equality_nor_order(server, tmp_path, model, lists):
    """Values and types stay the same, except a domain, which can list values."""
    server.connection.execute(
        "CREATE SCHEMA there; CREATE DOMAIN there.doc AS json; CREATE TYPE duo AS (n int, js json)"
    )
    columns = {"tid": "int", "item": "text[]" if lists else "text"}
    columns |= {name: kind for name, (kind, _) in CARRIED.items()}
    made = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    values = [value for _, value in CARRIED.values()]
    rows = [[tid, *(["{a,b}"] if lists else [item]), *values]
            for tid in (1, 2) for item in ("a" if lists else "ab")]  # fmt: skip
    server.table("other")
    server.table(columns=made, rows=[*rows, *([] if lists else rows[:1])])
    with setveil.read("t", database=server.url, carry="all") as baskets:
        if model == "itemsets":
            setveil.itemsets(baskets, min_support=1).write_table("safe")
            return
        if model == "rename":
            release = setveil.rename(baskets, key=tmp_path / "k.parquet", seed=1)
        else:
            release = suppress(baskets)
        release.write_table("safe", trail=tmp_path / "t.sql")
    kinds = (
        "SELECT attname, atttypid FROM pg_attribute WHERE attnum > 0 AND attrelid = %s::REGCLASS"
    )
    source, safe = (
        dict(server.connection.execute(kinds, [one]).fetchall()) for one in ("t", "safe")
    )
    for found in (source, safe):
        del found["item"]
    assert source == safe | {"own": source["own"]}
    assert safe["own"] == safe["js"] != source["own"]
    shown = ", ".join(f"{name}::TEXT" for name in ("tid", *CARRIED))
    source, safe = (
        server.connection.execute(f"SELECT {shown} FROM {one} ORDER BY 1").fetchall()  # noqa: S608
        for one in ("t", "safe")
    )
    assert source == safe
    assert setveil.replay(tmp_path / "t.sql", database=server.url).same


def test_nulls(server):
    server.table(rows=[*ROWS, (None, "a"), (4, None)])
    with pytest.raises(InputError, match="1 row without 'tid' and 1 row without 'item'"):
        released(server, "t")
    assert released(server, "t", drop_nulls=True) == ROWS


def test_numbers_that_are_equal_are_one_item(server):
    server.table(
        rows=[(1, "1.0"), (2, "1.00"), (3, "1"), (4, "10")], columns="tid INT, item NUMERIC"
    )
    with setveil.read("t", database=server.url) as baskets:
        release = setveil.coherence(baskets, k=3, p=1, public=[1, 10])
        assert [(tid, str(item)) for tid, item in release.rows()] == [(1, "1"), (2, "1"), (3, "1")]


def test_a_refused_target_is_not_the_end_of_a_run_but_a_table_is(server, tmp_path):
    server.table()
    server.table("safe")
    with setveil.read("t", database=server.url) as baskets:
        release = suppress(baskets, ["a"])
        with pytest.raises(InputError, match="exists"):
            release.write_table("safe")
        other = suppress(baskets, ["b"])
        other.write(tmp_path / "other.parquet")  # a file ends nothing
        release.write_table("safe", force=True)
        for one in (release, other):
            with pytest.raises(InputError, match="read the data once more for each table, or"):
                one.rows()
    assert released(server, "safe") == [(1, "b"), (3, "c")]


def test_the_path_of_the_guide_runs_as_it_is_printed(server, tmp_path, monkeypatch, capsys):
    """From a table to a page that is filed, with random ids."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("setveil.cli.output.is_terminal", lambda: False)
    rows = [(t, f"i{t * 7 % 5 + n}", f"p{t % 30}") for t in range(90) for n in range(3)]
    server.table("orders", rows=rows, columns="tid INT, item TEXT, customer TEXT")
    page = guide.topic("warehouse").text
    block = page[page.index("From a table to a page") :].split("```")[1].replace("\\\n", " ")
    *commands, grant = (shlex.split(one) for one in block.strip().splitlines())
    assert len(commands) == 4
    for one in commands:
        words = [word.replace("postgres://HOST/shop", server.url) for word in one[1:]]
        assert run(words) == 0, capsys.readouterr().err
    page = (tmp_path / "evidence.html").read_text()
    assert "--dialect postgres --query" in page
    server.connection.execute("CREATE ROLE partners")
    try:
        server.connection.execute(grant[-1])
        rights = "SELECT HAS_TABLE_PRIVILEGE('partners', %s, 'SELECT')"
        for table, allowed in (("safe_orders", True), ("orders", False)):
            assert server.connection.execute(rights, [table]).fetchall() == [(allowed,)]
    finally:
        server.connection.execute("DROP OWNED BY partners; DROP ROLE partners")


# Secrets


SECRET = "hunter2"
URLS = [
    "postgres://user:{}@host/db",
    "postgresql://user:{}@/db?host=/tmp",
    "postgres://user:{}/more@host/db",
    "postgres://user:{}?more@host/db",
    "postgres://[user:{}@host/db",
    "postgres://user@server:{}@host/db",
    "postgres://host/db?user=me&password={}",
    "postgres://host/db?sslpassword={}",
    "POSTGRES://user:{}@host/db",
    "mysql://user:{}@host/db",
    "host=h user=u password={}",
    "host=h PASSWORD = '{}'",
    "sc://host:15002/;token={}",
]


@pytest.mark.parametrize("url", URLS)
def test_a_password_in_the_url_is_refused_and_not_repeated(url, capsys, caplog):
    caplog.set_level(logging.DEBUG)
    assert run(["inspect", "t", "--database", url.format(SECRET)]) == 2
    printed = capsys.readouterr()
    assert "password or token" in printed.err
    assert SECRET not in printed.out + printed.err + caplog.text


@pytest.mark.parametrize(
    "url",
    [
        "postgres://me@host:5432/db",
        "postgres:///db?user=me@server",
        "postgres://h:5/d?user=a@b",
        "postgres://me:@host/db",
        "postgres://host/db?password=&user=me",
    ],
)
def test_what_is_no_password_is_not_refused(url):
    refuse_secrets(url)


COMMAND = ["uncertainty", "t", "--sensitive", "where:name = 'c'", "--rho", "0.9", "--database"]


def test_a_password_from_the_environment_is_told_nowhere(server, monkeypatch, capsys, caplog):
    server.table()
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    assert run([*COMMAND, server.url, "--into", "safe", "--json"]) == 0
    assert run([*COMMAND, "postgres://nobody@/nothing?host=/tmp/none"]) == 4
    printed = capsys.readouterr()
    assert "cannot be reached" in printed.err
    told = printed.out + printed.err + caplog.text
    assert "safe" in told and SECRET not in told


def test_a_password_is_in_no_trail(server, tmp_path, monkeypatch):
    server.table()
    monkeypatch.setenv("PGPASSWORD", SECRET)
    trail = tmp_path / "t.sql"
    assert run([*COMMAND, server.url, "--into", "safe", "--trail", str(trail)]) == 0
    assert SECRET not in trail.read_text()


def test_what_the_url_leaves_open_is_in_the_variables(server, monkeypatch):
    server.table()
    parts = psycopg.conninfo.conninfo_to_dict(server.url)
    for name, variable in {"host": "PGHOST", "dbname": "PGDATABASE", "user": "PGUSER"}.items():
        monkeypatch.setenv(variable, parts[name])
    monkeypatch.setenv("PGCLIENTENCODING", "latin1")
    with setveil.read("SELECT 1 AS tid, 'é😀' AS item", database="postgres://") as baskets:
        assert suppress(baskets).rows() == [(1, "é😀")]


# Errors that pass by themselves, and errors to correct


@pytest.mark.parametrize(
    "url",
    [
        "postgres://x@127.0.0.1:1/db", "postgres://x@no.such.host.invalid/db",
        "postgres://x@/db?host=/tmp/none", "postgres://x@127.0.0.1:1,/db?host=/tmp/none",
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_a_server_that_is_away_can_be_tried_again(url, engine, capsys):
    assert run(["inspect", "t", "--database", url, "--engine", engine]) == 4
    assert "PostgreSQL cannot be reached: " in capsys.readouterr().err


def test_a_server_that_has_no_place_left_can_be_tried_again(server, capsys):
    name = sql.Identifier(f"last_{server.database}")
    execute = server.connection.execute
    execute(sql.SQL("CREATE ROLE {} LOGIN CONNECTION LIMIT 0").format(name))
    try:
        url = server.url_of(f"last_{server.database}")
        assert run(["inspect", "t", "--database", url]) == 4
        assert "too many connections for role" in capsys.readouterr().err
    finally:
        execute(sql.SQL("DROP ROLE {}").format(name))


def test_an_address_that_leads_nowhere_is_to_be_mended(server, capsys):
    urls = [
        server.url_of("nobody_of_that_name"),
        server.url_of("postgres", database="nothing_of_that_name"),
        "postgres://localhost:99999/db",
        "postgres://localhost/db?sslmode=quatsch",
    ]
    for url in urls:
        assert run(["inspect", "t", "--database", url]) == 2, url
        assert "PostgreSQL refuses the connection: " in capsys.readouterr().err


# No statement besides those of the run


def test_explaining_makes_nothing(server, capsys):
    server.table()
    before = server.left()
    command = [
        "coherence",
        "t",
        "--private",
        "where:name = 'c'",
        "--h",
        "1",
        "--k",
        "1",
        "--p",
        "2",
    ]
    assert run([*command, "--database", server.url, "--explain", "--into", "safe"]) == 0
    printed = capsys.readouterr().out
    assert "ANALYZE basket" in printed and 'COLLATE "C"' in printed
    assert server.left() == before


def test_json_names_the_table(server, capsys):
    server.table()
    command = [
        "coherence",
        "t",
        "--private",
        "where:name = 'c'",
        "--h",
        "1",
        "--k",
        "1",
        "--p",
        "2",
    ]
    assert run([*command, "--database", server.url, "--json", "--into", "public.safe"]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == "public.safe"
    assert server.left() == {"public", "public.t", "public.safe"}


def test_a_release_is_a_relation_of_the_duckdb_beside(server):
    server.table()
    with setveil.read("t", database=server.url) as baskets:
        release = suppress(baskets)
        assert release.relation().fetchall() == release.rows()


def test_what_the_server_cancels_is_no_interruption(server):
    url = f"{server.url}&options=-c%20statement_timeout%3D100"
    with pytest.raises(QueryError, match="statement timeout"):
        setveil.read("SELECT 1 AS tid, 'a' AS item FROM PG_SLEEP(5)", database=url)

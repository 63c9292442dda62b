"""PostgreSQL: objects that another role planted in a search path run nothing as the caller."""

from __future__ import annotations

from pathlib import Path

import pytest
from psycopg import sql

import setveil
from harness_postgres import OnPostgres
from runs import suppress
from setveil.cli.main import run
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

# A statement that records its role in a table that all roles can write to.
LOG = "INSERT INTO planted.log VALUES (CURRENT_USER, {});"
BODY = "LANGUAGE plpgsql AS $planted$ BEGIN {} RETURN {}; END $planted$"

# Every function of the server with such an argument gets a twin with exactly this type.
EXACT = (
    "int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "bpchar", "name",
    "bool", "bit", "varbit", "oid", "regtype", "regclass", "bytea", "json", "record",
    "int4[]", "text[]", "oid[]", "int8[]",
)  # fmt: skip
NAMES = (
    "has_database_privilege", "current_database", "current_setting", "set_config", "pg_typeof",
    "pg_collation_for", "pg_table_is_visible", "to_regclass", "starts_with", "length", "format",
    "quote_ident", "aclexplode", "acldefault", "pg_get_userbyid", "row_number", "trim_scale",
    "scale", "abs", "encode", "array_to_json", "to_json", "md5", "sha256", "convert_to",
    "bit_count", "set_bit", "repeat", "substring", "cardinality", "array_remove", "num_nulls",
    "unnest", "coalesce_", "greatest_", "ln", "log", "power", "sqrt", "floor", "ceil", "round",
    "mod", "lower", "upper", "concat", "int4send", "int8send", "float8send", "current_schema",
    "pg_describe_object", "format_type", "array_position", "current_schemas", "nullif_",
)  # fmt: skip
AGGREGATES = (
    "count", "sum", "min", "max", "avg", "bit_or", "bit_and", "string_agg", "array_agg", "bool_or",
)  # fmt: skip
OPERATORS = ("||", "=", "<>", "<", "<=", ">", ">=", "&", "|", "<<", ">>", "%", "+", "-", "*", "/",
             "~", "!~", "~~")  # fmt: skip
TYPES = ("text", "int4", "int8", "date", "uuid", "bytea", "oid", "json", "name", "regtype",
         "regclass", "regcollation", "float8", "numeric", "bool", "varchar")  # fmt: skip
RELATIONS = ("item", "basket", "source", "label", "occurrence", "posting", "release", "named",
             "suppressed", "suppressed_item", "pg_class", "pg_type", "pg_namespace", "pg_cast",
             "pg_attribute", "pg_depend", "pg_database", "seal")  # fmt: skip
SALES = [
    (tid, item)
    for tid, items in enumerate(
        ["abx", "abx", "abcx", "abc", "abcy", "acy", "bc", "bc", "ab", "ab"]
    )
    for item in items
]


TREE = [("a", "1"), ("b", "1"), ("c", "1"), ("x", "2"), ("y", "2")]


def _function(schema, name, takes, returns, value):
    said = LOG.format(f"'{schema}.{name}'")
    return f"CREATE FUNCTION {schema}.{name}({', '.join(takes)}) RETURNS {returns} " + BODY.format(
        said, value
    )


def planted(schema):
    """Statements that plant objects with the names of the server's own in a schema."""
    value = {"text": "'x'::pg_catalog.text", "bool": "TRUE"}
    takes = [[], ["name", "text"], ["bit", "int4", "int4"], ["name", "text", "text"]]
    takes += [[kind] for kind in EXACT] + [[kind, "text"] for kind in EXACT if kind != "name"]
    for name in NAMES:
        for one in takes:
            kinds = [f"pg_catalog.{kind}" for kind in one]
            yield _function(schema, name, kinds, "text", value["text"])
    for name in AGGREGATES:
        for kind in EXACT:
            yield _function(
                schema, f"{name}_step", ["pg_catalog.int8", f"pg_catalog.{kind}"], "int8", "1"
            )
            yield (
                f"CREATE AGGREGATE {schema}.{name}(pg_catalog.{kind}) "
                f"(SFUNC = {schema}.{name}_step, STYPE = pg_catalog.int8, INITCOND = '0')"
            )
    kinds = [(kind, kind) for kind in EXACT if kind != "record"]
    kinds += [("name", "text"), ("text", "name"), ("name", "unknown_"), ("text", "varchar"),
              ("int4", "int8"), ("int8", "int4"), ("oid", "int4"), ("float8", "int4")]  # fmt: skip
    for number, symbol in enumerate(OPERATORS):
        for left, right in kinds:
            if right == "unknown_":
                continue
            takes = [f"pg_catalog.{left}", f"pg_catalog.{right}"]
            returns, shown = ("text", value["text"]) if symbol == "||" else ("bool", "TRUE")
            yield _function(schema, f"op_{number}", takes, returns, shown)
            yield (
                f"CREATE OPERATOR {schema}.{symbol} (LEFTARG = {takes[0]}, RIGHTARG = {takes[1]}, "
                f"FUNCTION = {schema}.op_{number})"
            )
    yield _function(schema, "fine", ["pg_catalog.text"], "bool", "TRUE")
    for name in TYPES:
        yield (f"CREATE DOMAIN {schema}.{name} AS pg_catalog.text CHECK ({schema}.fine(VALUE))")
    for name in RELATIONS:
        yield (
            f"CREATE VIEW {schema}.{name} AS SELECT 1 AS tid, 'x'::pg_catalog.text AS item, "
            f"{schema}.md5('x'::pg_catalog.text) AS name"
        )


@pytest.fixture(scope="module")
def place(backend):
    """A database with objects that an ordinary role planted; its victim is a superuser."""
    assert isinstance(backend, OnPostgres)
    server = OnPostgres()
    attacker, boss = f"attacker_{server.database}", f"boss_{server.database}"
    execute = server.connection.execute
    for text in (
        f"CREATE ROLE {attacker} LOGIN",
        f"CREATE ROLE {boss} LOGIN SUPERUSER",
        f"GRANT CREATE ON DATABASE {server.database} TO {attacker}",
        f"GRANT CREATE ON SCHEMA public TO {attacker}",
        "CREATE SCHEMA planted",
        "CREATE TABLE planted.log (who text, what text)",
        "GRANT USAGE ON SCHEMA planted TO PUBLIC",
        "GRANT INSERT, SELECT ON planted.log TO PUBLIC",
        f"CREATE SCHEMA {boss} AUTHORIZATION {attacker}",  # which "$user" leads to
    ):
        execute(text.encode())
    server.table("sales", SALES, schema="planted")
    for kind in ("float8", "numeric", "char(3)", "float4[]", "text[]", "numeric[]"):
        value = "{1.50,-0.0}" if kind.endswith("]") else "1.5"
        rows = [(tid, value) for tid in range(4)]
        server.table(f"of {kind}", rows, f"tid float8, item {kind}", schema="planted")
    server.table("tree", TREE, "item TEXT, level1 TEXT", schema="planted")
    with server.connected(attacker) as connection:
        connection.execute("SET search_path TO pg_catalog")
        for schema in ("public", boss):
            for text in planted(schema):
                connection.execute(text.encode())
    yield server, attacker, boss
    for name in (attacker, boss):
        for text in ("DROP OWNED BY {} CASCADE", "DROP ROLE {}"):
            execute(sql.SQL(text).format(sql.Identifier(name)))
    server.close()


@pytest.fixture
def trap(place):
    server, *_ = place
    server.connection.execute("DROP TABLE IF EXISTS planted.safe CASCADE; TRUNCATE planted.log")
    return place


# The built-in schema in its default place, and last, so that every planted name comes first.
PATHS = ['"$user", public', '"$user", public, pg_catalog']


@pytest.fixture(params=PATHS, ids=["before", "after"])
def victim(request, trap):
    """The URL of the superuser, with each search path."""
    server, _, boss = trap
    server.connection.execute(f"ALTER ROLE {boss} SET search_path = {request.param}".encode())
    return server.url_of(boss)


def ran(server):
    return server.connection.execute("SELECT DISTINCT who, what FROM planted.log").fetchall()


PRIVATE = ["--private", "where:name IN ('x', 'y')", "--h", "0.8", "--k", "2", "--p", "2"]
COHERENT = ["--public", "where:support < 3", "--k", "2", "--p", "2"]
ON = "planted.sales"
COMMANDS = {
    "inspect": ["inspect", ON, "--k", "2", "--p", "2"],
    "coherence": ["coherence", ON, *PRIVATE, "--into", "planted.safe", "--force"],
    "coherence, a list": ["coherence", ON, "--private", "list.csv", "--h", "1", "--k", "2",
                          "--p", "2", "--out", "safe.parquet"],
    "coherence, pulled": ["coherence", ON, *PRIVATE, "--engine", "duckdb", "--into",
                          "planted.safe", "--force"],
    "k-anonymity": ["k-anonymity", ON, "--hierarchy", "planted.tree", "--k", "2", "--into",
                  "planted.safe"],
    "km-anonymity": ["km-anonymity", ON, "--hierarchy", "SELECT * FROM planted.tree", "--k", "2",
                     "--m", "2", "--into", "planted.safe"],
    "uncertainty": ["uncertainty", ON, "--sensitive", "where:name IN ('x', 'y')", "--rho", "0.7",
                    "--into", "planted.safe"],
    "hiding": ["hiding", ON, "--patterns", "patterns.txt", "--psi", "0.5",
               "--into", "planted.safe"],
    "rename": ["rename", ON, "--key", "key.parquet", "--into", "planted.safe"],
    "compare": ["compare", ON, ON],
    "verify": ["verify", "coherence", ON, "--k", "1", "--p", "1"],
    "verify, hidden": ["verify", "hiding", ON, "--original", ON, "--patterns", "patterns.txt",
                       "--min-support", "9"],
    "hierarchy": ["hierarchy", ON, "--hierarchy", "planted.tree", "--out", "tree.csv"],
    "itemsets": ["itemsets", ON, "--min-support", "2", "--into", "planted.safe"],
    "sweep": ["sweep", "coherence", ON, "--k", "2,3", "--p", "1"],
    **{
        f"items of {kind}, {engine}": [
            "coherence", f"planted.of {kind}", "--k", "1", "--p", "1", "--engine", engine,
            "--into", "planted.safe",
        ]
        for engine, kinds in {
            "in-place": ("float8", "numeric", "char(3)", "float4[]", "text[]", "numeric[]"),
            "duckdb": ("float8", "text[]"),
        }.items()
        for kind in kinds
    },
    "a query": ["inspect", "SELECT tid, item FROM planted.sales", "--k", "2", "--p", "2"],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_was_planted(trap, victim, command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("list.csv").write_text("item\nx\ny\n")
    Path("patterns.txt").write_text("a,b\n")
    code = run([*COMMANDS[command], "--database", victim])
    told = capsys.readouterr()
    assert (code, ran(trap[0])) == (0, []), told.err


def test_the_trap_works(trap, victim):
    """A planted object that is called by name runs, and this is noticed."""
    server = trap[0]
    with server.connected(trap[2]) as connection:
        connection.execute("SELECT public.md5('x'::pg_catalog.text), 'x'::public.text")
    assert {what for _, what in ran(server)} == {"public.md5", "public.fine"}


def test_a_trail_states_the_path_that_it_needs(trap, victim, tmp_path):
    """A trail replays on its own search path, and refuses the path of another role."""
    trail = tmp_path / "t.sql"
    with setveil.read(ON, database=victim) as baskets:
        suppress(baskets).write_table("planted.safe", trail=trail)
    text = trail.read_text()
    assert 'SET search_path TO "$user", "public"' in text.partition("CREATE UNLOGGED")[0]
    assert setveil.replay(trail, database=victim).same
    assert ran(trap[0]) == []
    for instead in ('"evil", pg_temp', '"$user", "public", "evil", pg_temp', "evil"):
        trail.write_text(
            "\n".join(
                f"SET search_path TO {instead};" if line.startswith("SET search_path") else line
                for line in text.split("\n")
            )
        )
        with pytest.raises(InputError):
            setveil.replay(trail, database=victim)


# Types, whose owner defines the functions that cast their values


KINDS = {
    "an enum": ("own.mood", "item", "x"),
    "an enum, as key": ("own.mood", "tid", "x"),
    "an enum, beside": ("own.mood", "note", "x"),
    "a list": ("own.mood[]", "item", "{x,y}"),
    "a composite": ("own.pair", "note", "(x,y)"),
    "a composite of documents": ("own.doc", "note", "(1,{})"),
    "a range": ("own.span", "note", "[1,2)"),
    "a domain": ("own.word", "item", "x"),
    "a domain of documents": ("own.json", "note", "{}"),
    "a domain of lists": ("own.words", "item", "{x,y}"),
    "a type with the name of text": ("own.text", "item", "x"),
    "a composite with the name of an integer": ("own.int4", "note", "(x,y)"),
}
OWN = """
    CREATE SCHEMA own;
    GRANT USAGE ON SCHEMA own TO PUBLIC;
    CREATE TYPE own.mood AS ENUM ('x', 'y');
    CREATE TYPE own.text AS ENUM ('x', 'y');
    CREATE TYPE own.pair AS (a text, b text);
    CREATE TYPE own.int4 AS (a text, b text);
    CREATE TYPE own.doc AS (a int, b json);
    CREATE TYPE own.span AS RANGE (SUBTYPE = int4);
    CREATE FUNCTION own.fine(text) RETURNS bool {said} RETURN TRUE; END $$;
    CREATE DOMAIN own.word AS text CHECK (own.fine(VALUE));
    CREATE DOMAIN own.json AS json CHECK (own.fine(VALUE::text));
    CREATE DOMAIN own.words AS text[] CHECK (own.fine(VALUE::text))
"""
SAID = "LANGUAGE plpgsql AS $$ BEGIN INSERT INTO planted.log VALUES (CURRENT_USER, 'a type');"


@pytest.fixture(scope="module")
def types(place):
    """Types of an ordinary role, with its own casts to every possible type."""
    server, attacker, _ = place
    with server.connected(attacker) as connection:
        connection.execute("SET search_path TO pg_catalog")
        connection.execute(OWN.replace("{said}", SAID).encode())
        for kind in ("mood", "text", "pair", "int4", "doc", "span"):
            for number, to in enumerate(("text", "json", "varchar", "int4", "text[]", "jsonb")):
                value = f"NULL::pg_catalog.{to}"
                name = f"own.cast_{kind}_{number}"
                how = "IMPLICIT" if number % 2 else "ASSIGNMENT"
                connection.execute(
                    f"CREATE FUNCTION {name}(own.{kind}) RETURNS pg_catalog.{to} {SAID} "  # noqa: S608
                    f"RETURN {value}; END $$;"
                    f"CREATE CAST (own.{kind} AS pg_catalog.{to}) WITH FUNCTION {name}(own.{kind}) "
                    f"AS {how};"
                    f"CREATE FUNCTION {name}_back(pg_catalog.{to}) RETURNS own.{kind} {SAID} "
                    f"RETURN NULL; END $$;"
                    f"CREATE CAST (pg_catalog.{to} AS own.{kind}) "
                    f"WITH FUNCTION {name}_back(pg_catalog.{to}) AS {how}".encode()
                )
    return server


@pytest.mark.parametrize("victim", PATHS[1:], indirect=True, ids=["after"])
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_type_of_others_runs_anything(types, trap, victim, kind, engine, tmp_path, capsys):
    server, attacker, _ = trap
    type_, column, value = KINDS[kind]
    columns = {"tid": "pg_catalog.int4", "item": "pg_catalog.text", "note": "pg_catalog.int4"}
    columns[column] = type_
    values = {"tid": "1", "item": "x", "note": "1", column: value}
    shown = ", ".join(f"{name} {one}" for name, one in columns.items())
    given = ", ".join(f"'{values[name]}'" for name in columns)
    with server.connected(attacker) as connection:
        connection.execute(f"CREATE TABLE own.sold ({shown})".encode())
        connection.execute(f"INSERT INTO own.sold VALUES ({given})".encode())  # noqa: S608
    server.connection.execute("TRUNCATE planted.log")
    trail = tmp_path / "t.sql"
    try:
        with setveil.read("own.sold", database=victim, engine=engine, carry="all") as baskets:
            release = suppress(baskets)
            release.write_table("planted.safe", trail=trail)
        if engine == "in-place":
            assert setveil.replay(trail, database=victim).same
        for check in (["verify", "coherence"], ["inspect"]):
            command = [*check, "planted.safe", "--k", "1", "--p", "1", "--engine", engine]
            assert run([*command, "--database", victim]) == 0, capsys.readouterr().err
        assert ran(server) == []
        query = "SELECT FORMAT('%s|%s|%s', tid, item, note) FROM planted.safe"
        ((found,),) = server.connection.execute(query).fetchall()
        assert found == "|".join(values[name] for name in columns)
    finally:
        server.connection.execute("DROP TABLE own.sold")
    assert ran(server) == []


@pytest.mark.parametrize("kind", ["json", "pair", "mood", "words"])
def test_a_trail_casts_to_no_type_of_others(types, trap, victim, kind, tmp_path):
    """A release is replayed with the types that its trail names."""
    server = trap[0]
    server.table("noted", [(1, "x", "{}")], "tid INT, item TEXT, note JSON", schema="planted")
    trail = tmp_path / "t.sql"
    try:
        with setveil.read("planted.noted", database=victim, carry="all") as baskets:
            suppress(baskets).write_table("planted.safe", trail=trail)
        assert setveil.replay(trail, database=victim).same
        text = trail.read_text()
        own = '"pg_catalog"."json"'
        assert text.count(own) == 1
        trail.write_text(text.replace(own, f'"own"."{kind}"'))
        with pytest.raises(InputError, match=f'has the type "own"."{kind}" of another role'):
            setveil.replay(trail, database=victim)
    finally:
        server.connection.execute("DROP TABLE planted.noted")
    assert ran(server) == []


def test_a_table_of_others_is_compared_by_no_cast_of_its_rows(trap, victim, tmp_path):
    """A table is a type too: its owner can define the cast of its rows to text."""
    server, attacker, boss = trap
    with setveil.read(ON, database=victim) as baskets:
        suppress(baskets).write_table("planted.safe", trail=tmp_path / "t.sql")
    server.connection.execute(f"ALTER TABLE planted.safe OWNER TO {attacker}".encode())
    with server.connected(attacker) as connection:
        own = f"{boss}.told"
        made = _function(boss, "told", ["planted.safe"], "pg_catalog.text", "'x'")
        cast = f"CREATE CAST (planted.safe AS pg_catalog.text) WITH FUNCTION {own}(planted.safe)"
        connection.execute(f"{made}; {cast}".encode())
    assert setveil.replay(tmp_path / "t.sql", database=victim).same
    assert ran(server) == []

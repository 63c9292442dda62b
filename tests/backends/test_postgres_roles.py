"""PostgreSQL: a run needs only the rights to read its source and to write to one schema."""

from __future__ import annotations

import json

import psycopg
import pytest
from psycopg import sql

import setveil
from runs import suppress
from setveil.cli.main import run
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

SALES = [
    (tid, item)
    for tid, items in enumerate(
        ["abx", "abx", "abcx", "abc", "abcy", "acy", "bc", "bc", "ab", "ab"]
    )
    for item in items
]
TREE = [("a", "1"), ("b", "1"), ("c", "1"), ("x", "2"), ("y", "2")]
PRIVATE = ["--private", "where:name IN ('x', 'y')", "--h", "0.8", "--k", "2", "--p", "2"]
SENSITIVE = ["--sensitive", "where:name IN ('x', 'y')", "--rho", "0.7"]
PULLED = ["inspect", "sales", "--engine", "duckdb", "--database"]
ELSEWHERE = "; or copy the rows to this machine with --engine duckdb"
MODELS = {
    "coherence": PRIVATE,
    "coherence, in bits": [*PRIVATE, "--method", "optimal"],
    "hiding": ["--patterns", "patterns.txt", "--psi", "0.5"],
    "hiding, border": ["--patterns", "patterns.txt", "--min-support", "2", "--method", "border"],
    "k-anonymity": ["--hierarchy", "item", "--k", "2"],
    "k-anonymity, refined": ["--fanout", "2", "--k", "2", "--refine"],
    "km-anonymity": ["--hierarchy", "SELECT * FROM item", "--k", "2", "--m", "2"],
    "uncertainty": SENSITIVE,
    "uncertainty, in parts": [*SENSITIVE, "--parts", "2"],
    "itemsets": ["--min-support", "2"],
    "itemsets, rules": ["--min-support", "2", "--rules", "--min-confidence", "0.6"],
}


@pytest.fixture
def role(server):
    """A role that may only read the schema `shop` and make tables in the schema `safe`."""
    name = f"ordinary_{server.database}"
    execute = server.connection.execute
    for schema in ("shop", "safe"):
        execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    server.table("sales", SALES, schema="shop")
    server.table("secret", SALES, schema="shop")
    server.table("item", TREE, "item TEXT, level1 TEXT", schema="shop")
    server.table("source", [(7, "wrong")], schema="shop")
    grants = (
        "CREATE ROLE {} LOGIN",
        "GRANT USAGE ON SCHEMA shop TO {}",
        "GRANT SELECT ON shop.sales, shop.item, shop.source TO {}",
        "GRANT USAGE, CREATE ON SCHEMA safe TO {}",
        "ALTER ROLE {} SET search_path = shop, safe",
    )
    for grant in grants:
        execute(sql.SQL(grant).format(sql.Identifier(name)))
    yield name
    execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
    execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@pytest.fixture
def url(server, role):
    return server.url_of(role)


@pytest.mark.parametrize("model", MODELS)
def test_every_model(server, url, model, tmp_path, monkeypatch, capsys):
    """The role's own tables have the names of the run's relations."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patterns.txt").write_text("a,b\n")
    before = server.left()
    command = [model.partition(",")[0], "sales", *MODELS[model], "--json", "--quiet"]
    assert run([*command, "--database", url, "--into", "safe.release"]) == 0
    assert server.left() == before | {"safe.release"}
    mine = json.loads(capsys.readouterr().out)
    rows = server.connection.execute("SELECT * FROM safe.release AS r ORDER BY r").fetchall()
    if "--hierarchy" in command:
        place = command.index("--hierarchy") + 1
        command[place] = command[place].replace("item", "shop.item")
    command[1] = "shop.sales"
    assert run([*command, "--database", server.url, "--into", "safe.release", "--force"]) == 0
    theirs = json.loads(capsys.readouterr().out)
    assert mine["metrics"] == theirs["metrics"]
    assert (
        rows == server.connection.execute("SELECT * FROM safe.release AS r ORDER BY r").fetchall()
    )


@pytest.mark.parametrize(
    "command",
    [
        ["inspect", "sales", "--k", "2", "--p", "2"],
        ["verify", "coherence", "sales", "--k", "1", "--p", "1"],
        ["verify", "uncertainty", "sales", "--sensitive", "where:name = 'x'", "--rho", "1"],
        ["coherence", "sales", *PRIVATE, "--explain"],
    ],
    ids=" ".join,
)
def test_what_only_asks(server, url, command):
    before = server.left()
    assert run([*command, "--database", url]) == 0
    assert server.left() == before


def test_two_runs_side_by_side_need_more(url, role, server, capsys):
    """Both would use the session's one temporary schema; the error names the lacking right."""
    assert run(["compare", "sales", "source", "--database", url]) == 2
    said = capsys.readouterr().err
    instead = "or copy the rows to this machine with --engine duckdb"
    assert f'GRANT CREATE ON DATABASE "{server.database}" TO "{role}"; {instead}' in said
    assert run(["compare", "sales", "sales", "--database", url, "--engine", "duckdb"]) == 0
    grant = sql.SQL("GRANT CREATE ON DATABASE {} TO {}")
    names = sql.Identifier(server.database), sql.Identifier(role)
    server.connection.execute(grant.format(*names))
    assert run(["compare", "sales", "sales", "--database", url]) == 0


def test_a_role_that_may_not_make_temporary_tables_either(server, url, role, capsys):
    database = sql.Identifier(server.database)
    execute = server.connection.execute
    execute(sql.SQL("REVOKE TEMP ON DATABASE {} FROM PUBLIC").format(database))
    try:
        assert run(["inspect", "sales", "--database", url]) == 2
        assert capsys.readouterr().err == (
            "setveil: error: a run needs a role that may make temporary tables: "
            f'GRANT TEMP ON DATABASE "{server.database}" TO "{role}"{ELSEWHERE}\n'
        )
        assert run([*PULLED, url]) == 0
        write = ["coherence", "sales", *PRIVATE, "--engine", "duckdb", "--into", "safe.release"]
        assert run([*write, "--database", url]) == 0
    finally:
        execute(sql.SQL("GRANT TEMP ON DATABASE {} TO PUBLIC").format(database))


@pytest.mark.parametrize("may_make_schemas", [True, False])
def test_a_server_that_only_reads(server, url, role, may_make_schemas, capsys):
    database, name = sql.Identifier(server.database), sql.Identifier(role)
    execute = server.connection.execute
    if may_make_schemas:
        execute(sql.SQL("GRANT CREATE ON DATABASE {} TO {}").format(database, name))
    execute(sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(name))
    said = "setveil: error: the server is read-only, and a run makes tables there"
    assert run(["inspect", "sales", "--database", url]) == 2
    assert capsys.readouterr().err == f"{said}{ELSEWHERE}\n"
    assert run([*PULLED, url]) == 0


def test_what_may_not_be_read(url):
    with pytest.raises(InputError, match="permission denied for table secret"):
        setveil.read("secret", database=url)


@pytest.mark.parametrize("into", ["release", "shop.release", "public.release"])
def test_where_nothing_may_be_made(server, url, into):
    before = server.left()
    with setveil.read("sales", database=url) as baskets:
        with pytest.raises(InputError, match="cannot be made: permission denied for schema"):
            suppress(baskets).write_table(into)
    assert server.left() == before


@pytest.mark.parametrize("into", ["pg_temp.release", "PG_TEMP.release", '"pg_temp"."release"'])
@pytest.mark.parametrize("engine", ["in-place", "duckdb"])
def test_a_table_that_would_go_with_the_session(url, into, engine, capsys):
    words = ["hiding", "sales", "--patterns", "none.txt", "--psi", "0.5", "--database", url]
    assert run([*words, "--into", into, "--engine", engine]) == 2
    assert "would end with the session" in capsys.readouterr().err


def test_nor_where_the_path_begins_with_it(url, role, server):
    alter = sql.SQL("ALTER ROLE {} SET search_path = pg_temp, shop").format(sql.Identifier(role))
    server.connection.execute(alter)
    with setveil.read("sales", database=url) as baskets:
        with pytest.raises(InputError, match="would end with the session"):
            suppress(baskets).write_table("release")


def test_a_table_of_another(server, url):
    server.table("release", schema="safe")
    with setveil.read("sales", database=url) as baskets:
        with pytest.raises(InputError, match="cannot be made: must be owner of table release"):
            suppress(baskets).write_table("safe.release", force=True)


def test_who_may_not_come_in(server, role):
    url = server.url_of(role)
    server.connection.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(role)))
    with pytest.raises(InputError, match="refuses the connection: .*not permitted to log in"):
        setveil.read("sales", database=url)


def test_rows_that_a_policy_hides_are_not_there(server, url, role):
    for statement in (
        "ALTER TABLE shop.sales ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY few ON shop.sales USING (tid < 2)",
    ):
        server.connection.execute(statement)
    with setveil.read("sales", database=url) as baskets:
        assert baskets.transactions == 2
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT COUNT(DISTINCT tid) FROM sales").fetchall() == [(2,)]


def rights(server, table):
    """The rights of each role on the table and on its columns."""
    return server.connection.execute(
        """
        SELECT g.attname, a.grantee::regrole::text, a.privilege_type, a.is_grantable
        FROM (
            SELECT oid, NULL AS attname, relacl AS acl FROM pg_class
            UNION ALL SELECT attrelid, attname, attacl FROM pg_attribute
        ) AS g CROSS JOIN ACLEXPLODE(g.acl) AS a
        WHERE g.oid = %s::regclass ORDER BY 1, 2, 3
        """,
        [table],
    ).fetchall()


@pytest.fixture
def reader(server):
    name = f'a "reader", of {server.database}'
    server.connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(name)))
    yield sql.Identifier(name)
    server.connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
    server.connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@pytest.mark.parametrize("options", [{}, {"engine": "duckdb"}], ids=str)
def test_grants_stay_when_a_table_is_replaced(server, url, role, reader, options):
    def write():
        with setveil.read("sales", database=url, **options) as baskets:
            suppress(baskets).write_table("safe.release", force=True)

    write()
    for grant in (
        "GRANT SELECT ON safe.release TO PUBLIC",
        "GRANT INSERT, SELECT ON safe.release TO {} WITH GRANT OPTION",
        "GRANT UPDATE (item) ON safe.release TO {}",
        "ALTER TABLE safe.release ADD COLUMN gone INT",
        "GRANT UPDATE (gone) ON safe.release TO {}",
    ):
        server.connection.execute(sql.SQL(grant).format(reader))
    before = [right for right in rights(server, "safe.release") if right[0] != "gone"]
    assert len(before) > 4
    write()
    assert rights(server, "safe.release") == before


def test_no_grants_stay_where_policies_went(server, url, role, reader):
    for _ in range(2):
        with setveil.read("sales", database=url) as baskets:
            suppress(baskets).write_table("safe.release", force=True)
        granted = rights(server, "safe.release")
        server.connection.execute(sql.SQL("GRANT SELECT ON safe.release TO {}").format(reader))
        server.connection.execute("ALTER TABLE safe.release ENABLE ROW LEVEL SECURITY")
    assert granted == []


def test_who_owned_a_table_that_is_replaced_may_use_it(server, url, role):
    for place in (url, server.url):
        with setveil.read("shop.sales", database=place) as baskets:
            suppress(baskets).write_table("safe.release", force=True)
    theirs = {right for _, who, right, _ in rights(server, "safe.release") if who == role}
    assert {"SELECT", "INSERT", "DELETE"} <= theirs

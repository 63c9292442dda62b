"""Harmful trails of other people: nothing runs or is lost, and raw data never gets a verdict.

Each is a real trail with one change. Trails of PostgreSQL and Spark are refused before any
connection is opened.
"""

# Texts of other people, which are long.
# ruff: noqa: E501, S608

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
import sqlglot

import setveil
from setveil.cli.main import run as command
from setveil.errors import SetveilError
from setveil.run.files.digests import sha256
from setveil.sql.trail import trusted
from setveil.trail.render import CONFIDENTIAL

SECRET = "Hepatitis"
Change = Callable[[str], str]


def before(mark: str, statement: str) -> Change:
    return lambda text: text.replace(f"\n{mark}", f"\n{statement}\n{mark}", 1)


def after(statement: str) -> Change:
    return lambda text: f"{text}\n{statement}\n"


def instead(old: str, new: str) -> Change:
    return lambda text: text.replace(old, new, 1)


def selected(expression: str) -> Change:
    """A relation of the run with an additional column."""
    return instead(
        "SELECT\n  i.item AS item\nFROM item AS i",
        f"SELECT\n  i.item AS item,\n  {expression} AS x\nFROM item AS i",
    )


def read_as(expression: str) -> Change:
    """The source with an additional column."""
    return instead(
        'AS\nSELECT\n  "tid",\n  "item"\n',
        f'AS\nSELECT\n  "tid",\n  "item",\n  {expression} AS x\n',
    )


SEAL = "CREATE TABLE seal AS"
COPY = "COPY (\n"
# Each names evil.txt, evil.duckdb or victim, which must stay unchanged.
DUCKDB = {
    "a comment hides where a COPY goes": instead(
        COPY, "COPY (SELECT 'evil' /* TO (GETVARIABLE('release')) ( */) TO 'evil.txt';\nCOPY (\n"
    ),
    "a comment closes a parenthesis": after(
        "CREATE TABLE x /* AS\n */ AS SELECT 1); ATTACH 'victim.duckdb' AS v; DROP TABLE v.t; ("
    ),
    "a COPY beside the last": before(COPY, "COPY (SELECT 'evil') TO 'evil.txt';"),
    "a COPY after the last": after("COPY (SELECT 'evil') TO 'evil.txt' (FORMAT csv);"),
    "a COPY to another variable": instead("GETVARIABLE('release')", "GETVARIABLE('source')"),
    "a COPY with other options": instead("USE_TMP_FILE false", "USE_TMP_FILE false, OVERWRITE true"),
    "a COPY by partitions": instead("FORMAT csv, HEADER", "PARTITION_BY (tid), FORMAT csv, HEADER"),
    "a COPY that closes its query": instead(
        "\n) TO (GETVARIABLE", "\n) TO 'evil.txt' (FORMAT csv);\nCOPY (\nSELECT 1\n) TO (GETVARIABLE"
    ),
    "a COPY of a comment": instead("\n) TO (GETVARIABLE", "\n-- a\n) TO (GETVARIABLE"),
    "another database for writing": before("USE run", "ATTACH 'victim.duckdb' AS v;"),
    "another database as a run": before("USE run", "ATTACH 'victim.duckdb' AS run2 (COMPRESS, READ_WRITE);"),
    "a table of another database": before(SEAL, "DROP TABLE victim.main.t;"),
    "a target that is there": after(
        "ATTACH 'victim.duckdb' AS target;\nCREATE OR REPLACE TABLE \"target\".\"main\".\"t\" AS\n"
        "SELECT\n  i.item AS item\nFROM item AS i;"
    ),
    "a file that is read": selected("(SELECT content FROM READ_TEXT('victim.txt'))"),
    "a file as a table": instead("FROM item AS i", "FROM 'victim.txt' AS i"),
    "a list of files": before(SEAL, "SELECT\n  *\nFROM GLOB('*');"),
    "a question that reads": before(SEAL, "SELECT content FROM READ_TEXT('victim.txt');"),
    "a question that sets": before(SEAL, "SELECT SETSEED(0.5);"),
    "a question of the catalog": before(SEAL, "SELECT\n  path\nFROM duckdb_databases() AS d;"),
    "another reader": instead("READ_CSV(\n  GETVARIABLE('source')", "READ_CSV(\n  'victim.txt'"),
    "another reader's options": instead("header = TRUE", "header = TRUE, filename = TRUE"),
    "a reader in a subquery": instead(
        "FROM occurrence AS o\n", "FROM (SELECT * FROM READ_CSV(GETVARIABLE('source'))) AS o\n"
    ),
    "an extension": before("USE run", "INSTALL httpfs;"),
    "an extension that is loaded": before("USE run", "LOAD 'evil.duckdb_extension';"),
    "a setting": before("USE run", "SET allowed_directories = ['/'];"),
    "a setting that is global": before("USE run", "SET GLOBAL enable_external_access = true;"),
    "a setting that is reset": before("USE run", "RESET lock_configuration;"),
    "a pragma": before("USE run", "PRAGMA enable_object_cache;"),
    "a call": before("USE run", "CALL pragma_version();"),
    "a secret": before("USE run", "CREATE SECRET s (TYPE s3);"),
    "a macro": before("USE run", "CREATE MACRO count(x) AS 7;"),
    "a view": before(SEAL, "CREATE VIEW v AS SELECT 1;"),
    "a deletion": before(SEAL, "DELETE FROM suppressed_item;"),
    "an update": before(SEAL, "UPDATE source SET item = 'x';"),
    "an export": after("EXPORT DATABASE 'evil.txt';"),
    "an import": before("USE run", "IMPORT DATABASE 'victim';"),
    "a prepared statement": before("USE run", "PREPARE p AS COPY (SELECT 1) TO 'evil.txt';"),
    "a function without a builder": selected("UUID()"),
    "a function of the machine": selected("GETENV('HOME')"),
    "a function where rows are read": read_as("GETENV('HOME')"),
    "a file where rows are read": read_as("(SELECT content FROM READ_TEXT('victim.txt'))"),
    "a query in a variable": instead("SET VARIABLE source = 'a.csv'", "SET VARIABLE source = (SELECT 'a.csv')"),
    "another variable": before("USE run", "SET VARIABLE evil = 'evil.txt';"),
    "a comment in a relation": instead("CREATE TABLE label AS", "CREATE TABLE label /* ; */ AS"),
    "a line comment in a relation": instead("CREATE TABLE label AS\n", "CREATE TABLE label AS\n-- ;\n"),
    "a relation that is replaced": instead("CREATE TABLE label AS", "CREATE OR REPLACE TABLE label AS"),
    "a relation of another schema": instead("CREATE TABLE label AS", "CREATE TABLE temp.label AS"),
    "a relation of rows that vary": instead("FROM source AS s", "FROM source AS s TABLESAMPLE 50%"),
    "no end": lambda text: text.rstrip().rstrip(";"),
    "a dollar quote": before(SEAL, "SELECT $$;$$ COPY (SELECT 1) TO 'evil.txt';"),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with its trail, beside files of another person."""
    place = tmp_path_factory.mktemp("made")
    with contextlib.chdir(place):
        _make()
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of these files."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _make() -> None:
    rows = "SELECT n // 5 AS tid, CASE WHEN n % 17 = 3 THEN 'Hepatitis' ELSE 'i' || (n * 7919 % 23) END AS item FROM RANGE(400) AS r (n)"
    with duckdb.connect() as local:
        local.execute(f"COPY ({rows}) TO 'a.csv'")
    with duckdb.connect("victim.duckdb") as victim:
        victim.execute("CREATE TABLE t AS SELECT 1 AS one")
    Path("victim.txt").write_text("a secret\n")
    with setveil.read("a.csv") as baskets:
        release = setveil.coherence(baskets, private=[SECRET], h="0.6", k=3, p=2)
        release.write("b.csv", trail="t.sql")


def kept(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path) for path in folder.iterdir() if path.name != "t.sql"}


def test_the_trail_itself_is_replayed(folder: Path) -> None:
    found = setveil.replay("t.sql")
    assert found.same and found.holds


@pytest.mark.few(17)
@pytest.mark.parametrize("trick", DUCKDB)
def test_a_hostile_trail_does_nothing(
    folder: Path, trick: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = Path("t.sql").read_text()
    changed = DUCKDB[trick](text)
    assert changed != text
    Path("t.sql").write_text(changed)
    known = kept(folder)
    assert command(["replay", "t.sql"]) == 2
    told = capfd.readouterr()
    assert "setveil wrote it" in told.err and "a secret" not in told.err + told.out
    assert kept(folder) == known


# Forgeries: the statements are ours, but their result is no release


def forged(text: str, out: str) -> str:
    """The trail of a run that suppressed nothing, with its own valid seal."""
    head, made, tail = text.partition("CREATE TABLE suppressed_item AS\n")
    _, _, tail = tail.partition(";")
    nothing = "SELECT\n  CAST(0 AS INT) AS item\nWHERE\n  FALSE"
    text = f"{head}{made}{nothing};{tail}"
    with duckdb.connect() as local:
        first = text[: text.index("-- check_verdict:")]
        local.execute(first.split("-- check_key")[0])
        local.execute(
            f"COPY (SELECT tid, item FROM release ORDER BY tid, item) TO '{out}' (HEADER)"
        )
        columns = ", ".join(
            f"COALESCE(MD5(CAST(r.{one} AS TEXT)), '-')" for one in ("tid", "item")
        ).replace(", COALESCE", " || COALESCE")
        told = local.execute(
            f"SELECT COUNT(*), SUM(CAST(MD5_NUMBER_LOWER({columns}) AS DECIMAL(38, 0))) FROM release AS r"
        ).fetchone()
    assert told
    return re.sub(
        r"f.held = \d+ AND f.digest = \d+", f"f.held = {told[0]} AND f.digest = {told[1]}", text
    )


def without_verdict(text: str) -> str:
    """Replace the verdict by one that is always the same."""
    return re.sub(
        r"(CREATE TABLE check_verdict AS\n).*?;",
        r"\1SELECT\n  1 AS kept;",
        text,
        flags=re.DOTALL,
    )


def test_a_forged_seal_stops_at_the_verdict(folder: Path) -> None:
    Path("t.sql").write_text(forged(Path("t.sql").read_text(), "b.csv"))
    assert command(["replay", "t.sql"]) == 1


@pytest.mark.parametrize("judge", ["verdict", "checker"])
def test_raw_data_is_vouched_for_by_no_forgery(
    folder: Path, judge: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The forger writes every statement of the checker; our own checker reads the release."""
    text = without_verdict(forged(Path("t.sql").read_text(), "b.csv"))
    if judge == "checker":
        text = re.sub(r"\n-- check_fine_2:.*?;\n", "\n", text, flags=re.DOTALL)
    Path("t.sql").write_text(text)
    assert command(["replay", "t.sql"]) == 1
    told = capfd.readouterr().out
    assert told.startswith("promised: coherence, h = 3/5, k = 3, p = 2\n  private: 'Hepatitis'\n")
    assert "does not hold: i" in told


def test_another_promise_is_shown_before_it_is_judged(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A forged promise can hold, so the reader must see that it is another one."""
    text = without_verdict(forged(Path("t.sql").read_text(), "b.csv"))
    promise = json.dumps({"model": "coherence", "h": "1", "k": 1, "p": 1})
    Path("t.sql").write_text(re.sub("-- promise: .*", f"-- promise: {promise}", text))
    command(["replay", "t.sql"])
    assert capfd.readouterr().out.startswith("promised: coherence, h = 1, k = 1, p = 1\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('-- promise: {"model": "evil", "k": 3}', "no checker"),
        ('-- promise: {"model": "coherence"}', "cannot be judged"),
        (
            '-- promise: {"model": "coherence", "h": "3/5", "k": true, "p": 2}',
            "k is a whole number",
        ),
        ('-- promise: {"model": "coherence", "h": "x", "k": 3, "p": 2}', "cannot be judged"),
        ('-- promise: {"model": "coherence", "h": "3/5", "k": "3", "p": 2}', "k is a whole number"),
        ('-- promise: {"model": "coherence", "k": 3, "p": 2}', "cannot be judged"),
        ('-- promise: ["coherence"]', "head is damaged"),
        ('-- promise: {"model": ', "head is damaged"),
    ],
)
def test_a_promise_that_is_none_is_told(
    folder: Path, line: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    text = Path("t.sql").read_text()
    Path("t.sql").write_text(re.sub("-- promise: .*", lambda _: line, text))
    assert command(["replay", "t.sql"]) == 2
    assert said in capfd.readouterr().err


def test_a_list_that_was_taken_out_is_missed(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without it the release would be judged by a weaker promise."""
    text = Path("t.sql").read_text()
    Path("t.sql").write_text(re.sub("-- private: .*\n", "", text))
    assert command(["replay", "t.sql"]) == 2
    assert "cannot be judged" in capfd.readouterr().err


def test_a_list_that_was_changed_is_told(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = Path("t.sql").read_text()
    Path("t.sql").write_text(text.replace('"names": ["Hepatitis"]', '"names": ["i1"]'))
    assert command(["replay", "t.sql"]) == 2
    assert "other private items" in capfd.readouterr().err


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name",
    [
        "a\n-- b",
        "a\n;\nCOPY (SELECT 1) TO 'evil.txt'; --",
        "a\u2028b",
        "a'b\r\n\\o x",
        '"a" in Spark',
    ],
)
def test_a_name_in_a_trail_starts_no_statement(folder: Path, name: str) -> None:
    """The name of a file, of a private item or of a column."""
    source = f"{name.replace('/', '')}.csv"
    with duckdb.connect() as local:
        local.execute("CREATE TABLE t AS SELECT * FROM 'a.csv'")
        local.execute("UPDATE t SET item = $1 WHERE item = 'Hepatitis'", [name])
        quoted = source.replace("'", "''")
        local.execute(f"COPY t TO '{quoted}'")
    with setveil.read(source) as baskets:
        release = setveil.coherence(baskets, private=[name], h="0.6", k=3, p=2)
        release.write(f"of {source}", trail="n.sql")
    known = kept(folder)
    found = setveil.replay("n.sql")
    assert found.same and found.holds and kept(folder) == known
    with duckdb.connect() as local:
        (folder / f"of {source}").unlink()
        local.execute(Path("n.sql").read_bytes().decode())
    assert kept(folder) == known


# A view or a query of others


@pytest.fixture
def shop(folder: Path) -> Path:
    with duckdb.connect("shop.duckdb") as shop:
        shop.execute("CREATE TABLE t AS SELECT * FROM 'a.csv'")
        shop.execute("CREATE VIEW v AS SELECT * FROM t")
    return folder


@pytest.mark.few(1)
@pytest.mark.parametrize("source", ["v", "SELECT * FROM t", "main.v"])
def test_what_others_wrote_is_run_only_if_it_is_named_again(shop: Path, source: str) -> None:
    with setveil.read(source, database="shop.duckdb") as baskets:
        setveil.coherence(baskets, k=3, p=2).write("c.csv", trail="c.sql")
    with pytest.raises(SetveilError, match="can do anything"):
        setveil.replay("c.sql")
    with pytest.raises(SetveilError):
        setveil.replay("c.sql", source="SELECT * FROM t WHERE tid > 0")
    assert setveil.replay("c.sql", source=source).same


def test_a_query_that_was_put_in_is_not_run(shop: Path) -> None:
    with setveil.read("SELECT * FROM t", database="shop.duckdb") as baskets:
        setveil.coherence(baskets, k=3, p=2).write("c.csv", trail="c.sql")
    text = Path("c.sql").read_text()
    Path("c.sql").write_text(
        text.replace("\nSELECT * FROM t\n", "\nSELECT * FROM READ_TEXT('victim.txt')\n")
    )
    for source in (None, "SELECT * FROM t"):
        with pytest.raises(SetveilError, match="can do anything"):
            setveil.replay("c.sql", source=source)


def test_a_release_that_became_a_view_is_not_read(shop: Path) -> None:
    with setveil.read("t", database="shop.duckdb") as baskets:
        setveil.coherence(baskets, k=3, p=2).write_table("safe", trail="c.sql")
    with duckdb.connect("shop.duckdb") as connection:
        connection.execute(
            "ALTER TABLE safe RENAME TO was; CREATE VIEW safe AS FROM READ_TEXT('victim.txt')"
        )
    with pytest.raises(SetveilError, match="which is no table"):
        setveil.replay("c.sql")


# On servers


def on_postgres(*statements: str, item: str = '"item" COLLATE "C"') -> str:
    """The trail of a small run, with additional statements or another item."""
    return f"""{CONFIDENTIAL}
-- setveil 0.1.0: coherence of "t" in PostgreSQL
-- promise: {{"model": "k-anonymity", "k": 2}}
-- columns: {{"tid": "tid", "item": "item", "level": null}}

BEGIN ISOLATION LEVEL REPEATABLE READ;
CREATE SCHEMA setveil_0123456789ab;
CREATE UNLOGGED TABLE setveil_0123456789ab.source AS
SELECT
  "tid",
  {item} AS "item"
FROM "public"."t";
ANALYZE setveil_0123456789ab.source;
SET search_path TO setveil_0123456789ab;
{"".join(f"{one};" + chr(10) for one in statements)}CREATE TABLE "public"."safe" AS
SELECT
  s."tid" AS "tid"
FROM source AS s;
DROP SCHEMA setveil_0123456789ab CASCADE;
COMMIT;
"""


def postgres_column(expression: str) -> str:
    return f"CREATE UNLOGGED TABLE x AS\nSELECT\n  {expression} AS x\nFROM source AS s"


POSTGRES = [
    postgres_column("PG_READ_FILE('/etc/passwd')"),
    postgres_column("PG_READ_BINARY_FILE('/etc/passwd')"),
    postgres_column("PG_LS_DIR('/')"),
    postgres_column("LO_IMPORT('/etc/passwd')"),
    postgres_column("LO_EXPORT(1, '/tmp/evil')"),
    postgres_column("DBLINK_EXEC('dbname=x', 'DROP TABLE t')"),
    postgres_column("SET_CONFIG('search_path', 'public', FALSE)"),
    postgres_column("QUERY_TO_XML('DROP TABLE t', TRUE, TRUE, '')"),
    postgres_column("TABLE_TO_XML('t', TRUE, TRUE, '')"),
    postgres_column("PG_SLEEP(100)"),
    postgres_column("PG_TERMINATE_BACKEND(1)"),
    postgres_column("NEXTVAL('s')"),
    postgres_column("public.EVIL(1)"),
    postgres_column('CAST(s."item" AS public.evil)'),
    postgres_column('CAST(s."item" AS REGCLASS)'),
    postgres_column("s.\"item\" OPERATOR(public.||) 'x'"),
    postgres_column("(SELECT rolpassword FROM pg_authid)"),
    postgres_column("CURRENT_USER"),
    "COPY (SELECT 1) TO PROGRAM 'touch evil.txt'",
    "COPY (SELECT 1) TO '/tmp/evil'",
    "COPY t FROM PROGRAM 'id'",
    "COPY t FROM '/etc/passwd'",
    "DO $$ BEGIN PERFORM 1; END $$",
    "CALL evil()",
    "CREATE FUNCTION setveil_0123456789ab.count(x INT) RETURNS INT LANGUAGE SQL AS 'SELECT 7'",
    "CREATE EXTENSION dblink",
    "ALTER ROLE postgres SUPERUSER",
    "ALTER SYSTEM SET archive_command = 'id'",
    "GRANT ALL ON t TO PUBLIC",
    "DROP TABLE public.t",
    "TRUNCATE public.t",
    'TRUNCATE TABLE ONLY "public"."t"',
    'DROP TABLE IF EXISTS "public"."t"',
    'INSERT INTO "public"."t"\nSELECT\n  1 AS one',
    "DELETE FROM public.t",
    "INSERT INTO public.t\nSELECT\n  1 AS one",
    "INSERT INTO source\nSELECT\n  *\nFROM public.other",
    "WITH x AS (DELETE FROM public.t RETURNING *) SELECT * FROM x",
    "SELECT * INTO public.x FROM source",
    "SELECT 1 FROM source FOR UPDATE",
    "SET search_path TO setveil_0123456789ab, public; SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "LOAD 'evil'",
    "LISTEN evil",
    "LOCK TABLE public.t",
    "PREPARE TRANSACTION 'x'",
    "EXPLAIN ANALYZE DELETE FROM public.t",
    "CREATE UNLOGGED TABLE x /* AS\n */ AS SELECT 1",
    "CREATE UNLOGGED TABLE public.x AS\nSELECT\n  1 AS one",
    "CREATE UNLOGGED TABLE x AS\nSELECT\n  1 AS one\nFROM public.t",
    "CREATE UNLOGGED TABLE x AS\nSELECT\n  1 AS one\nFROM GENERATE_SERIES(1, 9) AS g",
    "CREATE UNLOGGED TABLE x AS\nEXECUTE p",
    "CREATE MATERIALIZED VIEW x AS SELECT 1",
    "CREATE RULE r AS ON INSERT TO source DO ALSO DELETE FROM public.t",
    "\\! touch evil.txt",
]

# Statements that read rows on the caller's path, where a trail may have fewer functions.
ITEMS = [
    "PG_READ_FILE('/etc/passwd')",
    "pg_catalog.PG_READ_FILE('/etc/passwd')",
    "(SELECT rolpassword FROM pg_catalog.pg_authid)",
    "FORMAT('%s', \"item\")",
    'MD5("item")',
]

# A run that keeps a table empties it first.
INSERTED = on_postgres().replace('CREATE TABLE "public"."safe" AS', 'INSERT INTO "public"."safe"')


def on_spark(*statements: str) -> str:
    place = "`spark_catalog`.`setveil_0123456789ab_1_2_3`"
    return f"""{CONFIDENTIAL}
-- setveil 0.1.0: coherence of "t" in Spark
-- promise: {{"model": "k-anonymity", "k": 2}}
-- columns: {{"tid": "tid", "item": "item", "level": null}}

CREATE SCHEMA {place};
CREATE TABLE {place}.source AS
SELECT
  `tid`,
  `item`
FROM `spark_catalog`.`default`.`t`;
USE {place};
{"".join(f"{one};" + chr(10) for one in statements)}CREATE TABLE `spark_catalog`.`default`.`setveil_0123456789ab_1_2_4` AS
SELECT
  s.`tid` AS `tid`
FROM source AS s;
ALTER TABLE `spark_catalog`.`default`.`setveil_0123456789ab_1_2_4` RENAME TO `default`.`safe`;
DROP SCHEMA {place} CASCADE;
"""


def spark_column(expression: str) -> str:
    return f"CREATE TABLE x AS\nSELECT\n  {expression} AS x\nFROM source AS s"


SPARK = [
    spark_column("JAVA_METHOD('java.lang.Runtime', 'getRuntime')"),
    spark_column("REFLECT('java.lang.System', 'exit', 1)"),
    spark_column("TRY_REFLECT('java.lang.System', 'exit', 1)"),
    spark_column("RAISE_ERROR('x')"),
    spark_column("UUID()"),
    spark_column("EVIL(s.`item`)"),
    spark_column("INPUT_FILE_NAME()"),
    spark_column("CURRENT_USER()"),
    spark_column("(SELECT 1 FROM parquet.`/etc/passwd`)"),
    "INSERT OVERWRITE DIRECTORY '/tmp/evil' USING csv SELECT 1",
    "INSERT OVERWRITE LOCAL DIRECTORY '/tmp/evil' USING csv SELECT 1",
    "INSERT OVERWRITE TABLE default.t SELECT 1",
    "INSERT INTO default.t\nSELECT\n  1 AS one",
    "CREATE TABLE x USING csv LOCATION '/tmp/evil' AS\nSELECT\n  1 AS one",
    "CREATE TABLE x USING parquet OPTIONS (path '/tmp/evil') AS\nSELECT\n  1 AS one",
    "CREATE TABLE x LOCATION '/tmp/evil' AS\nSELECT\n  1 AS one",
    "CREATE TABLE `spark_catalog`.`default`.x AS\nSELECT\n  1 AS one",
    "CREATE TABLE x AS\nSELECT\n  TRANSFORM(`tid`) USING 'touch evil.txt' AS x\nFROM source AS s",
    "CREATE TABLE x AS\nFROM source MAP `tid` USING 'touch evil.txt' AS x",
    "CREATE TABLE x AS\nSELECT\n  *\nFROM csv.`/etc/passwd`",
    "CREATE TABLE x AS\nSELECT\n  *\nFROM text.`/etc/passwd` AS r",
    "CREATE TABLE x AS\nSELECT\n  *\nFROM RANGE(10) AS r",
    "CREATE TABLE x /* AS\n */ AS SELECT 1",
    "CREATE TABLE x AS\nSELECT /*+ BROADCAST(s) */\n  1 AS one\nFROM source AS s",
    "CREATE FUNCTION evil AS 'com.evil.Evil' USING JAR '/tmp/evil.jar'",
    "ADD JAR '/tmp/evil.jar'",
    "SET spark.sql.extensions = com.evil.Evil; SET spark.jars = /tmp/evil.jar",
    "SET -v",
    "RESET",
    "LOAD DATA INPATH '/etc/passwd' INTO TABLE t",
    "DROP TABLE default.t",
    "DROP TABLE IF EXISTS `spark_catalog`.`default`.`t`",
    "DROP SCHEMA default CASCADE",
    "TRUNCATE TABLE default.t",
    "DELETE FROM default.t",
    "REFRESH TABLE default.t",
    "CACHE TABLE default.t",
    "EXPORT TABLE default.t TO '/tmp/evil'",
    "CREATE VIEW default.v AS SELECT 1",
    "CREATE TEMPORARY VIEW source AS SELECT 1",
    "SELECT JAVA_METHOD('java.lang.System', 'exit', 1)",
    "USE `spark_catalog`.`default`; DROP TABLE t; DROP TABLE t",
    "!touch evil.txt",
]


@pytest.mark.parametrize(
    ("trail", "url"),
    [
        *((on_postgres(one), "postgres://127.0.0.1:1/x") for one in POSTGRES),
        *((on_postgres(item=one), "postgres://127.0.0.1:1/x") for one in ITEMS),
        (INSERTED, "postgres://127.0.0.1:1/x"),
        *((on_spark(one), "sc://127.0.0.1:1") for one in SPARK),
    ],
    ids=[
        one.partition("AS x\n")[0][-60:]
        for one in (*POSTGRES, *ITEMS, "rows that are added", *SPARK)
    ],
)
def test_a_hostile_trail_of_a_server_reaches_none(
    tmp_path: Path, trail: str, url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.sql"
    path.write_text(trail)
    assert command(["replay", str(path), "--database", url]) == 2
    assert "setveil wrote it" in capfd.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["t.sql"]


@pytest.mark.parametrize(
    ("trail", "url"),
    [(on_postgres(), "postgres://127.0.0.1:1/x"), (on_spark(), "sc://127.0.0.1:1")],
    ids=["postgres", "spark"],
)
def test_without_what_was_put_in_a_server_is_looked_for(
    tmp_path: Path, trail: str, url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.sql"
    path.write_text(trail)
    assert command(["replay", str(path), "--database", url]) != 0
    assert "setveil wrote it" not in capfd.readouterr().err


@pytest.mark.parametrize("made", ["FORMAT('%s', \"item\")", 'MD5("item")', 'NUM_NULLS("item")'])
def test_a_reading_on_postgres_holds_no_function_by_its_bare_name(made):
    """Reading uses the caller's path, where another role may have planted such a function."""
    read = f'SELECT\n  CASE WHEN "tid" IS NULL THEN {made} END AS "item"\nFROM "public"."t"'
    tree = sqlglot.parse_one(read, dialect="postgres")
    assert trusted.by_path(tree, "postgres")
    exact = sqlglot.parse_one(read.replace(made, f"pg_catalog.{made}"), dialect="postgres")
    assert trusted.by_path(exact, "postgres") is None
    assert trusted.by_path(tree, "duckdb") is None

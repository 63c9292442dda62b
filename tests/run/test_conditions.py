"""A condition in a list chooses items by name and support, the same each time, and does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import setveil
from setveil.errors import InputError
from setveil.run.roles.lists import item_numbers
from setveil.run.session import Session

HOSTILE = """
uuidv4()::VARCHAR < '8'
uuidv7()::VARCHAR < '8'
uuid()::VARCHAR < '8'
gen_random_uuid()::VARCHAR < '8'
random() < 0.5
RANDOM() < support
support > random() * 10
setseed(0.5) IS NULL
hash(name) % 2 = 0 AND random() < 1
nextval('s') > 0
currval('s') > 0
now() > '2020-01-01'
today() > '2020-01-01'
current_date > '2020-01-01'
current_timestamp > '2020-01-01'
current_time > '10:00'
localtimestamp > '2020-01-01'
transaction_timestamp() IS NOT NULL
get_current_timestamp() IS NOT NULL
clock_timestamp() IS NOT NULL
age(DATE '2020-01-01') IS NOT NULL
name < 'now'
name > ' Today '
CAST('today' AS DATE) > '2020-01-01'
CAST(name AS TIMESTAMP) > '2020-01-01'
current_user = 'root'
user = 'root'
session_user = 'root'
current_database() = 'x'
current_schema() = 'main'
current_setting('threads') = '1'
current_query() LIKE '%'
txid_current() > 0
pg_backend_pid() > 0
version() = 'v2'
getvariable('source') LIKE '%'
getenv('HOME') LIKE '%'
name IN (SELECT content FROM read_text('/etc/passwd'))
EXISTS (SELECT 1)
EXISTS (FROM 'a.csv')
support > (SELECT COUNT(*) FROM item)
name = (SELECT 'a')
name IN (FROM 'a.csv')
name = ANY (SELECT 'a')
name = ALL (SELECT 'a')
name IN (VALUES ('a'))
(WITH x AS (SELECT 1) SELECT 1) = 1
read_text('/etc/passwd') IS NOT NULL
read_blob('/etc/passwd') IS NOT NULL
read_csv('/etc/passwd') IS NOT NULL
read_parquet('a.parquet') IS NOT NULL
glob('/etc/*') IS NOT NULL
pg_read_file('/etc/passwd') LIKE '%'
pg_read_binary_file('/etc/passwd') IS NOT NULL
pg_ls_dir('/') IS NOT NULL
pg_sleep(10) IS NULL
pg_terminate_backend(1)
pg_advisory_lock(1) IS NULL
pg_reload_conf()
pg_notify('a', 'b') IS NULL
lo_import('/etc/passwd') > 0
lo_export(1, '/tmp/x') > 0
lo_unlink(1) > 0
lo_from_bytea(0, 'x') > 0
dblink('dbname=x', 'DROP TABLE t') IS NOT NULL
dblink_exec('dbname=x', 'DROP TABLE t') IS NOT NULL
set_config('search_path', 'x', false) = 'x'
query_to_xml('DROP TABLE t', true, true, '') IS NOT NULL
query_to_xml_and_xmlschema('SELECT 1', true, true, '') IS NOT NULL
table_to_xml('t', true, true, '') IS NOT NULL
database_to_xml(true, true, '') IS NOT NULL
cursor_to_xml('c', 1, true, true, '') IS NOT NULL
ts_stat('SELECT 1') IS NOT NULL
public.evil(name)
evil(name)
name.evil()
"evil"(name)
pg_catalog.pg_sleep(1) IS NULL
java_method('java.lang.Runtime', 'getRuntime') IS NOT NULL
reflect('java.lang.System', 'exit', 1) IS NOT NULL
try_reflect('java.lang.System', 'exit', 1) IS NOT NULL
raise_error('x') IS NULL
assert_true(false) IS NULL
input_file_name() LIKE '%'
monotonically_increasing_id() < 5
spark_partition_id() = 0
rand() < 0.5
randn() < 0
shuffle(ARRAY[1, 2])[1] = 1
name OPERATOR(public.=) 'a'
name COLLATE "evil" = 'a'
CAST(name AS evil) IS NOT NULL
CAST(name AS public.evil) IS NOT NULL
CAST(name AS regclass) IS NOT NULL
CAST(name AS ENUM ('a', 'b')) IS NOT NULL
CAST(name AS JSON) IS NOT NULL
COUNT(*) > 1
SUM(support) OVER () > 1
ROW_NUMBER() OVER () < 3
UNNEST([1, 2]) = 1
LIST_FILTER([name], lambda x: x = 'a') IS NOT NULL
COLUMNS(*) IS NOT NULL
[x FOR x IN [name]] IS NOT NULL
REPEAT('x', 1000000000) = name
RANGE(1000000000) IS NOT NULL
error('x') IS NULL
item > 3
i.name = 'a'
main.item.name = 'a'
rowid < 3
$1 = name
? = name
name = 'a'; DROP TABLE item
name = 'a' UNION SELECT 1
1 = 1) OR (1 = 1
name = 'a' -- all
name = 'a' /* all */
""".strip().splitlines()
PLAIN = """
name LIKE 'Rx %' AND support < 50
name ILIKE 'rx%' OR name = 'b'
NOT name IN ('a', 'b') AND support BETWEEN 1 AND 9
LOWER(name) = 'rx 1' OR UPPER(SUBSTRING(name, 1, 1)) = 'B'
LENGTH(TRIM(name)) > 1 AND support % 2 = 0
CASE WHEN support > 2 THEN name = 'a' ELSE name LIKE '%x%' END
STARTS_WITH(name, 'Rx') OR CONTAINS(name, 'b') OR name ~ 'R.*'
REGEXP_MATCHES(name, '^R') AND ROUND(support / 2.0) >= 0
name IS NOT NULL AND COALESCE(NULLIF(name, ''), 'b') <> 'a'
CAST(support AS DOUBLE) * 2 > ABS(-1) + 0.5 AND name || 'x' <> 'x'
TRUE
""".strip().splitlines()


TEXT = "tid,item\n1,a\n1,Rx 1\n2,a\n2,b\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(TEXT)
    return "a.csv"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Read once: a condition that is refused leaves the session as it is."""
    path = tmp_path_factory.mktemp("read") / "a.csv"
    path.write_text(TEXT)
    with setveil.read(path) as baskets:
        yield baskets.session


def test_there_are_a_hundred() -> None:
    assert len(set(HOSTILE)) >= 100


@pytest.mark.parametrize("condition", HOSTILE)
def test_a_hostile_condition_is_refused(session: Session, condition: str) -> None:
    """Before the database is asked anything."""
    before = len(session.statements)
    with pytest.raises(InputError, match="^private: "):
        item_numbers(session, f"where:{condition}", "private", ignore_unknown=True)
    assert len(session.statements) == before


@pytest.mark.parametrize("condition", PLAIN)
def test_a_plain_condition_chooses_as_sql_does(source: str, condition: str) -> None:
    with setveil.read(source) as baskets:
        found = item_numbers(baskets.session, f"where:{condition}", "private", ignore_unknown=True)
        connection = duckdb.connect()
        connection.execute(
            "CREATE TABLE item AS FROM (VALUES (0, 'Rx 1', 1), (1, 'a', 2), (2, 'b', 1)) "
            "AS v (item, name, support)"
        )
        text = f"SELECT item FROM item WHERE {condition} ORDER BY item"  # noqa: S608
        assert found == [number for (number,) in connection.execute(text).fetchall()]

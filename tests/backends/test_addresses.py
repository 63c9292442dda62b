"""Addresses of servers, whose secrets no message repeats; no server is needed."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from setveil.backends.addresses import is_url, refuse_secrets, resolved
from setveil.backends.spark.addresses import spark_connect
from setveil.cli.main import run

SECRET = "TopSecret9"


def refused(capsys: pytest.CaptureFixture[str], database: str) -> str:
    """The message of the refusal: one line without the secret."""
    assert run(["inspect", "t", "--database", database]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert len(printed.err.splitlines()) == 1
    assert SECRET not in printed.err
    return printed.err


@pytest.mark.parametrize(
    "database",
    [
        "postgres:/u:{}@h/d",
        "postgres:u:{}@h",
        "postgres//u:{}@h/d",
        "postgres;//u:{}@h/d",
        "u:{}@h/s",
        "u:{}@h/s.csv",
        "sc:h:15002/;x-key={}",
    ],
)
def test_what_may_be_a_badly_written_address_is_not_repeated(database, capsys):
    assert "postgres://host/name, sc://host:port" in refused(capsys, database.format(SECRET))


@pytest.mark.parametrize("database", ["u:{}@h/s.csv", "postgres://u:{}@h/s.csv"])
def test_nor_where_it_ends_as_a_file(database, capsys):
    refused(capsys, database.format(SECRET))


def test_an_address_in_place_of_the_source_is_not_repeated(capsys):
    assert run(["inspect", f"postgres://u:{SECRET}@h/d"]) == 2
    printed = capsys.readouterr()
    assert "--database" in printed.err
    assert SECRET not in printed.out + printed.err


@pytest.mark.parametrize("url", ["postgres://u%zz{}@h/d", "postgres://h/d?{}"])
def test_what_postgres_cannot_read_is_not_repeated(url, capsys):
    pytest.importorskip("psycopg", reason="PostgreSQL is not installed: pip install -e '.[dev]'")
    assert "no address of PostgreSQL (" in refused(capsys, url.format(SECRET))


@pytest.mark.parametrize(
    "parameters",
    [";x-key={}", ";Authorization={}", ";use_ssl=true;x-key={}", ";{}", ";user_id=me;{}=a"],
)
@pytest.mark.parametrize("host", ["h/", "h:15002/", "h", "SC://h/"])
def test_parameters_that_may_be_secrets(host, parameters, capsys):
    url = host if host.startswith("SC") else f"sc://{host}"
    assert "SPARK_REMOTE" in refused(capsys, url + parameters.format(SECRET))


@pytest.mark.parametrize("parameter", ["use_ssl=true", "user_id=me", "x-databricks-cluster-id=1"])
def test_parameters_that_are_none(parameter):
    refuse_secrets(f"sc://h/;{parameter};user_agent=setveil")


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("PostgreSQL://Host/Shop", "postgresql://Host/Shop"),
        ("POSTGRES://", "postgres://"),
        ("SC://Host:1", "sc://Host:1"),
        ("Spark://local[2]", "spark://local[2]"),
    ],
)
def test_the_case_of_a_scheme_is_of_no_matter(typed, meant):
    assert is_url(typed)
    assert resolved(typed) == meant


@pytest.mark.parametrize("name", ["u:p@h.db", "./sc:x", "a@b", "token=1.db"])
def test_a_file_may_be_called_so(name, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(tmp_path / name) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS tid, 'a' AS item")
    assert run(["inspect", "t", "--database", name]) == 0


NO_ADDRESSES = [
    "sc://localhost:port",
    "sc://localhost:99999",
    "sc://localhost:0",
    "sc://localhost:15002/path",
    "sc://localhost;use_ssl=true",
    "sc://localhost/;use_ssl",
    "sc://[::1",
    "sc://[::1/;use_ssl=true",
    "sc://:15002",
    "sc:///",
]


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_what_is_no_address_of_spark_connect(url, capsys):
    assert "--database is no address of Spark Connect" in refused(capsys, url)


@pytest.mark.parametrize(
    "url",
    [
        *NO_ADDRESSES,
        "postgres://host",
        f"sc://localhost:port/;token={SECRET}",
        f"sc://localhost:15002;token={SECRET}",
        f"sc://localhost/;token={SECRET}=",
        f"sc://me:{SECRET}@localhost",
    ],
)
def test_what_is_none_in_the_environment(url, monkeypatch, capsys):
    monkeypatch.setenv("SPARK_REMOTE", url)
    assert "SPARK_REMOTE is no address of Spark Connect" in refused(capsys, "sc://")


def test_nothing_in_the_environment(monkeypatch, capsys):
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    assert "SPARK_REMOTE" in refused(capsys, "sc://")


@pytest.mark.parametrize(
    "url, host, port",
    [
        ("sc://shop.example.org", "shop.example.org", 15002),
        ("sc://10.0.0.1:443/", "10.0.0.1", 443),
        ("sc://localhost:443/;", "localhost", 443),
        ("sc://localhost:1/;use_ssl=true;token=a%3D;user_id=", "localhost", 1),
        ("sc://[::1]:443/;use_ssl=true", "::1", 443),
        ("sc://[fe80::1%25eth0]", "fe80::1%25eth0", 15002),
    ],
)
def test_where_a_server_of_spark_is(url, host, port):
    assert spark_connect(url) == (host, port)


@pytest.mark.parametrize("parameter", ["grpc_keepalive_time_ms", "session_id"])
def test_parameters_that_spark_does_not_take(parameter, monkeypatch, capsys):
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install pyspark-client")
    monkeypatch.setenv("HTTP_PROXY", "http://localhost:1")  # nobody is asked whether it is there
    monkeypatch.setenv("SPARK_REMOTE", f"sc://localhost/;{parameter}={SECRET}")
    assert "refuses the parameters" in refused(capsys, "sc://")

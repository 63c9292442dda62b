"""How servers are named, and that no secret of theirs is told; no server is needed for that."""

from __future__ import annotations

import pytest

from setveil.backends.addresses import spark_connect
from setveil.cli.main import run

SECRET = "TopSecret9"


def refused(capsys: pytest.CaptureFixture[str], database: str) -> str:
    """What is said of it: one line, without the secret."""
    assert run(["inspect", "t", "--database", database]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert len(printed.err.splitlines()) == 1
    assert SECRET not in printed.err
    return printed.err


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
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'setveil[spark]'")
    monkeypatch.setenv("HTTP_PROXY", "http://localhost:1")  # nobody is asked whether it is there
    monkeypatch.setenv("SPARK_REMOTE", f"sc://localhost/;{parameter}={SECRET}")
    assert "does not take the parameters" in refused(capsys, "sc://")

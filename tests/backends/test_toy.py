"""A new kind of database: a module with its run, and one entry in the registry."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import duckdb
import pytest
from sqlglot import exp

from setveil.backends import Backend, Capabilities, Columns, Row, Value, registry
from setveil.backends.duckdb.backend import DuckDB
from setveil.backends.kind import Kind
from setveil.backends.server import Run, Server
from setveil.cli.main import run
from setveil.sql.step import render

SHOP = duckdb.connect()  # the toy server, with everything that it holds
SHOP.execute(
    "CREATE TABLE baskets AS SELECT i // 4 AS tid, 'i' || (i % 7) AS item FROM range(80) t(i)"
)


class Toy(Server):
    """A run on the toy server: a DuckDB in memory that plays a distant place."""

    engine = "Toy"
    listed = "[a, b]"
    can = Capabilities(dialect="duckdb", posting_widths=(64,))

    def __init__(self, url: str) -> None:
        assert url == "toy://shop"
        self.there = DuckDB(SHOP)
        self.run, self.inside = self.there.run, self.there.inside
        self.opening, self.outside = self.there.opening, "USE memory"

    def execute(self, name: str, statement: str) -> int:
        return self.there.execute(name, statement)

    def rows(self, name: str, statement: str) -> list[Row]:
        return self.there.rows(name, statement)

    def columns(self, name: str, statement: str) -> Columns:
        return self.there.columns(name, statement)

    def interrupt(self) -> None:
        self.there.interrupt()

    def close(self) -> None:
        self.close_local()
        self.there.close()

    def version(self) -> dict[str, str]:
        return {"toy": "1"}

    def relation(self, name: str) -> exp.Expr:
        return self.there.relation(name)

    def columns_of(self, relation: exp.Expr) -> dict[str, str]:
        return self.there.columns_of(relation)

    def of_run(self, relation: str) -> exp.Table:
        return self.there.of_run(relation)

    def as_read(self, column: exp.Column, kind: str) -> exp.Expr:
        return self.there.as_read(column, kind)

    def insert_columns(
        self, table: str, titles: Sequence[str], columns: Sequence[Sequence[Value]]
    ) -> None:
        self.there.insert_columns(table, titles, columns)

    def beside(self, note: Callable[[str], None]) -> Backend:
        raise NotImplementedError

    def of_file(self, table: str, columns: dict[str, bool], path: str) -> list[str]:
        raise NotImplementedError

    def send_table(self, local: Any, query: exp.Query, table: str, force: bool) -> Any:
        raise NotImplementedError

    def fetch(self, query: exp.Query, local: DuckDB, relation: str, run: Run) -> None:
        def sent(name: str, statement: str) -> int:
            rows = self.there.connection.sql(statement).to_arrow_table()
            local.connection.register("sent", rows)
            return local.execute(name, f"CREATE TABLE {local.of_run(relation).sql()} AS FROM sent")

        run(render(query), sent)

    def is_table(self, table: exp.Table) -> bool:
        return True

    def check_table(self, table: str, force: bool) -> None:
        pass

    @contextlib.contextmanager
    def published(
        self, query: exp.Query, table: str, force: bool, run: Callable[[str], None]
    ) -> Iterator[None]:
        place = exp.table_(table, db="main", catalog="memory")
        run(render(exp.Create(this=place, kind="TABLE", expression=query)))
        yield


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind(
        "toy", "Toy", __name__, lambda place, **_: Toy(place), schemes=("toy",),
        examples=("toy://shop",),
    )  # fmt: skip
    monkeypatch.setattr(registry, "REGISTRY", (*registry.REGISTRY, kind))


SHOPPING = ["baskets", "--database", "toy://shop"]
PROMISE = ["--k", "3", "--p", "1"]


def test_a_model_runs_on_it_and_its_release_is_verified(toy, tmp_path, capsys):
    out = tmp_path / "safe.csv"
    assert run(["coherence", *SHOPPING, *PROMISE, "--out", str(out)]) == 0
    assert out.read_text().startswith("tid,item\n0,i0\n")
    assert run(["verify", "coherence", str(out), *PROMISE]) == 0
    assert run(["verify", "coherence", *SHOPPING, *PROMISE]) == 0
    assert run(["verify", "coherence", *SHOPPING, "--k", "13", "--p", "1"]) == 1


def test_its_release_can_be_a_table(toy, capsys):
    try:
        assert run(["k-anonymity", *SHOPPING, "--k", "3", "--fanout", "3", "--into", "safe"]) == 0
        assert SHOP.sql("SELECT COUNT(*) FROM memory.main.safe").fetchall()[0][0] > 0
    finally:
        SHOP.execute("DROP TABLE IF EXISTS memory.main.safe")


def test_what_would_run_on_it_is_shown(toy, capsys):
    for dialect in ([], ["--dialect", "snowflake"]):
        assert run(["coherence", *SHOPPING, *PROMISE, "--explain", *dialect]) == 0
        assert "CREATE TABLE suppressed_item AS" in capsys.readouterr().out


def test_its_addresses_are_known(toy, capsys):
    assert run(["inspect", "baskets", "--database", "toys:/shop"]) == 2
    assert "sc://host:port, spark://local[*] or toy://shop" in capsys.readouterr().err
    assert run(["inspect", "baskets", "--database", "toy://me:secret@shop"]) == 2
    assert "secret" not in capsys.readouterr().err

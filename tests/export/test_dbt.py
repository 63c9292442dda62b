"""The package in real dbt: it passes good releases, and fails broken ones with the right rows."""

from __future__ import annotations

import json

import duckdb
import pytest

import setveil
import warehouse
from setveil.verify import query

PROJECT = """
name: audited
version: "1.0"
config-version: 2
profile: audited
"""
PROFILE = """
audited:
  target: dev
  outputs: {dev: {type: duckdb, path: audited.duckdb}}
"""
POSTGRES = """
audited:
  target: dev
  outputs:
    dev:
      {type: postgres, host: "$host", dbname: $database, user: postgres, password: none,
       port: 5432, schema: public, threads: 1}
"""
TESTS = {
    "coherence": "{k: 2, p: 2, h: 0.4, private: [rx, unknown]}",
    "coherence_listed": "{k: 2, p: 1, h: 0.4, private: \"source('r', 'listed')\", person: person}",
    "k_anonymity": "{k: 5}",
    "km_anonymity": "{k: 2, m: 2, person: person, persons: \"source('r', 'broken')\"}",
    "uncertainty": "{sensitive: [rx], rho: 0.1, max_knowledge: 2}",
    "hiding": "{patterns: [[a, b]], original: \"source('r', 'before')\", psi: 1}",
}
# Their queries in setveil's words.
SAME = {
    "coherence": ("coherence", {"k": 2, "p": 2, "h": "0.4", "private": ["rx", "unknown"]}),
    "coherence_listed": (
        "coherence",
        {"k": 2, "p": 1, "h": "0.4", "list_table": "listed", "person": "person"},
    ),
    "k_anonymity": ("k-anonymity", {"k": 5}),
    "km_anonymity": ("km-anonymity", {"k": 2, "m": 2, "person": "person"}),
    "uncertainty": ("uncertainty", {"sensitive": ["rx"], "rho": "0.1", "max_knowledge": 2}),
    "hiding": (
        "hiding",
        {"patterns": [["a", "b"]], "original_table": "before", "psi": 1},
    ),
}


@pytest.fixture(scope="module")
def dbt():
    return str(warehouse.environment("SETVEIL_DBT") / "dbt")


def checks_of(table: str) -> str:
    """The tests of a table. A good release has no listed item: the list of it is another."""
    lines = []
    for name, arguments in TESTS.items():
        kind = name.removesuffix("_listed")
        if table == "good":
            arguments = arguments.replace("[rx, unknown]", "[b]").replace("[rx]", "[a]")
            arguments = arguments.replace("0.4", "1").replace("0.1", "1")
            if name == "coherence_listed":
                continue
        lines.append(f"          - setveil.{kind}:")
        lines.append(f"              name: {table}_{name}")
        lines.append(f"              arguments: {arguments}")
    return "\n".join(lines)


def project(dbt, folder, dialect, profile, schema):
    """Write a project that tests good and broken releases of a database."""
    setveil.export_tests("dbt", folder / "packages/setveil", dialects=[dialect])
    (folder / "dbt_project.yml").write_text(PROJECT)
    (folder / "profiles.yml").write_text(profile)
    (folder / "packages.yml").write_text("packages:\n  - local: packages/setveil\n")
    (folder / "models").mkdir()
    tables = "".join(
        f"      - name: {name}\n" + (f"        data_tests:\n{checks_of(name)}\n" if tested else "")
        for name, tested in {"good": 1, "broken": 1, "before": 0, "listed": 0}.items()
    )
    (folder / "models/r.yml").write_text(
        f"sources:\n  - name: r\n    schema: {schema}\n    tables:\n{tables}"
    )
    warehouse.called(folder, dbt, "deps", "-q")


def found_in(folder, said):
    """The results of all tests by name: those of good releases passed, of broken ones failed."""
    results = json.loads((folder / "target/run_results.json").read_text())["results"]
    found = {one["unique_id"].split(".")[2]: one for one in results}
    assert len(found) == 2 * len(TESTS) - 1, said
    for name, one in found.items():
        assert one["status"] == ("pass" if name.startswith("good") else "fail"), (name, said)
    return found


def test_tests_pass_good_releases_and_fail_broken_ones(dbt, tmp_path):
    warehouse.releases(tmp_path / "audited.duckdb")
    project(dbt, tmp_path, "duckdb", PROFILE, "main")
    said = warehouse.called(tmp_path, dbt, "test", fails=True)
    found = found_in(tmp_path, said)
    for name, (model, promise) in SAME.items():
        rows = warehouse.answers(
            tmp_path / "audited.duckdb", found[f"broken_{name}"]["compiled_code"]
        )
        text = query(model, "broken", **promise)
        assert rows == warehouse.answers(tmp_path / "audited.duckdb", text)
        assert len(rows) == found[f"broken_{name}"]["failures"]
    assert rows and "dbt_test__audit" not in said


def test_tests_in_postgresql(dbt, tmp_path):
    from harness_postgres import OnPostgres

    postgres = OnPostgres()
    columns = {"tid": "INTEGER", "item": "VARCHAR", "person": "INTEGER"}
    for name, rows in (
        ("good", warehouse.GOOD),
        ("broken", warehouse.BROKEN),
        ("before", warehouse.BEFORE),
    ):
        postgres.put(name, columns, duckdb.sql(rows).fetchall())
    postgres.put("listed", {"item": "VARCHAR"}, [("rx",)])
    host = postgres.url.partition("host=")[2]
    profile = POSTGRES.replace("$host", host).replace("$database", postgres.database)
    project(dbt, tmp_path, "postgres", profile, "public")
    found_in(tmp_path, warehouse.called(tmp_path, dbt, "test", fails=True))
    postgres.close()


def test_the_project_of_the_guide_is_built_at_once(dbt, tmp_path):
    warehouse.from_guide(tmp_path)
    warehouse.orders(tmp_path / "seeds/orders.csv")
    setveil.export_tests("dbt", tmp_path / "packages/setveil", dialects=["duckdb"])
    setveil.append(
        tmp_path / "seeds/orders.csv",
        tmp_path / "safe",
        "coherence",
        tid="order_id",
        item="product",
        private=["Rx 1", "Rx 2"],
        h="0.6",
        k=5,
        p=2,
    )
    with setveil.read(
        tmp_path / "seeds/orders.csv", tid="order_id", item="product", person="customer"
    ) as baskets:
        release = setveil.coherence(baskets, private=["Rx 1", "Rx 2"], h="0.6", k=5, p=2)
        key = tmp_path / "seeds/key.csv"
        release.write(tmp_path / "numbered.parquet", renumber=True, key=key)
    warehouse.called(tmp_path, dbt, "deps", "-q")
    said = warehouse.called(tmp_path, dbt, "build")
    for test in ("release_keeps_its", "slices_keep_their", "numbers_keep_their"):
        assert f"PASS {test}_promise" in said
    assert warehouse.answers(tmp_path / "shop.duckdb", "SELECT COUNT(*) > 0 FROM release") == [
        (True,)
    ]

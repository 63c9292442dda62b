"""The audits in real sqlmesh: they pass good releases, and fail broken ones."""

from __future__ import annotations

import pytest

import setveil
import warehouse

CONFIG = """
gateways: {local: {connection: {type: duckdb, database: db.duckdb}}}
default_gateway: local
model_defaults: {dialect: duckdb, start: 2024-01-01}
"""
AUDITS = {
    "coherence_of_2": "k := 2",
    "coherence_of_2_listed": "k := 2, h := 0.1, list := r.listed",
    "k_anonymity_of_persons": "k := 5, person := person, persons := r.people",
    "km_anonymity_of_2": "k := 2",
    "uncertainty_of_2": "rho := 0.1, list := r.listed",
    "hiding": "psi := 1, list := r.patterns, original := r.before",
}


@pytest.fixture(scope="module")
def sqlmesh():
    return str(warehouse.environment("SETVEIL_SQLMESH") / "sqlmesh")


def project(folder, release, listed):
    """A project whose release has all audits."""
    setveil.export_tests("sqlmesh", folder)
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "models").mkdir()
    models = {
        "listed": f"SELECT '{listed}' AS item",
        "people": f"SELECT DISTINCT tid, person FROM ({release}) AS r",  # noqa: S608
        "before": warehouse.BEFORE,
        "patterns": "SELECT 1 AS pattern, UNNEST(['a', 'b']) AS item",
    }
    for name, query in models.items():
        text = f"MODEL (name r.{name}, kind FULL);\n{query}\n"
        (folder / f"models/{name}.sql").write_text(text)
    audits = ", ".join(f"setveil_{name}({given})" for name, given in AUDITS.items())
    depends = ", ".join(f"r.{name}" for name in models)
    head = f"MODEL (name r.release, kind FULL, depends_on ({depends}), audits ({audits}))"
    (folder / "models/release.sql").write_text(f"{head};\n{release}\n")


def test_audits_pass_a_good_release(sqlmesh, tmp_path):
    # No item of a good release is rarer than in all transactions: rho and h allow that share.
    project(tmp_path, warehouse.GOOD, "b")
    path = tmp_path / "models/release.sql"
    path.write_text(path.read_text().replace(":= 0.1", ":= 1"))
    said = warehouse.called(tmp_path, sqlmesh, "plan", "--auto-apply", "--no-prompts")
    assert f"audits passed {len(AUDITS)}" in said


def test_audits_fail_a_broken_release(sqlmesh, tmp_path):
    project(tmp_path, warehouse.BROKEN, "rx")
    said = warehouse.called(tmp_path, sqlmesh, "plan", "--auto-apply", "--no-prompts", fails=True)
    for name in AUDITS:
        assert f"'setveil_{name}' audit error" in said, name

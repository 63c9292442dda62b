"""PostgreSQL: a table with dependent objects stays, and all its rows are replaced."""

from __future__ import annotations

import psycopg
import pytest

import setveil
from runs import suppress
from setveil.errors import InputError

pytestmark = pytest.mark.only_on("postgres", reason="a server's own")

ENGINES = ["in-place", "duckdb"]
OLD = [(7, "secret")]


@pytest.fixture(params=ENGINES)
def shop(request, server):
    """A source, and an old release with a view, comments and statistics."""
    server.table()
    server.table("safe", OLD)
    for text in (
        "CREATE VIEW shown AS SELECT item FROM safe",
        "CREATE VIEW again AS SELECT item FROM shown",
        "COMMENT ON TABLE safe IS 'without secret'",
        "COMMENT ON COLUMN safe.item IS 'secret once'",
        "ANALYZE safe",
    ):
        server.connection.execute(text)
    server.engine = request.param
    return server


def write(server, names=(), table="safe", force=True, **options):
    with setveil.read("t", database=server.url, engine=server.engine) as baskets:
        suppress(baskets, names).write_table(table, force=force, **options)


def asked(server, query):
    return server.connection.execute(query).fetchall()


def test_what_depends_on_a_table_stays(shop):
    (before,) = asked(shop, "SELECT 'safe'::regclass::oid, 'shown'::regclass::oid")
    write(shop)
    assert asked(shop, "SELECT item FROM again ORDER BY 1") == [("a",), ("a",), ("b",), ("c",)]
    assert asked(shop, "SELECT 'safe'::regclass::oid, 'shown'::regclass::oid") == [before]
    shop.connection.execute("DROP VIEW again, shown")
    write(shop, ["a"])
    assert asked(shop, "SELECT * FROM safe ORDER BY 1") == [(1, "b"), (3, "c")]


def test_nothing_of_the_rows_before_stays(shop):
    write(shop, ["b"])
    said = (
        "SELECT description FROM pg_description WHERE objoid = 'safe'::regclass",
        "SELECT 1 FROM pg_stats WHERE tablename = 'safe' AND most_common_vals::text LIKE '%secret%'"
        " OR histogram_bounds::text LIKE '%secret%'",
    )
    assert [asked(shop, query) for query in said] == [[], []]
    assert asked(shop, "SELECT 1 FROM pg_stats WHERE tablename = 'safe'") != []


def test_rights_and_keys_stay(shop):
    for text in (
        "GRANT SELECT ON safe TO PUBLIC", "ALTER TABLE safe ADD PRIMARY KEY (tid, item)",
    ):  # fmt: skip
        shop.connection.execute(text)
    write(shop)
    found = asked(shop, "SELECT relacl::text LIKE '%=r/%' FROM pg_class WHERE relname = 'safe'")
    assert found == [(True,)]
    shop.connection.execute("INSERT INTO t VALUES (1, 'a')")  # which the release has once
    write(shop)
    assert asked(shop, "SELECT COUNT(*) FROM safe") == [(4,)]


def test_all_of_it_or_nothing(shop):
    """A reader of the view sees the old rows, or waits for the new ones."""
    shop.connection.execute("ALTER TABLE safe ADD CONSTRAINT one UNIQUE (tid)")
    with pytest.raises(InputError, match="cannot be made: .*unique constraint"):
        write(shop)
    assert asked(shop, "SELECT * FROM safe") == OLD
    assert asked(shop, "SELECT COUNT(*) FROM pg_description WHERE objoid = 'safe'::regclass") == [
        (2,)
    ]


def test_other_columns_are_refused_by_the_views(shop):
    shop.connection.execute("ALTER TABLE safe ALTER tid TYPE bigint")
    with pytest.raises(
        InputError, match="as view .*shown depends on it; it has the columns tid big"
    ):
        write(shop)
    assert asked(shop, "SELECT * FROM safe") == OLD


OBSTACLES = {
    "trigger spy": "CREATE TRIGGER spy AFTER INSERT ON safe FOR EACH ROW EXECUTE FUNCTION spy()",
    "trigger mute": "CREATE TRIGGER mute AFTER TRUNCATE ON safe EXECUTE FUNCTION spy()",
    "rule copied": "CREATE RULE copied AS ON INSERT TO safe DO ALSO INSERT INTO kept VALUES (1)",
    "row level security": "ALTER TABLE safe ENABLE ROW LEVEL SECURITY",
    "policy few": "CREATE POLICY few ON safe USING (tid < 2)",
    "constraint fine": "ALTER TABLE safe ADD CONSTRAINT fine CHECK (item <> 'HIV')",
    "index .*some": "CREATE INDEX \"some\" ON safe (tid) WHERE item = 'HIV'",
    "index .*other": "CREATE INDEX other ON safe ((item || 'HIV'))",
    "default of column item": "ALTER TABLE safe ALTER item SET DEFAULT 'HIV'",
    "statistics few": "CREATE STATISTICS few ON tid, item FROM safe",
    "inheritance": "CREATE TABLE child () INHERITS (safe)",
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_would_work_on_the_rows_is_refused(shop, obstacle):
    for text in (
        "CREATE TABLE kept (n int)",
        "CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN INSERT INTO kept VALUES (1); RETURN NULL; END $$",
        OBSTACLES[obstacle],
    ):
        shop.connection.execute(text)
    with pytest.raises(InputError, match=f"nor can its rows alone, because of {obstacle}"):
        write(shop)
    assert asked(shop, "SELECT * FROM safe") == OLD
    assert asked(shop, "SELECT * FROM kept") == []


def test_a_release_without_rows_is_refused(shop):
    with pytest.raises(InputError, match="statistics of its old rows"):
        write(shop, ["a", "b", "c"])
    assert asked(shop, "SELECT * FROM safe") == OLD


def test_a_table_that_a_key_refers_to_stays(shop):
    """Its rows cannot be removed."""
    for text in (
        "DROP VIEW again, shown", "ALTER TABLE safe ADD PRIMARY KEY (tid)",
        "CREATE TABLE other (tid int REFERENCES safe)",
    ):  # fmt: skip
        shop.connection.execute(text)
    with pytest.raises(InputError, match="cannot be made: cannot truncate a table referenced"):
        write(shop)
    assert asked(shop, "SELECT * FROM safe") == OLD


@pytest.mark.parametrize("shop", ["in-place"], indirect=True)
def test_the_trail_makes_the_rows_again(shop, tmp_path):
    write(shop, trail=tmp_path / "t.sql")
    assert setveil.replay(tmp_path / "t.sql", database=shop.url).same
    shop.connection.execute("DELETE FROM safe WHERE tid = 3")
    assert not setveil.replay(tmp_path / "t.sql", database=shop.url).same


def test_nobody_comes_between(shop):
    """The table is locked while it is written, so no one can add a trigger."""
    with setveil.read("t", database=shop.url) as baskets:
        release = suppress(baskets)
        server = baskets.session.backend
        real = type(server)._forget_old

        def late(self, *given):
            shop.connection.execute("SET lock_timeout = '50ms'")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                shop.connection.execute(
                    "CREATE RULE late AS ON INSERT TO safe DO ALSO DELETE FROM t"
                )
            real(self, *given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(server), "_forget_old", late)
            release.write_table("safe", force=True)
    assert asked(shop, "SELECT COUNT(*) FROM safe") == [(4,)]

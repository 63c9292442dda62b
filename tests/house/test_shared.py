"""Queries are made once and shared; each test session compares them at its end, see conftest."""

from __future__ import annotations

from setveil.sql.step import Step, decided, duck, shown, term


def test_a_text_with_the_same_values_is_one_tree() -> None:
    condition = term("r.a < $n", n=3)
    first, again, other = (
        duck("SELECT r.a AS a FROM r WHERE $c", c=c)
        for c in (condition, condition, term("r.a < $n", n=4))
    )
    assert first is again and first is not other
    assert other.sql().endswith("r.a < 4")
    listed = [shown("r.a AS a")]
    assert duck("SELECT $all FROM r", all=listed) is duck("SELECT $all FROM r", all=list(listed))


def test_a_statement_has_the_name_and_kind_that_are_asked_for() -> None:
    query = duck("SELECT r.a AS a FROM r")
    texts = [Step(name, "", query).create(kind=kind) for name in "xy" for kind in ("TABLE", "VIEW")]
    assert texts == [
        f"CREATE {kind} {name} AS\nSELECT\n  r.a AS a\nFROM r"
        for name in "xy"
        for kind in ("TABLE", "VIEW")
    ]
    assert Step("x", "", query).sql("postgres") == "SELECT\n  r.a AS a\nFROM r"


def test_what_python_decided_on_is_not_kept() -> None:
    one, two = (decided("x", "", ["n"], [(n,)]).query for n in (1, 1))
    assert one is not two and one.sql() == two.sql()

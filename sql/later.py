"""Write relations as WITHs of the queries that read them, where statements are dear.

A relation that is made again gets another name in the database, so that the first need not be
dropped before.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from setveil.sql.step import Step


class Later:
    """The relations that are WITHs, and the names that relations have in the database."""

    def __init__(self, names: Mapping[str, tuple[str, int]] | None = None) -> None:
        """Begin with these names, and how often each was used."""
        self._names = dict(names or {})
        # By the name in the database: the WITHs of each relation, the ones it reads first.
        self._withs: dict[str, dict[str, exp.Query]] = {}
        self.left: list[str] = []  # relations that stay in the database though nobody reads them

    @property
    def names(self) -> dict[str, tuple[str, int]]:
        return dict(self._names)

    def place(self, name: str) -> str:
        """The present name of a relation in the database."""
        return self._names.get(name, (name, 1))[0]

    def is_with(self, name: str) -> bool:
        """Is the relation a WITH of the queries that read it?"""
        return self.place(name) in self._withs

    def keep(self, step: Step) -> None:
        """Make the relation a WITH of all later queries that read it."""
        whole = self.written(step)
        own = whole.query.copy()
        withs = {one.alias: one.this for one in own.ctes}
        own.set("with_", None)
        # A WITH of this query alone gets a name that no other query has.
        before = {name: query for name, query in withs.items() if name in self._withs}
        apart = {name: f"{whole.name}_{name}" for name in withs if name not in before}
        inner = {apart[name]: _renamed(withs[name], apart) for name in apart}
        self._withs[whole.name] = {**before, **inner, whole.name: _renamed(own, apart)}

    def retire(self, name: str) -> None:
        """Leave a relation where it is: a later one of its name gets another in the database."""
        place, times = self._names.get(name, (name, 1))
        if place not in self._withs:
            self.left.append(place)
        self._names[name] = f"{name}_again_{times + 1}", times + 1

    def written(self, step: Step) -> Step:
        """The step under its name in the database, with the WITHs that it reads."""
        names = {name: place for name, (place, _) in self._names.items()}
        query = _renamed(step.query, names)
        read = [one.name for one in query.find_all(exp.Table) if not one.db]
        needed: dict[str, exp.Query] = {}
        for name in sorted(set(read) & self._withs.keys()):
            needed |= self._withs[name]
        if not needed:
            return Step(self.place(step.name), step.why, query)
        query = query.copy()
        ctes = [_with(name, one) for name, one in needed.items()] + [
            one.copy() for one in query.ctes
        ]
        query.set("with_", exp.With(expressions=ctes))
        return Step(self.place(step.name), step.why, query)


def _with(name: str, query: exp.Query) -> exp.CTE:
    alias = exp.TableAlias(this=exp.to_identifier(name))
    return exp.CTE(this=query.copy(), alias=alias)


def _renamed(query: exp.Query, names: Mapping[str, str]) -> exp.Query:
    """The query with other names for relations; columns find them by their names as before."""
    own = {one.alias for one in query.find_all(exp.CTE)}
    if not any(one.name in names for one in query.find_all(exp.Table)):
        return query
    query = query.copy()
    for table in list(query.find_all(exp.Table)):
        if not table.db and table.name in names and table.name not in own:
            alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
            table.set("this", exp.to_identifier(names[table.name]))
            table.set("alias", alias)
    return query

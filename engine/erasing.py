"""Erase transactions from a target, and suppress what too few would hold in their slice then.

A slice that still keeps the promise stays as it is, without the transactions. Else items or nodes
are suppressed in it, or classes of too few twins are left out. If nothing helps, the slice is
emptied. The checker of the model judges what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlglot import exp

from setveil.errors import UnreachableError
from setveil.models import REGISTRY
from setveil.models.hiding.patterns import named_patterns
from setveil.models.model import Model
from setveil.run.reading import Baskets, cells_of, query_beside, read_beside
from setveil.run.roles.promise import Pattern
from setveil.run.session import Session
from setveil.run.slices.appending import slice_of
from setveil.run.slices.aside import make_again
from setveil.run.slices.erasing import Erased, Keys, erase_keys, rows_of
from setveil.sql.run import reading
from setveil.sql.run.slices import erasing as sql
from setveil.sql.run.slices.target import SLICE
from setveil.verify import beside, judged


def erased(baskets: Baskets, model: Model, options: Mapping[str, Any], keys: Keys) -> Erased:
    """Take the transactions with these keys out of the target that the baskets were read for."""
    if model.beside_original:
        options = _wholly(baskets.session, options)
    work = _Erasing(baskets, model, {**options, "ignore_unknown": True})
    return erase_keys(baskets, slice_of(baskets), keys, work.repair)


def _wholly(session: Session, options: Mapping[str, Any]) -> dict[str, Any]:
    """The promise that no pattern is left where transactions were erased.

    A share of a pattern's support cannot be kept: nobody knows any longer how many of the other
    transactions held it, since the source may have changed.
    """
    session.note(
        "in slices that lose transactions, patterns are hidden wholly: nobody can say how many of "
        "the others held them"
    )
    patterns = [Pattern(one.names) for one in named_patterns(session, options["patterns"])]
    return {"patterns": patterns, "psi": 0}


class _Erasing:
    """The promise of a target, and the ways to keep it in a slice that lost transactions."""

    def __init__(self, baskets: Baskets, model: Model, options: Mapping[str, Any]) -> None:
        self.baskets, self.model, self.session = baskets, model, baskets.session
        self.options = {
            k: v for k, v in options.items() if k != "ignore_unknown" or model.lists_items
        }
        self.promise = {one.name: options[one.name] for one in model.promise if one.name in options}
        self.new = slice_of(baskets)
        self.key = reading.column(baskets.shape.key or "")
        self.item = reading.column(baskets.shape.item)
        if baskets.persons is not None:
            make_again(self.session, sql.owners())

    def repair(self, number: int, columns: list[str]) -> None:
        """Make `kept_rows`, the most rows of `remaining` that keep the promise."""
        for make in self._ways(columns):
            if make() and self._holds(self._rows("kept_rows", columns)) and self._whole(number):
                return
        make_again(self.session, sql.no_rows(columns))
        self.session.note(f"no row of slice {number} can stay without the erased transactions")
        if not self._whole(number):
            raise UnreachableError(
                "without these transactions, shares of persons in the whole target would break the "
                "promise: erase the other slices too, or begin a new target"
            )

    def _ways(self, columns: list[str]) -> Iterator[Callable[[], bool]]:
        """The repairs, the one that keeps most first."""
        yield lambda: self._keep(self.session.backend.of_run("remaining"), columns)
        if self.model.in_parts:
            return
        if "level" not in columns:
            yield lambda: self._suppressed(columns)
        elif self.model.name == "k-anonymity":
            yield lambda: self._whole_classes(columns)
        else:
            yield lambda: self._suppressed_nodes(columns)

    def _keep(self, rows: exp.Expr, columns: list[str]) -> bool:
        make_again(self.session, sql.kept_rows(columns, rows))
        return True

    def _suppressed(self, columns: list[str]) -> bool:
        """Run the method of the model on the rows that stay."""
        with self._read(self._rows("remaining", columns), columns) as held:
            try:
                self.model.anonymize(held, **self.options)
            except UnreachableError:
                return False
            return self._keep(held.session.backend.of_run("release"), columns)

    def _suppressed_nodes(self, columns: list[str]) -> bool:
        """Suppress nodes as coherence suppresses items."""
        if self.baskets.shape.lists:
            return False
        names = sql.nodes_as_names(self.item, [one for one in columns if one != "level"])
        known = {"k": self.promise["k"], "p": self.promise.get("p", self.promise.get("m"))}
        if not str(known["p"]).isdecimal():
            known["p"] = max(1, self._longest())
        given = {
            one: self.promise[one] for one in ("h", "private", "public") if one in self.promise
        }
        with self._read(names, columns) as held:
            try:
                release = REGISTRY["coherence"].anonymize(
                    held, ignore_unknown=True, **{**known, "p": int(known["p"])}, **given
                )
            except UnreachableError:
                return False
            kept = beside(held, cells_of(held.session, release.shape, "release"))
            make_again(self.session, sql.with_kept_nodes(kept, self.key, self.item, columns))
        return True

    def _whole_classes(self, columns: list[str]) -> bool:
        if self.baskets.shape.lists:
            return False
        k = int(self.promise["k"])
        make_again(self.session, sql.whole_classes(self.key, self.item, columns, k))
        return True

    def _longest(self) -> int:
        return int(self.session.look_up(sql.longest(self.key))[0][0] or 0)

    def _rows(self, relation: str, columns: list[str]) -> exp.Select:
        shown = [reading.column(one) for one in columns]
        return exp.Select().select(*shown).from_(self.session.backend.of_run(relation))

    def _read(self, rows: exp.Select, columns: list[str]) -> Baskets:
        """Read rows of a slice in a run of their own, with their persons and carried columns."""
        shape = self.baskets.shape
        beside(self.baskets, rows)
        others = [one for one in columns if one not in (shape.key, shape.item, "level", SLICE)]
        counted = self.baskets.persons is not None  # 0: no transaction is new
        owners = self.session.backend.of_run("erase_owner") if counted else None
        source = query_beside(self.baskets, rows)
        return read_beside(
            self.baskets, source, tid=shape.key, item=shape.item, owners=owners, carry=others
        )

    def _holds(self, rows: exp.Select) -> bool:
        with self._read(rows, []) as held:
            if not held.transactions:
                return True
            more: dict[str, Any] = {"ignore_unknown": self.model.lists_items}
            if self.model.beside_original:
                before = self._rows("remaining", [self.key.name, self.item.name])
                more["original"] = query_beside(self.baskets, before).name
            if self.model.in_parts:
                counts = exp.Select().select(exp.Star())
                counts = counts.from_(self.session.backend.of_run("kept_counts"))
                more["counts"] = query_beside(self.baskets, counts).name
            verdict = judged(self.model.name, held, **more, **self.promise)
            return bool(verdict.holds)

    def _whole(self, number: int) -> bool:
        """Does the whole target keep shares of persons? Other promises add up."""
        if self.baskets.persons is None or not self.new.wanted.of_shares:
            return True
        old = rows_of(self.baskets, self.new)
        assert old is not None
        columns = [self.key.name, self.item.name]
        if "level" in self.session.backend.columns_of(old):
            columns.append("level")
        make_again(self.session, sql.of_whole_but(old, columns, number))
        return self._holds(self._rows("whole_target", columns))

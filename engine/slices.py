"""Append new transactions to a target, as a slice that keeps the target's promise by itself.

If every slice keeps the promise, so does every union of slices: supports are sums of numbers that
are 0 or at least k, and shares of transactions are mediants. Only shares of persons do not add up,
so these are checked in the whole target.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlglot import exp

from setveil.arguments.shares import share
from setveil.arguments.strict import checked
from setveil.backends import registry
from setveil.erasing import erased
from setveil.errors import InputError, UnreachableError
from setveil.models import REGISTRY
from setveil.models.model import Model, Param
from setveil.run.files.digests import sha256
from setveil.run.files.frames import Frame
from setveil.run.notes import note_target_persons
from setveil.run.reading import Baskets, cells_of, query_beside, read, read_beside
from setveil.run.release import Release
from setveil.run.renumbering import Ids
from setveil.run.roles.keys import Tid, with_text
from setveil.run.roles.lists import CONDITION
from setveil.run.shape import Carry
from setveil.run.slices.appending import (
    Appended,
    append_release,
    is_only_shown,
    nothing_appended,
    slice_of,
    trail_of,
    wait,
)
from setveil.run.slices.aside import make_again
from setveil.run.slices.erasing import Keys
from setveil.run.slices.promise import ITEMS, LIST, TREE, Appending, refuse_support
from setveil.run.slices.selecting import note_changes
from setveil.run.words import counted
from setveil.sql.run import reading as rows_sql
from setveil.sql.run.slices import target as sql_target
from setveil.sql.run.slices import tree
from setveil.verify import judged

Note = Callable[[str], None]
LOWER = (Fraction(1, 2), Fraction(1, 4), Fraction(0))  # parts of a bound, for a slice


def append(
    source: str | Path | Frame,
    target: str | Path,
    model: str,
    *,
    tid: Tid | None = None,
    item: str = "item",
    person: str | None = None,
    guests: str | None = None,
    database: str | Path | None = None,
    carry: Carry = (),
    drop_nulls: bool = False,
    renumber: bool = False,
    accept_new: bool = False,
    wait: int | None = None,
    max_age: int | None = None,
    erase: Keys | None = None,
    trail: str | Path | None = None,
    redact: bool = False,
    threads: int | None = None,
    memory_limit: str | None = None,
    force_large: bool = False,
    note: Note = lambda text: None,
    **promise: Any,
) -> Appended:
    """Release the transactions of a source that no slice of the target has, as a new slice.

    `target` is a folder of Parquet files; with `database`, a table of that DuckDB file. The ledger
    of the target, beside it, knows every transaction: keep it, and keep it secret. `model` is a
    name of the registry, and `promise` its parameters. If no slice can keep the promise, all new
    transactions wait for the next run. A target has one promise; `trail` can have {slice} in it.

    With `wait` all transactions wait for up to so many runs, if some would lose items now. With
    `max_age` it is an error if transactions wait for more days. `accept_new` takes items that no
    list has. `note` is called with limits of the promise.

    With `erase`, nothing is appended: transactions with these keys, a file or a list, are taken out
    of the target, with what too few would hold then in their slice. No later slice has them. A key
    of several columns is a tuple, or a row of a file that has these columns.
    """
    known = REGISTRY.get(model)
    if known is None:
        raise InputError(f"there is no model {model!r}; choose one of {', '.join(REGISTRY)}")
    if registry.by_connection(source) is not None:
        raise InputError(
            "append takes no open connection: all who use it could read the ledger; name its "
            "database with database=, or give the rows as a frame"
        )
    promise = {name: checked("append", name, value, None) for name, value in promise.items()}
    wanted = appending(
        known,
        str(target),
        promise,
        renumber=renumber,
        accept_new=accept_new,
        wait=wait,
        max_age=max_age,
        persons=(person is not None, guests),
        carry=carry,
    )
    with read(
        source,
        tid=tid,
        item=item,
        person=person,
        guests=guests,
        database=database,
        carry=carry,
        drop_nulls=drop_nulls,
        threads=threads,
        memory_limit=memory_limit,
        force_large=force_large,
        note=note,
        append=wanted,
    ) as baskets:
        if erase is not None:
            return without(baskets, known, promise, erase)
        return appended(baskets, known, promise, trail=trail, redact=redact)


def without(baskets: Baskets, model: Model, options: Mapping[str, Any], keys: Keys) -> Appended:
    """Erase transactions from the target, and append nothing."""
    done = erased(baskets, model, options, keys)
    return replace(nothing_appended(slice_of(baskets)), erased=done.transactions)


def appending(
    model: Model,
    target: str,
    given: Mapping[str, Any],
    *,
    renumber: bool,
    accept_new: bool,
    wait: int | None,
    max_age: int | None,
    persons: tuple[bool, str | None],
    carry: Carry,
) -> Appending:
    """The target and its promise, from the parameters of a model."""
    if given.get("min_support") is not None:
        raise InputError(
            "--min-support does not hold for several slices together: their supports add up; "
            "bound the share that is left with --psi"
        )
    if given.get("fanout") is not None:
        raise InputError(
            "--fanout would build another hierarchy for every slice, and the hierarchy of a target "
            "is frozen: write one to a file, and name it with --hierarchy"
        )
    if wait is not None and carry:
        raise InputError(
            "--wait and --carry exclude each other: a carried date would show who waited"
        )
    if wait is not None and model.in_parts:
        raise InputError(
            f"--wait saves items that a slice would lose, and {model.name} loses none: leave it out"
        )
    counts, guests = persons
    terms = {one.name: _term(one, given.get(one.name)) for one in model.promise}
    if given.get("hierarchy") is not None:
        terms["hierarchy"] = TREE
    terms |= {"renumber": renumber, "persons": counts, "guests": guests}
    for one in model.promise:
        if one.kind == "items" and given.get(one.name) is not None:
            refuse_support(one.name, given[one.name])
    return Appending(
        target,
        model.name,
        terms,
        {one: given[one] for one in ITEMS if terms.get(one) == LIST},
        renumber=renumber,
        accept_new=accept_new,
        wait=wait,
        max_age=max_age,
        in_parts=model.in_parts,
        of_tree=given.get("hierarchy") is not None,
        of_shares=bool(_shares(model, given)),
    )


def _term(param: Param, value: Any) -> object:
    """A parameter as it stands in the ledger."""
    if value is None:
        return None
    if param.kind == "share":
        return str(share(value, param.name))
    if param.kind == "items":
        is_condition = isinstance(value, str) and value.startswith(CONDITION)
        return value if is_condition else LIST
    if param.kind == "patterns":
        return _digest(value)
    return str(value)


def _digest(given: Any) -> str:
    """The digest of a file, or of patterns."""
    if isinstance(given, str | Path):
        if not Path(given).is_file():
            raise InputError(
                f"{str(given)!r} is no file: the promise of a target keeps its digest, so name a "
                "file"
            )
        return sha256(Path(given))
    return hashlib.sha256(repr(given).encode()).hexdigest()


def appended(
    baskets: Baskets,
    model: Model,
    options: Mapping[str, Any],
    *,
    trail: str | Path | None = None,
    redact: bool = False,
) -> Appended:
    """Release the transactions of a slice, or let them wait."""
    new, session = slice_of(baskets), baskets.session
    trail_of(trail, new)
    note_changes(session, new)
    if not baskets.transactions:
        return wait(baskets, "no new transaction can be released now")
    if model.lists_items and not new.is_first:
        options = {**options, "ignore_unknown": True}  # a night has few of the listed items
    try:
        release: Release[Any] = model.anonymize(baskets, **options)
    except UnreachableError as error:
        return wait(baskets, str(error))
    if new.wanted.of_tree:
        _refuse_moved(baskets)
    if is_only_shown(release):
        return nothing_appended(new)
    release, fault = _fitting(release, model, options)
    if fault:
        return wait(baskets, fault)
    if not session.look_up(sql_target.left(cells_of(session, release.shape, "release")))[0][0]:
        return wait(baskets, "no item would be left of any of them")
    lost = getattr(release.metrics, "information_lost", 0)
    if new.wanted.wait is not None and new.waited < new.wanted.wait and lost:
        return wait(baskets, f"now {lost:.2%} of the information would be lost")
    return append_release(release, trail=trail, redact=redact)


def _refuse_moved(baskets: Baskets) -> None:
    """Refuse a hierarchy in which an item of earlier slices has another place."""
    session = baskets.session
    make_again(session, tree.places())
    moved = [str(name) for (name,) in session.look_up(tree.moved())]
    if moved:
        shown = ", ".join(map(repr, moved[:5]))
        raise InputError(
            f"--hierarchy: {counted(len(moved), 'item')} had another place in earlier slices: "
            f"{shown}; a hierarchy may grow, but no item moves"
        )


def _fitting(
    release: Release[Any], model: Model, options: Mapping[str, Any]
) -> tuple[Release[Any], str]:
    """The release of a slice with which the whole target keeps the promise; else why there is none.

    Persons who are in other slices too can raise a share above its bound. Then the bound of this
    slice is lowered: at 0 no item that the promise protects follows from any other.
    """
    fault = _fault_of_whole(release, model, options)
    baskets, bounds = release.baskets, _shares(model, options)
    for part in LOWER if fault else ():
        lower = {name: share(options[name], name) * part for name in bounds}
        try:
            release = model.anonymize(baskets, **{**options, **lower})
        except UnreachableError:
            break
        if not _fault_of_whole(release, model, options):
            new = slice_of(baskets)
            shown = ", ".join(f"{name} = {bound}" for name, bound in lower.items())
            baskets.session.note(
                f"slice {new.number} of {new.target.name} keeps {shown}: with a higher bound, "
                "shares of persons in the whole target would break the promise"
            )
            return release, ""
    return release, fault


def _shares(model: Model, given: Mapping[str, Any]) -> list[str]:
    """The parameters that bound shares of persons."""
    named = [one.name for one in model.promise if one.kind == "share" and one.name != "psi"]
    return [name for name in named if given.get(name) is not None]


def _fault_of_whole(release: Release[Any], model: Model, options: Mapping[str, Any]) -> str:
    """Why the whole target with this slice would break the promise; empty if it does not.

    Only shares of persons can break it. The other parts add up from slice to slice.
    """
    baskets, new = release.baskets, slice_of(release.baskets)
    if baskets.persons is None or not new.wanted.of_shares:
        return ""
    session = baskets.session
    note_target_persons(session)
    if new.is_first:
        return ""
    shape, ids = release.shape, Ids(new.wanted.renumber, above=new.above)
    old = new.target.rows(session, baskets.source)
    key = rows_sql.column(shape.key or "")
    columns = [key.name, shape.item, *([shape.level] if shape.level else [])]
    written = release.written(None, ids)
    new_rows: exp.Expr = written
    if shape.keys:
        new_rows = with_text(shape, written.subquery(), renumbered=ids.renumber)
        old = None if old is None else with_text(shape, old, renumbered=ids.renumber)
    for step in (
        sql_target.whole(old, key, columns, new_rows),
        sql_target.owners(renumbered=ids.renumber),
    ):
        make_again(session, step)
    rows = exp.Select().select(*(rows_sql.column(one) for one in columns))
    source = query_beside(baskets, rows.from_(session.backend.of_run("whole_target")))
    owners = session.backend.of_run("slice_owner")
    with read_beside(baskets, source, tid=shape.key, item=shape.item, owners=owners) as whole:
        promise = {one.name: options[one.name] for one in model.promise if one.name in options}
        verdict = judged(model.name, whole, ignore_unknown=True, **promise)
    if verdict.holds:
        return ""
    return f"with them, shares of persons in all of {new.target.name} would break the promise"

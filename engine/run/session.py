"""The session: it runs every statement of a run and records it.

A statement is one text: the text that runs is traced, explained and kept in the trail. A dry
session uses a rehearsal in place of the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from sqlglot import exp

from setveil.backends import Backend, Columns, Row
from setveil.backends.rehearsal import answer, rehearsal
from setveil.errors import InputError, SetveilError, in_words_of_caller
from setveil.run.inputs import Inputs
from setveil.run.results.kept import Kept, Model, aside
from setveil.run.results.shared import Shared
from setveil.sql.apart import apart
from setveil.sql.later import Later
from setveil.sql.parts import in_parts
from setveil.sql.step import Step, counts, render, told
from setveil.trail.course import Course

T = TypeVar("T")
Answer = TypeVar("Answer", list[Row], Columns)

LARGE = 1_000_000  # rows: smaller relations are not worth a statement that drops them
COMPACT = 1_000_000  # rows: to compress fewer takes longer than their memory is worth
FEW = 1_000  # rows that several statements may repeat

LISTED = 20_000  # numbers in a statement: to parse one of them takes kilobytes

logger = logging.getLogger("setveil.sql")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that ran, with its step's name and reason."""

    name: str
    why: str
    text: str
    seconds: float = 0.0
    rows: int | None = 0  # None if the database does not report it
    question: bool = False  # True: its rows went to Python; False: it made a relation

    def __str__(self) -> str:
        """The statement below a comment with its name and reason, on one line."""
        told = f"{self.name}: {self.why}"
        told = told if told.isprintable() else told.encode("unicode_escape").decode()
        comment = f"-- {told}\n"
        return f"{comment}{self.text};\n" if self.text else comment


Trace = Callable[[Statement], None]


class Session:
    """Runs steps on a backend, in order, and records them."""

    def __init__(
        self,
        backend: Backend,
        *,
        trace: Trace | None = None,
        note: Callable[[str], None] = lambda text: None,
        chat: Callable[[str], None] = lambda text: None,
        dry: bool = False,
        inputs: Inputs | None = None,
        force_large: bool = False,
        course: Course | None = None,
    ) -> None:
        self.backend = rehearsal(backend) if dry else backend
        self.inputs = Inputs() if inputs is None else inputs
        # Notes that do not concern a promise.
        self.chat: Callable[[str], None] = lambda text: chat(in_words_of_caller(text))
        self._note: Callable[[str], None] = lambda text: note(in_words_of_caller(text))
        self._noted: set[str] = set()
        self.force_large = force_large
        self.statements: list[Statement] = []
        self.relations: list[str] = []  # relations that exist, in the order they were made
        self.copies: dict[str, str] = {}  # relations that copy a query's rows, with that query
        self._rows: dict[str, int | None] = {}  # rows of a relation when it was made, if known
        self.course = Course() if course is None else course
        self.runs = 0  # the number of the current model
        self._last = 0  # the number of the last model
        self._kept = Kept[Statement]()
        self._shared: Shared | None = None  # in a sweep: what serves several models
        self._later = Later()  # the names of relations in the database, and those that are WITHs
        self._read_names = self._later.names
        self._closed = False
        self._read: tuple[list[str], int] = ([], 0)
        self._trace = trace

    def note(self, text: str) -> None:
        """Note, once, a limit of a release's promise or of a verdict."""
        if text not in self._noted and not self.dry:
            self._noted.add(text)
            self._note(text)

    @property
    def dry(self) -> bool:
        """Are the statements only collected?"""
        return self.backend.rehearsed

    def refuse(self, error: SetveilError) -> None:
        """Raise the error, unless the session is dry and has read no data."""
        if not self.dry:
            raise error

    def supposed(self, known: T, otherwise: T) -> T:
        """A figure of the data, or another figure in a dry session."""
        return otherwise if self.dry else known

    def was_read(self) -> None:
        """Mark the end of reading: relations made so far serve every model."""
        self._read = (list(self.relations), len(self.statements))
        self._read_names = self._later.names

    def begin(self) -> None:
        """Start a model. The relations of the previous model are kept if its result still lives."""
        self._refuse_closed()
        self._leave()
        self._last += 1
        self.runs = self._last

    def hold(self, run: int, result: object) -> None:
        """Keep the relations of a model as long as its result lives."""
        self._kept.hold(run, result)

    def resume(self, run: int) -> None:
        """Return to a model whose result lives: its relations get their names again."""
        self._refuse_closed()
        if run == self.runs:
            return
        self._leave()
        self.runs = run
        if (model := self._kept.take(run)) is None:
            raise InputError("this result is of other baskets: read them once more")
        self._later = model.later
        for name in model.relations:
            if not self._later.is_with(name):
                self._rename(aside(run, name), self._later.place(name))
            self.relations.append(name)
        self.statements += model.statements
        self._rows |= model.rows
        self.copies |= model.copies

    def _leave(self) -> None:
        """Keep the current model if its result lives, else drop it; drop results nobody holds."""
        read, statements = self._read
        own = [name for name in self.relations if name not in read]
        held = self._kept.is_held(self.runs)
        if held:
            rows = {name: self._rows[name] for name in own if name in self._rows}
            copies = {name: self.copies[name] for name in own if name in self.copies}
            made = Model(own, self.statements[statements:], rows, copies, self._later)
            self._kept.put(self.runs, made)
        for name in own:
            if held and not self._later.is_with(name):
                self._change(name)
                self._rename(self._later.place(name), aside(self.runs, name))
            elif not held:
                self._put_away(name)
            self.relations.remove(name)
            self.copies.pop(name, None)
        while self._later.left:
            self._forget(self._later.left.pop())
        self._later = Later(self._read_names)
        del self.statements[statements:]
        for run, model in self._kept.released():
            for name in model.relations:
                if not model.later.is_with(name):
                    self._forget(aside(run, name))

    def _rename(self, name: str, into: str) -> None:
        """Rename a relation in the database without a record of it."""
        renaming = exp.AlterRename(this=exp.table_(into))
        statement = exp.Alter(this=exp.table_(name), kind="TABLE", actions=[renaming])
        self.backend.execute(name, render(statement, self._dialect))

    @contextmanager
    def sharing(self) -> Iterator[Shared]:
        """In this block, relations and answers that follow from the data serve every model."""
        self._shared = Shared()
        try:
            yield self._shared
        finally:
            over, self._shared = self._shared, None
            for name in () if self._closed else over.given_up():
                self.forget(name)

    def _put_away(self, name: str) -> None:
        """Drop a relation without a record of it, or set it aside for later models."""
        here = self._later.place(name)
        place = self._shared.leave(here, self._rows.get(name)) if self._shared else None
        if place is not None:
            self._rename(here, place.name)
        elif not self._later.is_with(name):
            self._forget(here)

    def _change(self, name: str) -> None:
        """This relation is not, or no longer, what its statement says."""
        if self._shared:
            self._shared.changed(self._later.place(name))

    def _known(self, step: Step, text: str) -> str | None:
        """How the step's rows are made, if they are to be shared; see `Shared.key`."""
        return self._shared.key(step, text, self._read[0]) if self._shared else None

    def _refuse_closed(self) -> None:
        if self._closed:
            raise InputError(
                "the baskets are closed, and with them their releases: use a release inside the "
                "with block, or keep its rows by to_df() there"
            )

    def create(self, step: Step, *, compact: bool = True) -> None:
        """Make the relation of the step; a large one is compressed, unless it soon goes."""
        name = step.name
        *before, step = self._parts(self._later.written(step))
        for part in before:
            if part.name in self._later.left:
                self._later.left.remove(part.name)
                self._drop_at(part.name)
            self._make(part.name, part)
        if before or not self._made_again(name, step):
            self._make(name, step)
        self.relations.append(name)
        self._rows[name] = self.statements[-1].rows
        for part in before:
            if self._may_leave(part.name):
                self._later.left.append(part.name)
            else:
                self._drop_at(part.name)
        if compact and (self._rows[name] or 0) >= COMPACT:
            self.backend.compact()

    def _parts(self, step: Step) -> list[Step]:
        """The step, with those before it that the database needs: else one worker had all rows."""
        steps = [step]
        if self.backend.can.dear and self._many(step.name) >= LARGE:
            steps = apart(step)
        return [part for one in steps for part in in_parts(one, self.backend.can.widest)]

    def within(self, step: Step) -> None:
        """Make a relation that few statements read, and none changes.

        Where statements are dear, it is a WITH of the statements that read it.
        """
        if not self.backend.can.dear or self._shared:
            self.create(step, compact=False)
            return
        self._later.keep(step)
        self.relations.append(step.name)
        self._rows[step.name] = None
        self._keep(Statement(step.name, f"{step.why} (a WITH of the statements that read it)", ""))

    def _make(self, name: str, step: Step) -> None:
        """Make a relation under the name in its step."""
        self._change(name)
        self.run(name, step.why, self._creating(step, exp.table_(step.name)))

    def _made_again(self, name: str, step: Step) -> bool:
        """Make a relation of a sweep from one that was set aside, or by its statement."""
        if self._shared is None or self.dry:
            return False
        text = self._creating(step, exp.table_(step.name))
        key = self._known(step, text)
        if found := self._shared.take(key):
            self._rename(found.name, step.name)
            self._keep(Statement(name, step.why, text, found.seconds, found.rows))
        else:
            self.run(name, step.why, text)
        self._shared.made(step.name, key, self.statements[-1].seconds)
        return True

    def counted(self, step: Step) -> int:
        """Make the relation that the step names; return its number of rows."""
        self.create(step)
        return self.sizes(step.name)[0]

    def suppose(self, name: str, rows: int) -> None:
        """Take this for the rows of a relation, before it is made or instead of counting them."""
        self._rows.setdefault(name, rows)

    def told(self, name: str) -> int | None:
        """The rows of a relation when it was made, if that is known without a query."""
        return self._rows.get(name)

    def sizes(self, *names: str) -> list[int]:
        """The numbers of rows of these relations when they were made.

        One query counts all relations whose number is not known.
        """
        known = [self._rows[name] for name in names]
        unknown = [name for name, rows in zip(names, known, strict=True) if rows is None]
        if unknown:
            self._rows |= dict(zip(unknown, self.one(counts(unknown)), strict=True))
        return [self._rows[name] or 0 for name in names]

    def row_of(self, step: Step) -> Row:
        """Make the relation of one row that the step names; return that row."""
        (self.within if self._may_leave(step.name) else self.create)(step)
        return self.one(told(step))

    def create_at(self, place: exp.Table, step: Step) -> None:
        """Make the step's relation at `place`; the session does not drop it by itself."""
        self._change(place.name)
        self.run(step.name, step.why, self._creating(self._later.written(step), place))

    def _creating(self, step: Step, place: exp.Table) -> str:
        text = step.create(self._dialect, place, self.backend.can.relation)
        if self.backend.can.analyze:
            text += f";\nANALYZE {render(place, self._dialect)}"
        return text

    def append(self, step: Step) -> None:
        """Add the step's rows to the relation that it names."""
        self._change(step.name)
        self.run(step.name, step.why, self._later.written(step).append(self._dialect))

    def drop(self, name: str) -> None:
        """Drop a relation."""
        if self._later.is_with(name):
            self._later.retire(name)
        elif self._shared:
            self._put_away(name)
        else:
            self._drop_at(self._later.place(name), name)
        self.relations.remove(name)

    def _drop_at(self, place: str, name: str | None = None) -> None:
        """Drop a relation by its name in the database, and record it under ours."""
        self.run(name or place, "no longer needed", self._dropping(place))

    def leave(self, name: str) -> None:
        """Drop a relation that only this model reads.

        Where statements are dear, a small one stays, and the next of its name gets another.
        """
        if self._may_leave(name):
            self._later.retire(name)
            self.relations.remove(name)
        else:
            self.drop(name)

    def give_way(self, name: str) -> None:
        """Leave a relation, if it is there, before one of its name is made anew."""
        if name in self.relations:
            self.leave(name)

    def anew(self, step: Step) -> None:
        """Make a relation that the next round makes anew: to compress it would take longer."""
        self.give_way(step.name)
        self.create(step, compact=False)

    def _may_leave(self, name: str) -> bool:
        """Does a relation take little room, and its drop much time?"""
        return self.backend.can.dear and not self._shared and self._many(name) < LARGE

    def _many(self, name: str) -> int:
        """The rows of a relation; if they are not known, those of the largest that is known."""
        rows = self._rows.get(name)
        return rows if rows is not None else max(filter(None, self._rows.values()), default=0)

    def retract(self, name: str, why: str) -> None:
        """Forget the statements of a copy that another copy replaces."""
        self.statements[:] = [one for one in self.statements if (one.name, one.why) != (name, why)]

    def is_copied(self, name: str, query: str) -> bool:
        """Is this relation a copy of the query's rows? A copy of another query is dropped."""
        if name in self.relations and self.copies.get(name) != query:
            self.drop(name)
        return name in self.relations

    def give_back(self, name: str) -> None:
        """Drop a relation that is no longer needed, if it is large; small ones go with the run."""
        if name in self.relations and self._many(name) >= LARGE:
            self.drop(name)

    def decide(self, name: str, why: str, items: Sequence[int], *, brief: bool = False) -> None:
        """Make a relation of the item numbers that Python chose; it holds no names.

        A `brief` relation is read in this run alone, by few statements.
        """
        make = self.within if brief and len(items) <= FEW else self.create
        make(Step(name, why, _numbers(items[:LISTED])))
        for first in range(LISTED, len(items), LISTED):
            self.append(Step(name, why, _numbers(items[first : first + LISTED])))
            self._rows[name] = len(items)

    def ask(self, step: Step) -> list[Row]:
        """Return the step's rows: aggregates, scores and names, never transactions."""
        return self._answer(step, self.backend.rows)

    def one(self, step: Step) -> Row:
        """Return the single row of a step that always has one."""
        rows = self.ask(step)
        return rows[0] if rows else answer(step.name, step.query.named_selects)

    def arrays(self, step: Step) -> Columns:
        """Return the step's columns as arrays, for many numbers."""
        return self._answer(step, self.backend.columns)

    def look_up(self, step: Step) -> list[Row]:
        """Ask without recording: names from the caller must not enter the trail."""
        return self.backend.rows(step.name, self._later.written(step).sql(self._dialect))

    def forget(self, name: str) -> None:
        """Drop a relation without a record of it."""
        self._forget(self._later.place(name))

    def _forget(self, place: str) -> None:
        self.backend.execute(place, self._dropping(place))

    def run(
        self, name: str, why: str, text: str, by: Callable[[str, str], int | None] | None = None
    ) -> None:
        """Run a statement that returns no rows, by the backend or by another function."""
        logger.debug("%s", text)
        start = time.perf_counter()
        with self.course.statement(self.backend, name, why):
            rows = (by or self.backend.execute)(name, text)
        self._keep(Statement(name, why, text, self._since(start), rows))

    def reach(self, name: str, why: str, text: str) -> None:
        """Run a statement that makes data readable; a rehearsal runs it too."""
        self.run(name, why, text, self.backend.real.execute)

    def tell(self, name: str, why: str, text: str) -> None:
        """Record a statement for the trail that ran in another way."""
        self._keep(Statement(name, why, text))

    def remark(self, text: str, supposed: str | None = None) -> None:
        """Record a choice and its reason between two statements; a dry session has `supposed`."""
        self._keep(Statement("remark", self.supposed(text, supposed or text), ""))

    def close(self) -> None:
        """Drop all relations of the run."""
        self._closed = True
        self.backend.close()

    @property
    def has_rows(self) -> bool:
        """Are there rows to look at? A dry session has none, and a closed one no more."""
        return not self.dry and not self._closed

    @property
    def own_statements(self) -> list[Statement]:
        """The statements of the current model."""
        return self.statements[self._read[1] :]

    @property
    def seconds_of_reading(self) -> float:
        """The seconds until the transactions and items had numbers."""
        return sum(one.seconds for one in self.statements[: self._read[1]])

    @property
    def statements_of_reading(self) -> int:
        """The statements until the transactions and items had numbers."""
        return sum(bool(one.text) for one in self.statements[: self._read[1]])

    @property
    def saved(self) -> float:
        """The seconds that a sweep saved so far, since models share relations."""
        return self._shared.saved if self._shared else 0.0

    @property
    def _dialect(self) -> str:
        return self.backend.can.dialect

    def _dropping(self, place: str) -> str:
        return render(exp.Drop(tables=[exp.table_(place)], kind="TABLE"), self._dialect)

    def _answer(self, step: Step, fetch: Callable[[str, str], Answer]) -> Answer:
        step = self._later.written(step)
        text = step.sql(self._dialect)
        key = self._known(step, f"{fetch.__name__} {text}")
        if self._shared and (known := self._shared.answer(key)):
            told = Statement(step.name, step.why, text, known.seconds, known.rows, question=True)
            self._keep(told)
            return cast(Answer, known.answer)
        logger.debug("%s", text)
        start = time.perf_counter()
        with self.course.statement(self.backend, step.name, step.why):
            answer = fetch(step.name, text)
        count = len(answer if isinstance(answer, list) else next(iter(answer.values()), ()))
        self._keep(Statement(step.name, step.why, text, self._since(start), count, question=True))
        if self._shared:
            self._shared.answered(key, answer, count, self.statements[-1].seconds)
        return answer

    def _since(self, start: float) -> float:
        """The seconds of a statement; 0 in a rehearsal."""
        return self.supposed(time.perf_counter() - start, 0.0)

    def _keep(self, statement: Statement) -> None:
        self.statements.append(statement)
        if self._trace:
            self._trace(statement)


def _numbers(items: Sequence[int]) -> exp.Select:
    """A relation with one row per number, in the one column `item`."""
    item = exp.cast(exp.column("item", table="v"), "INT").as_("item")
    if not items:
        nothing = exp.cast(exp.Literal.number(0), "INT").as_("item")
        return exp.Select().select(nothing).where(exp.false())
    # All rows are one node of the tree: thousands of nodes take longer to print than to run.
    rows = exp.Var(this=",\n".join(f"({int(n)})" for n in items))
    values = exp.Values(
        expressions=[rows],
        alias=exp.TableAlias(this=exp.to_identifier("v"), columns=[exp.to_identifier("item")]),
    )
    return exp.Select().select(item).from_(values)

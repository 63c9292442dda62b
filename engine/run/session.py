"""The session: the only door to the database, and the memory of what went through it.

Every statement of a run passes here as one text: the text that runs is the text that is traced,
explained and kept in the trail. A dry session puts a rehearsal in the place of the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp

from setveil.backends import Backend, Columns, Row
from setveil.backends.rehearsal import answer, rehearsal
from setveil.errors import SetveilError, in_words_of_caller
from setveil.run.inputs import Inputs
from setveil.sql.parts import in_parts
from setveil.sql.step import Step, counts, render, told

T = TypeVar("T")
Answer = TypeVar("Answer", list[Row], Columns)

LARGE = 1_000_000  # rows, below which to drop a relation is not worth a statement

logger = logging.getLogger("setveil.sql")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement as it ran."""

    name: str
    why: str
    text: str
    seconds: float = 0.0
    rows: int | None = 0  # None where the database does not say
    question: bool = False  # an answer that went to Python; the others make relations

    def __str__(self) -> str:
        """The statement under its name and reason, of which no word ends the comment."""
        told = f"{self.name}: {self.why}"
        told = told if told.isprintable() else told.encode("unicode_escape").decode()
        comment = f"-- {told}\n"
        return f"{comment}{self.text};\n" if self.text else comment


Trace = Callable[[Statement], None]


class Session:
    """Runs steps on a backend, in order, and keeps them."""

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
    ) -> None:
        self.backend = rehearsal(backend) if dry else backend
        self.inputs = Inputs() if inputs is None else inputs
        # What is good to know, and harms nobody who does not.
        self.chat: Callable[[str], None] = lambda text: chat(in_words_of_caller(text))
        self._note: Callable[[str], None] = lambda text: note(in_words_of_caller(text))
        self._noted: set[str] = set()
        self.force_large = force_large
        self.statements: list[Statement] = []
        self.relations: list[str] = []  # that were made and not dropped, in their order
        self.copies: dict[str, str] = {}  # of what may leave: each by the query that it is of
        self._rows: dict[str, int | None] = {}  # of each when it was made, where that is known
        self.now: str = ""  # the step that is running, for whoever shows progress
        self.runs = 0  # of models, on what was read
        self._read: tuple[list[str], int] = ([], 0)
        self._trace = trace

    def note(self, text: str) -> None:
        """Say, once, what matters for the safety of a release or the meaning of a verdict."""
        if text not in self._noted and not self.dry:
            self._noted.add(text)
            self._note(text)

    @property
    def dry(self) -> bool:
        """Are the statements only written down?"""
        return self.backend.rehearsed

    def refuse(self, error: SetveilError) -> None:
        """Raise the error, unless no data was read that could be at fault."""
        if not self.dry:
            raise error

    def supposed(self, known: T, otherwise: T) -> T:
        """A figure of the data; another where no data was read."""
        return otherwise if self.dry else known

    def was_read(self) -> None:
        """What is there now stays for every model that is run on it."""
        self._read = (list(self.relations), len(self.statements))

    def begin(self) -> None:
        """Start a model on what was read: what the one before made is dropped and forgotten."""
        read, statements = self._read
        for name in [name for name in self.relations if name not in read]:
            self.forget(name)
            self.relations.remove(name)
        del self.statements[statements:]
        self.runs += 1

    def create(self, step: Step) -> None:
        """Make the relation that the step names."""
        *before, step = in_parts(step, self.backend.can.widest)
        for part in before:
            self.create_at(exp.table_(part.name), part)
        self.create_at(exp.table_(step.name), step)
        self.relations.append(step.name)
        self._rows[step.name] = self.statements[-1].rows
        for part in before:
            self.run(part.name, "no longer needed", self._dropping(part.name))

    def counted(self, step: Step) -> int:
        """The same; answer its number of rows."""
        self.create(step)
        return self.sizes(step.name)[0]

    def told(self, name: str) -> int | None:
        """How many rows a relation had when it was made, where that is known without asking."""
        return self._rows[name]

    def sizes(self, *names: str) -> list[int]:
        """How many rows these relations had when they were made.

        Where the database did not tell, it is asked, once for all of them.
        """
        known = [self._rows[name] for name in names]
        unknown = [name for name, rows in zip(names, known, strict=True) if rows is None]
        if unknown:
            self._rows |= dict(zip(unknown, self.one(counts(unknown)), strict=True))
        return [self._rows[name] or 0 for name in names]

    def row_of(self, step: Step) -> Row:
        """Make the relation of one row that the step names, and answer that row."""
        self.create(step)
        return self.one(told(step))

    def create_at(self, place: exp.Table, step: Step) -> None:
        """Make it where `place` says, from where the run does not drop it by itself."""
        text = step.create(self._dialect, place, self.backend.can.relation)
        if self.backend.can.analyze:
            text += f";\nANALYZE {render(place, self._dialect)}"
        self.run(step.name, step.why, text)

    def append(self, step: Step) -> None:
        """Add the step's rows to the relation that it names."""
        self.run(step.name, step.why, step.append(self._dialect))

    def drop(self, name: str) -> None:
        """Give back what a relation holds."""
        self.run(name, "no longer needed", self._dropping(name))
        self.relations.remove(name)

    def retract(self, name: str, why: str) -> None:
        """Forget statements that sent a copy which is not the one that leaves now."""
        self.statements[:] = [one for one in self.statements if (one.name, one.why) != (name, why)]

    def is_copied(self, name: str, query: str) -> bool:
        """Is this relation a copy of the query's rows? One of another query is dropped."""
        if name in self.relations and self.copies.get(name) != query:
            self.drop(name)
        return name in self.relations

    def give_back(self, name: str) -> None:
        """Drop a relation that is no longer needed, if it is large; small ones go with the run."""
        if (self._rows.get(name) or 0) >= LARGE:
            self.drop(name)

    def decide(self, name: str, why: str, items: Sequence[int]) -> None:
        """Keep a decision as a relation of item numbers: numbers, never names."""
        self.create(Step(name, why, _numbers(items)))

    def ask(self, step: Step) -> list[Row]:
        """The step's rows: aggregates, scores and names, never transactions."""
        return self._answer(step, self.backend.rows)

    def one(self, step: Step) -> Row:
        """The single row of a step that always has one."""
        rows = self.ask(step)
        return rows[0] if rows else answer(step.name, step.query.named_selects)

    def arrays(self, step: Step) -> Columns:
        """The step's columns as arrays, for answers of many numbers."""
        return self._answer(step, self.backend.columns)

    def look_up(self, step: Step) -> list[Row]:
        """Rows that depend on what the caller named: the trail keeps what came of them instead."""
        return self.backend.rows(step.name, step.sql(self._dialect))

    def forget(self, name: str) -> None:
        """Drop a relation that the trail does not, or no longer, know of."""
        self.backend.execute(name, self._dropping(name))

    def run(
        self, name: str, why: str, text: str, by: Callable[[str, str], int | None] | None = None
    ) -> None:
        """Run a statement that makes something, or goes another way."""
        self.now = name
        logger.debug("%s", text)
        start = time.perf_counter()
        rows = (by or self.backend.execute)(name, text)
        self._keep(Statement(name, why, text, self._since(start), rows))

    def reach(self, name: str, why: str, text: str) -> None:
        """Run a statement that brings data within reach; it takes place in a rehearsal too."""
        self.run(name, why, text, self.backend.real.execute)

    def tell(self, name: str, why: str, text: str) -> None:
        """What went another way, as the trail's script does it."""
        self._keep(Statement(name, why, text))

    def remark(self, text: str, supposed: str | None = None) -> None:
        """Say between two statements a choice and its reason; `supposed` where no data was read."""
        self._keep(Statement("remark", self.supposed(text, supposed or text), ""))

    def close(self) -> None:
        """Drop everything the run made."""
        self.backend.close()

    @property
    def _dialect(self) -> str:
        return self.backend.can.dialect

    def _dropping(self, name: str) -> str:
        return render(exp.Drop(tables=[exp.table_(name)], kind="TABLE"), self._dialect)

    def _answer(self, step: Step, fetch: Callable[[str, str], Answer]) -> Answer:
        text = step.sql(self._dialect)
        self.now = step.name
        logger.debug("%s", text)
        start = time.perf_counter()
        answer = fetch(step.name, text)
        count = len(answer)
        self._keep(Statement(step.name, step.why, text, self._since(start), count, question=True))
        return answer

    def _since(self, start: float) -> float:
        """Seconds that a statement took; none in a rehearsal, which runs none."""
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
    # Thousands of rows are one node: a tree of them takes longer to print than to run.
    rows = exp.Var(this=",\n".join(f"({int(n)})" for n in items))
    values = exp.Values(
        expressions=[rows],
        alias=exp.TableAlias(this=exp.to_identifier("v"), columns=[exp.to_identifier("item")]),
    )
    return exp.Select().select(item).from_(values)

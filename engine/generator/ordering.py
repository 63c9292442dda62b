"""Put the parts of generated rows behind each other, in the order of the file.

The row groups of a Parquet file follow those of the relation it is written from. So a part fills
whole ones, and what it has beyond is sorted again with the next part: a file has the same bytes,
in however many parts its rows were made.
"""

from __future__ import annotations

from sqlglot import exp

from setveil.run.files import publishing
from setveil.run.session import Session
from setveil.sql.step import Step, duck, render, term

GROUP = 122_880  # rows of a row group in DuckDB
MADE, PART = "generated", "part"


class InOrder:
    """The rows of a step over `generated`, in its order, of the parts made so far."""

    def __init__(self, session: Session, rows: Step) -> None:
        self._session = session
        self._rows = rows
        self._whole: int | None = None  # rows of the last part that filled row groups

    def put(self, *, last: bool) -> None:
        """Put the rows of `generated` behind those that are there."""
        session, rows = self._session, self._rows
        if self._whole is None and last:
            publishing.put_in_order(session, rows.query, rows.name)
            return
        with publishing.in_one_order(session):
            if (before := self._whole) is not None:
                why = "each row was left of the last part, which filled whole row groups"
                session.append(Step(MADE, why, self._of_part("p.rowid >= $rows", before)))
                session.drop(PART)
            why = "each row is a row of a part, in the order of the file"
            session.create(Step(PART, why, rows.query), compact=False)
            made = session.told(PART) or 0
            self._whole = made if last else made - made % GROUP
            full = self._of_part("p.rowid < $rows", self._whole)
            step = Step(rows.name, "the rows in a total order", full)
            if before is None:
                session.create(step, compact=False)
            else:
                session.append(step)
        session.copies[rows.name] = render(rows.query)
        session.backend.compact()

    def _of_part(self, which: str, rows: int) -> exp.Query:
        return duck(
            "SELECT $columns FROM $part AS p WHERE $which",
            columns=[exp.column(one, table="p") for one in self._rows.query.named_selects],
            part=PART,
            which=term(which, rows=rows),
        )

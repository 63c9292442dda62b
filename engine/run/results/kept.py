"""The relations of earlier models, kept under other names while somebody holds their results."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from setveil.sql.later import Later

Told = TypeVar("Told")


@dataclass(slots=True)
class Model(Generic[Told]):
    """The relations of a model, its statements, and the facts about its relations."""

    relations: list[str] = field(default_factory=list)
    statements: list[Told] = field(default_factory=list)
    rows: dict[str, int | None] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    later: Later = field(default_factory=Later)


class Kept(Generic[Told]):
    """Models that ran before the current one, each by its number."""

    def __init__(self) -> None:
        self._models: dict[int, Model[Told]] = {}
        self._results: dict[int, list[weakref.ref[object]]] = {}

    def hold(self, run: int, result: object) -> None:
        """Keep the relations of this model as long as the result lives."""
        self._results.setdefault(run, []).append(weakref.ref(result))

    def is_held(self, run: int) -> bool:
        return any(one() is not None for one in self._results.get(run, ()))

    def put(self, run: int, model: Model[Told]) -> None:
        """Keep a model whose relations got other names."""
        self._models[run] = model

    def take(self, run: int) -> Model[Told] | None:
        """Give a model back, whose relations then get their names again."""
        return self._models.pop(run, None)

    def released(self) -> Iterator[tuple[int, Model[Told]]]:
        """Give back the models whose results nobody holds."""
        for run in [run for run in self._models if not self.is_held(run)]:
            self._results.pop(run, None)
            yield run, self._models.pop(run)


def aside(run: int, name: str) -> str:
    """The name of a relation while another model is the current one."""
    return f"kept_{run}_{name}"

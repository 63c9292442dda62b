"""Compare the inputs of a replay with those that the head of the trail names.

Statements of a run choose by the rows that it read, and persons are counted in them: of another
input, no verdict is one on the run. So an input with another digest is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setveil.errors import InputError
from setveil.run.files.digests import sha256
from setveil.run.files.places import no_file
from setveil.run.shape import KEY
from setveil.run.words import printable
from setveil.sql.step import Step
from setveil.sql.trail import seal
from setveil.trail.head import Head, of_files

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The inputs of a trail as its head describes them."""

    trail: Path
    head: Head

    def of(self, role: str) -> Mapping[str, Any]:
        """The entry of an input in the head; empty if it has none."""
        found = self.head.lines.get("input", {}).get(role)
        return found if isinstance(found, Mapping) else {}

    def files(self, files: Mapping[str, str], *, copied: bool) -> Iterator[str]:
        """A line for each input file, or an error if its bytes are not those of the run.

        Of rows that were `copied` into the run, the head has a digest of rows.
        """
        for role, pattern in files.items():
            told = self.of(role)
            if role == "source" and copied and ("sha256" not in told or told.get("files") == 0):
                continue
            if "sha256" not in told:
                raise InputError(
                    f"{self.trail} is not as setveil wrote it: its head has no digest of the {role}"
                )
            found = of_files(pattern)
            if found != dict(told):
                shown = f"{printable(pattern)} has the SHA-256 {found['sha256']}"
                raise self._other(role, shown, str(told["sha256"]))
            held = f", {found['files']} files" if "files" in found else ""
            digest = f"SHA-256 {found['sha256']}, as in the head"
            yield f"input: {role} {printable(pattern)}{held}, {digest}"

    def key(self, path: str) -> str:
        """A line for the key of ids that were replaced, or an error if it is another one.

        The checker finds persons, or the original, by it: another key would change the verdict.
        """
        if not Path(path).is_file():
            raise InputError(no_file(path))
        told = self.head.lines.get("release", {}).get("key_sha256")
        if told is None:
            return self.untold("key", path)
        found = sha256(Path(path))
        if found != told:
            raise InputError(
                f"{self.trail}: this key is not the one that the run wrote: {printable(path)} has "
                f"the SHA-256 {found}, and the head has {told}; nothing is judged, since persons "
                "and originals are found by it"
            )
        return f"input: key {printable(path)}, SHA-256 {found}, as in the head"

    def digest(self) -> Step | None:
        """The question for the digest of the rows that were read, if the head has one."""
        columns = self.of("source").get("columns")
        if not isinstance(columns, list):
            return None
        used = {self.head.columns.get(one) for one in ("item", "person")} - {None}
        if not used <= {*columns} or not self._has_ids(columns):
            raise InputError(f"{self.trail} is not as setveil wrote it: its digest lacks a column")
        return seal.told_of("source", [str(one) for one in columns])

    def _has_ids(self, columns: list[object]) -> bool:
        """Are the ids of transactions, if the source has any, among these columns?"""
        ids = self.head.columns.get("tid")
        if isinstance(ids, list):  # a run has them as one text
            return any(str(one).startswith(KEY) for one in columns)
        return ids is None or ids in columns

    def rows(self, place: str, found: Rows) -> str:
        """A line for a source whose rows were compared, or an error if they are others."""
        told = self.of("source")
        ((held, digest),) = found
        if (held, str(digest)) != (told.get("rows"), str(told.get("digest"))):
            shown = f"{printable(place)} has {held} rows with the digest {digest}"
            other = f"{told.get('rows')} rows with the digest {told.get('digest')}"
            raise self._other("source", shown, other)
        return f"input: source {printable(place)}, {held:,} rows, digest {digest}, as in the head"

    def untold(self, role: str, place: str) -> str:
        """A line for an input of which the head has no digest."""
        return (
            f"input: {role} {printable(place)}: the head has no digest of it, so it may not be "
            "that of the run"
        )

    def _other(self, role: str, shown: str, told: str) -> InputError:
        return InputError(
            f"{self.trail}: this {role} is not the input of the run: {shown}, and the head has "
            f"{told}; nothing is judged. `verify` judges a release by a copy, but not its run"
        )

"""Models: one folder per promise. Listing this folder lists all that setveil can promise.

To add a model, copy the shape of `k_anonymity`, the smallest, and touch these places:

1. `engine/models/NAME/`: `__init__` with a MODEL, `anonymize`, `check`, `texts`. The anonymizer
   begins with `session.begin()` and `note_persons`, makes the release by `make_release`, and gives
   it a `Promise`, which its trail states. The checker imports no anonymizer. The names of its
   relations begin with `check_`; `begin_check` and `end_check` in `judged` remove them.
2. `REGISTRY` below: the commands, their help and JSON follow. Its order is that of the help.
3. `sql/models/NAME/`: `anonymize` and `check`, with the verdict of the trail in
   `sql/trail/verdicts`. A column that counts faults is listed in `backends/rehearsal`: `--explain`
   runs the model without data, and answers 1 for all other columns.
4. The typed functions: `setveil.NAME` in `engine/__init__`, `setveil.verify.NAME` in
   `engine/verify`. A parameter with a new name enters `arguments/strict`.
5. `pyproject.toml`: both packages. README: a row of the table. `engine/guide/glossary.md`: its
   terms.
6. Tests in `tests/models/NAME/` against brute force, the SQL in `tests/helpers/steps*.py`, and a
   call in `tests/helpers/calls.py`, with which the tests of all commands try it.

Tests in `tests/models/test_plug.py` and `tests/house/` fail where one of these is missing.
"""

from __future__ import annotations

from setveil.models.coherence import MODEL as COHERENCE
from setveil.models.hiding import MODEL as HIDING
from setveil.models.k_anonymity import MODEL as K_ANONYMITY
from setveil.models.km_anonymity import MODEL as KM_ANONYMITY
from setveil.models.model import Model
from setveil.models.permutation import MODEL as PERMUTATION
from setveil.models.uncertainty import MODEL as UNCERTAINTY

REGISTRY: dict[str, Model] = {
    one.name: one
    for one in (COHERENCE, K_ANONYMITY, KM_ANONYMITY, UNCERTAINTY, HIDING, PERMUTATION)
}

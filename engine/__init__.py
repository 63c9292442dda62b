"""setveil: anonymize transaction data inside the database.

import setveil

with setveil.read("baskets.parquet", tid="basket", item="sku") as baskets:
    release = setveil.coherence(baskets, private=["HIV"], h=0.8, k=2, p=2)
    release.write("safe.parquet", trail="audit.sql")
"""

if __name__ != "setveil":
    raise ImportError(f"this folder is the package 'setveil', not {__name__!r}: import setveil")

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from setveil import verify as verify
    from setveil.advising.advise import Advice as Advice
    from setveil.advising.advise import advise as advise
    from setveil.attack.reidentification import Reidentification as Reidentification
    from setveil.attack.reidentification import ReidentifyMetrics as ReidentifyMetrics
    from setveil.attack.reidentification import reidentify as reidentify
    from setveil.attack.sweep import SweepPoint as SweepPoint
    from setveil.attack.sweep import sweep_reidentification as sweep_reidentification
    from setveil.comparison.compare import compare as compare
    from setveil.comparison.findings import Comparison as Comparison
    from setveil.comparison.inspection import Inspection as Inspection
    from setveil.comparison.inspection import inspect as inspect
    from setveil.errors import CheckError as CheckError
    from setveil.errors import DatabaseError as DatabaseError
    from setveil.errors import InputError as InputError
    from setveil.errors import QueryError as QueryError
    from setveil.errors import SetveilError as SetveilError
    from setveil.errors import TooLargeError as TooLargeError
    from setveil.errors import UnreachableError as UnreachableError
    from setveil.export.package import export_tests as export_tests
    from setveil.generator.generate import GenerateMetrics as GenerateMetrics
    from setveil.generator.generate import generate as generate
    from setveil.hierarchy.trees import Hierarchy as Hierarchy
    from setveil.mine.itemsets import ItemsetMetrics as ItemsetMetrics
    from setveil.mine.itemsets import Mined as Mined
    from setveil.mine.itemsets import itemsets as itemsets
    from setveil.mine.patterns import PatternMeasures as PatternMeasures
    from setveil.models.coherence.anonymize import CoherenceMetrics as CoherenceMetrics
    from setveil.models.coherence.anonymize import coherence as coherence
    from setveil.models.coherence.check import Verdict as Verdict
    from setveil.models.coherence.check import Violation as Violation
    from setveil.models.hiding.anonymize import HidingMetrics as HidingMetrics
    from setveil.models.hiding.anonymize import hiding as hiding
    from setveil.models.hiding.check import HiddenPattern as HiddenPattern
    from setveil.models.hiding.check import HidingVerdict as HidingVerdict
    from setveil.models.k_anonymity.anonymize import KAnonymityMetrics as KAnonymityMetrics
    from setveil.models.k_anonymity.anonymize import k_anonymity as k_anonymity
    from setveil.models.km_anonymity.anonymize import KmAnonymityMetrics as KmAnonymityMetrics
    from setveil.models.km_anonymity.anonymize import km_anonymity as km_anonymity
    from setveil.models.permutation.anonymize import PermutationMetrics as PermutationMetrics
    from setveil.models.permutation.anonymize import permutation as permutation
    from setveil.models.permutation.check import GroupFault as GroupFault
    from setveil.models.permutation.check import GroupsVerdict as GroupsVerdict
    from setveil.models.renaming.anonymize import RenameMetrics as RenameMetrics
    from setveil.models.renaming.anonymize import Renaming as Renaming
    from setveil.models.renaming.anonymize import rename as rename
    from setveil.models.uncertainty.anonymize import uncertainty as uncertainty
    from setveil.models.uncertainty.check import UncertaintyVerdict as UncertaintyVerdict
    from setveil.models.uncertainty.check import UnsafeRule as UnsafeRule
    from setveil.models.uncertainty.compared.tdcontrol import NodesMetrics as NodesMetrics
    from setveil.models.uncertainty.metrics import UncertaintyMetrics as UncertaintyMetrics
    from setveil.reproducing.run import Reproduced as Reproduced
    from setveil.reproducing.run import reproduce as reproduce
    from setveil.run.files.parted import PartedRelease as PartedRelease
    from setveil.run.reading import Baskets as Baskets
    from setveil.run.reading import read as read
    from setveil.run.release import Release as Release
    from setveil.run.session import Session as Session
    from setveil.run.session import Statement as Statement
    from setveil.run.slices.appending import Appended as Appended
    from setveil.slices import append as append
    from setveil.sweeping.sweep import Swept as Swept
    from setveil.sweeping.sweep import sweep as sweep
    from setveil.trail.replay import Replay as Replay
    from setveil.trail.replay import replay as replay

# The module of each public name. A name is imported when it is first used: `--help` needs none.
WHERE = {
    "setveil.slices": "append",
    "setveil.advising.advise": "Advice advise",
    "setveil.attack.reidentification": "Reidentification ReidentifyMetrics reidentify",
    "setveil.attack.sweep": "SweepPoint sweep_reidentification",
    "setveil.comparison.compare": "compare",
    "setveil.comparison.findings": "Comparison",
    "setveil.comparison.inspection": "Inspection inspect",
    "setveil.sweeping.sweep": "Swept sweep",
    "setveil.errors": "CheckError DatabaseError InputError QueryError SetveilError TooLargeError "
    "UnreachableError",
    "setveil.export.package": "export_tests",
    "setveil.generator.generate": "GenerateMetrics generate",
    "setveil.hierarchy.trees": "Hierarchy",
    "setveil.mine.itemsets": "ItemsetMetrics Mined itemsets",
    "setveil.mine.patterns": "PatternMeasures",
    "setveil.models.coherence.anonymize": "CoherenceMetrics coherence",
    "setveil.models.coherence.check": "Verdict Violation",
    "setveil.models.hiding.anonymize": "HidingMetrics hiding",
    "setveil.models.hiding.check": "HiddenPattern HidingVerdict",
    "setveil.models.k_anonymity.anonymize": "KAnonymityMetrics k_anonymity",
    "setveil.models.km_anonymity.anonymize": "KmAnonymityMetrics km_anonymity",
    "setveil.models.permutation.anonymize": "PermutationMetrics permutation",
    "setveil.models.permutation.check": "GroupFault GroupsVerdict",
    "setveil.models.renaming.anonymize": "RenameMetrics Renaming rename",
    "setveil.models.uncertainty.anonymize": "uncertainty",
    "setveil.models.uncertainty.check": "UncertaintyVerdict UnsafeRule",
    "setveil.models.uncertainty.metrics": "UncertaintyMetrics",
    "setveil.models.uncertainty.compared.tdcontrol": "NodesMetrics",
    "setveil.reproducing.run": "Reproduced reproduce",
    "setveil.run.files.parted": "PartedRelease",
    "setveil.run.reading": "Baskets read",
    "setveil.run.release": "Release",
    "setveil.run.session": "Session Statement",
    "setveil.run.slices.appending": "Appended",
    "setveil.trail.replay": "Replay replay",
}
_MODULE_OF = {name: module for module, names in WHERE.items() for name in names.split()}

__all__ = sorted(["__version__", "verify", *_MODULE_OF])


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("setveil")
    if name == "verify":
        return import_module("setveil.verify")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'setveil' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

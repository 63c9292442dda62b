"""Models: one folder per promise. Listing this folder lists all that setveil can promise.

To add a model, add a folder with a MODEL, and a line to REGISTRY. Its order is that of the help.
"""

from __future__ import annotations

from setveil.models.coherence import MODEL as COHERENCE
from setveil.models.hiding import MODEL as HIDING
from setveil.models.k_anonymity import MODEL as K_ANONYMITY
from setveil.models.km_anonymity import MODEL as KM_ANONYMITY
from setveil.models.model import Model
from setveil.models.uncertainty import MODEL as UNCERTAINTY

REGISTRY: dict[str, Model] = {
    one.name: one for one in (COHERENCE, K_ANONYMITY, KM_ANONYMITY, UNCERTAINTY, HIDING)
}

"""Where the page of evidence answers documents on anonymization, in our own words."""

from __future__ import annotations

from dataclasses import dataclass

ISO, WP, NIST, EMA = "ISO/IEC 27559:2022", "WP216 (2014)", "NIST SP 800-188", "EMA Policy 0070"


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a document, its question, and the section that answers it."""

    document: str
    part: str
    asks: str
    answer: str


CROSSWALK = (
    Clause(ISO, "6 context assessment", "recipients, and their means to attack", "To be filled in"),
    Clause(ISO, "7 data assessment", "which data it is, and what identifies", "What was judged"),
    Clause(
        ISO,
        "8 identifiability assessment and mitigation",
        "how likely an attack succeeds, and what lessens it",
        "Singling out, A motivated intruder, What was done",
    ),
    Clause(ISO, "9 governance", "persons who decide, review and react", "To be filled in"),
    Clause(WP, "singling out", "records that isolate a person", "Singling out"),
    Clause(WP, "linkability", "two records of one person or group", "Linkability"),
    Clause(WP, "inference", "a value that follows from others", "Inference"),
    Clause(NIST, "governance", "a board that reviews each release", "To be filled in"),
    Clause(
        NIST,
        "re-identification studies",
        "a trial of an attack on the release",
        "A motivated intruder",
    ),
    Clause(
        EMA,
        "three criteria",
        "the three of WP216, or a risk analysis",
        "Singling out, Linkability, Inference",
    ),
    Clause(EMA, "threshold of 0.09", "the risk of the release", "Singling out: risk above 0.09"),
    Clause(EMA, "utility", "which use is left", "Use that is left"),
)

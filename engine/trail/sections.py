"""The sections of a run, which stand in its trail and which a terminal shows while it runs."""

from __future__ import annotations

SECTIONS = {
    "read": "read the source once",
    "number": "give transactions and items numbers, and every item its support",
    "decide": "count, and choose the items to suppress, to generalize or to rename",
    "make": "make the release from the source and these decisions",
    "check": "read the release again with the checker, which shares no query with the rest",
    "verdict": "fail unless the checker finds that the promise holds",
    "seal": "fail unless the release has the rows that were checked",
    "write": "write the rows of the release to their file or table",
}
NUMBERED = ("nulls", "label", "basket", "occurrence", "item")
PLACES = {
    "release": "make",
    "release_sensitive": "make",
    "check_verdict": "verdict",
    "fingerprint": "seal",
    "fingerprint_sensitive": "seal",
    "seal": "seal",
    "seal_sensitive": "seal",
}


def section_after(name: str, place: int) -> int:
    """The section of the statement with this name, if the one before it was in that of `place`."""
    names = list(SECTIONS)
    if name in PLACES:
        found = names.index(PLACES[name])
    elif name.startswith("check_"):
        found = names.index("check")
    elif name in NUMBERED:
        found = names.index("number")
    elif place == names.index("number"):
        found = names.index("decide")
    else:
        found = 0
    return max(found, place)

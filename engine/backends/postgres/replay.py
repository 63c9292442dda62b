"""The form of PostgreSQL's trails, and how to replay them."""

from __future__ import annotations

from setveil.backends.kind import Trail

NAME = r'"(?:[^"]|"")+"|\w+'
RUN = r"(?:setveil_[0-9a-f]{12}|pg_temp)"
NAMED = f"(?:{NAME})"
PLACE = rf"{NAMED}(?:\.{NAMED}){{1,2}}"
FORMS = {
    "begin": rf"BEGIN ISOLATION LEVEL REPEATABLE READ|SET LOCAL \w+ = [\w.']+"
    rf"|CREATE SCHEMA {RUN}|ANALYZE (?:{RUN}\.)?\w+",
    "inside": rf"SET search_path TO {RUN}",
    "outside": rf"SET search_path TO {NAMED}(?:, {NAMED})*",
    "publish": rf"(?:CREATE TABLE|INSERT INTO) ({PLACE})(?: AS)?\n(.*)",
    "remove": rf"(?:DROP TABLE IF EXISTS|TRUNCATE TABLE ONLY) ({PLACE})",
    "copy": r"COPY \(\n(.*)\n\) TO STDOUT \(?.*",
    "end": rf"DROP SCHEMA {RUN} CASCADE|DISCARD TEMP|COMMIT|ROLLBACK",
}
DIGEST = """
    SELECT ENCODE(SHA256(CONVERT_TO(COALESCE(STRING_AGG(d.row, '' ORDER BY d.row), ''), 'UTF8')),
        'hex') AS digest
    FROM (SELECT MD5(FORMAT('%s', r)) AS row FROM {rows} AS r) AS d
    """

TRAIL = Trail(
    "postgres",
    NAME,
    RUN,
    FORMS,
    how="in the same database",
    shell="psql -X -v ON_ERROR_STOP=1 -f FILE.sql",
    # Commands of psql: print only the rows of the release, and no answers to questions.
    silent=("\\o /dev/null",),
    aloud="\\o",
    digest=DIGEST,
    casts=True,
    begins_outside=True,  # a run refuses a search path that is not this role's
)

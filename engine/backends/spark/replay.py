"""The form of Spark's trails, and how to replay them."""

from __future__ import annotations

from setveil.backends.kind import Trail

NAME = r"`(?:[^`]|``)+`"
RUN = r"(?:`(?:[^`]|``)+`\.)?`setveil_[0-9a-f]{12}_\d+_\d+_\d+`"
NAMED = f"(?:{NAME})"
PLACE = rf"{NAMED}(?:\.{NAMED}){{1,2}}"
FORMS = {
    "begin": rf"CREATE SCHEMA {RUN}|SET spark\.sql\.[\w.]+ = [\w.+]+",
    "inside": rf"USE {RUN}",
    "outside": rf"USE ({NAMED}\.{NAMED})",
    "publish": rf"CREATE TABLE ({NAMED}\.{RUN}) AS\n(.*)",
    "remove": rf"DROP TABLE IF EXISTS ({PLACE})",
    "rename": rf"ALTER TABLE ({NAMED}\.{RUN}) RENAME TO ({NAMED}\.{NAMED})",
    "end": rf"DROP SCHEMA {RUN} CASCADE",
}
# Pieces get a digest first, because Spark collects each list on one machine.
DIGEST = """
    SELECT SHA2(CONCAT_WS('', SORT_ARRAY(COLLECT_LIST(p.piece))), 256) AS digest
    FROM (
        SELECT SHA2(CONCAT_WS('', SORT_ARRAY(COLLECT_LIST(d.row))), 256) AS piece
        FROM (
            SELECT MD5(TO_JSON(STRUCT(r.*), MAP('ignoreNullFields', 'false'))) AS row
            FROM {rows} AS r
        ) AS d
        GROUP BY SUBSTR(d.row, 1, 3)
    ) AS p
    """

TRAIL = Trail(
    "spark",
    NAME,
    RUN,
    FORMS,
    how="where the same tables are",
    shell="spark-sql -f FILE.sql",
    prints="\n-- It also prints the answers to all questions: for a renaming, the whole key",
    digest=DIGEST,
    renames=True,
)

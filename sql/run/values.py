"""Give equal values one form: a reader of a release would see two forms as two items."""

from __future__ import annotations

from sqlglot import exp

from setveil.sql.step import Step, duck, shown, term

UNSCALED = "decimal of any scale"  # its 1.0 and 1.00 are equal
TWINS = ("float", "double", UNSCALED)  # types with equal values in two forms

# In every database NaN is equal to NaN, and only zeros and NaN have a sign that ABS alone removes.
POSITIVE = "CASE WHEN ABS($one) = $one THEN ABS($one) ELSE $one END"


def plain(value: exp.Column, kind: str) -> exp.Expr:
    """A float, or a list of floats, with 0.0 for -0.0 and a single NaN."""
    return _each(value, kind, POSITIVE) if kind.endswith(("float", "double")) else value


def trimmed(value: exp.Column, kind: str) -> exp.Expr:
    """A decimal, or a list of decimals, without trailing zeros."""
    return _each(value, kind, "TRIM_SCALE($one)")


def _each(value: exp.Column, kind: str, text: str) -> exp.Expr:
    if kind.startswith("list "):
        each = term(text, one=term("element[1]"))
        mended = term(
            """
            CASE WHEN NOT $value IS NULL
            THEN LIST_TRANSFORM(LIST_ZIP($value), lambda element: $each) END
            """,
            value=value,
            each=each,
        )
    else:
        mended = term(text, one=value)
    return exp.alias_(mended, value.name, quoted=True)


def mended(relation: exp.Expr, given: list[exp.Column], read: list[exp.Expr]) -> Step:
    """One row: for each column, the number of values that are read in another form."""
    text = "COUNT(CASE WHEN CAST($given AS TEXT) <> CAST($read AS TEXT) THEN 1 END) AS $name"
    changed = [
        shown(text, given=one, read=form.unalias(), name=f"column_{number}")
        for number, (one, form) in enumerate(zip(given, read, strict=True))
    ]
    query = duck("SELECT $changed FROM $relation", changed=changed, relation=relation)
    return Step(
        "mended",
        "counts values that are read in another form, since equal values can look different",
        query,
    )

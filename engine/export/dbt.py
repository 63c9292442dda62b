"""Write a dbt package: one generic test per promise, whose queries are the checkers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from setveil.export.template import VARIANTS, Variant, filled, marked
from setveil.sql.dialects import TESTED

NAMES = {
    "release": "{{ a.release }}",
    "tid": "$owner{{ a.tid }}",
    "item": "$owner{{ a.item }}",
    "person": "$owner{{ a.person }}",
    "persons": "{{ a.persons }}",
    "list": "{{ a.list }}",
    "original": "{{ a.original }}",
}
NUMBERS = {
    "least": "{{ a.least }}",
    "parts": "{{ a.parts }}",
    "rest": "{{ 1000000000 - a.parts }}",
    "parts * least": "{{ a.parts * a.least }}",
}

PROJECT = """\
# Written by setveil {version}: setveil export dbt. Write it anew after an update of setveil.
name: setveil
version: "{version}"
config-version: 2
require-dbt-version: [">=1.8.0", "<3.0.0"]
"""

HELPERS = """\
{# Written by setveil. The parts that all tests share. #}

{% macro given(model, tid, item, person=none, persons=none, list=none, original=none, least=none,
               share=none) %}
    {%- do return({
        'release': '(select * from ' ~ model ~ ')',
        'tid': setveil.column(tid),
        'item': setveil.column(item),
        'person': setveil.column(person) if person else none,
        'persons': '(select * from ' ~ (persons or model) ~ ')',
        'list': list,
        'original': '(select * from ' ~ original ~ ')',
        'least': least,
        'parts': setveil.parts(share) if share is not none else none,
    }) -%}
{% endmacro %}

{% macro column(name) %}
    {%- do return(name if target.type == 'snowflake' else adapter.quote(name)) -%}
{% endmacro %}

{# A share in parts of 1000000000: it is compared exactly. #}
{% macro parts(share) %}
    {%- set parts = (share | float * 1000000000) | round | int -%}
    {%- if parts < 0 or parts > 1000000000 -%}
        {{ exceptions.raise_compiler_error('setveil: a share is from 0 to 1, not ' ~ share) }}
    {%- endif -%}
    {%- do return(parts) -%}
{% endmacro %}

{# A relation with a column item: a model, or names that the test itself lists. #}
{% macro names(list) %}
    {%- if list.identifier is defined or list is string -%}
        {%- do return('(select * from ' ~ list ~ ')') -%}
    {%- endif -%}
    {%- set rows = [] -%}
    {%- for name in list -%}
        {%- do rows.append('select ' ~ setveil.text(name) ~ ' as item') -%}
    {%- endfor -%}
    {%- do return('(' ~ rows | join(' union all ') ~ ')') -%}
{% endmacro %}

{# A relation with the columns pattern and item: a model, or lists of names. #}
{% macro patterns(list) %}
    {%- if list.identifier is defined or list is string -%}
        {%- do return('(select * from ' ~ list ~ ')') -%}
    {%- endif -%}
    {%- set rows = [] -%}
    {%- for pattern in list -%}
        {%- set number = loop.index -%}
        {%- for name in pattern -%}
            {%- do rows.append(
                'select ' ~ number ~ ' as pattern, ' ~ setveil.text(name) ~ ' as item'
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return('(' ~ rows | join(' union all ') ~ ')') -%}
{% endmacro %}

{% macro text(name) %}
    {%- set name = name | string -%}
    {%- if target.type not in ('duckdb', 'postgres') and '\\\\' in name -%}
        {{ exceptions.raise_compiler_error(
            'setveil: a name with a backslash is read differently by databases: put the list '
            ~ 'into a model with a column item'
        ) }}
    {%- endif -%}
    {%- do return(dbt.string_literal(dbt.escape_single_quotes(name))) -%}
{% endmacro %}

{% macro refuse(text) %}
    {{ exceptions.raise_compiler_error('setveil: ' ~ text) }}
{% endmacro %}
"""

TEST = """\
{# Written by setveil. It returns a row per violation, and none if the promise holds. Failing rows
   name rare sets of items, so they are not stored unless the project says so. #}
{% test $name(model, $arguments, tid='tid', item='item', $more, sample_limit=none) %}
    {{ config(store_failures=false) }}
    {%- set a = setveil.given(model, tid, item, $given) -%}
    {%- if sample_limit %}select * from ({% endif -%}
$cases
    {%- if sample_limit %}) as v order by transactions limit {{ sample_limit }}{% endif -%}
{% endtest %}
"""

OF_PERSONS = "person=none, persons=none"
# For each test: its own arguments, those of all tests but the first, and how they are given.
TESTS = {
    "coherence": (
        "k, p, h=none, private=none",
        OF_PERSONS,
        "person, persons, setveil.names(private) if private else none, none, k, h",
    ),
    "k_anonymity": ("k", OF_PERSONS, "person, persons, none, none, k"),
    "km_anonymity": ("k, m", OF_PERSONS, "person, persons, none, none, k"),
    "uncertainty": (
        "sensitive, rho, max_knowledge",
        OF_PERSONS,
        "person, persons, setveil.names(sensitive), none, none, rho",
    ),
    "hiding": (
        "patterns, original, psi=0",
        "min_support=none",
        "none, none, setveil.patterns(patterns), original, min_support, psi",
    ),
}
SIZE = {"coherence": "p", "km_anonymity": "m", "uncertainty": "max_knowledge"}


def files(dialects: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files of the package: each with its path and text."""
    yield "dbt_project.yml", PROJECT.format(version=version("setveil"))
    yield "macros/setveil.sql", HELPERS
    for name in TESTS:
        yield f"tests/generic/{name}.sql", _test(name)
    for dialect in dialects:
        yield f"macros/queries_{dialect}.sql", _queries(dialect)


def _test(name: str) -> str:
    arguments, more, given = TESTS[name]
    variants = [one for one in VARIANTS if one.model.replace("-", "_") == name]
    lines = []
    for number, one in enumerate(variants):
        word = "elif" if number else "if"
        lines.append(f"    {{%- {word} {_condition(name, one)} -%}}")
        lines.append(f"        {{{{ adapter.dispatch('query_{one.name}', 'setveil')(a) }}}}")
    lines.append("    {%- else -%}")
    lines.append(f"        {{{{ setveil.refuse('{_refusal(name)}') }}}}")
    lines.append("    {%- endif -%}")
    text = TEST.replace("$name", name).replace("$arguments", arguments).replace("$more", more)
    return text.replace("$given", given).replace("$cases", "\n".join(lines))


def _condition(name: str, variant: Variant) -> str:
    conditions = []
    if name in SIZE:
        conditions.append(f"{SIZE[name]} == {variant.size}")
    if name == "coherence":
        conditions.append("private and h is not none" if variant.listed else "not private")
    if name == "hiding":
        conditions.append(f"min_support is {'not ' if variant.by_support else ''}none")
    else:
        conditions.append("person" if variant.persons else "not person")
    return " and ".join(conditions)


def _refusal(name: str) -> str:
    said = f"{name}: {SIZE[name]} is 1, 2 or 3" if name in SIZE else f"{name}: wrong arguments"
    return f"{said}, and private needs h" if name == "coherence" else said


def _queries(dialect: str) -> str:
    """The macros of a dialect; dbt chooses them by the adapter, which has its name."""
    run = "" if dialect in TESTED else f" Not run: no query was run on {dialect}."
    head = f"Written by setveil {version('setveil')}: its checkers as queries.{run}"
    texts = [f"{{# {head} #}}\n"]
    for variant in VARIANTS:
        query = marked(variant, dialect)
        assert not any(mark in query for mark in ("{{", "{%", "{#"))
        query = filled(query, NAMES, NUMBERS)
        texts.append(
            f"{{% macro {dialect}__query_{variant.name}(a) %}}\n{query}\n{{% endmacro %}}\n"
        )
    return "\n".join(texts)

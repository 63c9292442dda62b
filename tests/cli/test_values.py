"""Values of options, which setveil converts where typer lets it."""

from types import SimpleNamespace

from setveil.cli.values import Plain, Plainly


class Options:
    def __init__(self, *params):
        self.params = params

    def get_params(self, ctx):
        return [*self.params]


class Command(Plainly, Options):
    pass


def option(**given):
    info = SimpleNamespace(min=None)
    return SimpleNamespace(
        type_descriptor=SimpleNamespace(annotation=int, parameter_info=info), **given
    )


def test_another_typer_converts_all_values_itself():
    """Its options have no place for a conversion, or do not tell their types."""
    without_place, without_type = option(), SimpleNamespace(_runtime_param=None)
    assert Command(without_place, without_type).get_params(None) == [without_place, without_type]
    assert not hasattr(without_place, "_runtime_param")
    assert without_type._runtime_param is None


def test_an_option_converts_plain_values():
    (found,) = Command(option(_runtime_param=None)).get_params(None)
    assert isinstance(found._runtime_param, Plain)
    assert found._runtime_param.coerce("12", found, None) == 12

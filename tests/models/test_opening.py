from __future__ import annotations

from pathlib import Path

import pytest

from sago import registry
from sago.errors import InputError, ModelError, SagoError, StudyError, UnknownNameError
from sago.models import check_model_spec, open_model
from sago.models.local import _short_name
from sago.models.opening import Opener


@pytest.mark.parametrize("spec", ["planted:constant", "planted:echo", "planted:always-first-option"])
def test_planted_models_open(spec: str) -> None:
    check_model_spec(spec)
    assert open_model(spec).describe().source == spec


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("embeded", UnknownNameError, "Did you mean embedded?"),
        ("planted:ecko", UnknownNameError, "Did you mean planted:echo?"),
        ("planted:", UnknownNameError, "Known: always-first-option, by-dataset, coin-flip, constant, echo"),
        ("some-org/some-model", UnknownNameError, "Did you mean hf:some-org/some-model?"),
        ("embedded:large", StudyError, "takes no argument"),
        ("hf:", StudyError, "names no model"),
        ("hf:./no/such/folder", InputError, "no such folder"),
        ("hf:/no/such/folder", InputError, "no such folder"),
        ("hf:~/no/such/folder", InputError, "no such folder"),
    ],
)
@pytest.mark.parametrize("opens", [True, False])
def test_wrong_names_are_told_before_anything_is_loaded(spec: str, error: type[SagoError], message: str, opens: bool) -> None:
    with pytest.raises(error) as caught:
        open_model(spec) if opens else check_model_spec(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_bare_folder_is_told_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=f"Did you mean hf:{tmp_path}"):
        check_model_spec(str(tmp_path))


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither config\.json nor"):
        check_model_spec(f"hf:{tmp_path}")


def test_a_broken_model_folder_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "no-such-type"}')
    with pytest.raises(ModelError, match="cannot be loaded") as caught:
        open_model(f"hf:{tmp_path}")
    assert "\n" not in str(caught.value)


def test_plug_ins_without_a_check_are_taken_as_they_are() -> None:
    registry.register("models", "mine", lambda argument, options: (argument, options.batch_size))
    try:
        check_model_spec("mine:anything")
        assert open_model("mine:a:b") == ("a:b", 16)  # type: ignore[comparison-overlap]
    finally:
        registry.unregister("models", "mine")


@pytest.mark.parametrize("name", ["embedded", "hf", "planted"])
def test_the_built_in_ones_say_what_they_are(name: str) -> None:
    opener = registry.get("models", name)
    assert isinstance(opener, Opener)
    assert opener.description


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("models/gemma", "gemma"),
        ("org/name", "name"),
        ("gpt2", "gpt2"),
        ("./gemma/", "gemma"),
        ("runs/x/checkpoint-500", "x/checkpoint-500"),
    ],
)
def test_names_in_tables_are_short(argument: str, name: str) -> None:
    assert _short_name(argument) == name

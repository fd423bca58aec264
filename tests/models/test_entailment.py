"""A model of entailment by name: a tiny random one, made here, and one made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.models.local.tiny import VOCABULARY, tokenizer
from transformers.models.bert import BertConfig, BertForSequenceClassification

from sago.errors import MissingExtraError, ModelError
from sago.models import entailment as module
from sago.models.entailment import EntailmentModel, lazy_entailment

LABELS = {0: "contradiction", 1: "ENTAILMENT", 2: "neutral"}
PAIRS = [("a b", "b a"), ("b a", "a b"), ("a", "a"), ("lone \ud800", "")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "tiny-nli"
    shape = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=VOCABULARY, max_position_embeddings=32, initializer_range=1.0, **shape)
    config.id2label, config.label2id = LABELS, {label: number for number, label in LABELS.items()}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        BertForSequenceClassification(config).eval().save_pretrained(made)
    tokenizer(None, pad_token="</s>", model_max_length=32).save_pretrained(made)
    return made


def relabelled(folder: Path, target: Path, labels: dict[int, str]) -> EntailmentModel:
    for source in folder.iterdir():
        (target / source.name).write_bytes(source.read_bytes())
    config = json.loads((target / "config.json").read_text(encoding="utf-8"))
    config["id2label"] = {str(number): label for number, label in labels.items()}
    config["label2id"] = {label: number for number, label in labels.items()}
    (target / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return EntailmentModel(str(target))


def test_probabilities_of_a_model_by_its_path(folder: Path) -> None:
    model = EntailmentModel(str(folder))
    found = model(PAIRS)
    assert len(found) == 4
    assert all(0 < value < 1 for value in found)
    assert model(PAIRS[:1]) == pytest.approx(found[:1], abs=1e-6)
    assert found[0] != pytest.approx(found[1], abs=1e-4)
    assert model([]) == []


def test_the_label_comes_from_the_configuration(folder: Path, tmp_path: Path) -> None:
    places = {}
    for place, labels in enumerate([("entailment", "neutral", "contradiction"), ("x", "entailment", "y"), ("no", "maybe", "Entailed")]):
        (tmp_path / str(place)).mkdir()
        places[place] = relabelled(folder, tmp_path / str(place), dict(enumerate(labels)))(PAIRS)
    assert np.sum([places[0], places[1], places[2]], axis=0) == pytest.approx(1, abs=1e-6)
    assert places[1] == pytest.approx(EntailmentModel(str(folder))(PAIRS), abs=1e-6)


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("not_entailment", "neutral", "other")])
def test_a_model_without_a_label_of_entailment_is_refused(folder: Path, tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match=rf"labels: {labels[0]}, .*no label says entailment. Name a model of natural language inference"):
        relabelled(folder, tmp_path, dict(enumerate(labels)))(PAIRS)


def test_pairs_that_are_cut_off_are_counted(folder: Path) -> None:
    model = EntailmentModel(str(folder))
    model([("a b " * 20, "a"), ("a", "b")])
    assert model.cut == 1


def test_a_name_that_is_no_model_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model of entailment .*: cannot be loaded"):
        EntailmentModel(str(tmp_path / "nothing"))(PAIRS)


def test_lazy_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_load", lambda name: pytest.fail("loaded"))
    assert lazy_entailment("some/nli").name == "some/nli"


def test_what_to_install_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match="pip install 'sago-eval"):
        EntailmentModel("some/nli")(PAIRS)


class ByHand:
    """Entails where the second text is a part of the first; contradiction otherwise."""

    max_length = None

    class config:  # noqa: N801
        id2label = LABELS

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> np.ndarray:
        return np.array([[0.0, 1.0, 0.0] if second in first else [1.0, 0.0, 0.0] for first, second in pairs])


def test_the_order_of_a_pair_is_premise_then_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_load", lambda name: ByHand())
    assert EntailmentModel("x")([("a dog barks", "dog"), ("dog", "a dog barks")]) == [1.0, 0.0]

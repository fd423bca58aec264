"""Study files shown in the documentation can be read as they stand, and every field is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sago.study import Study, read_study
from sago.variations.specs import parse_families

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [(page.name, text) for page in PAGES for text in re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)]


def test_study_files_are_shown() -> None:
    assert {name for name, _ in BLOCKS} >= {"README.md", "study.md"}


@pytest.mark.parametrize(("name", "text"), BLOCKS)
def test_a_study_file_that_is_shown_can_be_read(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(text, encoding="utf-8")
    study = read_study(file)
    assert study != Study(), name
    assert study.reruns == 3
    assert parse_families(study.variations)


def test_every_field_is_explained() -> None:
    told = re.findall(r"^\| `(\w+)` \| (.*?) \|", (ROOT / "docs" / "study.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(told) == {name: field.description for name, field in Study.model_fields.items()}

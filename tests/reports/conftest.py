"""Fixtures: one invented run, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.sample import sample_summary, sample_tables

from sago.reports import write_html
from sago.schemas import Tables


@pytest.fixture(scope="session")
def tables() -> Tables:
    return sample_tables()


@pytest.fixture(scope="session")
def page_path(tables: Tables, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_html(tables, sample_summary(), tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="session")
def page(page_path: Path) -> str:
    return page_path.read_text(encoding="utf-8")

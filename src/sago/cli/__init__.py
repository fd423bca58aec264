"""The command line: one file a verb. Only here does SAGO print."""

from __future__ import annotations

from sago.cli.app import main

__all__ = ["main"]

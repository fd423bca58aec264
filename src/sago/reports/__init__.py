"""What a run says, for people and for programs: reports take all tables and print nothing.

``terminal_report`` (a rich renderable), ``write_html`` (one self-contained page), ``to_json`` (a contract for programs) and
``least_stable`` (a table) show the same cells. ``RunSummary`` says how the run was made; ``REASONS`` puts reason and flag codes in words.
"""

from __future__ import annotations

from sago.reports.as_json import to_json
from sago.reports.least_stable import least_stable
from sago.reports.page import write_html
from sago.reports.summary import RunSummary
from sago.reports.terminal import terminal_report
from sago.reports.words import REASONS

__all__ = ["REASONS", "RunSummary", "least_stable", "terminal_report", "to_json", "write_html"]

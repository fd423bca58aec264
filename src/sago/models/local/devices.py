"""One model on several devices: a process a device, each with a model of its own; examples are shared out, nothing else is.

An example's requests stay together, since its canonical response is the anchor of the others and its prompts share their tokens.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from sago.errors import ModelError
from sago.models.protocol import Model
from sago.records import Capability, ModelDescription, ModelOptions, Observation, Request

Opened = Callable[[ModelOptions], Model]
"""Opens the model with some options; goes to another process, so it has to be picklable."""

_SHARE_OF_PART = 4
"""Parts a device gets of each call: few enough to fill its batches, enough that none waits long for another."""


class ModelOnDevices:
    """A model that is held once on each of several devices.

    Args:
        open_model: Opens it on one of them.
        options: How to open it; its device names all of them, with commas.
    """

    def __init__(self, open_model: Opened, options: ModelOptions) -> None:
        devices = [name.strip() for name in options.device.split(",") if name.strip()]
        context = multiprocessing.get_context("spawn")  # a fork of a process that used an accelerator cannot use it
        self._processes = [ProcessPoolExecutor(1, mp_context=context) for _ in devices]
        opening = [
            process.submit(_open, open_model, replace(options, device=device))
            for process, device in zip(self._processes, devices, strict=True)
        ]
        try:
            described = [future.result() for future in opening]
        except BaseException:
            self.close()
            raise
        self.id, self.capabilities, first = described[0]
        on = ", ".join(str(description.device) for _, _, description in described)
        self._description = replace(first, device=on, notes=(*first.notes, f"examples shared out over {len(devices)} devices"))

    def describe(self) -> ModelDescription:
        """Returns the description of the model on the first device, with the names of all of them."""
        return self._description

    def close(self) -> None:
        """Ends the processes. May be called twice."""
        for process in self._processes:
            process.shutdown(cancel_futures=True)
        self._processes = []

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields one observation per request, in the order in which devices get done.

        Raises:
            ModelError: If the model was closed, or a process of it ended.
        """
        if not self._processes:
            raise ModelError("was closed", where=self.id, fix="Open it again")
        parts = _parts(requests, len(self._processes) * _SHARE_OF_PART)
        asked: dict[Future[list[Observation]], int] = {}
        for device in range(len(self._processes)):
            self._ask(device, parts, asked)
        while asked:
            for future in wait(asked, return_when=FIRST_COMPLETED).done:
                device = asked.pop(future)
                try:
                    found = future.result()
                except BrokenProcessPool as error:
                    raise ModelError("the process of a device ended", where=self.id, fix="Give fewer devices or less to a batch") from error
                self._ask(device, parts, asked)
                yield from found

    def _ask(self, device: int, parts: list[list[Request]], asked: dict[Future[list[Observation]], int]) -> None:
        if parts:
            asked[self._processes[device].submit(_observe, parts.pop(0))] = device


def _parts(requests: Sequence[Request], count: int) -> list[list[Request]]:
    """Cuts requests into at most about so many parts of whole examples."""
    size = -(-len(requests) // count)
    parts: list[list[Request]] = []
    for request in requests:
        example = (request.key.dataset, request.key.example)
        goes_on = bool(parts) and (parts[-1][-1].key.dataset, parts[-1][-1].key.example) == example
        if goes_on or (parts and len(parts[-1]) < size):
            parts[-1].append(request)
        else:
            parts.append([request])
    return parts


_held: list[Model] = []
"""In the process of a device: its model."""


def _open(open_model: Opened, options: ModelOptions) -> tuple[str, frozenset[Capability], ModelDescription]:
    _held[:] = [open_model(options)]
    return _held[0].id, _held[0].capabilities, _held[0].describe()


def _observe(requests: list[Request]) -> list[Observation]:
    return list(_held[0].observe(requests))

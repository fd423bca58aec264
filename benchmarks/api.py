"""Models behind an API: requests a second, processor time a request beyond that of the bare package, memory; and what became of each.

A server on this machine answers 10,000 questions; of one in twenty the first call fails, in fourteen ways. The server is a process of its
own, so that only the asking is measured. The bare package asks the same questions of a server that never fails, as many calls in flight.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from table import Row, show

ROOT = Path(__file__).parents[1]
REQUESTS = 10_000
PARALLEL = 200
SHARE = 0.05
TIMEOUT = 3.0


@contextmanager
def server(share: float) -> Iterator[str]:
    """Gives the address of a server in a process of its own."""
    process = subprocess.Popen([sys.executable, __file__, "--serve", str(share)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def serve(share: float) -> None:
    """Serves until it is killed."""
    from tests.models.api.faults import act_of

    from sago.testing.fault_server import FaultServer

    with FaultServer(lambda call: act_of(call, share), keeps=False) as here:
        print(here.url, flush=True)
        time.sleep(3600)


def bare(url: str) -> tuple[float, float]:
    """Asks with the package alone; returns wall and processor time (s)."""
    import openai

    from sago.models.api.provider import body_of

    async def ask() -> None:
        client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
        create: Callable[..., Awaitable[Any]] = client.chat.completions.with_raw_response.create
        numbers = iter(range(REQUESTS))

        async def work() -> None:
            for number in numbers:
                messages = [{"role": "user", "content": f"question {number}"}]
                raw = await create(model="m", messages=messages, max_tokens=8, temperature=0.0, logprobs=True)
                body_of(raw.content, raw.headers)

        await asyncio.gather(*(work() for _ in range(PARALLEL)))
        await client.close()

    began, used = time.perf_counter(), time.process_time()
    asyncio.run(ask())
    return time.perf_counter() - began, time.process_time() - used


def asked(url: str) -> tuple[float, float, Counter[str], int, int]:
    """Asks through the shared loop; returns wall and processor time (s), statuses, observations and requests."""
    from tests.models.api.asking import model_at, requests

    wanted = requests(REQUESTS)
    began, used = time.perf_counter(), time.process_time()
    with model_at(url, max_connections=PARALLEL, timeout=TIMEOUT, first_pause=0.5) as model:
        statuses: Counter[str] = Counter()
        names = set()
        for one in model.observe(wanted):
            statuses[one.status] += 1
            names.add(one.key.example)
        return time.perf_counter() - began, time.process_time() - used, statuses, len(names), model.spending.requests


def expected(share: float) -> Counter[str]:
    """Returns the statuses that are right."""
    from tests.models.api.faults import HOPELESS, fault_of

    return Counter(HOPELESS.get(fault_of(f"question {number}", share) or "", "ok") for number in range(REQUESTS))


def main() -> None:
    """Measures and prints."""
    with server(0.0) as url:
        asked(url)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        wall_bare, used_bare = bare(url)
        wall, used, _, _, _ = asked(url)
    with server(SHARE) as url:
        wall_faults, _, statuses, names, sent = asked(url)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    wrong = sum((statuses - expected(SHARE)).values())
    beyond = 1000 * (used - used_bare) / REQUESTS
    show(
        [
            Row(
                "no faults, 200 in flight",
                REQUESTS / wall,
                "req/s",
                "bare package",
                REQUESTS / wall_bare,
                wall_bare / wall,
                better="higher",
            ),
            Row("processor time a request", 1000 * used / REQUESTS, "ms", "bare", 1000 * used_bare / REQUESTS, used_bare / used),
            Row("processor time beyond the bare package", beyond, "ms", target=2.0),
            Row("5 % faults, 200 in flight", REQUESTS / wall_faults, "req/s", better="higher"),
            Row("5 % faults: requests sent", sent, "", "questions", REQUESTS),
            Row("5 % faults: wrong statuses", wrong, "", target=0),
            Row("5 % faults: observations lost or double", abs(names - REQUESTS) + abs(sum(statuses.values()) - REQUESTS), "", target=0),
            Row("memory beyond the first 10,000", grown, "MB"),
        ]
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    if sys.argv[1:2] == ["--serve"]:
        serve(float(sys.argv[2]))
    else:
        main()

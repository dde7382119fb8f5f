# SPDX-License-Identifier: Apache-2.0
"""What the pool has counted, in all and around a block."""

from __future__ import annotations

import ctypes
import time
from types import TracebackType

from ._errors import Error
from ._library import library

_WORKER = "worker"
# Counters in nanoseconds that share the workers' time among them, with what a reader is told.
_SHARES = {"work_ns": "work", "waiting_ns": "waiting", "overhead_ns": "runtime",
           "idle_ready_ns": "idle though tasks were ready", "idle_empty_ns": "idle without a task",
           "blocked_ns": "blocked", "off_core_ns": "off the processor"}
_SHOWN = ("tasks", "steals", "suspends", "parks", "wakes", "spares")


def counter_names() -> list[str]:
    """The names of the counters; docs/reference/python.md says what each counts.

    :raises NotActiveError: Kasuri does not serve this process.
    """
    lib = library()
    names: list[str] = []
    while True:
        name: bytes | None = lib.kasuri_counter_name(len(names))
        if name is None:
            return names
        names.append(name.decode())


def counters_of_workers() -> list[dict[str, int]]:
    """For each worker its number, as "worker", and its counts since the pool started.

    Empty while no pool runs: the first parallel region starts it.

    :raises NotActiveError: Kasuri does not serve this process.
    """
    names = [_WORKER, *counter_names()]
    count_of = library().kasuri_counters
    rows: int = count_of(None, 0, 0)
    while True:
        values = (ctypes.c_uint64 * (rows * len(names)))()
        there: int = count_of(values, len(names) - 1, rows)
        if there < 0:
            raise Error("kasuri_counters failed: no memory")
        if there <= rows:  # else a thread of the program became a worker meanwhile
            break
        rows = there
    return [dict(zip(names, values[i * len(names):(i + 1) * len(names)])) for i in range(there)]


def counters() -> dict[str, int]:
    """The counts of all workers together since the pool started; 0 while no pool runs.

    :raises NotActiveError: Kasuri does not serve this process.
    """
    total = dict.fromkeys(counter_names(), 0)
    for row in counters_of_workers():
        for name in total:
            total[name] += row[name]
    return total


def _since(before: list[dict[str, int]], after: list[dict[str, int]]) -> list[dict[str, int]]:
    """What each worker has counted in between. A pool that ended meanwhile began anew at 0."""
    old = {row[_WORKER]: row for row in before}
    found = []
    for row in after:
        then = old.get(row[_WORKER], {})
        anew = any(row[name] < count for name, count in then.items())
        found.append({name: count if anew or name == _WORKER else count - then.get(name, 0)
                      for name, count in row.items()})
    return found


class report:
    """What happened in a block: `with kasuri.report() as r: ...`, and then `print(r)`.

    It counts all that the process does while the block runs, in other threads too. For the
    sentences that say what limits a program, and in which line, there is the command
    `kasuri report python3 script.py`: it looks at a whole run.

    :raises NotActiveError: at the beginning of the block: Kasuri does not serve this process.
    """

    def __init__(self) -> None:
        self.seconds = 0.0  #: of the block
        self.processor_seconds = 0.0  #: that the process had meanwhile, on all processors
        self.num_workers = 0
        self.workers: list[dict[str, int]] = []  #: what each worker counted in the block
        self.counters: dict[str, int] = {}  #: the same of all together
        self._before: list[dict[str, int]] = []
        self._began = 0.0
        self._processor = 0.0
        self._running = False
        self._ended = False

    def __enter__(self) -> report:
        if self._running:
            raise Error("kasuri.report: its block has begun and not ended; accepted: a report() of "
                        "its own for each block that runs at the same time")
        self._before = counters_of_workers()
        self._running, self._ended = True, False
        self._processor = time.process_time()
        self._began = time.perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._running = False
        self.seconds = time.perf_counter() - self._began
        self.processor_seconds = time.process_time() - self._processor
        self.num_workers = library().kasuri_num_workers()
        self.workers = _since(self._before, counters_of_workers())
        self.counters = {name: sum(row[name] for row in self.workers) for name in counter_names()}
        self._ended = True

    @property
    def busy(self) -> float:
        """Processors that the process used on average."""
        return self.processor_seconds / self.seconds if self.seconds > 0 else 0.0

    @property
    def shares(self) -> dict[str, float]:
        """How the workers' time is divided, from 0 to 1; empty unless KASURI_STATS=1 was set
        when the program started, as `python -m kasuri --stats` does."""
        times = {said: self.counters.get(name, 0) for name, said in _SHARES.items()}
        whole = sum(times.values())
        return {said: ns / whole for said, ns in times.items()} if whole else {}

    def __str__(self) -> str:
        if not self._ended:
            return "kasuri.report: the block has not ended"
        lines = [f"{self.seconds:.3f} s on {self.num_workers} workers, "
                 f"{self.busy:.2f} processors busy",
                 ", ".join(f"{self.counters[name]} {name}" for name in _SHOWN)]
        shares = self.shares
        if shares:
            lines.append("time of the workers: " + ", ".join(
                f"{100 * share:.1f} % {said}" for said, share in shares.items() if share > 0))
        return "\n".join(lines)

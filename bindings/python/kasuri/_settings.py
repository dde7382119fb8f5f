# SPDX-License-Identifier: Apache-2.0
"""The settings in force, and those that may change while a program runs."""

from __future__ import annotations

import ctypes
import operator
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import ContextDecorator
from types import TracebackType
from typing import NamedTuple

from ._errors import SettingError
from ._library import library

_MOST = 2**31 - 1
_KINDS = {1: "static", 2: "dynamic", 3: "guided", 4: "auto"}
_MONOTONIC = 0x80000000
_SCHEDULES = ("auto, or static, dynamic or guided, with a chunk from 1 where it is to have one: "
              "'dynamic,4'")
_SCHEDULE = re.compile(r"\s*(static|dynamic|guided|auto)\s*(?:,\s*([0-9]{1,10})\s*)?",
                       re.IGNORECASE | re.ASCII)
_INVALID = 1  # KASURI_ERROR_INVALID
_MOST_WORKERS = 2048


class Setting(NamedTuple):
    """A setting of Kasuri, as `kasuri info` has it."""

    name: str
    value: str  #: in the form in which the environment would have it
    origin: str  #: "default", "environment", "kasuri run" or "API"
    accepted: str


class Schedule(NamedTuple):
    """What `schedule(runtime)` means. A chunk of 0 is the runtime's choice."""

    kind: str
    chunk: int = 0

    def __str__(self) -> str:
        return f"{self.kind},{self.chunk}" if self.chunk else self.kind


def _whole(name: str, value: object, least: int, most: int) -> int:
    try:
        whole = least - 1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        whole = least - 1
    if not least <= whole <= most:
        raise SettingError(name, value, f"a whole number from {least} to {most}")
    return whole


def _schedule(value: object) -> Schedule:
    """The schedule that a text or a Schedule names."""
    found = _SCHEDULE.fullmatch(str(value)) if isinstance(value, (str, Schedule)) else None
    if found is not None:
        kind, chunk = found[1].lower(), found[2]
        if chunk is None or (kind != "auto" and 1 <= int(chunk) <= _MOST):
            return Schedule(kind, int(chunk or 0))
    raise SettingError("schedule", value, _SCHEDULES)


class Settings(Mapping[str, Setting]):
    """Kasuri's settings by name, as a mapping; and those of OpenMP that may change, as attributes.

    Those of OpenMP belong to the calling thread, as the specification has it: another thread of
    Python that has set nothing has the values of the environment.
    """

    __slots__ = ("_lib",)
    _changeable = ("dynamic", "max_active_levels", "num_threads", "num_workers", "schedule")

    def __init__(self) -> None:
        self._lib = library()

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._changeable and name not in self.__slots__:
            raise AttributeError(f"settings.{name} = {value!r}: not to be set here; accepted: "
                                 f"{', '.join(self._changeable)}")
        super().__setattr__(name, value)

    def __getitem__(self, name: str) -> Setting:
        for index, known in enumerate(self._names()):
            if known == name:
                return self._at(index, name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        names: list[str] = []
        while True:
            name: bytes | None = self._lib.kasuri_setting_name(len(names))
            if name is None:
                return names
            names.append(name.decode())

    def _text(self, function: str, index: int) -> str:
        ask = getattr(self._lib, function)
        room = ctypes.create_string_buffer(ask(index, None, 0) + 1)
        ask(index, room, len(room))
        return room.value.decode(errors="surrogateescape")

    def _at(self, index: int, name: str) -> Setting:
        origin: bytes = self._lib.kasuri_setting_origin(index)
        return Setting(name, self._text("kasuri_setting_value", index), origin.decode(),
                       self._text("kasuri_setting_accepted", index))

    @property
    def num_workers(self) -> int:
        """Threads that run tasks at one time; may be set before the pool starts only."""
        return int(self._lib.kasuri_num_workers())

    @num_workers.setter
    def num_workers(self, value: int) -> None:
        status: int = self._lib.kasuri_init(_whole("num_workers", value, 1, _MOST_WORKERS))
        if status == _INVALID:
            raise SettingError("num_workers", value, f"a whole number from 1 to {_MOST_WORKERS}")
        if status != 0:
            raise SettingError("num_workers", value, f"{self.num_workers}, since the pool runs "
                                                     f"already; another one before the first "
                                                     f"parallel region, or by KASURI_NUM_WORKERS")

    @property
    def num_threads(self) -> int:
        """Members of the next parallel region (OMP_NUM_THREADS)."""
        return int(self._lib.omp_get_max_threads())

    @num_threads.setter
    def num_threads(self, value: int) -> None:
        self._lib.omp_set_num_threads(_whole("num_threads", value, 1, self.thread_limit))

    @property
    def thread_limit(self) -> int:
        """Threads that OpenMP may use in all (OMP_THREAD_LIMIT); cannot be set."""
        return int(self._lib.omp_get_thread_limit())

    @property
    def num_procs(self) -> int:
        """CPUs that the affinity mask and the quota leave; cannot be set."""
        return int(self._lib.omp_get_num_procs())

    @property
    def dynamic(self) -> bool:
        """Whether teams may get smaller than asked for (OMP_DYNAMIC)."""
        return bool(self._lib.omp_get_dynamic())

    @dynamic.setter
    def dynamic(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise SettingError("dynamic", value, "True or False")
        self._lib.omp_set_dynamic(int(value))

    @property
    def max_active_levels(self) -> int:
        """Levels of parallel regions that may be active at once (OMP_MAX_ACTIVE_LEVELS)."""
        return int(self._lib.omp_get_max_active_levels())

    @max_active_levels.setter
    def max_active_levels(self, value: int) -> None:
        most = int(self._lib.omp_get_supported_active_levels())
        self._lib.omp_set_max_active_levels(_whole("max_active_levels", value, 0, most))

    @property
    def schedule(self) -> Schedule:
        """What `schedule(runtime)` means (OMP_SCHEDULE); takes a Schedule, or a text as
        'dynamic,4'."""
        kind, chunk = ctypes.c_int(), ctypes.c_int()
        self._lib.omp_get_schedule(ctypes.byref(kind), ctypes.byref(chunk))
        name = _KINDS[kind.value & ~_MONOTONIC & 0xffffffff]
        return Schedule(name, 0 if name == "auto" else max(chunk.value, 0))

    @schedule.setter
    def schedule(self, value: Schedule | str) -> None:
        wanted = _schedule(value)
        code = next(c for c, kind in _KINDS.items() if kind == wanted.kind)
        self._lib.omp_set_schedule(code, wanted.chunk)


def settings() -> Settings:
    """The settings of this process.

    :raises NotActiveError: Kasuri does not serve it.
    """
    return Settings()


class threadpool_limits(ContextDecorator):
    """Regions that the calling thread begins inside have at most so many threads.

    `with kasuri.threadpool_limits(limits=2): ...`, or `@kasuri.threadpool_limits(limits=2)` above
    a function. The same as threadpoolctl.threadpool_limits(limits=2, user_api="openmp") does to
    Kasuri: either may be nested in the other.

    :param limits: None leaves the limit as it is.
    :raises SettingError: limits is no whole number from 1.
    :raises NotActiveError: at the beginning of the block: Kasuri does not serve this process.
    """

    def __init__(self, limits: int | None = None) -> None:
        if limits is not None:
            limits = _whole("limits", limits, 1, _MOST)
        self._limits = limits
        self._of_thread = threading.local()  # an object may be in use by several threads

    def _recreate_cm(self) -> threadpool_limits:
        return threadpool_limits(self._limits)  # a decorated function may call itself

    def _before(self) -> list[int]:
        stack: list[int] = self._of_thread.__dict__.setdefault("before", [])
        return stack

    def __enter__(self) -> threadpool_limits:
        lib = library()
        self._before().append(lib.omp_get_max_threads())
        if self._limits is not None:
            lib.omp_set_num_threads(self._limits)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        before = self._before().pop()
        if self._limits is not None:
            library().omp_set_num_threads(before)

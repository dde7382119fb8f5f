# SPDX-License-Identifier: Apache-2.0
"""Which OpenMP runtimes this process has, and which of them serves it.

The loader binds a call to the first library of its global scope that has the function: those that
were preloaded, then those that were opened with RTLD_GLOBAL. So it is enough to ask which file the
global scope has the functions from.
"""

from __future__ import annotations

import ctypes
import os
import re
from typing import NamedTuple

from ._errors import TooLateError
from ._installation import version_at

# libgomp.so.1, libomp.so.5, libiomp5.so, and copies in wheels, as libgomp-e985bcbb.so.1.0.0.
_NAME = re.compile(r"lib(gomp|omp|iomp5)(-[^/]*)?\.so(\.[\d.]*)?")
_ENTRY = "GOMP_parallel"  # Kasuri has the entries of both kinds


class Runtime(NamedTuple):
    """A runtime that is loaded."""

    name: str  #: "kasuri", "libgomp", "libomp" or "libiomp5"
    path: str
    version: str | None  #: where it is known
    served_by: str  #: the name of the runtime that gets the calls: its own, or "kasuri"
    why: str  #: a sentence


class _Mapped(NamedTuple):
    start: int
    end: int
    path: str


def _mapped_files() -> list[_Mapped]:
    found = []
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(None, 5)
            if len(fields) == 6 and fields[5].startswith("/"):
                start, _, end = fields[0].partition("-")
                found.append(_Mapped(int(start, 16), int(end, 16), fields[5]))
    return found


def _runtime_files(mapped: list[_Mapped]) -> dict[str, str]:
    """Paths of runtimes with their names."""
    names = {}
    for path in dict.fromkeys(m.path for m in mapped):
        match = _NAME.fullmatch(os.path.basename(path))
        if match:
            names[path] = f"lib{match[1]}"
    return names


def _is_kasuris(path: str) -> bool:
    try:
        return hasattr(ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY), "kasuri_init")
    except OSError:  # the file was replaced or removed since it was loaded
        return False


def _in_front(mapped: list[_Mapped]) -> str | None:
    """The file that the global scope has the entries of OpenMP from."""
    entry = getattr(ctypes.CDLL(None), _ENTRY, None)
    if entry is None:
        return None
    address = ctypes.cast(entry, ctypes.c_void_p).value or 0
    return next((m.path for m in mapped if m.start <= address < m.end), None)


_serving: list[str] = []


def serving_library() -> str | None:
    """The path of Kasuri's OpenMP library, if it serves this process.

    Kept once it is known: what the process loads later comes behind it in the global scope, and
    the library is never unloaded.
    """
    if not _serving:
        mapped = _mapped_files()
        path = _in_front(mapped) if _runtime_files(mapped) else None
        if path is None or not _is_kasuris(path):
            return None
        _serving.append(path)
    return _serving[0]


def active() -> bool:
    """Whether Kasuri serves OpenMP in this process."""
    return serving_library() is not None


def loaded() -> list[Runtime]:
    """The OpenMP runtimes that this process has loaded, Kasuri's first.

    A runtime that a wheel brings is loaded even where Kasuri serves its calls: then its
    `served_by` is "kasuri".
    """
    files = _runtime_files(_mapped_files())
    serving = serving_library()
    found = [_describe(path, name, serving) for path, name in files.items()]
    return sorted(found, key=lambda r: r.name != "kasuri")


def _describe(path: str, name: str, serving: str | None) -> Runtime:
    if path == serving:
        return Runtime("kasuri", path, version_at(path), "kasuri",
                       "the first library in which the loader finds OpenMP")
    if _is_kasuris(path):
        return Runtime("kasuri", path, version_at(path), "kasuri",
                       "for what names this library; the loader finds OpenMP elsewhere first")
    if serving is not None:
        return Runtime(name, path, None, "kasuri", "Kasuri's library was loaded before it")
    return Runtime(name, path, None, name, "Kasuri's library is not loaded, or behind it")


def foreign_runtimes() -> list[str]:
    """The file names of other runtimes, which have the calls of what is loaded with them."""
    files = _runtime_files(_mapped_files())
    return [os.path.basename(path) for path in files if not _is_kasuris(path)]


def too_late() -> TooLateError | None:
    """What to say where another runtime serves this process, and Kasuri can no longer."""
    if active():
        return None
    others = foreign_runtimes()
    if not others:
        return None
    return TooLateError(f"too late for Kasuri: this process has loaded {', '.join(others)}; run "
                        f"python -m kasuri SCRIPT, or call kasuri.activate() before the import "
                        f"that loads it")

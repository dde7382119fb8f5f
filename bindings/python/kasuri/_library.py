# SPDX-License-Identifier: Apache-2.0
"""Kasuri's OpenMP library in this process: loading it, and its functions."""

from __future__ import annotations

import ctypes
import os
import sys

from ._errors import Error, InstallationError, NotActiveError
from ._installation import installation
from ._loaded import active, serving_library, too_late

_open: dict[str, ctypes.CDLL] = {}


def library() -> ctypes.CDLL:
    """The library that serves this process.

    :raises NotActiveError: Kasuri does not.
    """
    path = _path()
    if path not in _open:
        _open[path] = _declare(ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY))
    return _open[path]


def _path() -> str:
    path = serving_library()
    if path is None:
        raise too_late() or NotActiveError(
            "Kasuri does not serve OpenMP in this process; run python -m kasuri SCRIPT, or call "
            "kasuri.activate() first")
    return path


def _declare(lib: ctypes.CDLL) -> ctypes.CDLL:
    """Sets what differs from functions that take and give an int."""
    for name in ("omp_set_num_threads", "omp_set_max_active_levels", "omp_set_dynamic",
                 "omp_set_schedule"):
        getattr(lib, name).restype = None
    if not hasattr(lib, "kasuri_counters"):
        raise InstallationError(f"{lib._name}: older than this package, it cannot be asked for "
                                f"counters and settings; accepted: one of this package's version")
    for name in ("kasuri_counter_name", "kasuri_setting_name", "kasuri_setting_origin"):
        getattr(lib, name).restype = ctypes.c_char_p
    for name in ("kasuri_setting_value", "kasuri_setting_accepted"):
        function = getattr(lib, name)
        function.restype = ctypes.c_ssize_t
        function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    lib.kasuri_counters.argtypes = [ctypes.POINTER(ctypes.c_uint64), ctypes.c_int, ctypes.c_int]
    return lib


def require() -> None:
    """Does nothing where Kasuri serves OpenMP in this process.

    :raises TooLateError: another runtime does.
    :raises NotActiveError: none is loaded yet.
    """
    _path()


def activate(*, children: bool = True) -> None:
    """Loads Kasuri's OpenMP library, so that it serves all that is imported from here on.

    :param children: sets the environment so that programs that this process starts, and with them
        the processes of multiprocessing, run on Kasuri too.
    :raises TooLateError: another OpenMP runtime is loaded: some of its calls would go to Kasuri
        and some would not.
    :raises InstallationError: Kasuri's OpenMP library is not there.
    """
    if active():
        return
    late = too_late()
    if late is not None:
        raise late
    here = installation()
    if here.openmp_library is None:
        raise InstallationError(f"{here.prefix}: this Kasuri was installed without its OpenMP "
                                f"library; accepted: one with lib/kasuri/omp/libgomp.so.1")
    folder = os.path.dirname(here.openmp_library)
    if children and (":" in folder or ";" in folder):  # before it is loaded, which is for good
        raise InstallationError(f"{folder}: the loader takes no folder with ':' or ';' in its "
                                f"name; accepted: activate(children=False)")
    try:
        ctypes.CDLL(here.openmp_library, mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    except OSError as error:
        raise InstallationError(f"{here.openmp_library}: {error}") from error
    if not active():
        raise Error(f"{here.openmp_library} was loaded, and the loader finds OpenMP elsewhere")
    if children:
        _serve_children(here.openmp_library, folder)


def _serve_children(openmp_library: str, folder: str) -> None:
    """As `kasuri run` sets the environment (tools/kasuri/openmp_library.cpp)."""
    # LD_PRELOAD cannot hold blanks; there the loader looks the bare name up, in our folder first.
    blank = any(c in folder for c in " \t\n")
    _prepend("LD_LIBRARY_PATH", folder)
    _prepend("LD_PRELOAD", os.path.basename(openmp_library) if blank else openmp_library)


def _prepend(name: str, entry: str) -> None:
    before = os.environ.get(name, "")
    if before != entry and not before.startswith(entry + ":"):
        os.environ[name] = f"{entry}:{before}" if before else entry


def restart() -> None:
    """Starts this program anew under Kasuri, with the same arguments; does nothing on Kasuri.

    What the program has done until here is done again, so call it first of all. Not in notebooks
    and other interactive interpreters: those need a kernel or a shell that runs on Kasuri.

    :raises Error: the program cannot be started anew, or was and still does not run on Kasuri.
    """
    from ._command import restart_command, restarted_mark
    if active():
        return
    if os.environ.get(restarted_mark) == str(os.getpid()):
        raise Error("started anew by kasuri.restart(), this program still does not run on Kasuri; "
                    "accepted: a Python that is no static program, without set-user-ID")
    command = restart_command()
    os.environ[restarted_mark] = str(os.getpid())
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execv(command[0], command)
    except OSError as error:
        del os.environ[restarted_mark]
        raise InstallationError(f"{command[0]}: {error.strerror}") from error

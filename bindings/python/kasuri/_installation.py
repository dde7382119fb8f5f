# SPDX-License-Identifier: Apache-2.0
"""Where Kasuri's own programs, libraries and headers are.

The first of these that has the command counts:

1. the folder `_native` of this package, which a wheel brings,
2. the folder that the environment variable KASURI_ROOT names,
3. the prefix of the interpreter or of its environment,
4. the one whose OpenMP library stands in LD_PRELOAD, as `kasuri run` puts it there, and the `kasuri` of PATH.
"""

from __future__ import annotations

import os
import re
import sys
from typing import NamedTuple

from ._errors import InstallationError

OPENMP_LIBRARY = os.path.join("kasuri", "omp", "libgomp.so.1")


class Installation(NamedTuple):
    """A prefix as `cmake --install` makes it. A part that is not there is None."""

    prefix: str
    found_by: str  #: "the package", "KASURI_ROOT", "the interpreter's prefix", "LD_PRELOAD" or "PATH"
    command: str
    openmp_library: str | None
    library_dir: str | None
    include_dir: str | None
    cmake_dir: str | None
    pkg_config_dir: str | None


def _is_program(path: str) -> bool:
    """Whether it is the command itself, and not the script that this package installs for it."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def _library_dirs(prefix: str) -> list[str]:
    machine = f"{os.uname().machine}-linux-gnu"
    return [os.path.join(prefix, *parts) for parts in (("lib",), ("lib64",), ("lib", machine))]


def _first(paths: list[str]) -> str | None:
    return next((path for path in paths if os.path.exists(path)), None)


def _at(prefix: str, found_by: str) -> Installation:
    libraries = _library_dirs(prefix)
    library = _first([os.path.join(d, "libkasuri.so") for d in libraries]) or next(
        (path for d in libraries for path in _versioned(d)), None)
    include = os.path.join(prefix, "include")
    return Installation(
        prefix=prefix,
        found_by=found_by,
        command=os.path.join(prefix, "bin", "kasuri"),
        openmp_library=_first([os.path.join(d, OPENMP_LIBRARY) for d in libraries]),
        library_dir=os.path.dirname(library) if library else None,
        include_dir=include if os.path.exists(os.path.join(include, "kasuri")) else None,
        cmake_dir=_first([os.path.join(d, "cmake", "kasuri") for d in libraries]),
        pkg_config_dir=_dir_of([os.path.join(d, "pkgconfig", "kasuri.pc") for d in libraries]))


def _versioned(folder: str) -> list[str]:
    """Libraries that bear their version in their name: a wheel has no links to them."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, n) for n in sorted(names) if n.startswith("libkasuri.so.")]


def _dir_of(paths: list[str]) -> str | None:
    found = _first(paths)
    return os.path.dirname(found) if found else None


def _candidates() -> list[tuple[str, str]]:
    found = [(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_native"), "the package")]
    root = os.environ.get("KASURI_ROOT")
    if root:
        found.append((os.path.abspath(root), "KASURI_ROOT"))
    found += [(p, "the interpreter's prefix") for p in (sys.prefix, sys.base_prefix)]
    for library in re.split(r"[:\s]+", os.environ.get("LD_PRELOAD", "")):
        if library.endswith(os.sep + OPENMP_LIBRARY):
            libraries = library[:-len(OPENMP_LIBRARY) - 1]
            # Below the prefix: lib, lib64, or lib/MACHINE.
            found += [(os.path.normpath(os.path.join(libraries, up)), "LD_PRELOAD") for up in ("..", "../..")]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        command = os.path.join(folder or os.curdir, "kasuri")
        if os.path.isfile(command):
            found.append((os.path.dirname(os.path.dirname(os.path.realpath(command))), "PATH"))
    return found


def installation() -> Installation:
    """The installation that this package uses.

    :raises InstallationError: there is none, or KASURI_ROOT names a folder without one.
    """
    for prefix, found_by in _candidates():
        if _is_program(os.path.join(prefix, "bin", "kasuri")):
            return _at(prefix, found_by)
        if found_by == "KASURI_ROOT":
            raise InstallationError(f"KASURI_ROOT={prefix}: no bin/kasuri there; accepted: the "
                                    f"folder that Kasuri is installed in")
    raise InstallationError("Kasuri's command is neither in this package nor beside the "
                            "interpreter nor on PATH; accepted: a wheel of Kasuri, or KASURI_ROOT "
                            "with the folder that Kasuri is installed in")


def version_at(openmp_library: str) -> str | None:
    """The version of the installation that the library belongs to, where its pkg-config file is."""
    libraries = os.path.dirname(os.path.dirname(os.path.dirname(openmp_library)))
    try:
        with open(os.path.join(libraries, "pkgconfig", "kasuri.pc"), encoding="utf-8") as file:
            found = re.search(r"^Version:\s*(\S+)", file.read(), re.MULTILINE)
    except OSError:
        return None
    return found[1] if found else None


def package_version() -> str:
    """The version of this package: of its distribution, or of the source tree that it lies in."""
    from importlib import metadata
    try:
        return metadata.version("kasuri")
    except metadata.PackageNotFoundError:
        pass
    tree = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    try:
        with open(os.path.join(tree, "CMakeLists.txt"), encoding="utf-8") as file:
            found = re.search(r"project\(kasuri VERSION ([\d.]+)", file.read())
    except OSError:
        found = None
    if found is None:
        raise InstallationError("the version of this package is unknown: it is neither installed "
                                "nor in a source tree of Kasuri")
    return found[1]

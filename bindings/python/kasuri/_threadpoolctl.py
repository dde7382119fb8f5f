# SPDX-License-Identifier: Apache-2.0
"""The entry for Kasuri in the lists of threadpoolctl.

Without it threadpoolctl lists Kasuri's library too, by its file name: as an "openmp" of the prefix
"libgomp", without a version.
"""

from __future__ import annotations

import importlib
from typing import Any

from ._installation import version_at

_registered: list[Any] = []  # the module that has the entry


def register_threadpoolctl() -> None:
    """Has threadpoolctl list Kasuri as such: internal_api "kasuri", user_api "openmp".

    :raises ImportError: threadpoolctl is not installed, or older than 3.3, which lists a
        library under each controller that fits.
    """
    threadpoolctl = importlib.import_module("threadpoolctl")
    if threadpoolctl in _registered:
        return
    version = str(threadpoolctl.__version__)
    if tuple(int(part) for part in version.split(".")[:2]) < (3, 3):
        raise ImportError(f"threadpoolctl {version} lists a library under each controller that "
                          f"fits; accepted: 3.3 or later")
    controller = _controller(threadpoolctl)
    threadpoolctl.register(controller)
    # The first that fits is taken, and register() appends. Where the list has another name
    # Kasuri stays an "openmp".
    known = getattr(threadpoolctl, "_ALL_CONTROLLERS", None)
    if isinstance(known, list) and controller in known:
        known.remove(controller)
        known.insert(0, controller)
    _registered.append(threadpoolctl)


def _controller(threadpoolctl: Any) -> Any:
    """The class; made when threadpoolctl is there to be its base."""

    class KasuriController(threadpoolctl.LibController):  # type: ignore[misc]
        user_api = "openmp"
        internal_api = "kasuri"
        filename_prefixes = ("libgomp",)
        check_symbols = ("kasuri_init",)

        def get_num_threads(self) -> int:
            return int(self.dynlib.omp_get_max_threads())

        def set_num_threads(self, num_threads: int) -> None:
            self.dynlib.omp_set_num_threads(num_threads)

        def get_version(self) -> str | None:
            return version_at(self.filepath)

    return KasuriController

# SPDX-License-Identifier: Apache-2.0
"""Kasuri in a Python process: one pool for all OpenMP code that packages bring.

`python -m kasuri script.py` runs a program on it; activate() does the same for what is imported
from there on. This package imports nothing but the standard library.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from ._counters import counter_names, counters, counters_of_workers, report
from ._errors import (Error, InstallationError, NotActiveError, SettingError, TooLateError,
                      TooLateWarning)
from ._info import Info, info
from ._installation import Installation, installation
from ._library import activate, require, restart
from ._loaded import Runtime, active, loaded, too_late
from ._settings import Schedule, Setting, Settings, settings, threadpool_limits
from ._threadpoolctl import register_threadpoolctl

__all__ = [
    "Error", "Info", "Installation", "InstallationError", "NotActiveError", "Runtime", "Schedule",
    "Setting", "SettingError", "Settings", "TooLateError", "TooLateWarning", "__version__",
    "activate", "active", "counter_names", "counters", "counters_of_workers", "info",
    "installation", "load_ipython_extension", "loaded", "register_threadpoolctl", "report",
    "require", "restart", "settings", "threadpool_limits",
]

__version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":  # takes more time than all else of this package
        from ._installation import package_version
        return package_version()
    raise AttributeError(f"module 'kasuri' has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """For `%load_ext kasuri`: the magic `%%kasuri_report`.

    :raises NotActiveError: Kasuri does not serve this process.
    """
    from ._notebook import load_ipython_extension as load
    load(shell)


_late = too_late()
if _late is not None:
    warnings.warn(str(_late), TooLateWarning, stacklevel=2)
del _late

if "threadpoolctl" in sys.modules and active():
    try:
        register_threadpoolctl()
    except ImportError as _error:  # an older one lists Kasuri as an "openmp"
        del _error

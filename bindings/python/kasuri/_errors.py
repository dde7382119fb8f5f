# SPDX-License-Identifier: Apache-2.0
"""What this package raises and warns of."""

from __future__ import annotations


class Error(Exception):
    """All exceptions of this package."""


class InstallationError(Error):
    """Kasuri's own programs and libraries, or a part of them, are not there."""


class NotActiveError(Error):
    """Kasuri does not serve OpenMP in this process, and the call needs that it does."""


class TooLateError(NotActiveError):
    """Another OpenMP runtime is loaded already, so that Kasuri cannot take its place."""


class SettingError(Error, ValueError):
    """A value that a setting does not accept, or not now."""

    def __init__(self, setting: str, value: object, accepted: str) -> None:
        super().__init__(f"{setting} = {value!r}; accepted: {accepted}")
        self.setting = setting
        self.value = value
        self.accepted = accepted

    def __reduce__(self) -> tuple[type[SettingError], tuple[str, object, str]]:
        # Else a process of multiprocessing that raises it hangs the one that waits for it.
        return type(self), (self.setting, self.value, self.accepted)


class TooLateWarning(UserWarning):
    """This package was imported when another OpenMP runtime was loaded already."""


# Messages call them by the name by which programs do.
for _each in (Error, InstallationError, NotActiveError, TooLateError, SettingError, TooLateWarning):
    _each.__module__ = "kasuri"

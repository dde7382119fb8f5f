# SPDX-License-Identifier: Apache-2.0
"""What there is, in one object."""

from __future__ import annotations

from typing import NamedTuple

from ._installation import Installation, installation, package_version
from ._loaded import Runtime, active, loaded


class Info(NamedTuple):
    """Which Kasuri this is, and what it does in this process. str() gives it as lines."""

    version: str
    active: bool
    installation: Installation
    runtimes: list[Runtime]

    def __str__(self) -> str:
        here = self.installation
        lines = [f"kasuri {self.version}",
                 f"installed in    {here.prefix} (found by {here.found_by})",
                 f"command         {here.command}",
                 f"OpenMP library  {here.openmp_library or 'none'}",
                 f"serves OpenMP   {'yes' if self.active else 'no'}"]
        lines += [f"loaded          {r.path}, served by {r.served_by}: {r.why}"
                  for r in self.runtimes]
        return "\n".join(lines)


def info() -> Info:
    """:raises InstallationError: no installation was found."""
    return Info(package_version(), active(), installation(), loaded())

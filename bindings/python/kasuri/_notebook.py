# SPDX-License-Identifier: Apache-2.0
"""The extension for IPython: `%load_ext kasuri`, then `%%kasuri_report` above a cell."""

from __future__ import annotations

from typing import Any

from ._counters import report
from ._library import require


def load_ipython_extension(shell: Any) -> None:
    """:raises NotActiveError: Kasuri does not serve this process."""
    require()

    def kasuri_report(line: str, cell: str) -> None:
        """Runs the cell, and prints what happened in it."""
        with report() as found:
            result = shell.run_cell(cell)
        result.raise_error()
        print(found)

    shell.register_magic_function(kasuri_report, magic_kind="cell")

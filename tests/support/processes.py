# SPDX-License-Identifier: Apache-2.0
"""What tests ask about processes."""

import pathlib


def is_alive(pid):
    """Whether there is a process of that number, but for a zombie."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"

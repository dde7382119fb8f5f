# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder share: commands, and the pinned tools."""

import pathlib
import subprocess
import venv

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent  # the tree
MOST_BYTES = 8_000_000  # of a wheel


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def ask(*command, **more):
    return run(*command, stdout=subprocess.PIPE, text=True, **more).stdout.strip()


def make_tools(folder):
    """A Python environment with the tools of requirements.txt; its interpreter."""
    python = folder / "bin" / "python"
    wanted = (HERE / "requirements.txt").read_text()
    mark = folder / "requirements.txt"
    if not mark.is_file() or mark.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        run(python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt")
        mark.write_text(wanted)
    return python

# SPDX-License-Identifier: Apache-2.0
"""A kernel for Jupyter whose notebooks run on Kasuri.

python -m kasuri.jupyter [--name NAME] [--display-name TEXT] [--user | --prefix DIR]
                         [-- OPTIONS OF kasuri run]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from typing import NoReturn

from ._command import UsageError, split_options
from ._errors import Error
from ._installation import installation

_NAME = re.compile(r"[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*")  # not the folders . and ..


def kernel_spec(display_name: str, run_options: list[str] | None = None) -> dict[str, object]:
    """The content of kernel.json: this interpreter's kernel, on Kasuri."""
    options, rest = split_options(run_options or [])
    if rest:
        raise UsageError(f"{rest[0]}: no option of kasuri run")
    return {"argv": [sys.executable, "-m", "kasuri", *options, "-m", "ipykernel_launcher", "-f",
                     "{connection_file}"],
            "display_name": display_name, "language": "python", "metadata": {"debugger": True}}


def data_dir(user: bool, prefix: str | None) -> str:
    """Where Jupyter looks for kernels: of the user, below a prefix, or of this environment."""
    if prefix is not None:
        return os.path.join(prefix, "share", "jupyter")
    if not user:
        return os.path.join(sys.prefix, "share", "jupyter")
    share = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.environ.get("JUPYTER_DATA_DIR") or os.path.join(share, "jupyter")


def install(name: str, display_name: str, folder: str,
            run_options: list[str] | None = None) -> str:
    """Writes the kernel's file below the data folder, and returns its path."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"--name {name}: accepted: letters, digits, '.', '_' and '-', and one "
                         f"that is no '.'")
    installation()  # a kernel that cannot start is not written
    spec = kernel_spec(display_name, run_options)
    path = os.path.join(folder, "kernels", name, "kernel.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(spec, file, indent=2)
        file.write("\n")
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kasuri.jupyter",
                                     description="Installs a kernel for Jupyter that runs on "
                                                 "Kasuri, with this interpreter.")
    parser.add_argument("--name", default="kasuri", help="of its folder [default: kasuri]")
    parser.add_argument("--display-name", default="Python 3 on Kasuri", help="as notebooks show it")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true",
                       help="for this user [default: for this environment]")
    where.add_argument("--prefix", help="below this prefix")
    parser.add_argument("options", nargs="*", metavar="-- OPTIONS",
                        help="options of kasuri run, as -- --workers 4")
    return parser


def main() -> NoReturn:
    asked = _parser().parse_args()
    try:
        folder = data_dir(asked.user, asked.prefix)
        print(install(asked.name, asked.display_name, folder, asked.options))
    except (Error, OSError) as error:
        print(f"kasuri: python -m kasuri.jupyter: {error}", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)


if __name__ == "__main__":
    main()

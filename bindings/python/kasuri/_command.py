# SPDX-License-Identifier: Apache-2.0
"""Command lines: of `kasuri`, of `python -m kasuri`, and of a program that is started anew."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from ._errors import Error, InstallationError
from ._installation import Installation, installation, package_version

# The options of `kasuri run`, to find where they end; the command itself looks at their values.
OPTIONS_WITH_VALUE = ("--workers", "--sched", "--stack-size", "--spin", "--trace", "--set", "-n",
                      "--ranks")
OPTIONS = ("--stats", "--openmp", "--no-openmp", "--cluster")

USAGE = """Runs a Python program on Kasuri, as `kasuri run python` does.
Usage: python -m kasuri [OPTIONS] SCRIPT [ARGS...]
       python -m kasuri [OPTIONS] -m MODULE [ARGS...]
       python -m kasuri [OPTIONS] -c CODE [ARGS...]
       python -m kasuri [OPTIONS] - [ARGS...]      (reads standard input)
       python -m kasuri [OPTIONS] -i               (a prompt)
       python -m kasuri QUESTION

Options: those of `kasuri run`, which `kasuri run --help` lists: --workers N, --stats, --set
NAME=VALUE and others. Options of Python may follow them, or stand before -m kasuri.

Questions:
  --help             Print this text.
  --version          Print the version.
  --info             Print where Kasuri is, and whether it serves this process.
  --cmake-dir        Print the folder for -Dkasuri_DIR or CMAKE_PREFIX_PATH.
  --include-dir      Print the folder of the headers.
  --library-dir      Print the folder of libkasuri.
  --pkg-config-dir   Print the folder for PKG_CONFIG_PATH.
"""

FOLDERS = ("cmake_dir", "include_dir", "library_dir", "pkg_config_dir")

restarted_mark = "PYTHON_KASURI_RESTARTED"  # a name of KASURI_ that is no setting would be told
_NOT_FOUND = 127
_NOT_EXECUTABLE = 126
_USAGE = 2


class UsageError(Error):
    """A command line that is not understood."""


def split_options(words: list[str]) -> tuple[list[str], list[str]]:
    """The options of `kasuri run`, and the command line of Python behind them."""
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return words[:at], words[at + 1:]
        name, equals, _ = word.partition("=")
        if name in OPTIONS_WITH_VALUE:
            if not equals and at + 1 == len(words):
                raise UsageError(f"{word} needs a value; see python -m kasuri --help")
            at += 1 if equals else 2
        elif word in OPTIONS:
            at += 1
        elif word.startswith("--"):
            raise UsageError(f"{word}: no such option; see python -m kasuri --help")
        else:
            break
    return words[:at], words[at:]


def interpreter_options() -> list[str]:
    """What stands between the interpreter and `-m kasuri`, as `-X dev`."""
    given: list[str] | None = getattr(sys, "orig_argv", None)  # from Python 3.10 on
    if given is not None:
        before = given[1:len(given) - len(sys.argv[1:])]  # so the program's own -m kasuri is none
        if before[-2:] == ["-m", "kasuri"]:
            return before[:-2]
    return _options_by_flags()  # of 3.9, and where -m stands in one word with other letters


def _options_by_flags() -> list[str]:
    import subprocess
    return list(subprocess._args_from_interpreter_flags())  # type: ignore[attr-defined]


def run_command(options: list[str], python: list[str]) -> list[str]:
    """The command that runs this interpreter with the command line `python` on Kasuri."""
    if not sys.executable:
        raise Error("this Python does not know its own program, so it cannot be started")
    return [installation().command, "run", *options, "--", sys.executable, *python]


def restart_command() -> list[str]:
    """The command that starts the running program anew on Kasuri."""
    if hasattr(sys, "ps1") or sys.flags.interactive or "ipykernel" in sys.modules:
        raise Error("kasuri.restart() in an interactive interpreter; accepted: a script, or "
                    "python -m kasuri before the interpreter starts")
    main = sys.modules["__main__"]
    if sys.argv[0] in ("", "-") and getattr(main, "__file__", "<stdin>") == "<stdin>":
        raise Error("kasuri.restart() of code that came by standard input, which has been read; "
                    "accepted: a script or a module")
    given: list[str] | None = getattr(sys, "orig_argv", None)
    if given is not None:
        return run_command(["--openmp"], given[1:])
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name != "__main__":  # that is the name in a folder or a zip file
        program = ["-m", spec.name.removesuffix(".__main__")]
    elif sys.argv[0] != "-c":
        program = [sys.argv[0]]
    else:
        raise Error("kasuri.restart() of code that came by -c, which Python 3.9 does not keep; "
                    "accepted: a script or a module")
    return run_command(["--openmp"], [*_options_by_flags(), *program, *sys.argv[1:]])


def _become(command: list[str]) -> int:
    """Becomes the program; the status if that fails, by the rules of shells."""
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"kasuri: {command[0]}: {error.strerror}", file=sys.stderr)
        return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_EXECUTABLE


def _folder(here: Installation, name: str) -> str:
    folder: str | None = getattr(here, name)
    if folder is None:
        raise InstallationError(f"{here.prefix}: this Kasuri was installed without what "
                                f"--{name.replace('_', '-')} asks for")
    return folder


def _print_info() -> None:
    from ._info import info
    print(info())


def _answer(question: str) -> Callable[[], None] | None:
    """What answers it, or None if it is no question."""
    name = question[2:].replace("-", "_")
    if question in ("--help", "-h"):
        return lambda: print(USAGE, end="")
    if question == "--version":
        return lambda: print(f"kasuri {package_version()}")
    if question == "--info":
        return _print_info
    if question.startswith("--") and name in FOLDERS:
        return lambda: print(_folder(installation(), name))
    return None


def _run(words: list[str]) -> int:
    answer = _answer(words[0]) if words else None
    if answer is not None:
        if len(words) > 1:
            raise UsageError(f"{words[1]}: nothing is accepted behind {words[0]}")
        answer()
        return 0
    options, python = split_options(words)
    if not python:
        behind = f" behind {' '.join(options)}" if options else ""
        raise UsageError(f"no script, -m MODULE or -c CODE given{behind}; see python -m kasuri "
                         f"--help")
    return _become(run_command(options, [*interpreter_options(), *python]))


def python_main() -> NoReturn:
    """`python -m kasuri`."""
    try:
        status = _run(sys.argv[1:])
    except Error as error:
        print(f"kasuri: python -m kasuri: {error}", file=sys.stderr)
        status = _USAGE
    sys.exit(status)


def command_main() -> NoReturn:
    """The command `kasuri` that this package installs: becomes Kasuri's own."""
    try:
        command = installation().command
    except InstallationError as error:
        print(f"kasuri: {error}", file=sys.stderr)
        sys.exit(_NOT_FOUND)
    sys.exit(_become([command, *sys.argv[1:]]))

# SPDX-License-Identifier: Apache-2.0
"""The page of the command line: what the built command says of itself with --help."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

WIDTH = 86
SUBCOMMAND = re.compile(r"^  ([a-z-]+) {2,}\S", re.MULTILINE)


def help_of(words: list[str]) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KASURI_")}
    run = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False,
                         env={**environment, "COLUMNS": str(WIDTH)})
    if run.returncode != 0 or not run.stdout.strip():
        said = (run.stderr or run.stdout).strip()
        raise SystemExit(f"{' '.join(words)} --help ended with status {run.returncode}: {said}")
    return run.stdout.strip("\n")


def folded(text: str) -> str:
    """Long lines cut; what goes on stands below the words of its line."""
    lines = []
    for line in text.split("\n"):
        column = re.match(r" {2,}\S.*? {2,}(?=\S)", line)
        indent = len(column[0]) if column and column.end() < WIDTH // 2 else len(line) - len(line.lstrip()) + 2
        lines += textwrap.wrap(line, WIDTH, subsequent_indent=" " * indent, drop_whitespace=True,
                               break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(lines)


def page(program: Path, source: Path) -> str:
    if not os.access(program, os.X_OK):
        raise SystemExit(f"no program {program}: the page of the command line needs the built command "
                         "(./quickstart builds it; --kasuri PROGRAM names another)")
    root = help_of([str(program)])
    names = [name for name in SUBCOMMAND.findall(root.split("Subcommands:", 1)[-1]) if name != "version"]
    if not names:
        raise SystemExit(f"{program} --help names no subcommand")
    text = "# Command line\n\nWhat `kasuri --help` and `kasuri COMMAND --help` say.\n\n"
    text += f"```text\n{folded(root)}\n```\n"
    for name in names:
        words = [str(program), name]
        if name == "compare":  # the same program, where the command was built without the benchmarks
            words = [sys.executable, "-B", str(source / "bench/runner/compare.py")]
        text += f"\n## `kasuri {name}`\n\n```text\n{folded(help_of(words))}\n```\n"
    return text

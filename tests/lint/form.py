#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C and C++ have the form that .clang-format says, and no line is longer than its 100 columns.

usage: form.py ROOT CLANG_FORMAT; `CLANG_FORMAT -i FILE` puts a file into that form.
"""

import re
import subprocess
import sys

import source_tree

COLUMNS = 100
FORMATTED = {".hpp", ".cpp", ".h", ".c"}
FINDING = re.compile(r"^(.+?):(\d+):\d+: (?:warning|error): code should be clang-formatted")


def long_lines(root, files):
    for path in files:
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            if len(line) > COLUMNS:
                yield path, number, f"{len(line)} columns; the limit is {COLUMNS}"


def other_form(root, files, clang_format):
    result = subprocess.run([clang_format, "--dry-run", "--Werror", *map(str, files)], cwd=root, text=True,
                            capture_output=True)
    found = {(m[1], int(m[2])) for m in map(FINDING.match, result.stderr.splitlines()) if m}
    if result.returncode and not found:
        sys.exit(f"{clang_format}: {result.stderr}")
    for path, number in sorted(found):
        yield path, number, f"not in the form of .clang-format; `{clang_format} -i {path}` changes it"


def check(root, clang_format):
    files = source_tree.files(root, FORMATTED)
    yield from long_lines(root, files)
    yield from other_form(root, files, clang_format)


if __name__ == "__main__":
    clang_format = sys.argv.pop() if len(sys.argv) == 3 else "clang-format"
    source_tree.main(lambda root: check(root, clang_format))

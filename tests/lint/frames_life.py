#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/design/a-frames-life.md leads to the source: the file of each station exists and defines or calls the function,
and a walk enters no more files than its text promises."""

import pathlib
import re

import source_tree

PAGE = pathlib.Path("docs/design/a-frames-life.md")
STATION = re.compile(r"^\| \w+ \| `(?P<file>[^`]+)` \| `(?P<function>\w+)` \|")
PROMISE = re.compile(r"At most (\d+) files\.")


def check(root):
    promised, files = None, set()
    for number, line in enumerate((root / PAGE).read_text().split("\n"), 1):
        if line.startswith("## "):
            promised, files = None, set()
        if match := PROMISE.search(line):
            promised = int(match[1])
        if not (match := STATION.match(line)):
            continue
        if promised is None:
            yield PAGE, number, "a station of a walk that promises no number of files"
            continue
        source = root / match["file"]
        if not source.is_file():
            yield PAGE, number, f"{match['file']}: no such file"
        elif not re.search(rf"\b{match['function']}\b", source.read_text()):
            yield PAGE, number, f"{match['file']} has no {match['function']}"
        if match["file"] not in files and len(files) == promised:
            yield PAGE, number, f"{match['file']} is one file more than the {promised} of this walk"
        files.add(match["file"])


if __name__ == "__main__":
    source_tree.main(check)

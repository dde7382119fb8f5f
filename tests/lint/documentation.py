#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Code shown in the documentation is a program that the tests compile and run; links lead somewhere.

A fenced block after the line <!-- FILE --> must be FILE without its licence line, or, after
<!-- FILE: NAME -->, the lines of FILE between `// NAME:` and the next line that is `// end` (`#` in Python, `!` in
Fortran). A block of C++, C, Fortran, Rust or Python without such a line is refused. A link within the tree must name a
file or folder.
"""

import pathlib
import re

import source_tree

BLOCK = re.compile(
    r"(?:<!-- (?P<file>\S+?)(?:: (?P<part>[\w ]+))? -->\n)?```(?:cpp|c|fortran|rust|python)\n(?P<code>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")


def strip_indent(lines):
    """The lines without the indent that all have; pragmas stand in column 1 anyhow."""
    indent = min((len(l) - len(l.lstrip()) for l in lines if l.strip() and l[0] != "#"), default=0)
    return "\n".join(l.rstrip() if l.startswith("#") else l[indent:].rstrip() for l in lines).strip()


def source_of(root, name, part):
    """The text a block must equal, or None where the file or the part does not exist."""
    if not (root / name).is_file():
        return None
    lines = (root / name).read_text().split("\n")
    if not part:
        return strip_indent(lines[1:])
    mark = {".py": "#", ".f90": "!"}.get(pathlib.PurePath(name).suffix, "//")
    starts = [i for i, line in enumerate(lines) if line.strip() == f"{mark} {part}:"]
    if len(starts) != 1:
        return None
    ends = [i for i, line in enumerate(lines) if line.strip() == f"{mark} end" and i > starts[0]]
    return strip_indent(lines[starts[0] + 1 : ends[0]]) if ends else None


def check_blocks(root, text):
    for match in BLOCK.finditer(text):
        if not match["file"]:
            yield match.start(), "a code block that names no file: <!-- examples/... --> above it"
            continue
        expected = source_of(root, match["file"], match["part"])
        if expected is None:
            yield match.start(), f"{match['file']} {match['part'] or ''}: no such file or part"
        elif expected != match["code"].strip():
            yield match.start(), f"differs from {match['file']}"


def check_links(root, path, text):
    for match in LINK.finditer(text):
        if not (root / path.parent / match[1]).exists():
            yield match.start(), f"the link {match[1]} leads nowhere"


def check(root):
    for path in source_tree.files(root, {".md"}):
        text = (root / path).read_text()
        findings = list(check_links(root, path, text))
        if path.parts[:2] != ("docs", "design"):  # design pages show protocols in fragments
            findings += check_blocks(root, text)
        for at, message in findings:
            yield path, text.count("\n", 0, at) + 1, message


if __name__ == "__main__":
    source_tree.main(check)

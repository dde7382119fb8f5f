# SPDX-License-Identifier: Apache-2.0
"""What every lint needs: the files of the tree, comments told from code, one way to report."""

import pathlib
import re
import sys

CXX = {".hpp", ".cpp", ".h", ".c", ".S", ".inc"}
PROGRAMS = CXX | {".py", ".sh", ".f90", ".rs"}
SKIPPED_FOLDERS = re.compile(r"^(\.git|build|build-.*|target|__pycache__|\.cache)$")

# Strings and comments of C++; a raw string first, since it may hold anything.
TOKENS = re.compile(
    r'R"(?P<tag>[^()\s]*)\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'"
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)


def files(root, suffixes=None, folders=("",)):
    """Files below the given folders of the tree, as sorted paths relative to root."""
    root = pathlib.Path(root)
    found = []
    for folder in folders:
        for path in (root / folder).rglob("*"):
            relative = path.relative_to(root)
            if any(SKIPPED_FOLDERS.match(part) for part in relative.parts):
                continue
            if path.is_file() and (suffixes is None or path.suffix in suffixes):
                found.append(relative)
    return sorted(set(found))


def split(text):
    """(code, comments): two lists of lines; what is not of that kind is blanked out.

    Strings become empty ones, so that nothing inside them is taken for code.
    """
    code, comments, last = [], [], 0
    blank = lambda s: re.sub(r"[^\n]", " ", s)
    for match in TOKENS.finditer(text):
        before, token = text[last : match.start()], match.group()
        is_comment = token.startswith("/")
        code += [before, blank(token) if is_comment else '"' + blank(token[1:-1]) + '"']
        comments += [blank(before), token if is_comment else blank(token)]
        last = match.end()
    code.append(text[last:])
    comments.append(blank(text[last:]))
    return "".join(code).split("\n"), "".join(comments).split("\n")


def main(check):
    """Runs check(root), prints its findings as PATH:LINE: what is wrong, and ends the program."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ROOT")
    root = pathlib.Path(sys.argv[1])
    if not (root / "src").is_dir():
        sys.exit(f"{root}: not the root of the tree (it has no src/)")
    findings = list(check(root))
    for path, line, message in findings:
        print(f"{path}:{line}: {message}")
    sys.exit(1 if findings else 0)

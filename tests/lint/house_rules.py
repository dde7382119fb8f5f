#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that keep the tree readable.

No marks of unfinished work; no file over 700 lines; conditional compilation only where the OS or
the CPU is met (src/platform, src/context), for __cplusplus in a C header, where a header asks
for C++20, exceptions or std::stop_token, and in an adapter to a library that is set up by macros; a licence line
first; nothing that is true of one machine only: paths of private folders,
addresses of servers that are not among the public sites of KNOWN_SITES.
"""

import re

import source_tree

LONGEST_FILE = 700
MARKS = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
CONDITIONAL = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)")
# Folders whose files are ours to compile for every machine, and the seats where it may differ.
COMMON_CODE = ("include", "src", "tools", "examples")
MACHINE_CODE = re.compile(
    r"^src/(platform|context)/|^include/kasuri/detail/(atomics|cxx_library|exceptions|needs_cxx20|self|stop/token|ticks)\.hpp$"
    r"|^include/kasuri/adapters/parlay\.hpp$")
LICENCE = "SPDX-License-Identifier: Apache-2.0"

# Where people and machines keep their own things.
PRIVATE_FOLDERS = "home|root|Users|work|workspaces?|mnt|media|srv|data|scratch|nfs|build"
ABSOLUTE = re.compile(rf"(?<![\w.:/<>*$}}~)\]%@+\\-])/(?:{PRIVATE_FOLDERS})/[\w.<*-]")
SERVER = re.compile(r"\b(?:https?|ftp|git|ssh)://([^\s/\"'<>)`]+)")
KNOWN_SITES = set("""
github.com www.apache.org doi.org dl.acm.org arxiv.org en.cppreference.com ui.perfetto.dev
www.open-std.org eel.is man7.org keepachangelog.com semver.org crates.io docs.kernel.org
www.kernel.org www.boost.org www.open-mpi.org sourceforge.net gcc.gnu.org llvm.org clang.llvm.org
www.debian.org www.w3.org csrc.nist.gov www.rfc-editor.org json-schema.org docs.google.com
""".split())


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        if MARKS.search(line):
            yield number, "a mark of unfinished work: finish it, or open an issue"
        for match in ABSOLUTE.finditer(line):
            yield number, f"{match[0]}... is a path of one machine"
        for match in SERVER.finditer(line):
            if match[1] not in KNOWN_SITES:
                yield number, f"{match[1]} is not among the public sites of KNOWN_SITES"


def check_program(path, lines):
    if len(lines) > LONGEST_FILE:
        yield 1, f"{len(lines)} lines; the limit is {LONGEST_FILE}"
    head = 1 if path.suffix in source_tree.CXX else 3
    if not any(LICENCE in line for line in lines[:head]):
        yield 1, f'the first line must be "{LICENCE}"'
    if path.suffix in source_tree.CXX and path.parts[0] in COMMON_CODE:
        yield from check_conditionals(path, lines)


def check_conditionals(path, lines):
    if MACHINE_CODE.match(path.as_posix()):
        return
    for number, line in enumerate(lines, 1):
        match = CONDITIONAL.match(line)
        if match and not (path.suffix == ".h" and "__cplusplus" in match[1]):
            yield number, "conditional compilation outside src/platform and src/context"


def check(root):
    for path in source_tree.files(root):
        if path.parts[:2] == ("tests", "lint"):  # here the rules are spelt out
            continue
        try:
            lines = (root / path).read_text().splitlines()
        except UnicodeDecodeError:
            continue
        findings = list(check_text(path, lines))
        if path.suffix in source_tree.PROGRAMS:
            findings += check_program(path, lines)
        for number, message in findings:
            yield path, number, message


if __name__ == "__main__":
    source_tree.main(check)

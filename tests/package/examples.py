#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples.py SOURCE LANGUAGE COMPILER [FLAG...]: each C++ program of examples/ compiles.

What other systems are needed for is left out: adapters/, neighbours/ and ports/.
"""

import concurrent.futures
import pathlib
import subprocess
import sys

WARNINGS = "-Werror -Wall -Wextra".split()


def messages(compiler, source, program, language, given):
    return subprocess.run(
        [compiler, f"-std={language}", "-fsyntax-only", *WARNINGS, *given, f"-I{source / 'include'}",
         f"-I{source / 'bench'}", str(program)],
        text=True, capture_output=True, check=False).stderr


def main():
    source, language, compiler, given = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    examples = source / "examples"
    programs = sorted([*examples.glob("*.cpp"), *(examples / "quickstart").glob("*.cpp")])
    if not programs:
        sys.exit(f"{examples}: no program")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda program: messages(compiler, source, program, language, given), programs))
    print("".join(said))
    failed = sum(1 for each in said if each)
    print(f"{len(programs)} programs, {failed} with findings")
    sys.exit(1 if failed else 0)


main()

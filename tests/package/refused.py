#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""refused.py INCLUDE SOURCE COMPILER: each wrong use in SOURCE is refused, and the first error says what is right.

A case begins with the line `#elif CASE == 3  // ERROR`; ERROR is part of the compiler's first error. Where
there is none, the case compiles.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

CASE = re.compile(r"^#(?:el)?if CASE == (\d+)(?:  // (.+))?$", re.MULTILINE)


def finding(include, source, compiler, case, wanted):
    """What is wrong about the case; None: nothing."""
    said = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-fno-diagnostics-color", f"-DCASE={case}", f"-I{include}",
         str(source)], text=True, capture_output=True, check=False).stderr
    first = next((line for line in said.splitlines() if "error:" in line), "no error")
    if wanted == "":
        return f"case {case} must compile, not: {first}" if "error:" in said else None
    return None if wanted in first else f"case {case}: '{wanted}' must be in the first error, not: {first}"


def main():
    include, source, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    cases = CASE.findall(source.read_text())
    if [int(case) for case, _ in cases] != list(range(len(cases))) or not cases:
        sys.exit(f"{source}: the cases must be numbered from 0 on")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [line for line in pool.map(lambda each: finding(include, source, compiler, *each), cases) if line]
    print("\n".join(found))
    print(f"{len(cases)} cases, {len(found)} findings")
    sys.exit(1 if found else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py INCLUDE LANGUAGE COMPILER [FLAG...]: each public header alone is free of warnings.

LANGUAGE is c++20, c++23 or c11. For C++ the same holds without exceptions and RTTI, and each header, set to
C++17, must also say in its first error that it needs C++20; of kasuri/model/ and kasuri/adapters/, whose
headers include those of other systems, this alone is asked. The flags are the compiler's: those of libc++.
"""

import concurrent.futures
import pathlib
import subprocess
import sys

WARNINGS = "-Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion".split()
WITHOUT = ["-fno-exceptions", "-fno-rtti"]
STOP_AT_FIRST = {False: "-fmax-errors=1", True: "-ferror-limit=1"}


def compile_alone(compiler, include, header, language, flags):
    """The compiler's messages about a program that has this header and no more; none: it is clean."""
    return subprocess.run(
        [compiler, f"-std={language}", "-fsyntax-only", *WARNINGS, *flags, f"-I{include}",
         "-x", "c" if language == "c11" else "c++", "-"],
        input=f"#include <{header}>\nint main(void);\n", text=True, capture_output=True,
        check=False).stderr


def findings(compiler, include, header, language, given):
    of_others = header.startswith(("kasuri/model/", "kasuri/adapters/"))
    is_c = language == "c11"
    for more in () if of_others else ([],) if is_c else ([], WITHOUT):
        flags = given + more
        said = compile_alone(compiler, include, header, language, flags)
        if said:
            yield f"{compiler} -std={language} {' '.join(flags)}: <{header}> alone:\n{said}"
    if not is_c:
        stop_at_first = STOP_AT_FIRST["clang" in pathlib.Path(compiler).name]
        said = compile_alone(compiler, include, header, "c++17", [*given, stop_at_first])
        first = next((line for line in said.splitlines() if "error:" in line), "no error")
        if "needs C++20" not in first:
            yield f"{compiler} -std=c++17: <{header}> must say that it needs C++20, not: {first}"


def main():
    include, language, compiler, given = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    headers = [path.relative_to(include).as_posix()
               for path in sorted(include.rglob("*.h" if language == "c11" else "*.hpp"))
               if "detail" not in path.parts]
    if not headers:
        sys.exit(f"{include}: no header for {language}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [line for lines in pool.map(
            lambda header: list(findings(compiler, include, header, language, given)), headers)
            for line in lines]
    print("\n".join(found))
    print(f"{len(headers)} headers, {len(found)} findings")
    sys.exit(1 if found else 0)


main()

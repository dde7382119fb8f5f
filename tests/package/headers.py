#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py INCLUDE LANGUAGE COMPILER [FLAG...]: each public header alone is free of warnings.

LANGUAGE is c++20, c++23 or c11. For C++ all headers together are so without exceptions and RTTI; and each, set to
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


def messages(compiler, include, headers, language, flags):
    """Those of the compiler about a program that has these headers and no more; none: they are clean."""
    lines = "".join(f"#include <{header}>\n" for header in headers)
    return subprocess.run(
        [compiler, f"-std={language}", "-fsyntax-only", *WARNINGS, *flags, f"-I{include}",
         "-x", "c" if language == "c11" else "c++", "-"],
        input=f"{lines}int main(void);\n", text=True, capture_output=True,
        check=False).stderr


def of_others(header):
    return header.startswith(("kasuri/model/", "kasuri/adapters/"))


def findings(compiler, include, header, language, given):
    said = "" if of_others(header) else messages(compiler, include, [header], language, given)
    if said:
        yield f"{compiler} -std={language} {' '.join(given)}: <{header}> alone:\n{said}"
    if language != "c11":
        stop_at_first = STOP_AT_FIRST["clang" in pathlib.Path(compiler).name]
        said = messages(compiler, include, [header], "c++17", [*given, stop_at_first])
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
    if language != "c11":
        flags = [*given, *WITHOUT]
        said = messages(compiler, include, [h for h in headers if not of_others(h)], language, flags)
        if said:
            found.append(f"{compiler} -std={language} {' '.join(flags)}: all headers:\n{said}")
    print("\n".join(found))
    print(f"{len(headers)} headers, {len(found)} findings")
    sys.exit(1 if found else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the OpenMP runtime exports with what the installed originals do.

  symbols.py OURS CALL ABSENT BUILD COMPILER...

Every symbol of an original is exported in each version that it has there, or ABSENT says that it is
not and why; each line of ABSENT is needed. All version nodes are there. A call of what is there but
absent ends with a line that names it (CALL is call.c's program). A program that names every
function of an original, built by the original's compiler, starts with LD_BIND_NOW=1.
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

LIBRARIES = {"gcc": "libgomp.so.1", "clang": "libomp.so.5"}
LEFT_OUT = 77


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=True, **more).stdout


def exports(library):
    """{(name, version): is a function}, and the version nodes."""
    symbols, nodes = {}, set()
    for line in run("nm", "-D", "--defined-only", library).splitlines():
        kind, versioned = line.split()[-2:]
        name, _, version = versioned.replace("@@", "@").partition("@")
        if kind == "A":
            nodes.add(name)
        else:
            symbols[name, version] = kind in "TWti"
    return symbols, nodes


def original_of(compiler):
    """The runtime that the compiler's programs are linked with."""
    name = next(library for key, library in LIBRARIES.items() if key in compiler)
    found = pathlib.Path(run(compiler, f"-print-file-name={name}").strip())
    return found if found.is_absolute() and found.exists() else None


def read_absent(path):
    """[(kind, pattern)]; complains about a line without a reason."""
    rows = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"(called|none) (\S+): (.+)", line)
        if not match:
            sys.exit(f"{path}: not understood: {line}")
        rows.append((match[1], match[2]))
    return rows


def first_match(rows, name):
    return next((row for row in rows if fnmatch.fnmatchcase(name, row[1])), None)


def compare(ours, nodes, original, rows, used):
    theirs, their_nodes = exports(original)
    for node in sorted(their_nodes - nodes):
        yield f"{original.name} has the version {node}"
    for name, version in sorted(theirs):
        if (name, version) in ours:
            continue
        row = first_match(rows, name)
        if row is None or row[0] != "none":
            yield f"{original.name} has {name}@{version}"
        else:
            used.add(row)


def check_calls(call, library, ours, rows, used):
    """Those that `called` rows name end as they should, and no others do."""
    names = [key for key in sorted(ours) if (first_match(rows, key[0]) or ("",))[0] == "called"
             and ours[key] and not is_implemented(library, key[0])]
    used.update(first_match(rows, name) for name, _ in names)
    said = run(call, library, input="".join(f"{name} {version}\n" for name, version in names))
    answers = said.splitlines()
    if len(answers) != len(names):
        yield f"{len(answers)} answers to {len(names)} calls"
    for (name, version), answer in zip(names, answers):
        if answer != f"{name} {version} 2: kasuri: openmp: {name} is not provided":
            yield f"a call of {name}@{version} ended so: {answer}"


def implementations(library, cache={}):
    if library not in cache:
        cache[library] = set(re.findall(r" kasuri_(\S+)", run("nm", library)))
    return cache[library]


def is_implemented(library, name):
    return name in implementations(library)


def starts(compiler, original, ours, library, folder):
    """What is wrong with a program that names all functions of the original."""
    names = sorted({name for (name, version), function in exports(original)[0].items()
                    if function and version and (name, version) in ours})
    source = folder / f"all_{original.name}.c"
    binary = source.with_suffix("")
    source.write_text("".join(f"extern void {name}();\n" for name in names) +
                      "void (*volatile all[])() = {" + ",\n".join(names) + "};\n"
                      "int main(void) { return all[0] == 0; }\n")
    run(compiler, "-w", "-fno-builtin", str(source), "-o", str(binary), str(original))
    where = {"LD_LIBRARY_PATH": str(library.parent), "LD_BIND_NOW": "1"}
    done = subprocess.run([binary], env={**os.environ, **where}, text=True, capture_output=True)
    if done.returncode != 0 or done.stderr:
        yield f"a program with all of {original.name}: {done.returncode} {done.stderr.strip()}"


def main():
    library, call, absent = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    folder, compilers = pathlib.Path(sys.argv[4]), sys.argv[5:]
    ours, nodes = exports(library)
    rows, used = read_absent(absent), set()
    findings = list(check_calls(call, library, ours, rows, used))
    originals = {c: original_of(c) for c in compilers}
    for compiler, original in originals.items():
        if original is None:
            print(f"{compiler}: its runtime is not installed; left out")
            continue
        findings += compare(ours, nodes, original, rows, used)
        findings += starts(compiler, original, ours, library, folder)
    complete = len(compilers) == len(LIBRARIES) and all(originals.values())
    if complete:
        findings += [f"{absent.name}: nothing is absent by {row[1]}" for row in rows
                     if row not in used]
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0 if any(originals.values()) else LEFT_OUT)


if __name__ == "__main__":
    main()

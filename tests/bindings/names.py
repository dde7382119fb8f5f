#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""names.py ROOT: the bindings declare every function of kasuri/kasuri.h, and no other.

In Fortran the module kasuri_c declares them with the header's number of arguments, and the module kasuri
passes each on under its name. Rust's kasuri-sys declares them with the header's number of arguments. What is
left out stands in LEFT_OUT with its reason.
"""

import pathlib
import re
import sys

# (binding, function): why it is not there
LEFT_OUT = {
    ("kasuri (Fortran)", "kasuri_parallel_for"): "kasuri_for and its relatives take the body in Fortran's form",
    ("kasuri (Fortran)", "kasuri_sleep_ns"): "kasuri_sleep takes seconds, as all times there",
}


def without_comments(text, pattern):
    return re.sub(pattern, "", text, flags=re.DOTALL)


def arguments(text):
    """How many there are between the brackets: commas in brackets of their own do not count."""
    depth, commas = 0, 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        commas += letter == "," and depth == 0
    return 0 if text.strip() in ("", "void") else commas + 1


def functions_of_header(root):
    text = without_comments((root / "include/kasuri/kasuri.h").read_text(), r"/\*.*?\*/")
    found = re.findall(r"^[\w* ]+?[ *](kasuri_\w+)\(((?:[^()]|\([^()]*\))*)\);", text, re.MULTILINE)
    return {name: arguments(inside) for name, inside in found}


def functions_of_rust(root):
    text = without_comments((root / "bindings/rust/kasuri-sys/src/lib.rs").read_text(), r"//[^\n]*")
    found = re.findall(r"pub fn (kasuri_\w+)\(((?:[^()]|\([^()]*\))*)\)", text)
    return {name: arguments(inside.strip().rstrip(",")) for name, inside in found}


def functions_of_fortran(root):
    text = (root / "bindings/fortran/kasuri_c.f90").read_text()
    found = re.findall(r"^ +(?:function|subroutine) (kasuri_\w+)\(([^)]*)\) (?:&\n *)?bind\(c\)", text, re.MULTILINE)
    return {name: arguments(inside) for name, inside in found}


def passed_on_by_fortran(root):
    """The names that a program which uses the module kasuri has."""
    folder = root / "bindings/fortran"
    text = (folder / "kasuri.f90").read_text().replace("&\n", " ")
    names = set(re.findall(r"kasuri_\w+", " ".join(re.findall(r"only: (.*)", text))))
    for module in re.findall(r"^ *use (kasuri_\w+)$", text, re.MULTILINE):
        text = (folder / f"{module}.f90").read_text().replace("&\n", " ")
        public = re.findall(r"^ *public :: (.*)", text, re.MULTILINE)
        names |= set(re.findall(r"kasuri_\w+", " ".join(public)))
    return names


def differences(binding, wanted, found):
    for name, count in sorted(wanted.items()):
        if name in found:
            if found[name] not in (count, None):
                yield f"{binding}: {name} has {found[name]} arguments, in C {count}"
            if (binding, name) in LEFT_OUT:
                yield f"{binding}: {name} is there, and in LEFT_OUT"
        elif (binding, name) not in LEFT_OUT:
            yield f"{binding}: {name} is missing"
    for name in sorted(set(found) - set(wanted)):
        if found[name] is not None:
            yield f"{binding}: {name} is none of the header"


def main():
    root = pathlib.Path(sys.argv[1])
    wanted = functions_of_header(root)
    if len(wanted) < 50:
        sys.exit(f"{len(wanted)} functions found in kasuri.h: this test does not read it rightly")
    findings = [
        *differences("kasuri_c (Fortran)", wanted, functions_of_fortran(root)),
        *differences("kasuri (Fortran)", wanted, dict.fromkeys(passed_on_by_fortran(root))),
        *differences("kasuri-sys (Rust)", wanted, functions_of_rust(root)),
    ]
    print("\n".join(findings))
    print(f"{len(wanted)} functions, {len(findings)} findings")
    sys.exit(1 if findings else 0)


main()

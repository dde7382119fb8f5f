#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shared libraries show what the public headers declare, and nothing else of Kasuri.

  exports.py CLANG INCLUDE NODE LIBRARY...

Clang tells of each declaration by which name the linker knows it, and whether a header defines it. What no header
defines must be exported by each LIBRARY, in the version NODE; what of Kasuri a library exports must be declared.
The first LIBRARY is libkasuri.so, which exports nothing but that; the others have names of other runtimes too.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
TEMPLATES = {"ClassTemplateDecl", "FunctionTemplateDecl", "VarTemplateDecl", "ClassTemplateSpecializationDecl",
             "ClassTemplatePartialSpecializationDecl"}

# Declared in a header and used by the library alone.
INSIDE = {
    "_ZN6kasuri6detail11fence_heavyEv": "of detail::real_atomics, which the library's own structures use",
    "_ZN6kasuri6detail15yield_processorEv": "of detail::real_atomics",
    "_ZN6kasuri6detail19prepare_fence_heavyEv": "of detail::real_atomics",
    "_ZN6kasuri6detail12barrier_base9end_phaseEPNS0_10completionE": "a private member",
    "_ZN6kasuri6detail5group10take_tallyEv": "a private member",
}
# Declared in no header, and found by their names.
BY_NAME = {
    "kasuri_build_word": "what the shared libraries know each other by (src/shared)",
    "kasuri_debugger_map": "read by the script for gdb",
}
# Of headers that include what few have.
LEFT_OUT_FOLDERS = {"adapters", "model"}


def all_headers(include):
    """Includes of every public header that stands alone."""
    for path in sorted((include / "kasuri").rglob("*.h*")):
        name = path.relative_to(include)
        if not LEFT_OUT_FOLDERS & set(name.parts):
            yield f"#include <{name}>\n"


def declarations(clang, include, *flags):
    command = [clang, "-x", "c++", "-std=c++20", f"-I{include}", "-w", "-fsyntax-only", *flags,
               "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=kasuri", "-"]
    text = subprocess.run(command, input="".join(all_headers(include)), text=True, capture_output=True,
                          check=True).stdout
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        found, end = decoder.raw_decode(text, at)
        yield found
        at = text.find("{", end)


def one_name(mangled):
    """Constructors and destructors have several names for one body."""
    return re.sub(r"(?<=[a-z_0-9])([CD])[0-9](?=I?E)", r"\1-", mangled)


class header_names:
    def __init__(self):
        self.declared, self.defined, self.data, self.classes = set(), set(), set(), set()

    def look_at(self, node, scope):
        kind, inner = node.get("kind"), node.get("inner", [])
        if kind in FUNCTIONS:
            self.look_at_function(node, inner)
        elif kind == "VarDecl":
            (self.declared if node.get("storageClass") == "extern" else self.data).add(node.get("mangledName"))
        elif kind not in TEMPLATES:
            if kind in ("NamespaceDecl", "CXXRecordDecl") and "name" in node:
                scope = [*scope, node["name"]]
                if node.get("definitionData", {}).get("isPolymorphic"):
                    self.classes.add("N" + "".join(f"{len(name)}{name}" for name in scope) + "E")
            for each in inner:
                self.look_at(each, scope)

    def look_at_function(self, node, inner):
        name = one_name(node.get("mangledName", ""))
        if any(each.get("kind") in ("CompoundStmt", "CXXTryStmt") for each in inner):
            self.defined.add(name)
        elif node.get("explicitlyDeleted") or node.get("explicitlyDefaulted") or node.get("pure"):
            self.defined.add(name)
        elif not node.get("isImplicit") and "kasuri" in name:
            self.declared.add(name)

    def to_export(self):
        return self.declared - self.defined

    def may_be_exported(self, name):
        return (name in self.declared or name in self.data or name in BY_NAME
                or (name.startswith("_ZT") and name[4:] in self.classes))


def exports(library):
    """{name: version}, defined names alone; the nodes themselves are of no kind."""
    found = {}
    for line in subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True,
                               check=True).stdout.splitlines():
        kind, versioned = line.split()[-2:]
        name, _, version = versioned.replace("@@", "@").partition("@")
        if kind != "A":
            found[name] = version
    return found


def is_ours(name):
    return name.startswith("kasuri_") or re.match(r"_Z(N|NK|GVN|T[ISVTHW]N)6kasuri", name) is not None


def compare(library, names, node, nothing_else):
    found = exports(library)
    there = {one_name(name) for name in found}
    for name in sorted(names.to_export() - there - INSIDE.keys()):
        yield f"{name}: declared in a header, and not exported"
    for name in sorted(INSIDE.keys() & there):
        yield f"{name}: exported, and listed as inside"
    for name in sorted(INSIDE.keys() - names.declared):
        yield f"{name}: listed as inside, and declared in no header"
    for name, version in sorted(found.items()):
        if not is_ours(name):
            if nothing_else:
                yield f"{name}: exported, and not Kasuri's"
        elif not names.may_be_exported(one_name(name)):
            yield f"{name}: exported, and declared in no header"
        elif version != node:
            yield f"{name}: has the version {version or '(none)'}, not {node}"


def main():
    clang, include, node, *libraries = sys.argv[1:]
    names = header_names()
    for flags in ((), ("-fno-exceptions",)):
        for each in declarations(clang, Path(include), *flags):
            names.look_at(each, [])
    if len(names.to_export()) < 100:
        sys.exit(f"{clang} tells of {len(names.to_export())} names: too few to be all of the headers'")
    wrong = [f"{Path(library).name}: {line}" for i, library in enumerate(libraries)
             for line in compare(library, names, node, i == 0)]
    if wrong:
        sys.exit("\n".join(subprocess.run(["c++filt"], input="\n".join(wrong), text=True, capture_output=True,
                                          check=False).stdout.splitlines() or wrong))
    print(f"{len(names.to_export())} names of the headers are exported as {node}, and no others of Kasuri")


if __name__ == "__main__":
    main()

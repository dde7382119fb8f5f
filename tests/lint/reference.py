#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference has every public name, and doxygen has nothing to complain of:
reference.py DOXYGEN SOURCE_DIR [LIBRARY]

What the pages of the reference (docs/site/headers.py) are compared with, each found without doxygen: the headers that
programs include; the functions of the C header; the names that examples and documentation use; and, where LIBRARY is
given, the symbols that the shared library exports and a public header declares.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import source_tree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/site"))
import headers  # noqa: E402

USED = re.compile(r"\bkasuri::((?:\w+::)*\w+)")
# Not names of the library: CMake's targets; namespaces, which have no entry; a header's own words for no name.
NO_NAMES = {"kasuri", "kasuri_static", "detail", "sched", "task", "test", "record", "omp", "platform", "context",
            "cluster", "command", "model", "global", "numa", "this_task", "senders", "bench"}
OTHER_LANGUAGES = {"fortran", "rust"}  # pages whose names are those of a module or crate


def without_comments(path: Path) -> str:
    code, _ = source_tree.split(path.read_text(encoding="utf-8"))
    return "\n".join(code)


def used_names(source: Path) -> dict[str, str]:
    """`kasuri::name` as examples and pages write it, with a file that does."""
    found = {}
    for folder in ("examples", "docs"):
        for path in source_tree.files(source, {".cpp", ".md"}, (folder,)):
            if path.parts[:2] in (("docs", "design"), ("docs", "contributing")):  # about what is inside
                continue
            if path.stem in OTHER_LANGUAGES:
                continue
            for name in USED.findall((source / path).read_text(encoding="utf-8")):
                parts = name.split("::")
                if "detail" not in parts and parts[-1] not in NO_NAMES and parts[0] not in {"sched", "test"}:
                    found[f"kasuri::{name}"] = str(path)
    return found


def exported_names(library: str) -> set[str]:
    """The names of the functions and objects that the library exports, without parameters."""
    listed = subprocess.run(["nm", "-D", "-C", "--defined-only", library], capture_output=True, text=True, check=True)
    names = set()
    for line in listed.stdout.splitlines():
        found = re.match(r"[0-9a-f]+ [TBDRW] (kasuri(?:::[~\w]+)+|kasuri_\w+)", line)
        if found and "::detail::" not in found[1]:
            names.add(found[1])
    if not names:
        raise SystemExit(f"{library} exports nothing of Kasuri")
    return names


def missing_names(source: Path, reference: headers.Reference, library: str | None):
    """(name, who has it) of what is not in the reference."""
    include = source / headers.INCLUDE
    public = {path.relative_to(include).as_posix(): path for path in sorted(include.rglob("*.h*"))}
    public = {name: path for name, path in public.items() if headers.is_public(name)}
    known = reference.names()
    # Headers of adapters and the cluster may use a name of a namespace; ends of names stand for it.
    ends = {name.removeprefix("kasuri::") for name in known}
    ends |= {end.rsplit("::", 1)[-1] for end in ends}
    for name in public:
        if not reference.pages.get(name, "").count("\n"):
            yield name, "a header without a \\file comment"
    for header in (name for name in public if name.endswith(".h")):
        for name in sorted(set(re.findall(r"\b(kasuri_\w+)\(", without_comments(public[header])))):
            if name not in known:
                yield name, header
    for name, path in sorted(used_names(source).items()):
        if name.removeprefix("kasuri::").split("::")[-1] not in ends:
            yield name, path
    if library:
        declared = "\n".join(map(without_comments, public.values()))
        for name in sorted(exported_names(library) - known - reference.hidden):
            scope, _, last = name.rpartition("::")
            public_scope = scope in known or scope in reference.namespaces or not scope
            if public_scope and re.search(rf"^(?! *return\b)[\w:<>,&* ]+[ &*]{re.escape(last)}\(", declared, re.M):
                yield name, "exported, and declared in a public header"


def main() -> int:
    doxygen, source = sys.argv[1], Path(sys.argv[2])
    library = sys.argv[3] if len(sys.argv) > 3 else None
    try:
        reference = headers.Reference(headers.read_headers(source, doxygen))
        problems = [f"{name}: not in the reference ({why})" for name, why in missing_names(source, reference, library)]
    except headers.ReferenceError as error:
        problems = str(error).splitlines()
    print("\n".join(problems) if problems else f"the reference is complete: {len(reference.pages)} headers, "
          f"{len(reference.names())} names")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

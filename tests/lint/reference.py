#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference holds every public header and every function of the C interface, and doxygen has
nothing to complain of: reference.py DOXYGEN DOXYFILE SOURCE_DIR"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def public_names(include: Path) -> list[str]:
    """Pages and entries that must be there: headers, and what C programs can call."""
    headers = [h.name for h in sorted(include.glob("*.h*"))]
    of_c = "".join(h.read_text(encoding="utf-8") for h in sorted(include.glob("*.h")))
    return headers + sorted(set(re.findall(r"\b(kasuri_\w+)\(", of_c)))


def main() -> int:
    doxygen, doxyfile, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as out:
        config = Path(doxyfile).read_text(encoding="utf-8")
        config += f"\nOUTPUT_DIRECTORY = {out}\nGENERATE_HTML = NO\nGENERATE_TAGFILE = {out}/tags\n"
        run = subprocess.run([doxygen, "-"], input=config, text=True, capture_output=True, check=False)
        problems = [line for line in run.stderr.splitlines() if line.strip()]
        if run.returncode != 0 and not problems:
            problems = [f"doxygen ended with status {run.returncode}"]
        tags = Path(out, "tags")
        entries = set(re.findall(r"<name>([^<]+)</name>", tags.read_text() if tags.exists() else ""))
    for name in public_names(Path(source, "include/kasuri")):
        if name not in entries:
            problems.append(f"{name}: not in the reference (a header needs a \\file comment)")
    print("\n".join(problems) if problems else "the reference is complete")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

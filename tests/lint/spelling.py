#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The words of the tree are spelt as codespell knows them: spelling.py SOURCE_DIR CODESPELL

Words that it takes for another, and which are meant, are in docs/site/words.txt; each is there somewhere.
"""
import re
import subprocess
import sys
from pathlib import Path

import source_tree

SKIPPED = {".svg", ".json", ".csv", ".patch", ".txt"}  # data, and lists of packages


def main() -> int:
    source, codespell = Path(sys.argv[1]), sys.argv[2]
    files = [source / path for path in source_tree.files(source) if path.suffix not in SKIPPED]
    accepted = source / "docs/site/words.txt"
    run = subprocess.run([codespell, "--ignore-words", accepted, *files], capture_output=True, text=True, check=False)
    problems = (run.stdout + run.stderr).splitlines()
    if run.returncode != 0 and not problems:
        problems = [f"codespell ended with status {run.returncode}"]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files).lower()
    problems += [f"docs/site/words.txt: {word} stands nowhere"
                 for word in accepted.read_text(encoding="utf-8").split() if not re.search(rf"\b{word}\b", text)]
    print("\n".join(problems) if problems else f"{len(files)} files are spelt well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Runs `kasuri compare` in a folder of its own, on planted programs and real ones."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

COMMAND = os.environ["KASURI_COMMAND"]
PROGRAMS = Path(os.environ["KASURI_PROGRAMS"])
LINE = {"benchmark": "fib", "system": "?", "version": "7", "variant": "one", "input": "",
        "workers": 1, "metric": "time-per-spawn", "unit": "ns", "values": [2.5], "compiler": "cc"}
GOOD = f"[ $1 = --list ] && printf 'one\\t\\n' && exit; echo '{json.dumps(LINE)}'"


class Study(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        self.kept = {name: value for name, value in os.environ.items()
                     if not name.startswith(("KASURI_", "OMP_"))}

    def plant(self, system, body, benchmark="fib"):
        """A program that is a shell script; `body` sees the arguments."""
        path = self.programs / f"bench_{benchmark}_{system}"
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def link(self, benchmark, system):
        name = f"bench_{benchmark}_{system}"
        (self.programs / name).symlink_to(PROGRAMS / name)

    def compare(self, *options, planted=True):
        where = ["--programs", str(self.programs)] if planted else []
        return subprocess.run([COMMAND, "compare", *where, *options], cwd=self.folder, text=True,
                              capture_output=True, check=False, env=self.kept)

    def results(self, name="kasuri-compare.json"):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

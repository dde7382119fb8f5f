# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: processes, and a module with OpenMP in it.

KASURI_ROOT names the Kasuri that is tested: a prefix, or a build tree.
"""

from __future__ import annotations

import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
PACKAGE = TREE / "bindings" / "python"
ROOT = pathlib.Path(os.environ.get("KASURI_ROOT", "")).resolve()
OPENMP = ROOT / "lib" / "kasuri" / "omp" / "libgomp.so.1"
COMMAND = ROOT / "bin" / "kasuri"
RULED = ("OMP_", "GOMP_", "KMP_", "KASURI_", "LD_", "PYTHON")

sys.path[:0] = [str(PACKAGE), str(TREE / "tests" / "openmp"), str(TREE / "tests" / "openmp" / "wheels")]


@functools.cache
def folder() -> pathlib.Path:
    """A folder for this run of the tests."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="kasuri-python-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@functools.cache
def modules() -> tuple[str, str]:
    """A module that needs libgomp.so.1, and one that needs a copy of it under another name, as a
    wheel brings it. Both have sum_by_team (tests/openmp/wheels/module.c)."""
    if shutil.which("gcc") is None:
        raise unittest.SkipTest("no gcc, which compiles a module with OpenMP")
    import one_pool
    plain, private = one_pool.build_modules(folder(), *one_pool.GCC)
    return str(plain), str(private)


def environment(**more: str) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(RULED)}
    env.update(PYTHONPATH=str(PACKAGE), PYTHONDONTWRITEBYTECODE="1", KASURI_ROOT=str(ROOT))
    env.update(more)
    return env


def run(command: Sequence[object], stdin: str = "", env: dict[str, str] | None = None,
        cwd: str | pathlib.Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(c) for c in command], input=stdin, capture_output=True, text=True,
                          timeout=120, check=False, env=environment() if env is None else env, cwd=cwd)


class Case(unittest.TestCase):
    maxDiff = None

    def python(self, code: str, *args: str, kasuri: list[str] | None = None,
               env: dict[str, str] | None = None) -> str:
        """What the code prints, run plainly or, with options of `kasuri run`, on Kasuri."""
        words = [sys.executable] + ([] if kasuri is None else ["-m", "kasuri", *kasuri])
        done = run([*words, "-c", code, *args], env=environment(**(env or {})))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.strip()

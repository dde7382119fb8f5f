# SPDX-License-Identifier: Apache-2.0
"""Each example runs to its end, plainly and as `python -m kasuri` runs it; types are right."""

from __future__ import annotations

import importlib.util
import os
import sys
import unittest
from collections.abc import Callable

import support

EXAMPLES = support.TREE / "examples" / "python"
LEFT_OUT = 77
SHORT = {"report.py", "processes.py", "boosting.py"}  # which are the same under python -m kasuri


class Examples(support.Case):
    def check(self, name: str, start: list[str]) -> None:
        env = support.environment()
        env["PYTHONPATH"] = os.pathsep.join([str(EXAMPLES), env["PYTHONPATH"]])
        done = support.run([sys.executable, *start, EXAMPLES / name], env=env)
        if done.returncode == LEFT_OUT:
            self.skipTest(f"{name}: {done.stdout.strip().splitlines()[-1]}")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


def test_of(name: str, start: list[str]) -> Callable[[Examples], None]:
    return lambda self: self.check(name, start)


for _path in sorted(EXAMPLES.glob("*.py")):
    for _kind, _start in (("", []), ("_on_kasuri", ["-m", "kasuri"])):
        if not (_kind and _path.name in SHORT):
            setattr(Examples, f"test_{_path.stem}{_kind}", test_of(_path.name, _start))


class Types(support.Case):
    @unittest.skipUnless(importlib.util.find_spec("mypy"), "this Python has no mypy")
    def test_are_right_by_mypy_strict(self) -> None:
        config = support.PACKAGE / "pyproject.toml"
        env = dict(support.environment(), MYPYPATH=os.pathsep.join(map(str, [support.PACKAGE, EXAMPLES, support.HERE])))
        command = [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", support.folder() / "mypy"]
        for files in ([support.PACKAGE / "kasuri"], sorted(EXAMPLES.glob("*.py")),
                      sorted(support.HERE.glob("*.py"))):
            done = support.run([*command, *files], env=env, cwd=support.folder())
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""python -m kasuri, and the command `kasuri` of the package."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import sys
import subprocess
import unittest
from collections.abc import Sequence
from typing import TYPE_CHECKING

import support
from kasuri import _command

if TYPE_CHECKING:
    Done = subprocess.CompletedProcess[str]

SHOW = "import os, sys; print(sys.argv[1:], os.environ.get('KASURI_NUM_WORKERS'))"


class Options(unittest.TestCase):
    def test_are_those_of_kasuri_run(self) -> None:
        text = support.run([support.COMMAND, "run", "--help"]).stdout
        with_value: set[str] = set()
        alone: set[str] = set()
        for names, rest in re.findall(r"^  (-[\w,-]+)( .*)?$", text, re.MULTILINE):
            takes_value = re.match(r" [A-Z]+(=|:| |$)", rest)
            (with_value if takes_value else alone).update(names.split(","))
        self.assertEqual(with_value, set(_command.OPTIONS_WITH_VALUE))
        self.assertEqual(alone - {"-h", "--help"}, set(_command.OPTIONS))

    def test_end_where_python_begins(self) -> None:
        for words, options in ((["x.py", "--stats"], 0), (["--stats", "x.py"], 1),
                               (["--workers", "2", "-m", "m"], 2), (["--workers=2", "-c", ""], 1),
                               (["--set", "A=B", "-X", "dev", "x.py"], 2), (["-"], 0), ([], 0)):
            self.assertEqual(_command.split_options(words), (words[:options], words[options:]))
        self.assertEqual(_command.split_options(["--stats", "--", "x.py"]), (["--stats"], ["x.py"]))

    def test_unknown_ones_are_refused(self) -> None:
        with self.assertRaisesRegex(_command.UsageError, "--wrokers: no such option"):
            _command.split_options(["--wrokers", "2", "x.py"])


class Module(support.Case):
    def kasuri(self, *words: object, stdin: str = "", env: dict[str, str] | None = None,
               cwd: pathlib.Path | None = None) -> Done:
        return support.run([sys.executable, "-m", "kasuri", *words], stdin, env, cwd)

    def assert_prints(self, done: Done, text: str) -> None:
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", text))

    def test_runs_code_scripts_modules_and_standard_input(self) -> None:
        shown = "['--a', 'b c'] 3\n"
        options = ["--workers", "3"]
        self.assert_prints(self.kasuri(*options, "-c", SHOW, "--a", "b c"), shown)
        script = support.folder() / "a script.py"
        script.write_text(SHOW)
        self.assert_prints(self.kasuri(*options, script, "--a", "b c"), shown)
        self.assert_prints(self.kasuri(*options, "-m", "a script", "--a", "b c",
                                       cwd=support.folder()), shown)
        self.assert_prints(self.kasuri(*options, "-", "--a", "b c", stdin=SHOW), shown)

    def test_serves_openmp(self) -> None:
        done = self.kasuri("-c", "import kasuri; print(kasuri.active())")
        self.assert_prints(done, "True\n")
        done = self.kasuri("--no-openmp", "-c", "import kasuri; print(kasuri.active())")
        self.assert_prints(done, "False\n")

    def test_status_is_the_programs(self) -> None:
        self.assertEqual(self.kasuri("-c", "import sys; sys.exit(7)").returncode, 7)
        done = self.kasuri("-c", "import os; os.kill(os.getpid(), 15)")
        self.assertEqual(done.returncode, -15)

    def test_options_of_python_are_kept(self) -> None:
        code = "import sys; print(sys.flags.optimize, sys.flags.dev_mode, sys.executable)"
        done = support.run([sys.executable, "-O", "-X", "dev", "-m", "kasuri", "-c", code])
        self.assert_prints(done, f"1 True {sys.executable}\n")
        self.assert_prints(self.kasuri("-O", "-c", code), f"1 False {sys.executable}\n")

    def test_the_programs_own_arguments_are_no_options_of_python(self) -> None:
        for start in (["-m", "kasuri"], ["-mkasuri"]):  # the second started itself without end
            done = support.run([sys.executable, *start, "-c", SHOW, "-m", "kasuri"])
            self.assert_prints(done, "['-m', 'kasuri'] None\n")

    def test_bad_command_lines(self) -> None:
        for words, said in (
                (["--wrokers", "2", "-c", ""], "--wrokers: no such option; see python -m kasuri --help"),
                ([], "no script, -m MODULE or -c CODE given; see python -m kasuri --help"),
                (["--stats"], "no script, -m MODULE or -c CODE given behind --stats; see python -m kasuri --help"),
                (["--workers"], "--workers needs a value; see python -m kasuri --help"),
                (["--workers", "x.py"], "no script, -m MODULE or -c CODE given behind --workers x.py; see "
                                        "python -m kasuri --help"),
                (["--version", "x"], "x: nothing is accepted behind --version")):
            done = self.kasuri(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (2, "", f"kasuri: python -m kasuri: {said}\n"))
        done = self.kasuri("--workers", "0", "-c", "")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "kasuri: run: --workers 0: too small; accepted: 1 to 2048\n"))

    def test_answers(self) -> None:
        version = re.search(r"project\(kasuri VERSION ([\d.]+)", (support.TREE / "CMakeLists.txt").read_text())
        assert version is not None
        self.assert_prints(self.kasuri("--version"), f"kasuri {version[1]}\n")
        self.assert_prints(self.kasuri("--help"), _command.USAGE)
        self.assertIn(f"OpenMP library  {support.OPENMP}\n", self.kasuri("--info").stdout)
        for name in _command.FOLDERS:
            self.assertIn(f"--{name.replace('_', '-')} ", _command.USAGE)

    def test_nothing_is_installed(self) -> None:
        empty = support.folder() / "empty"
        empty.mkdir(exist_ok=True)
        done = self.kasuri("--include-dir", env=support.environment(PATH="", KASURI_ROOT=str(empty)))
        self.assertEqual((done.returncode, done.stderr), (2, (
            f"kasuri: python -m kasuri: KASURI_ROOT={empty}: no bin/kasuri there; accepted: the folder "
            f"that Kasuri is installed in\n")))


class Wheel(support.Case):
    """The package with a prefix inside it, below a folder with a blank in its name."""

    site: pathlib.Path
    native: pathlib.Path
    env: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.site = support.folder() / "a site" / "packages"
        native = cls.site / "kasuri" / "_native"
        shutil.copytree(support.PACKAGE / "kasuri", cls.site / "kasuri",
                        ignore=shutil.ignore_patterns("__pycache__", "_native"))
        for path in ("bin/kasuri", "lib/kasuri/omp/libgomp.so.1"):
            (native / path).parent.mkdir(parents=True)
            shutil.copy(support.ROOT / path, native / path)
        (native / "include" / "kasuri").mkdir(parents=True)
        cls.native = native
        env = support.environment(PYTHONPATH=str(cls.site))
        del env["KASURI_ROOT"]
        cls.env = env

    def ask(self, code: str, options: Sequence[str] = ()) -> str:
        done = support.run([sys.executable, *options, "-c", code], env=self.env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_is_found_first(self) -> None:
        code = "import kasuri; i = kasuri.installation(); print(i.found_by, i.prefix, sep='\\n')"
        self.assertEqual(self.ask(code), f"the package\n{self.native}")
        self.env = dict(self.env, KASURI_ROOT=str(support.ROOT))
        self.assertEqual(self.ask(code), f"the package\n{self.native}")

    def test_of_the_command_that_runs_the_program_is_found(self) -> None:
        env = support.environment()
        del env["KASURI_ROOT"]
        code = "import kasuri; i = kasuri.installation(); print(i.found_by, i.prefix)"
        command = [support.COMMAND, "run", "--", sys.executable, "-c", code]
        for path in (os.environ["PATH"], os.defpath):
            done = support.run(command, env=dict(env, PATH=path))
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (0, f"LD_PRELOAD {support.ROOT}\n", ""))

    def test_serves_this_process_and_its_children(self) -> None:
        _, private = support.modules()
        look = (f"import ctypes, kasuri; assert ctypes.CDLL({private!r}).sum_by_team(10, 2) == 45; "
                f"print(kasuri.active(), kasuri.loaded()[0].path)")
        expected = f"True {self.native}/lib/kasuri/omp/libgomp.so.1"
        self.assertEqual(self.ask(look, ["-m", "kasuri"]), expected)
        start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {look!r}], check=True)"
        self.assertEqual(self.ask(start, ["-m", "kasuri"]), expected)
        self.assertEqual(self.ask("import kasuri; kasuri.activate()\n" + start), expected)

    def test_folders_that_are_not_there_are_told(self) -> None:
        done = support.run([sys.executable, "-m", "kasuri", "--include-dir"], env=self.env)
        self.assertEqual(done.stdout, f"{self.native}/include\n")
        done = support.run([sys.executable, "-m", "kasuri", "--cmake-dir"], env=self.env)
        self.assertEqual((done.returncode, done.stderr), (2, (
            f"kasuri: python -m kasuri: {self.native}: this Kasuri was installed without what "
            f"--cmake-dir asks for\n")))

    def test_the_command_of_the_package_becomes_kasuris(self) -> None:
        # As pip writes it: beside the interpreter, where Kasuri's own might lie otherwise.
        script = self.site.parent / "bin" / "kasuri"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!{sys.executable}\nfrom kasuri._command import command_main\ncommand_main()\n")
        script.chmod(0o755)
        env = dict(self.env, PATH=f"{script.parent}{os.pathsep}{os.environ['PATH']}")
        done = support.run(["kasuri", "info", "--json"], env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("settings", json.loads(done.stdout))
        del env["PYTHONPATH"]
        done = support.run([script, "run", "true"], env=dict(env, PYTHONPATH=str(support.PACKAGE)))
        # The package without a Kasuri does not take the script for Kasuri's command.
        self.assertIn(done.returncode, (0, 127))
        self.assertNotIn("Traceback", done.stderr)

    def test_a_file_that_cannot_be_executed_is_told(self) -> None:
        command = pathlib.Path(self.native, "bin", "kasuri")
        command.chmod(0o644)
        try:
            done = support.run([sys.executable, "-m", "kasuri", "-c", ""], env=self.env)
        finally:
            command.chmod(0o755)
        self.assertEqual((done.returncode, done.stderr),
                         (126, f"kasuri: {command}: Permission denied\n"))


if __name__ == "__main__":
    unittest.main()

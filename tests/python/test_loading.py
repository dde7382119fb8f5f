# SPDX-License-Identifier: Apache-2.0
"""Import, activate(), loaded(), restart(): who serves OpenMP in a process."""

from __future__ import annotations

import json
import re
import sys
import unittest

import support

LOOK = "print([(r.name, r.served_by) for r in kasuri.loaded()], kasuri.active())"
ON_KASURI = "[('kasuri', 'kasuri'), ('libgomp', 'kasuri')] True"
SUM = "import ctypes; assert ctypes.CDLL({!r}).sum_by_team(1000, 4) == 499500\n"
LATE = "too late for Kasuri: this process has loaded libgomp-a.so; run python -m kasuri SCRIPT, or " \
       "call kasuri.activate() before the import that loads it"


class Import(support.Case):
    def test_brings_nothing_but_the_standard_library(self) -> None:
        names = self.python("import sys; before = set(sys.modules); import kasuri\n"
                            "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}))").split()
        self.assertNotIn("numpy", names)
        if sys.version_info >= (3, 10):
            self.assertEqual(set(names) - set(sys.stdlib_module_names), {"kasuri"})

    def test_is_silent_where_no_runtime_is_loaded(self) -> None:
        self.assertEqual(self.python("import kasuri; " + LOOK), "[] False")

    def test_tells_that_it_is_too_late_in_one_line(self) -> None:
        private = support.modules()[1]
        code = "import warnings; warnings.simplefilter('always')\n" \
               "with warnings.catch_warnings(record=True) as told: import kasuri\n" \
               "print(*(f'{w.category.__name__}: {w.message}' for w in told), sep='\\n')\n"
        said = self.python(SUM.format(private) + code + LOOK)
        self.assertEqual(said, f"TooLateWarning: {LATE}\n[('libgomp', 'libgomp')] False")
        self.assertEqual(self.python(SUM.format(private) + code + LOOK, kasuri=[]).strip(), ON_KASURI)

    def test_is_an_error_on_request(self) -> None:
        private = support.modules()[1]
        code = "import warnings; warnings.simplefilter('error')\ntry: import kasuri\n" \
               "except UserWarning as w: print(w)"
        self.assertEqual(self.python(SUM.format(private) + code), LATE)


class Names(unittest.TestCase):
    def test_the_reference_has_every_public_name(self) -> None:
        import kasuri
        page = (support.TREE / "docs" / "reference" / "python.md").read_text()
        documented = {word for code in re.findall(r"`[^`]+`", page) for word in re.findall(r"\w+", code)}
        self.assertEqual(set(kasuri.__all__) - documented, set())
        for kind in (kasuri.Runtime, kasuri.Info, kasuri.Installation, kasuri.Setting, kasuri.Schedule):
            self.assertEqual(set(kind._fields) - documented, set(), kind)
        for name in ("Settings", "report"):
            properties = {n for n, v in vars(getattr(kasuri, name)).items() if isinstance(v, property)}
            self.assertEqual(properties - documented, set(), name)

    def test_every_public_name_is_there_and_says_what_it_is(self) -> None:
        import kasuri
        self.assertEqual(kasuri.__all__, sorted(kasuri.__all__))
        for name in kasuri.__all__:
            self.assertTrue(getattr(kasuri, name).__doc__, name)
        with self.assertRaises(AttributeError):
            kasuri.no_such_name


class Activate(support.Case):
    def test_stands_in_for_what_is_loaded_behind_it(self) -> None:
        plain, private = support.modules()
        code = "import kasuri; kasuri.activate(); kasuri.activate(); kasuri.require()\n"
        self.assertEqual(self.python(code + SUM.format(private) + LOOK), ON_KASURI)
        self.assertEqual(self.python(code + SUM.format(plain) + LOOK), "[('kasuri', 'kasuri')] True")

    def test_has_one_pool(self) -> None:
        plain, private = support.modules()
        import os_threads
        code = f"import sys; sys.path.append({str(support.TREE / 'tests' / 'openmp' / 'wheels')!r})\n" \
               f"import json, os_threads, kasuri; kasuri.activate()\n"
        threads = self.python(code + SUM.format(private) + SUM.format(plain) +
                              "print(json.dumps(os_threads.names()))", env={"OMP_NUM_THREADS": "2"})
        self.assertEqual(list(os_threads.complaints(json.loads(threads))), [])

    def test_refuses_behind_another_runtime(self) -> None:
        private = support.modules()[1]
        code = "import warnings; warnings.simplefilter('ignore'); import kasuri\n" \
               "for call in kasuri.activate, kasuri.require, kasuri.settings, kasuri.counters:\n" \
               "  try: call()\n  except kasuri.TooLateError as e: print(e)\n"
        self.assertEqual(self.python(SUM.format(private) + code + LOOK),
                         "\n".join([LATE] * 4 + ["[('libgomp', 'libgomp')] False"]))

    def test_without_a_runtime_calls_that_need_it_say_so(self) -> None:
        code = "import kasuri\n" \
               "for call in kasuri.require, kasuri.settings, kasuri.counters, kasuri.report().__enter__:\n" \
               "  try: call()\n  except kasuri.NotActiveError as e: print(type(e).__name__, e)\n"
        line = "NotActiveError Kasuri does not serve OpenMP in this process; run python -m kasuri SCRIPT, " \
               "or call kasuri.activate() first"
        self.assertEqual(self.python(code), "\n".join([line] * 4))

    def test_sets_the_environment_as_kasuri_run_does(self) -> None:
        show = "import os; print(os.environ.get('LD_PRELOAD'), os.environ.get('LD_LIBRARY_PATH'))"
        behind: dict[str, str] = {"LD_LIBRARY_PATH": "/a:/b", "LD_PRELOAD": "libm.so.6"}
        for more in ({}, behind):
            by_command = self.python(show, kasuri=["--openmp"], env=more)
            self.assertEqual(self.python("import kasuri; kasuri.activate()\n" + show, env=more), by_command)
        colon = support.folder() / "a:b"
        colon.mkdir()
        (colon / "bin").symlink_to(support.ROOT / "bin")
        (colon / "lib").symlink_to(support.ROOT / "lib")
        refused = "import kasuri\nfor i in 1, 2:\n  try: kasuri.activate()\n" \
                  "  except kasuri.InstallationError as e: print(str(e).partition('; ')[2], kasuri.active())"
        self.assertEqual(self.python(refused, env={"KASURI_ROOT": str(colon)}), "\n".join(
            ["accepted: activate(children=False) False"] * 2))
        alone = "import kasuri; kasuri.activate(children=False)\n" + show
        self.assertEqual(self.python(alone), "None None")


class Restart(support.Case):
    CODE = "import sys, kasuri\nif __name__ == '__main__':\n  kasuri.restart(); print(sys.argv[1:], " \
           "kasuri.active(), sys.flags.dev_mode)\n"

    def test_runs_scripts_and_modules_again_on_kasuri(self) -> None:
        script = support.folder() / "restarted.py"
        script.write_text(self.CODE)
        for start in ([script], ["-m", "restarted"]):
            done = support.run([sys.executable, "-X", "dev", *start, "a b", "--c"], cwd=support.folder())
            self.assertEqual((done.returncode, done.stderr, done.stdout),
                             (0, "", "['a b', '--c'] True True\n"))

    def test_runs_folders_again(self) -> None:  # and with them zip files
        program = support.folder() / "a program"
        program.mkdir()
        (program / "__main__.py").write_text(self.CODE)
        done = support.run([sys.executable, program, "x"])
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "['x'] True False\n"))

    def test_refuses_standard_input_which_has_been_read(self) -> None:
        code = "import kasuri\ntry: kasuri.restart()\nexcept kasuri.Error as e: print(e)"
        for start in ([], ["-"]):
            done = support.run([sys.executable, *start], code)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", (
                "kasuri.restart() of code that came by standard input, which has been read; accepted: a script or a "
                "module\n")))

    @unittest.skipIf(sys.version_info < (3, 10), "Python 3.9 does not keep the code of -c")
    def test_runs_code_again(self) -> None:
        self.assertEqual(self.python(self.CODE, "x"), "['x'] True False")

    def test_refuses_what_it_cannot_repeat(self) -> None:
        code = "import kasuri, sys; sys.ps1 = '> '\ntry: kasuri.restart()\nexcept kasuri.Error as e: print(e)"
        self.assertEqual(self.python(code), "kasuri.restart() in an interactive interpreter; accepted: a "
                         "script, or python -m kasuri before the interpreter starts")

    def test_does_not_repeat_itself(self) -> None:
        code = "import kasuri, os; os.environ['PYTHON_KASURI_RESTARTED'] = str(os.getpid())\n" \
               "try: kasuri.restart()\nexcept kasuri.Error as e: print(str(e).partition(',')[0])"
        self.assertEqual(self.python(code), "started anew by kasuri.restart()")


if __name__ == "__main__":
    unittest.main()

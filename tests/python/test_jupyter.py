# SPDX-License-Identifier: Apache-2.0
"""The kernel's file, and the magic of notebooks; a kernel itself runs where nbclient is installed."""

from __future__ import annotations

import importlib.util
import json
import sys
import unittest

import support

NAMES = "accepted: letters, digits, '.', '_' and '-', and one that is no '.'"
MODULE = [sys.executable, "-m", "kasuri.jupyter"]


class Kernel(support.Case):
    def test_is_written_below_a_prefix(self) -> None:
        prefix = support.folder() / "a prefix"
        done = support.run([*MODULE, "--prefix", prefix, "--name", "k2", "--display-name", "Two", "--",
                            "--workers", "2"])
        path = prefix / "share" / "jupyter" / "kernels" / "k2" / "kernel.json"
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", f"{path}\n"))
        spec = json.loads(path.read_text())
        self.assertEqual(spec["display_name"], "Two")
        self.assertEqual(spec["argv"], [sys.executable, "-m", "kasuri", "--workers", "2", "-m",
                                        "ipykernel_launcher", "-f", "{connection_file}"])

    def test_is_written_for_a_user(self) -> None:
        data = support.folder() / "data"
        done = support.run([*MODULE, "--user"], env=support.environment(JUPYTER_DATA_DIR=str(data)))
        self.assertEqual(done.stdout, f"{data}/kernels/kasuri/kernel.json\n")

    def test_bad_arguments_are_told(self) -> None:
        empty = support.folder() / "no kasuri"
        empty.mkdir()
        for words, root, said in (
                (["--name", "a/b"], support.ROOT, f"--name a/b: {NAMES}"),
                (["--name", ".."], support.ROOT, f"--name ..: {NAMES}"),
                (["--", "--workers"], support.ROOT, "--workers needs a value; see python -m kasuri --help"),
                (["--", "--wrokers"], support.ROOT, "--wrokers: no such option; see python -m kasuri --help"),
                (["--", "x.py"], support.ROOT, "x.py: no option of kasuri run"),
                ([], empty, f"KASURI_ROOT={empty}: no bin/kasuri there; accepted: the folder that Kasuri is "
                            f"installed in")):
            done = support.run([*MODULE, "--prefix", support.folder() / "bad", *words],
                               env=support.environment(KASURI_ROOT=str(root)))
            self.assertEqual((done.returncode, done.stderr),
                             (2, f"kasuri: python -m kasuri.jupyter: {said}\n"))
        self.assertFalse((support.folder() / "bad" / "share" / "jupyter" / "kernels" / "kasuri" /
                          "kernel.json").exists())


class Magic(support.Case):
    SHELL = "import kasuri\nclass Result:\n  def raise_error(self): pass\n" \
            "class Shell:\n" \
            "  def register_magic_function(self, f, magic_kind): self.magic, self.kind = f, magic_kind\n" \
            "  def run_cell(self, cell): exec(cell); return Result()\nshell = Shell()\n"

    def test_reports_a_cell(self) -> None:
        said = self.python(self.SHELL + "kasuri.load_ipython_extension(shell)\n"
                           "print(shell.kind, shell.magic.__name__); shell.magic('', 'print(6 * 7)')", kasuri=[])
        self.assertRegex(said, r"^cell kasuri_report\n42\n\d+\.\d+ s on \d+ workers, ")

    def test_is_refused_where_kasuri_does_not_serve(self) -> None:
        self.assertEqual(self.python(self.SHELL + "try: kasuri.load_ipython_extension(shell)\n"
                                     "except kasuri.NotActiveError: print('refused')"), "refused")


@unittest.skipUnless(importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel"),
                     "this Python has no nbclient and ipykernel")
class Notebook(support.Case):
    def test_runs_on_kasuri(self) -> None:
        prefix = support.folder() / "jupyter"
        self.assertEqual(support.run([*MODULE, "--prefix", prefix]).returncode, 0)
        module = support.modules()[1]
        cells = [f"import ctypes, kasuri; print(kasuri.active(), ctypes.CDLL({module!r}).sum_by_team(10, 2))",
                 "%load_ext kasuri", "%%kasuri_report\nprint(6 * 7)"]
        code = "import nbclient, nbformat.v4 as v4, sys\n" \
               "book = v4.new_notebook(cells=[v4.new_code_cell(c) for c in sys.argv[1:]])\n" \
               "nbclient.NotebookClient(book, kernel_name='kasuri', timeout=60).execute()\n" \
               "print(*(o['text'] for c in book.cells for o in c.outputs))"
        done = support.run([sys.executable, "-W", "ignore", "-c", code, *cells],
                           env=support.environment(JUPYTER_PATH=str(prefix / "share" / "jupyter")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^True 45\n 42\n ?\d+\.\d+ s on \d+ workers, ")


if __name__ == "__main__":
    unittest.main()

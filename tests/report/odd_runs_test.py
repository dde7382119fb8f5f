#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that crash, are killed, fork, become others, or have nothing to report; files that cannot be written. Each
gets an answer and its own status, and nothing hangs."""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

LONGEST = 120  # seconds
given = argparse.Namespace()


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("KASURI_", "OMP_"))}
    return {**env, "KASURI_NUM_WORKERS": "2", **more}


def lines_of_kasuri(text):
    return [line for line in text.splitlines() if line.startswith("kasuri:")]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def report(self, *words, **more):
        return subprocess.run([given.kasuri, "report", *map(str, words)], env=environment(**more), text=True,
                              capture_output=True, timeout=LONGEST, check=False)

    def reported(self, *program, options=()):
        """(status, report, standard error)."""
        out = self.folder / "report.json"
        run = self.report(*options, "--once", "--json", out, "--", *program)
        return run.returncode, json.loads(out.read_text()), run.stderr

    def said_once(self, run, status, *words):
        """One line of ours, with all the words."""
        self.assertEqual(run.returncode, status, run.stderr)
        lines = lines_of_kasuri(run.stderr)
        self.assertEqual(len(lines), 1, run.stderr)
        for word in words:
            self.assertIn(str(word), lines[0])


class Programs(Folder):
    """What the program does."""

    def test_own_status(self):
        status, said, words = self.reported(given.odd, "status")
        self.assertEqual(status, 7)
        self.assertGreater(said["seconds"], 0.05)
        self.assertIn("Note: the program ended with status 7.", words)
        # Without --once: what fails is not run a second time.
        run = self.report("--", given.odd, "status")
        self.assertEqual(run.returncode, 7)
        self.assertIn("the program ended with status 7, so it was not run again on one worker", run.stderr)

    def test_crash(self):
        status, said, words = self.reported(given.odd, "crash")
        self.assertEqual(status, 128 + signal.SIGSEGV)
        self.assertIn("ended by signal 11", words)
        self.assertEqual(said["workers"], 2)
        self.assertTrue(said["quality"]["unsure"])

    def test_killed(self):
        out = self.folder / "report.json"
        with subprocess.Popen([given.kasuri, "report", "--json", out, "--", given.odd, "until_killed"],
                              env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            self.assertEqual(run.stdout.readline(), "computes\n")
            for task in pathlib.Path(f"/proc/{run.pid}/task").iterdir():
                for child in map(int, (task / "children").read_text().split()):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
            _, words = run.communicate(timeout=LONGEST)
        self.assertEqual(run.returncode, 128 + signal.SIGKILL)
        self.assertIn("ended by signal 9", words)
        self.assertEqual(json.loads(out.read_text())["workers"], 2)

    def test_fork(self):
        status, said, _ = self.reported(given.odd, "fork")
        self.assertEqual(status, 0)
        self.assertEqual(said["workers"], 2)

    def test_exec_itself(self):
        status, said, _ = self.reported(given.odd, "exec_itself")
        self.assertEqual(status, 0)
        self.assertEqual(said["arguments"][-1], "short")

    def test_exec_other(self):
        status, said, _ = self.reported(given.odd, "exec_other")
        self.assertEqual(status, 0)
        self.assertTrue(said["quality"]["unsure"])

    def test_short(self):
        status, said, _ = self.reported(given.odd, "short")
        self.assertEqual(status, 0)
        self.assertIn(said["answer"], ("too_short", "nothing", "findings"))

    def test_no_pool(self):
        status, said, words = self.reported(given.odd, "nothing")
        self.assertEqual(status, 0)
        self.assertEqual(said["answer"], "no_pool")
        self.assertIn("never started Kasuri's workers", words)

    def test_no_parallelism(self):
        status, said, _ = self.reported(given.odd, "serial")
        self.assertEqual(status, 0)
        self.assertEqual(said["workers"], 2)

    def test_no_debug_information(self):
        copy = self.folder / "stripped"
        shutil.copy(given.odd, copy)
        subprocess.run(["strip", "--strip-all", copy], check=True)
        status, said, _ = self.reported(copy, "status")
        self.assertEqual(status, 7)
        self.assertEqual(said["workers"], 2)

    def test_without_kasuri(self):
        """With and without the library that is offered to OpenMP programs."""
        for offered in ((), ("--no-openmp",)):
            for program, status in ((("/bin/true",), 0), (("/bin/sh", "-c", "exit 5"), 5)):
                run = self.report(*offered, "--", *program)
                if "nothing was recorded" in run.stderr:
                    self.said_once(run, status or 1, program[0], f"(status {status})", "Accepted: ")
                else:
                    self.assertEqual(run.returncode, status)
                    self.assertIn("without a parallel region or task", run.stderr)

    def test_no_program(self):
        self.said_once(self.report(self.folder / "missing"), 127, "kasuri: report: ", self.folder / "missing",
                       "No such file")
        plain = self.folder / "plain"
        plain.write_text("text\n")
        self.said_once(self.report(plain), 126, plain, "Permission denied")
        self.said_once(self.report(self.folder), 126, self.folder, "Permission denied")

    def test_refused_setting(self):
        for option, value in (("--workers", "0"), ("--set", "KASURI_SPIN=x"), ("--ranks", "0")):
            self.said_once(self.report(option, value, given.odd, "status"), 2, "kasuri: report: ", option)

    def test_one_worker(self):
        run = self.report("--workers", "1", given.odd, "short")
        self.assertEqual(run.returncode, 0)
        self.assertIn(" on 1 worker", run.stderr)
        self.assertNotIn("1 workers", run.stderr)


class Files(Folder):
    """Where files cannot be written. A program is never changed by that."""

    def profiled(self, profile, limit=None):
        def set_limit():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.run([given.odd, "status"], env=environment(KASURI_PROFILE=str(profile)), text=True,
                              capture_output=True, timeout=LONGEST, check=False, preexec_fn=set_limit)

    def test_no_folder(self):
        for profile in (self.folder / "no/folder/x", self.folder, "/proc/x", "/dev/null/x"):
            self.said_once(self.profiled(profile), 7, f"KASURI_PROFILE={profile}", "accepted: ")

    def test_full_disk(self):
        self.said_once(self.profiled("/dev/full"), 7, "KASURI_PROFILE=/dev/full", "No space left")

    def test_limit_of_size(self):
        """Some snapshots fit, or none does: the program goes on, and what is there can be read or is refused."""
        for limit in (0, 100, 20_000):
            profile = self.folder / f"profile{limit}"
            run = self.profiled(profile, limit)
            if limit < 1000 or lines_of_kasuri(run.stderr):
                self.said_once(run, 7, f"KASURI_PROFILE={profile}", "File too large")
            self.assertEqual(run.returncode, 7)
            run = self.report("--profile", profile)
            self.assertIn(run.returncode, (0, 2), run.stderr)

    def test_outputs(self):
        for option in ("--json", "--html", "-o"):
            for file in (self.folder / "no/file", "/dev/full"):
                run = self.report("--once", option, file, "--", given.odd, "status")
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn(f"kasuri: report: {file}: cannot be written", run.stderr)

    def test_outputs_before_the_program(self):
        """It does not run where its report would be lost, and what cannot be run leaves no file and none empty."""
        ran, missing = self.folder / "ran", self.folder / "no/file"
        for option in ("--json", "--html", "--keep", "-o"):
            for file, why in ((missing, "No such file"), (self.folder, "Is a directory")):
                self.said_once(self.report("--once", option, file, "--", "/bin/sh", "-c", f"touch {ran}"), 1,
                               f"{file}: cannot be written", why)
        self.assertFalse(ran.exists())
        new, old = self.folder / "new", self.folder / "old"
        old.write_text("text\n")
        for option in ("--json", "--html", "--keep", "-o"):
            for file in (new, old):
                self.said_once(self.report(option, file, self.folder / "missing"), 127, "No such file")
        self.assertFalse(new.exists())
        self.assertEqual(old.read_text(), "text\n")

    def test_forgotten_value(self):
        for option in ("--json", "--html", "--keep", "--output", "--profile", "--one-worker"):
            self.said_once(self.report(option, "--once", given.odd, "status"), 2, f"{option} needs a value")

    def test_predicted(self):
        """Profiles behind --workers are profiles."""
        kept = self.folder / "kept"
        self.report("--once", "--keep", kept, "--", given.odd, "short")
        run = subprocess.run([given.kasuri, "predict", "--workers", "1,2", kept, kept], env=environment(), text=True,
                             capture_output=True, timeout=LONGEST, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sum(line.split()[:1] in (["1"], ["2"]) for line in run.stdout.splitlines()), 2, run.stdout)

    def test_no_scratch_folder(self):
        self.said_once(self.report("--", given.odd, "status", TMPDIR="/no/folder"), 1, "/no/folder", "TMPDIR")

    def test_profiles(self):
        other = self.folder / "other"
        other.write_text("text\n")
        cut = self.folder / "cut"
        cut.write_text('{"kasuri_profile": 1, "seco')
        newer = self.folder / "newer"
        newer.write_text('{"kasuri_profile": 99}\n')
        for profile, word in ((other, "is no profile"), (cut, "no whole snapshot"), (newer, "version 99"),
                              (self.folder, "is a folder"), (self.folder / "missing", "No such file")):
            self.said_once(self.report("--profile", profile), 2, profile, word)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kasuri", required=True, help="the command")
    parser.add_argument("--odd", required=True, help="the program of that name")
    _, left = parser.parse_known_args(namespace=given)
    unittest.main(argv=[sys.argv[0], *left])


if __name__ == "__main__":
    main()

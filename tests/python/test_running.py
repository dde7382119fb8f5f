# SPDX-License-Identifier: Apache-2.0
"""Counters, reports, settings and limits in a process that Kasuri serves; its children; quotas."""

from __future__ import annotations

import json
import os
import sys
import unittest

import support

BEGIN = "import ctypes, kasuri, sys; kasuri.activate(); module = ctypes.CDLL({!r})\n" \
        "settings = kasuri.settings()\n"


class Running(support.Case):
    def served(self, code: str, **more: str) -> str:
        return self.python(BEGIN.format(support.modules()[1]) + code, env=more)


class Counters(Running):
    def test_are_0_until_the_pool_starts_and_grow_then(self) -> None:
        said = json.loads(self.served(
            "import json; a = kasuri.counters(); none = kasuri.counters_of_workers()\n"
            "for i in range(50): assert module.sum_by_team(100, 8) == 4950\n"
            "b = kasuri.counters(); rows = kasuri.counters_of_workers()\n"
            "print(json.dumps([kasuri.counter_names(), a, b, none, rows]))", OMP_NUM_THREADS="2",
            KASURI_NUM_WORKERS="2"))
        names, before, after, none, rows = said
        self.assertEqual(list(before), names)
        self.assertEqual((set(before.values()), none), ({0}, []))
        self.assertGreater(after["tasks"], 0)
        self.assertGreaterEqual(len(rows), 2)
        self.assertTrue(all(list(row) == ["worker", *names] for row in rows))
        self.assertLessEqual({"tasks", "steals", "suspends", "work_ns"}, set(names))

    def test_report_counts_the_block_alone(self) -> None:
        said = json.loads(self.served(
            "import json\nfor i in range(20): module.sum_by_team(100, 8)\n"
            "with kasuri.report() as r:\n  for i in range(30): module.sum_by_team(100, 8)\n"
            "with kasuri.report() as none: pass\n"
            "print(json.dumps([r.seconds, r.num_workers, r.counters, r.workers, none.counters, str(r),"
            " r.shares]))", KASURI_NUM_WORKERS="2"))
        seconds, workers, counted, rows, nothing, text, shares = said
        self.assertGreater(seconds, 0)
        self.assertEqual(workers, 2)
        self.assertGreater(counted["tasks"], 0)
        self.assertEqual(counted["tasks"], sum(row["tasks"] for row in rows))
        self.assertEqual(nothing["tasks"], 0)
        self.assertEqual(shares, {})
        self.assertRegex(text, r"^\d+\.\d{3} s on 2 workers, \d+\.\d\d processors busy\n\d+ tasks, \d+ steals")

    def test_a_report_is_of_one_block_at_a_time(self) -> None:
        self.assertEqual(self.served(
            "r = kasuri.report()\nwith r:\n  try: r.__enter__()\n  except kasuri.Error as e: print(e)\n"
            "with r: print(r)"),
            "kasuri.report: its block has begun and not ended; accepted: a report() of its own for each block that "
            "runs at the same time\nkasuri.report: the block has not ended")

    def test_shares_of_time_where_the_workers_keep_account(self) -> None:
        code = BEGIN.format(support.modules()[1]) + \
            "with kasuri.report() as r: module.sum_by_team(10_000_000, 2)\n" \
            "assert abs(sum(r.shares.values()) - 1) < 1e-9, r.shares\n" \
            "assert 'time of the workers: ' in str(r), str(r)\nprint(sorted(r.shares)[-1])"
        done = support.run([sys.executable, "-m", "kasuri", "--stats", "-c", code])
        self.assertEqual((done.returncode, done.stdout), (0, "work\n"), done.stderr)
        self.assertIn("worker 0", done.stderr)  # the table of KASURI_STATS

    def test_a_report_of_a_block_that_raises_is_there(self) -> None:
        self.assertEqual(self.served(
            "try:\n  with kasuri.report() as r: 1 / 0\n"
            "except ZeroDivisionError: print(r.seconds > 0, str(r).count(' tasks, '))"), "True 1")

    def test_a_pool_that_begins_anew_begins_at_0(self) -> None:
        from kasuri import _counters
        before = [{"worker": 0, "tasks": 5, "parks": 1}, {"worker": 1, "tasks": 2, "parks": 1}]
        after = [{"worker": 0, "tasks": 7, "parks": 4}, {"worker": 1, "tasks": 1, "parks": 3},
                 {"worker": 2, "tasks": 9, "parks": 0}]
        self.assertEqual(_counters._since(before, after), [
            {"worker": 0, "tasks": 2, "parks": 3}, {"worker": 1, "tasks": 1, "parks": 3},
            {"worker": 2, "tasks": 9, "parks": 0}])


class Settings(Running):
    def test_are_those_of_kasuri_info(self) -> None:
        mine = json.loads(self.served(
            "import json; print(json.dumps([[s.name, s.value, s.origin] for s in settings.values()]))",
            KASURI_SPIN="5", KASURI_NUM_WORKERS="3"))
        done = support.run([support.COMMAND, "info", "--json"],
                           env=support.environment(KASURI_SPIN="5", KASURI_NUM_WORKERS="3"))
        theirs = [[s["name"], s["value"], s["origin"]] for s in json.loads(done.stdout)["settings"]]
        shown = {name for name, _, _ in theirs}
        self.assertEqual([row for row in mine if row[0] in shown], theirs)
        self.assertIn(["KASURI_SPIN", "5", "environment"], mine)

    def test_say_what_is_accepted(self) -> None:
        self.assertEqual(self.served("print(settings['KASURI_NUM_WORKERS'].accepted, "
                                     "settings['KASURI_SCHED'].accepted, 'KASURI_X' in settings)"),
                         "1 to 2048 near or random or adws False")

    def test_change_what_regions_do(self) -> None:
        self.assertEqual(self.served(
            "settings.num_threads = 3; settings.dynamic = False; settings.max_active_levels = 2\n"
            "print(settings.num_threads, module.sum_by_team(10, 3), settings.dynamic, "
            "settings.max_active_levels)\n"
            "for s in 'static', 'guided,7', kasuri.Schedule('dynamic', 2), 'AUTO':\n"
            "  settings.schedule = s; print(settings.schedule)", OMP_DYNAMIC="true"),
            "3 45 False 2\nstatic\nguided,7\ndynamic,2\nauto")

    def test_belong_to_the_thread(self) -> None:
        self.assertEqual(self.served(
            "import threading; settings.num_threads = 5; seen = []\n"
            "t = threading.Thread(target=lambda: seen.append(settings.num_threads)); t.start(); t.join()\n"
            "print(settings.num_threads, seen)", OMP_NUM_THREADS="2"), "5 [2]")

    def test_refuse_what_is_not_accepted(self) -> None:
        self.assertEqual(self.served(
            "def refused(name, value):\n"
            "  before = getattr(settings, name)\n"
            "  try: setattr(settings, name, value)\n"
            "  except kasuri.SettingError as e:\n"
            "    assert isinstance(e, ValueError) and e.setting == name and e.value == value, e\n"
            "    assert e.accepted in str(e) and getattr(settings, name) == before; print(e.accepted)\n"
            "  else: print('accepted', value)\n"
            "for v in 0, -1, 1.5, True, '2', 2**31: refused('num_threads', v)\n"
            "for v in -1, 2**31: refused('max_active_levels', v)\n"
            "refused('dynamic', 1)\n"
            "for v in 'fair', 'static,0', 'static,x', 'auto,2', 4, kasuri.Schedule('static', -2), "
            "kasuri.Schedule('static', 'x'), 'static,', 'static,' + '9' * 5000: "
            "refused('schedule', v)\n"
            "refused('num_workers', 4096)\n", OMP_THREAD_LIMIT="64"), "\n".join(
                ["a whole number from 1 to 64"] * 6 + ["a whole number from 0 to 2147483647"] * 2 +
                ["True or False"] + ["auto, or static, dynamic or guided, with a chunk from 1 where it "
                                     "is to have one: 'dynamic,4'"] * 9 + ["a whole number from 1 to 2048"]))

    def test_refuse_names_that_there_are_not(self) -> None:
        accepted = "not to be set here; accepted: dynamic, max_active_levels, num_threads, num_workers, schedule"
        self.assertEqual(self.served(
            "for name in 'num_thread', 'num_procs':\n"
            "  try: setattr(settings, name, 3)\n  except AttributeError as e: print(e)"),
            f"settings.num_thread = 3: {accepted}\nsettings.num_procs = 3: {accepted}")

    def test_a_refusal_reaches_another_process(self) -> None:
        import pickle

        import kasuri
        there = pickle.loads(pickle.dumps(kasuri.SettingError("schedule", "x", "y")))
        self.assertEqual((str(there), there.setting, there.value, there.accepted),
                         ("schedule = 'x'; accepted: y", "schedule", "x", "y"))

    def test_take_whole_numbers_of_other_types(self) -> None:  # as those of NumPy
        self.assertEqual(self.served(
            "class Four:\n  def __index__(self): return 4\n"
            "settings.num_threads = Four(); print(settings.num_threads)"), "4")

    def test_workers_may_be_set_until_the_pool_starts(self) -> None:
        self.assertEqual(self.served(
            "settings.num_workers = 3; print(settings.num_workers, module.sum_by_team(10, 2))\n"
            "print(settings['KASURI_NUM_WORKERS'].origin, len(kasuri.counters_of_workers()) >= 3)\n"
            "try: settings.num_workers = 2\n"
            "except kasuri.SettingError as e: print(e.accepted)"),
            "3 45\nAPI True\n3, since the pool runs already; another one before the first parallel region, "
            "or by KASURI_NUM_WORKERS")


class Limits(Running):
    def test_hold_inside_and_are_taken_back(self) -> None:
        self.assertEqual(self.served(
            "settings.num_threads = 4\n"
            "with kasuri.threadpool_limits(limits=3):\n"
            "  with kasuri.threadpool_limits(2): print(settings.num_threads)\n"
            "  with kasuri.threadpool_limits(None): print(settings.num_threads)\n"
            "  print(settings.num_threads)\n"
            "@kasuri.threadpool_limits(limits=1)\n"
            "def depth(n): return [settings.num_threads] + (depth(n - 1) if n else [])\n"
            "print(depth(2), settings.num_threads)"), "2\n3\n3\n[1, 1, 1] 4")

    def test_refuse_what_is_not_accepted(self) -> None:
        import kasuri
        for value in (0, -3, 2.0, "2", True):
            with self.assertRaises(kasuri.SettingError):
                kasuri.threadpool_limits(value)  # type: ignore[arg-type]


    def test_one_object_serves_several_threads(self) -> None:
        self.assertEqual(self.served(
            "import threading; limits = kasuri.threadpool_limits(2); settings.num_threads = 5; seen = []\n"
            "def other():\n  kasuri.settings().num_threads = 7\n"
            "  with limits: inside.set(); left.wait()\n  seen.append(kasuri.settings().num_threads)\n"
            "inside, left = threading.Event(), threading.Event()\nt = threading.Thread(target=other)\n"
            "with limits: t.start(); inside.wait()\n"
            "left.set(); t.join(); print(settings.num_threads, seen)"), "5 [7]")


class Threadpoolctl(Running):
    """Where threadpoolctl is installed: pip install threadpoolctl==3.8.0"""

    @classmethod
    def setUpClass(cls) -> None:
        import importlib.util
        if importlib.util.find_spec("threadpoolctl") is None:
            raise unittest.SkipTest("this Python has no threadpoolctl")

    LIST = "import threadpoolctl as t\n" \
           "def show(): print([(i['internal_api'], i['user_api'], i['prefix'], i['num_threads'], " \
           "'-a' in i['filepath']) for i in sorted(t.threadpool_info(), key=lambda i: i['filepath'])])\n"

    def lines(self, code: str) -> list[str]:
        return self.served("module.sum_by_team(10, 2); settings.num_threads = 3\n" + self.LIST + code,
                           OMP_NUM_THREADS="2").split("\n")

    def test_lists_each_library_once(self) -> None:
        said = self.lines("show(); kasuri.register_threadpoolctl(); show()\n"
                             "kasuri.register_threadpoolctl(); show()")
        copy = "('openmp', 'openmp', 'libgomp', 2, True)"
        self.assertEqual(sorted(eval(said[0])), sorted(eval(f"[('openmp', 'openmp', 'libgomp', 3, False), {copy}]")))
        for line in said[1:]:
            self.assertEqual(sorted(eval(line)), sorted(eval(f"[('kasuri', 'openmp', 'libgomp', 3, False), {copy}]")))

    def test_is_told_by_the_import_where_it_is_there_first(self) -> None:
        code = "import threadpoolctl as t, kasuri\n" \
               "print([(i['internal_api'], i['version']) for i in t.threadpool_info()])"
        said = eval(self.python(code, kasuri=[]))
        self.assertEqual([api for api, _ in said], ["kasuri"])

    def test_an_older_one_is_refused(self) -> None:
        said = self.lines("t.__version__ = '3.2.0'\ntry: kasuri.register_threadpoolctl()\n"
                          "except ImportError as e: print(e)")
        self.assertEqual(said, ["threadpoolctl 3.2.0 lists a library under each controller that fits; "
                                "accepted: 3.3 or later"])

    def test_its_limits_and_ours_agree(self) -> None:
        said = self.lines(
            "kasuri.register_threadpoolctl()\n"
            "with t.threadpool_limits(2, user_api='openmp'):\n"
            "  print(settings.num_threads)\n"
            "  with kasuri.threadpool_limits(1):\n"
            "    print([i['num_threads'] for i in t.threadpool_info() if i['internal_api'] == 'kasuri'])\n"
            "  print(settings.num_threads)\n"
            "print(settings.num_threads)\n"
            "with t.ThreadpoolController().select(internal_api='kasuri').limit(limits=1):\n"
            "  print(settings.num_threads)\n"
            "print(t.ThreadpoolController().select(internal_api='kasuri').info()[0]['num_threads'])")
        self.assertEqual(said, ["2", "[1]", "2", "3", "1", "3"])


class Children(support.Case):
    CODE = "import ctypes, json, multiprocessing, sys\nimport kasuri\n" \
           "def child(path):\n" \
           "  return [ctypes.CDLL(path).sum_by_team(1000, 4), kasuri.active(), " \
           "kasuri.counters()['tasks'] >= 0]\n" \
           "if __name__ == '__main__':\n" \
           "  if 'activate' in sys.argv: kasuri.activate()\n" \
           "  ctypes.CDLL(sys.argv[1]).sum_by_team(1000, 4)\n" \
           "  with multiprocessing.get_context(sys.argv[2]).Pool(2) as pool:\n" \
           "    print(json.dumps(pool.map(child, [sys.argv[1]] * 3)))\n"

    def test_run_on_kasuri_however_they_start(self) -> None:
        script = support.folder() / "children.py"
        script.write_text(self.CODE)
        for method in ("fork", "spawn", "forkserver"):
            for start, more in ((["-m", "kasuri"], []), ([], ["activate"])):
                with self.subTest(method=method, start=start):
                    done = support.run([sys.executable, *start, script, support.modules()[1], method, *more])
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(json.loads(done.stdout), [[499500, True, True]] * 3)


class Quota(support.Case):
    """A container's CPU quota, as files that lie over the kernel's own in a mount namespace."""

    def test_bounds_the_threads(self) -> None:
        import quota
        files = quota.group_files()
        if not files:
            self.skipTest("no control group with a CPU controller")
        script = support.folder() / "quota.py"
        script.write_text(f"import sys; sys.path.insert(0, {str(support.PACKAGE)!r})\nimport kasuri\n"
                          f"kasuri.activate(); s = kasuri.settings(); print(s.num_threads, s.num_workers)\n")
        start = support.folder() / "quota.sh"
        start.write_text(f"#!/bin/sh\nunset LD_LIBRARY_PATH\nKASURI_ROOT='{support.ROOT}' "
                         f"exec '{sys.executable}' '{script}'\n")
        start.chmod(0o755)
        cpus = len(os.sched_getaffinity(0))
        for share, whole in ((quota.PERIOD // 2, 1), (quota.PERIOD * 3 // 2, 2)):
            said = quota.run(start, support.folder(), files, share, support.OPENMP.parent)
            if said is None:
                self.skipTest("no mount namespace may be made here")
            self.assertEqual(said, " ".join([str(min(whole, cpus))] * 2))


if __name__ == "__main__":
    unittest.main()

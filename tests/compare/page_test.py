#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page holds everything itself, whatever is missing in the results; without Matplotlib there is
none, and one line says so."""

import json
import re
import subprocess
import unittest
from pathlib import Path

from study import GOOD, LINE, Study

HAVE_MATPLOTLIB = any(
    subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode
    == 0 for python in ("python3", "/usr/bin/python3"))


def row(benchmark, system, metric, values, workers=1, variant="one", text=""):
    return {**LINE, "benchmark": benchmark, "system": system, "metric": metric, "variant": variant,
            "workers": workers, "input": text, "values": values, "median": values[0],
            "min": min(values), "max": max(values), "n": len(values)}


def whole_study():
    """A document with something for every figure; made up."""
    rows = []
    for index, system in enumerate(("serial", "kasuri", "other", "<b>&")):
        base = 10.0 + index
        rows += [row("create", system, "cycles-by-protocol", [base])]
        for workers in (1, 2, 4):
            rows += [row("create-scale", system, "cycles-per-task", [base * workers], workers),
                     row("bin", system, "T1", [22], workers, text="A=750,K=2"),
                     row("bin", system, "T1-formula", [22], workers, text="A=750,K=2"),
                     row("bin", system, "greedy-bound", [3.1], workers, text="A=750,K=2"),
                     row("bin", system, "speedup", [0.9 * workers], workers, text="A=750,K=2"),
                     row("fib", system, "time-per-spawn", [base / workers], workers)]
        rows += [row("loops", system, "speedup", [base * n / 1e4], 4, variant, f"n={n}")
                 for variant in ("for", "scan-double") for n in (10, 1000)]
        rows += [row("latency", system, metric, [base], 2)
                 for metric in ("child", "parent", "later")]
        rows += [row("diffuse", system, f"start-{rank}", [rank, 2.0 * rank], 4)
                 for rank in (1, 2, 3, 4)]
    rows += [row(name, "kasuri", metric, [1.0], workers)
             for name, workers in (("fib", 1), ("fib", 4), ("diffuse", 4))
             for metric in ("work", "overhead", "idle-ready", "idle-empty")]
    machine = {"cpu": "a <CPU>", "cores": 4, "numa_nodes": 1, "kernel": "6", "load": 0.5, "busy": 0,
               "compilers": ["cc 1"], "flags": "-O3", "versions": {"other": "7"}}
    return {"kind": "kasuri-compare", "version": 1, "machine": machine, "seconds": 1.0,
            "options": {"quick": True, "rounds": 1, "size": 0, "workers": [1, 2, 4], "limit": 20},
            "left_out": [], "results": rows,
            "failures": [{"benchmark": "uts", "system": "other", "variant": "one", "input": "",
                          "workers": 2, "reason": "ended by <signal> 11"}]}


class Page(Study):
    def page(self, *documents):
        names = []
        for index, document in enumerate(documents):
            names.append(f"{index}.json")
            (self.folder / names[-1]).write_text(json.dumps(document), encoding="utf-8")
        done = self.compare("--page-only", "--html", "page.html", "--merge", *names)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("page: page.html", done.stdout)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    @unittest.skipUnless(HAVE_MATPLOTLIB, "Matplotlib is not installed")
    def test_it_refers_to_nothing_outside(self):
        text = self.page(whole_study())
        self.assertLess(len(text.encode()), 2_000_000)
        self.assertNotRegex(text, r"https?:|//\w+\.\w+|@import|url\((?!#)|src=")
        self.assertEqual(set(re.findall(r'href="([^"#][^"]*)"', text)), {"data:,"})
        for figure in range(1, 7):
            self.assertRegex(text, rf"<h3>Figure {figure}: [^<]*</h3><figure><svg")
        self.assertNotIn("Not measured here", text)
        self.assertIn("uts other one with 2 workers failed: ended by &lt;signal&gt; 11", text)
        self.assertIn("a &lt;CPU&gt;", text)
        self.assertNotIn("<b>&", text)
        ids = re.findall(r'\bid="([^"]+)"', text)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual(set(re.findall(r'(?:href="|url\()#([^")]+)', text)), set(ids))

    @unittest.skipUnless(HAVE_MATPLOTLIB, "Matplotlib is not installed")
    def test_the_split_of_time_is_as_in_the_page_of_a_report(self):
        """Names, order and colours."""
        report = Path(__file__).resolve().parents[2] / "tools/report/page"
        words = (report / "script/words.js").read_text(encoding="utf-8")
        order = re.findall(r"^  (\w+): { names:", (report / "script/shares.js").read_text("utf-8"),
                           re.MULTILINE)
        names = [re.search(rf'^  {key}: \["([^"]+)"', words, re.MULTILINE)[1] for key in order]
        text = self.page(whole_study())
        shown = re.search(r"<th>benchmark</th><th>way</th>(.*?)</tr>", text)[1]
        shares = re.findall(r">([^<>]+), %<", shown)
        self.assertEqual(shares, [name for name in names if name in shares])
        self.assertEqual(len(shares), 5)
        light = re.search(r":root {.*?}", (report / "page.css").read_text("utf-8"), re.DOTALL)[0]
        drawing = text[text.index("<h3>The split of time"):]
        for key, name in zip(order, names):
            if name in shares and key != "stretch":  # hatches on the colour of work
                colour = re.search(rf"--{key.replace('_', '-')}: (#\w+);", light)[1]
                self.assertIn(colour, drawing, name)

    @unittest.skipUnless(HAVE_MATPLOTLIB, "Matplotlib is not installed")
    def test_machines_share_a_page(self):
        text = self.page(whole_study(), whole_study())
        self.assertIn("machine 2: a &lt;CPU&gt;", text)
        ids = re.findall(r'\bid="([^"]+)"', text)
        self.assertEqual(len(ids), len(set(ids)))

    @unittest.skipUnless(HAVE_MATPLOTLIB, "Matplotlib is not installed")
    def test_what_was_not_measured_is_said(self):
        document = whole_study()
        document["results"] = []
        self.assertEqual(self.page(document).count("Not measured here"), 8)

    def test_results_are_written_without_matplotlib(self):
        self.plant("good", GOOD)
        missing = "raise ImportError('none', name='matplotlib')"
        (self.folder / "matplotlib.py").write_text(missing, encoding="utf-8")
        self.kept["PYTHONPATH"] = str(self.folder)
        done = self.compare("--workers", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no page: matplotlib is missing", done.stderr)
        self.assertIn("python3-matplotlib", done.stderr)
        self.assertEqual(len(self.results()["results"]), 1)


if __name__ == "__main__":
    unittest.main()

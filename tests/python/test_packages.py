# SPDX-License-Identifier: Apache-2.0
"""Packages that many have: scikit-learn, whose wheel brings a libgomp, and joblib's processes and
threads. Each test is left out where this Python lacks its package (requirements.txt)."""

from __future__ import annotations

import importlib.util
import json
import sys
import unittest

import support


def needs(*packages: str) -> None:
    for name in packages:
        if importlib.util.find_spec(name) is None:
            raise unittest.SkipTest(f"this Python has no {name}")


FIT = "import numpy\nfrom sklearn.ensemble import HistGradientBoostingClassifier\n" \
      "def fit(seed):\n" \
      "  x = numpy.random.RandomState(seed).rand(1500, 6); y = (x[:, 0] + x[:, 1] * x[:, 2] > 0.8).astype(int)\n" \
      "  m = HistGradientBoostingClassifier(max_iter=5, early_stopping=False, random_state=0).fit(x, y)\n" \
      "  return [float(m.predict_proba(x[:5])[:, 1].sum()), kasuri.active()]\n"


class ScikitLearn(support.Case):
    @classmethod
    def setUpClass(cls) -> None:
        needs("sklearn")

    def test_gives_the_same_results(self) -> None:
        code = "import kasuri\n" + FIT + "print(fit(0))"
        own, served = self.python(code), self.python(code, kasuri=[])
        activated = self.python(code.replace("import kasuri\n", "import kasuri; kasuri.activate()\n"))
        self.assertEqual(served, own.replace("False", "True"))
        self.assertEqual(activated, served)

    def test_its_libgomp_is_served(self) -> None:
        code = "import kasuri\n" + FIT + "fit(0); print([r.served_by for r in kasuri.loaded() if r.name == 'libgomp'])"
        self.assertEqual(self.python(code, kasuri=[]), "['kasuri']")
        self.assertEqual(self.python(code), "['libgomp']")


class Joblib(support.Case):
    @classmethod
    def setUpClass(cls) -> None:
        needs("sklearn", "joblib")

    def test_processes_and_threads_run_on_kasuri(self) -> None:
        script = support.folder() / "parallel.py"
        script.write_text("import json, sys\nimport kasuri\nif 'activate' in sys.argv: kasuri.activate()\n" + FIT +
                          "if __name__ == '__main__':\n  import joblib\n"
                          "  print(json.dumps(joblib.Parallel(n_jobs=2, backend=sys.argv[1])(\n"
                          "      joblib.delayed(fit)(0) for _ in range(4))))\n")
        for backend in ("loky", "multiprocessing", "threading"):
            for start, more in ((["-m", "kasuri"], []), ([], ["activate"])):
                with self.subTest(backend=backend, start=start):
                    done = support.run([sys.executable, *start, script, backend, *more])
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    results = json.loads(done.stdout)
                    self.assertEqual(results, [results[0]] * 4)
                    self.assertTrue(results[0][1])


if __name__ == "__main__":
    unittest.main()

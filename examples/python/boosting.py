# SPDX-License-Identifier: Apache-2.0
"""scikit-learn, whose wheel brings a libgomp, on Kasuri: a model, from two threads at once."""

import sys
import threading

import kasuri

kasuri.activate()

try:
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier
except ImportError as missing:
    print(f"left out: {missing}")
    sys.exit(77)

random = numpy.random.RandomState(0)
x = random.rand(2000, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0.8).astype(int)
scores: list[float] = []


def fit() -> None:
    model = HistGradientBoostingClassifier(max_iter=10, early_stopping=False, random_state=0)
    scores.append(model.fit(x, y).score(x, y))


with kasuri.report() as report:
    threads = [threading.Thread(target=fit) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

print(report)
print([f"{r.name} served by {r.served_by}" for r in kasuri.loaded()])
assert scores[0] == scores[1] > 0.9
assert any(r.name == "libgomp" and r.served_by == "kasuri" for r in kasuri.loaded())

# SPDX-License-Identifier: Apache-2.0
"""The mixes that mixes.py starts: one process that uses several runtimes.

    programs.py NAME CALLERS      prints seconds and one number of the result

CALLERS Python threads do the same work at once, behind a first call of it that is not timed.
"""

import os
import sys
import threading
import time


def gemm():
    """OpenBLAS alone: products of matrices."""
    import numpy
    a = numpy.random.RandomState(0).rand(700, 700)
    return lambda: float((a @ a @ a @ a)[0].sum())


def solve():
    """OpenBLAS alone: LU factors, by OpenBLAS's own threads."""
    import numpy
    random = numpy.random.RandomState(0)
    a, b = random.rand(768, 768), random.rand(768, 8)
    return lambda: float(numpy.linalg.solve(a, b).sum())


def svd():
    """OpenBLAS alone: a singular value decomposition of many short products."""
    import numpy
    a = numpy.random.RandomState(0).rand(300, 300)
    return lambda: float(numpy.linalg.svd(a, compute_uv=False).sum())


def fft():
    """SciPy's transforms with workers of its own, and its solver."""
    import numpy
    import scipy.fft
    import scipy.linalg
    random = numpy.random.RandomState(0)
    x, a, b = random.rand(256, 4096), random.rand(512, 512), random.rand(512)

    def work():
        spectrum = abs(scipy.fft.fft(x, workers=os.cpu_count())).sum()
        return float(spectrum + scipy.linalg.solve(a, b).sum())
    return work


def boosting():
    """OpenMP of scikit-learn and NumPy's OpenBLAS."""
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier
    random = numpy.random.RandomState(0)
    x = random.rand(20000, 20)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.1 * random.randn(len(x)) > 0.8).astype(int)

    def work():
        model = HistGradientBoostingClassifier(max_iter=20, early_stopping=False, random_state=0)
        return float(model.fit(x, y).predict_proba(x[:100]).sum() + (x.T @ x).sum())
    return work


def kmeans():
    """OpenMP of scikit-learn in which members call OpenBLAS, between products of matrices."""
    import numpy
    from sklearn.cluster import KMeans
    random = numpy.random.RandomState(0)
    x, a = random.rand(50000, 16), random.rand(500, 500)

    def work():
        inertia = KMeans(16, n_init=1, max_iter=20, random_state=0).fit(x).inertia_
        return float(inertia + (a @ a)[0].sum())
    return work


def _numba_sums(layer):
    import numba
    import numpy
    numba.config.THREADING_LAYER = layer
    x = numpy.random.RandomState(0).rand(2_000_000)

    @numba.njit(parallel=True)
    def add(values):
        total = 0
        for i in numba.prange(len(values)):
            total += int(values[i] * 1000) % 7
        return total
    a = numpy.random.RandomState(1).rand(400, 400)

    def work():
        return float(sum(add(x) for _ in range(20)) + (a @ a)[0].sum())
    return work


def numba_tbb():
    """Numba on oneTBB, and OpenBLAS."""
    return _numba_sums("tbb")


def numba_omp():
    """Numba on OpenMP, and OpenBLAS."""
    return _numba_sums("omp")


def both():
    """Numba on oneTBB, OpenMP of scikit-learn and OpenBLAS, one after the other."""
    first, second, third = numba_tbb(), kmeans(), svd()
    return lambda: first() + second() + third()


def opencv():
    """OpenCV's filters, which run on oneTBB in Debian's package."""
    import cv2
    import numpy
    image = (numpy.random.RandomState(0).rand(1080, 1920, 3) * 255).astype(numpy.uint8)

    def work():
        blurred = cv2.GaussianBlur(cv2.medianBlur(image, 5), (9, 9), 2)
        return float(cv2.resize(cv2.bilateralFilter(blurred[:540], 7, 50, 50), (480, 270)).sum())
    return work


def main():
    work = globals()[sys.argv[1]]()
    work()
    results = []
    threads = [threading.Thread(target=lambda: results.append(work())) for _ in range(int(sys.argv[2]))]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    alike = len(results) == len(threads) and max(results) - min(results) <= 1e-6 * abs(max(results))
    print(seconds, results[0] if alike else "differ")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits models by packages whose wheels bring a libgomp, in several Python threads at once, and
prints what each thread got and the names of the process' OS threads.

  fits.py PACKAGE THREADS [FILE...]     FILE: other runtimes, to be loaded first
"""

import ctypes
import json
import sys
import threading

import numpy

import os_threads


def gradient_boosting():
    from sklearn.ensemble import HistGradientBoostingClassifier
    random = numpy.random.RandomState(0)
    x = random.rand(6000, 20)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.1 * random.randn(len(x)) > 0.8).astype(int)
    model = HistGradientBoostingClassifier(max_iter=15, early_stopping=False, random_state=0)
    return model.fit(x, y).predict_proba(x[:200])[:, 1]


def kmeans():
    from sklearn.cluster import KMeans
    from sklearn.datasets import make_blobs
    x, _ = make_blobs(8000, 12, centers=8, random_state=0)
    model = KMeans(8, n_init=2, max_iter=30, random_state=0).fit(x)
    return numpy.concatenate([[model.inertia_], numpy.sort(model.cluster_centers_.sum(axis=1)),
                              numpy.bincount(model.labels_)])


def pykdtree():
    from pykdtree.kdtree import KDTree
    points = numpy.random.RandomState(0).rand(20000, 3)
    distances, indices = KDTree(points[:10000]).query(points[10000:], k=3)
    return numpy.concatenate([distances.ravel()[:600], indices.ravel()[:600]])


def faiss():
    import faiss
    points = numpy.random.RandomState(0).rand(5000, 32).astype("float32")
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(32), 32, 16)
    index.train(points)
    index.add(points)
    index.nprobe = 4
    distances, indices = index.search(points[:200], 3)
    return numpy.concatenate([distances.ravel(), indices.ravel()]).astype(float)


PACKAGES = {"gradient_boosting": gradient_boosting, "kmeans": kmeans, "pykdtree": pykdtree,
            "faiss": faiss}


def main():
    fit, threads = PACKAGES[sys.argv[1]], int(sys.argv[2])
    for runtime in sys.argv[3:]:
        ctypes.CDLL(runtime).omp_get_max_threads()
    fit()  # imports, and the first region, in the main thread
    results = [[]] * threads

    def run(number):
        results[number] = fit().tolist()

    callers = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    print(json.dumps({"results": results, "threads": os_threads.names()}))


if __name__ == "__main__":
    main()

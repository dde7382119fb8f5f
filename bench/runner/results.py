# SPDX-License-Identifier: Apache-2.0
"""What the page asks of the results of one machine."""

from statistics import median

from measure import row_from_json
from programs import system_order

TIMES = ("time", "time-per-spawn")
APPLICATIONS = ("fib", "queens", "uts", "cilksort", "matmul", "sparselu", "fft")
BIN_INPUTS = ("A=23000,K=1", "A=750,K=2")
# The parts of a worker's time, in the order of the figure.
# Named, ordered and coloured as in the page of kasuri report: tools/report/page.
SHARES = ("work", "stretch", "runtime", "late", "no work")


class Results:
    """The rows of one document, by what they measure."""

    def __init__(self, document):
        self.about = document["machine"]
        self.options = document["options"]
        self.failures = document["failures"]
        self.left_out = document["left_out"]
        self.rows = [row_from_json(text) for text in document["results"]]
        self.systems = sorted({row.system for row in self.rows}, key=system_order)
        self.workers = sorted({row.workers for row in self.rows})
        variants = {}
        for row in self.rows:
            variants.setdefault((row.benchmark, row.system), {})[row.variant] = True
        self._many = {system for (_, system), names in variants.items() if len(names) > 1}

    def label(self, row):
        """The system, and its variant where it has several."""
        return f"{row.system} {row.variant}" if row.system in self._many else row.system

    def find(self, benchmark, metric, workers=None, text=None):
        return [row for row in self.rows
                if row.benchmark == benchmark and row.metric == metric
                and workers in (None, row.workers) and text in (None, row.input)]

    def most_workers(self, benchmark):
        return max((row.workers for row in self.rows
                    if row.benchmark == benchmark and row.system != "serial"), default=1)

    def benchmarks(self):
        return list(dict.fromkeys(row.benchmark for row in self.rows))

    def inputs(self, benchmark):
        return list(dict.fromkeys(row.input for row in self.rows if row.benchmark == benchmark))

    def by_label(self, rows):
        """{label: [row, in the order of workers]}"""
        found = {}
        for row in sorted(rows, key=lambda r: (system_order(r.system), r.workers)):
            found.setdefault(self.label(row), []).append(row)
        return found

    def serial(self, benchmark, metric, text):
        return next((row.median() for row in self.find(benchmark, metric, 1, text)
                     if row.system == "serial"), None)

    def one(self, like, metric, workers=None):
        """The median of another metric of the same case, or with another number of workers."""
        for row in self.find(like.benchmark, metric, workers or like.workers, like.input):
            if (row.system, row.variant) == (like.system, like.variant):
                return row.median()
        return None

    def splits(self):
        """[(benchmark, label, {share: part of all workers' time})] of the systems that keep
        account, with the most workers they ran with."""
        found = []
        for benchmark in ("bin", *APPLICATIONS):  # the others measure the runtime alone
            for text in self.inputs(benchmark):
                name = f"{benchmark} {text}".strip()
                workers = self.most_workers(benchmark)
                for row in self.find(benchmark, "work", workers, text):
                    shares = self.split(row)
                    if shares:
                        found.append((name, self.label(row), shares))
        return found

    def split(self, row):
        """Work as in the serial program; what it takes more than that on one worker is the
        runtime's code that is inlined there; what it takes more on several is stretch."""
        parts = [self.one(row, metric)
                 for metric in ("work", "overhead", "idle-ready", "idle-empty")]
        total = sum(part or 0 for part in parts)
        if total <= 0:
            return None
        work, overhead, ready, empty = (part or 0 for part in parts)
        alone = self.one(row, "work", 1)
        alone = work if alone is None else min(alone, work)
        serial = next((self.serial(row.benchmark, metric, row.input) for metric in ("time",)
                       if self.serial(row.benchmark, metric, row.input)), alone)
        pure = min(serial, alone)
        values = (pure, work - alone, overhead + alone - pure, ready, empty)
        return {name: value / total for name, value in zip(SHARES, values)}


def trials(rows):
    """The trials of diffuse from its rows start-1, start-2 ...: lists of sorted start times."""
    ranks = sorted(rows, key=lambda row: int(row.metric.split("-")[1]))
    return [list(times) for times in zip(*(row.values for row in ranks))]


def middle_trial(all_trials):
    """The one whose last start is in the middle."""
    return sorted(all_trials, key=lambda times: times[-1])[len(all_trials) // 2]


def spread(rows):
    return median(rows), min(rows), max(rows)

# SPDX-License-Identifier: Apache-2.0
"""Rounds: every case once, in turn (A B C A B C ...), so that a disturbance of the machine meets
all of them alike. A figure is the median of the rounds, with the smallest and the largest."""

import json
import sys
import time
from dataclasses import dataclass, field
from statistics import median

from programs import Case, execute, variants_of

SPEEDUP = "speedup"
TIMED = ("time", "time-per-spawn", "time-per-call")  # metrics with a speed-up
# Problems that are about their inputs, with the same variants for every system: a round goes through them
# input by input, so that what is compared lies close together.
BY_INPUT = ("loops", "sort")
NOT_RUN = "not run"
ACCOUNT = ("kasuri", {"KASURI_STATS": "1"})
ACCOUNT_METRICS = ("work", "overhead", "idle-ready", "idle-empty")


@dataclass
class Row:
    """The values of one metric of one case; a value a round, or several."""

    benchmark: str
    system: str
    variant: str
    workers: int
    metric: str
    unit: str
    compiler: str
    version: str
    input: str = ""
    values: list = field(default_factory=list)

    def median(self):
        return median(self.values)

    def as_json(self):
        return {"benchmark": self.benchmark, "system": self.system, "variant": self.variant,
                "input": self.input, "workers": self.workers, "metric": self.metric,
                "unit": self.unit, "median": self.median(), "min": min(self.values),
                "max": max(self.values), "n": len(self.values), "compiler": self.compiler,
                "version": self.version, "values": self.values}


def row_from_json(text):
    return Row(text["benchmark"], text["system"], text["variant"], text["workers"],
               text["metric"], text["unit"], text["compiler"], text.get("version", ""),
               text.get("input", ""), text["values"])


@dataclass
class Plan:
    """How cases are run."""

    reps: int
    quick: bool = False
    size: int = 0
    limit: int = 600  # seconds for one process
    patience: float = 0  # seconds after which a case gets no further round; 0: any time
    hopeless: int = 0  # time-outs after which a variant of a system is given up; 0: never
    accounts: bool = False  # ask for the split of time, too
    variants: list = None
    inputs: list = None
    # A further set of parameters that programs are asked to accept, by benchmark.
    extra_inputs: dict = field(default_factory=dict)
    several_builds: bool = False
    progress: object = None  # called with a line of text


def cases_of(programs, plan, workers_for):
    """The cases of some programs of one benchmark; `workers_for(program)` lists the counts."""
    cases = []
    for program in programs:
        pairs, trouble = variants_of(program, plan.quick)
        extras = plan.extra_inputs.get(program.benchmark, [])
        for extra in extras:
            pairs += [pair for pair in dict.fromkeys((variant, extra) for variant, _ in pairs)
                      if pair not in pairs]
        for variant, text in pairs:
            if plan.variants and variant and variant not in plan.variants:
                continue
            # An input that has no name is the only one of its problem, unless others are asked for.
            if plan.inputs and (text or extras) and text not in plan.inputs:
                continue
            cases += [Case(program, variant, text, count, trouble)
                      for count in workers_for(program)]
    return side_by_side(cases)


def side_by_side(cases):
    """What is compared, one after the other."""
    if not any(case.program.benchmark in BY_INPUT for case in cases):
        return cases
    variants = list(dict.fromkeys(case.variant for case in cases))
    inputs = list(dict.fromkeys(case.input for case in cases))
    return sorted(cases, key=lambda case: (variants.index(case.variant),
                                           inputs.index(case.input), case.workers))


def sample(case, plan, more=None):
    """Runs a case once: the JSON objects that it printed. Notes trouble in the case."""
    arguments = ["--reps", "1", "--workers", str(case.workers)]
    arguments += ["--variant", case.variant] if case.variant else []
    arguments += ["--input", case.input] if case.input else []
    arguments += ["--quick"] if plan.quick else []
    arguments += ["--size", str(plan.size)] if plan.size else []
    start = time.monotonic()
    output, case.trouble, case.timed_out = execute(case.program, arguments, plan.limit,
                                                   case.workers, more)
    case.spent += time.monotonic() - start
    if output is None:
        return []
    try:
        lines = [json.loads(line) for line in output.splitlines()]
        for line in lines:
            if not line["values"]:
                raise ValueError("a metric without values")
            float(sum(line["values"]))
            str(line["metric"] + line["unit"] + line["compiler"] + line["version"])
    except (ValueError, KeyError, TypeError) as error:
        case.trouble = f"its output is not what a benchmark prints: {error!r}"
        return []
    if not lines:
        case.trouble = "it printed no results"
    return lines


def way_of(case):
    return case.program.system, case.variant


def given_up(failures):
    """Lines that sum up the failures of cases that were not run."""
    sums = {}
    for one in failures:
        if one["reason"].startswith(NOT_RUN):
            key = (one["system"], one["variant"], one["reason"])
            sums[key] = sums.get(key, 0) + 1
    return [f"failed: {count} cases of {system} {variant}: {reason}"
            for (system, variant, reason), count in sums.items()]


class Rounds:
    """All rounds of one benchmark."""

    def __init__(self, cases, plan, given_up):
        self._cases = cases
        self._plan = plan
        self._given_up = given_up  # (system, variant) -> time-outs, over all benchmarks
        self._rows = {}

    def run(self):
        """The rows, in the order of the cases; those of cases that failed are left out."""
        active = [case for case in self._cases if not case.trouble]
        for turn in range(self._plan.reps):
            for case in list(active):
                if self._hopeless(case):
                    active.remove(case)
                    continue
                if self._plan.progress:
                    self._plan.progress(turn, case)
                if not self._take(case):
                    active.remove(case)
        self._take_accounts()
        broken = {id(case) for case in self._cases if case.trouble}
        return [row for (case, _), row in self._rows.items() if case not in broken]

    def _take_accounts(self):
        """Once more the cases of a system that keeps account of its workers' time where it is told
        to: the other rounds measure it without."""
        for case in self._cases:
            if not self._plan.accounts or case.trouble or not case.spent:
                continue
            if case.program.system == ACCOUNT[0]:
                for line in sample(case, self._plan, ACCOUNT[1]):
                    if line["metric"] in ACCOUNT_METRICS:
                        self._row_of(case, line).values += line["values"]

    def _hopeless(self, case):
        if not self._plan.hopeless or self._given_up.get(way_of(case), 0) < self._plan.hopeless:
            return False
        case.trouble = (f"{NOT_RUN}: {case.program.system} {case.variant} did not finish "
                        f"{self._plan.hopeless} times before")
        return True

    def _take(self, case):
        """One run; False when it was the last one of this case."""
        lines = sample(case, self._plan)
        for line in lines:
            self._row_of(case, line).values += line["values"]
        if case.timed_out:
            self._given_up[way_of(case)] = self._given_up.get(way_of(case), 0) + 1
        return bool(lines) and not (self._plan.patience and case.spent > self._plan.patience)

    def _row_of(self, case, line):
        label = case.variant
        if self._plan.several_builds and not case.program.of_openmp_folder():
            label += f" ({line['compiler']})"
        new = Row(case.program.benchmark, case.program.system, label, case.workers, line["metric"],
                  line["unit"], line["compiler"], line["version"], case.input)
        return self._rows.setdefault((id(case), line["metric"]), new)


def like(row, others):
    """The row of `others` to compare with: same parameters; same compiler and variant where there
    is one, else the first."""
    def closeness(other):
        return (other.compiler == row.compiler, other.variant == row.variant)
    return max((o for o in others if o.input == row.input), key=closeness, default=None)


def with_speedups(rows):
    """After each running time, how many times faster it was than the serial one of its round."""
    result = []
    for row in rows:
        result.append(row)
        if row.metric not in TIMED or row.system == "serial":
            continue
        serial = like(row, [r for r in rows if r.system == "serial" and r.metric == row.metric])
        if serial is None:
            continue
        values = [base / own for base, own in zip(serial.values, row.values)]
        result.append(Row(row.benchmark, row.system, row.variant, row.workers, SPEEDUP, "x",
                          row.compiler, row.version, row.input, values))
    return result


def same_terminal_line(text):
    """Shows how far it is where somebody looks on."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

# SPDX-License-Identifier: Apache-2.0
"""The comparative study of task systems: runs it in turns, checks the answers, writes JSON and a
page with the figures."""

import json
import os
import sys
import time
from pathlib import Path

import machine
import programs as built
from arguments import Parser, counts, names, positive
from measure import (NOT_RUN, Plan, Rounds, cases_of, given_up, same_terminal_line,
                     with_speedups)

VERSION = 1  # of the JSON
KIND = "kasuri-compare"
# In the order of the page.
BENCHMARKS = ["create", "create-scale", "latency", "diffuse", "bin", "loops", "fib", "queens",
              "uts", "cilksort", "matmul", "sparselu", "fft"]
# Every second one of their inputs: a point on a line takes as long as another problem's case.
SOME_INPUTS = {"loops": ["n=10", "n=1000", "n=100000", "n=10000000"]}
NEED_TWO = ("latency", "diffuse")
PATIENCE = {False: 20, True: 3}  # seconds of a case, full and --quick
LIMIT = {False: 120, True: 20}  # seconds of one process
HOPELESS = 2
SYSTEM_PYTHON = "/usr/bin/python3"


def default_workers():
    """1, 2, 4 ... and all cores."""
    cores = machine.cores()
    return sorted({2 ** i for i in range(cores.bit_length())} | {cores})


def parse(words):
    parser = Parser(prog="kasuri: compare", usage="kasuri compare [OPTIONS]", description=__doc__)
    parser.hint = "; see kasuri compare --help"
    parser.add_argument("--systems", type=names, metavar="a,b", help="only these; default: all")
    parser.add_argument("--benchmarks", type=names, metavar="a,b",
                        help=f"only these; default: {','.join(BENCHMARKS)}")
    parser.add_argument("--variants", type=names, metavar="a,b",
                        help="only these ways to use the systems")
    parser.add_argument("--input", action="append", default=[], metavar="TEXT",
                        help="a further set of bin's parameters: A=100,K=3,n=5; repeatable")
    parser.add_argument("--workers", type=counts, metavar="1,2,4",
                        help="default: powers of two and all cores")
    parser.add_argument("--quick", action="store_true", help="small sizes, 3 rounds")
    parser.add_argument("--reps", type=positive, metavar="N", help="rounds; default 5")
    parser.add_argument("--size", type=positive, metavar="N", help="of every problem but loops, whose lengths are inputs")
    parser.add_argument("--limit", type=positive, metavar="S",
                        help=f"seconds that one process may take; default {LIMIT[False]}, with "
                             f"--quick {LIMIT[True]}")
    parser.add_argument("--json", metavar="FILE", default="kasuri-compare.json",
                        help="results; default kasuri-compare.json")
    parser.add_argument("--html", metavar="FILE", default="kasuri-compare.html",
                        help="the page; default kasuri-compare.html")
    parser.add_argument("--merge", nargs="+", action="extend", default=[], metavar="FILE",
                        help="results of other machines, to be shown on the same page")
    parser.add_argument("--page-only", action="store_true",
                        help="run nothing: a page of what --merge names")
    parser.add_argument("--list", action="store_true", help="what there is to choose from")
    parser.add_argument("--programs", type=Path, required=True, metavar="DIR",
                        help="the folder of the benchmark programs; kasuri knows it")
    parser.add_argument("--openmp", type=Path, metavar="DIR",
                        help="the folder of Kasuri's OpenMP library; kasuri knows it")
    if words == ["--describe"]:  # for manual pages and completion, as the other commands have it
        print(json.dumps(parser.described("compare"), indent=1))
        sys.exit(0)
    options = parser.parse_args(words)
    options.reps = options.reps or (3 if options.quick else 5)
    options.limit = options.limit or LIMIT[options.quick]
    return parser, options


def check(parser, options, programs):
    """Leaves with status 2 and one line when something cannot be."""
    benchmarks = known_benchmarks(programs)
    systems = list(dict.fromkeys(p.system for p in sorted(
        programs, key=lambda p: built.system_order(p.system))))
    for what, chosen, known in (("benchmark", options.benchmarks, benchmarks),
                                ("system", options.systems, systems)):
        for name in chosen or []:
            if name not in known:
                parser.error(f"unknown {what} {name!r}; known: {', '.join(known)}")
    if options.page_only and not options.merge:
        parser.error("--page-only: no results; name files with --merge")
    if not options.page_only and not programs:
        parser.error(f"no benchmark programs in {options.programs}")
    if not options.page_only:
        parser.check_writable("--json", options.json)
    parser.check_writable("--html", options.html)


def known_benchmarks(programs):
    have = {p.benchmark for p in programs}
    return [name for name in BENCHMARKS if name in have] + sorted(have - set(BENCHMARKS))


def read_documents(parser, files):
    documents = []
    for name in files:
        try:
            document = json.loads(Path(name).read_text(encoding="utf-8"))
            if document.get("kind") != KIND or document.get("version") != VERSION:
                raise ValueError(f"no results of kasuri compare, version {VERSION}")
            documents.append(document)
        except (OSError, ValueError, AttributeError) as error:
            parser.error(f"--merge {name}: {error}")
    return documents


class Progress:
    """A line a benchmark, and on a terminal one that says how far it is."""

    def __init__(self, total):
        self._start = time.monotonic()
        self._total = total
        self._index = 0
        self._label = ""

    def benchmark(self, name, cases):
        self._index += 1
        self._label = f"[{self._index}/{self._total}] {name}"
        systems = len({case.program.system for case in cases})
        same_terminal_line("")
        print(f"{self._label}: {systems} systems, {len(cases)} cases, "
              f"{self._seconds()} s so far", file=sys.stderr, flush=True)

    def case(self, turn, case, done, total):
        what = " ".join(filter(None, [case.program.system, case.variant, case.input]))
        same_terminal_line(f"{self._label}: {100 * done // max(total, 1)} %, round {turn + 1}, "
                           f"{what} with {case.workers}, {self._seconds()} s")

    def _seconds(self):
        return int(time.monotonic() - self._start)


def workers_of(name, options):
    wanted = options.workers or default_workers()
    return [count for count in wanted if count > 1] if name in NEED_TWO else wanted


def run_benchmark(name, programs, options, progress, time_outs):
    plan = Plan(options.reps, options.quick, options.size, options.limit,
                PATIENCE[options.quick], HOPELESS, True, options.variants, SOME_INPUTS.get(name),
                {"bin": options.input})
    cases = cases_of([p for p in programs if p.benchmark == name], plan,
                     lambda _: workers_of(name, options))
    progress.benchmark(name, cases)
    done = 0

    def step(turn, case):
        nonlocal done
        progress.case(turn, case, done, len(cases) * options.reps)
        done += 1

    plan.progress = step
    rows = with_speedups(Rounds(cases, plan, time_outs).run())
    same_terminal_line("")
    failures = [{**case.key(), "reason": case.trouble} for case in cases if case.trouble]
    for one in failures:
        if not one["reason"].startswith(NOT_RUN):
            print(failure_line(one), flush=True)
    return rows, failures


def failure_line(one):
    what = " ".join(filter(None, [one["benchmark"], one["system"], one["variant"], one["input"]]))
    return f"failed: {what} with {one['workers']} workers: {one['reason']}"


def run_study(programs, options):
    chosen = [name for name in known_benchmarks(programs)
              if name in (options.benchmarks or BENCHMARKS)]
    programs = [p for p in programs if p.system in (options.systems or [p.system])]
    left_out = {}
    for program in programs:
        if program.own_environment and program.system not in left_out:
            left_out[program.system] = built.wrong_runtime(program)
    programs = [p for p in programs if not left_out.get(p.system)]
    progress = Progress(len(chosen))
    time_outs = {}
    rows, failures = [], []
    start = time.monotonic()
    for name in chosen:
        more, broken = run_benchmark(name, programs, options, progress, time_outs)
        rows += more
        failures += broken
    return {
        "kind": KIND, "version": VERSION,
        "machine": machine.describe(rows),
        "options": {"quick": options.quick, "rounds": options.reps, "size": options.size or 0,
                    "workers": options.workers or default_workers(), "limit": options.limit},
        "seconds": round(time.monotonic() - start, 1),
        "left_out": [{"system": s, "reason": why} for s, why in left_out.items() if why],
        "failures": failures,
        "results": [row.as_json() for row in rows],
    }


def write_page(documents, options):
    """Matplotlib may be known to the system's Python alone, and another be first on the path."""
    try:
        import page  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        if sys.executable != SYSTEM_PYTHON and Path(SYSTEM_PYTHON).exists():
            files = options.merge if options.page_only else [options.json, *options.merge]
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", __file__, "--page-only", "--html",
                                     options.html, "--programs", str(options.programs), "--merge",
                                     *files])
        print(f"kasuri: compare: no page: {error.name or error} is missing; the page needs "
              "Matplotlib, which Debian and Ubuntu have as python3-matplotlib", file=sys.stderr)
        return
    Path(options.html).write_text(page.render(documents), encoding="utf-8")
    print(f"page: {options.html}")


def report(document, options):
    for one in document["left_out"]:
        print(f"left out: {one['system']}: {one['reason']}")
    systems = {row["system"] for row in document["results"]}
    line = (f"{len(document['results'])} figures of {len(systems)} systems in "
            f"{document['seconds']:.0f} s: {options.json}")
    for line in given_up(document["failures"]):
        print(line)
    if document["failures"]:
        broken = sorted({one["system"] for one in document["failures"]})
        line += (f"; {len(document['failures'])} cases failed ({', '.join(broken)}), "
                 "the others are complete")
    print(line)


def main(words):
    parser, options = parse(words)
    programs = built.find([options.programs], options.openmp)
    if options.list:
        for name in known_benchmarks(programs):
            systems = sorted({p.system for p in programs if p.benchmark == name},
                             key=built.system_order)
            print(f"{name:14} {' '.join(systems)}")
        return 0
    check(parser, options, programs)
    others = read_documents(parser, options.merge)
    documents = list(others)
    if not options.page_only:
        document = run_study(programs, options)
        documents.insert(0, document)
        Path(options.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        report(document, options)
    sys.stdout.flush()
    write_page(documents, options)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

# SPDX-License-Identifier: Apache-2.0
"""bench/run: benchmark programs of several systems in turns, compared with Kasuri in tables."""

import json
import os
import subprocess
import sys
from pathlib import Path

import machine
import openmp_runtimes as openmp
import programs as built
from arguments import Parser, counts, names, positive
from measure import Plan, Rounds, cases_of, like, same_terminal_line, with_speedups

HERE = Path(__file__).resolve().parent.parent
OWN_INPUTS = ("bin", "loops", "sort")  # problems that accept sets of parameters beyond their own
PATIENCE = 6  # seconds that the rounds of one OpenMP case may take: stock needs hours for some


def known_benchmarks():
    own = sorted(path.parent.name for path in HERE.glob("*/problem.hpp"))
    return own + openmp.benchmark_names()


def workers_for(program, options):
    """One and all cores by default; constructs of OpenMP also with more threads than cores."""
    cores = machine.cores()
    if options.workers:
        return options.workers
    if program.benchmark == "openmp-sync":
        return [cores, 4 * cores]
    return [cores] if program.of_openmp_folder() else sorted({1, cores})


def ordered_cases(chosen, plan, options):
    cases = cases_of(chosen, plan, lambda program: workers_for(program, options))
    # Variant by variant, so that what is compared lies close together in a round.
    order = {variant: index for index, variant in enumerate(dict.fromkeys(
        case.variant for case in cases))}
    if any(program.of_openmp_folder() for program in chosen):
        cases.sort(key=lambda case: (case.workers, order[case.variant]))
    return cases


def ratio(row, rows):
    """Kasuri's median over this row's, with as many workers."""
    if row.benchmark.startswith(openmp.PREFIX):
        return short(openmp.kasuri_over(row, rows))
    own = like(row, [r for r in rows if r.system == "kasuri" and r.metric == row.metric
                     and r.workers == row.workers])
    if own is None or row.median() == 0:
        return ""
    return f"{own.median() / row.median():.3g}"


def short(value):
    return "" if value is None else f"{value:.3g}"


def number(value):
    return f"{value:.4g}" if abs(value) < 1e6 else f"{value:.3e}"


def print_table(rows):
    lines = [("benchmark", "metric", "system", "variant", "workers", "median", "min..max", "unit",
              "kasuri/this", "this/stock")]
    ordered = sorted(enumerate(rows), key=lambda pair: (pair[1].metric, pair[1].input,
                                                        pair[1].workers, pair[0]))
    for _, row in ordered:
        lines.append((row.benchmark, row.metric, row.system, f"{row.variant} {row.input}".strip(),
                      str(row.workers), number(row.median()),
                      f"{number(min(row.values))}..{number(max(row.values))}",
                      row.unit, ratio(row, rows), short(openmp.over_stock(row, rows))))
    if not any(line[-1] for line in lines[1:]):  # no OpenMP runtimes to compare
        lines = [line[:-1] for line in lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    right = (4, 5, 8, 9)
    for line in lines:
        cells = [cell.rjust(width) if column in right else cell.ljust(width)
                 for column, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())
    for line in openmp.summary(rows):
        print(line)
    print(flush=True)


def print_trouble(cases):
    """A line for each failure; True if there was one."""
    failed = [case for case in cases if case.trouble]
    for case in failed:
        on = f" on {case.program.system}" if case.program.of_openmp_folder() else ""
        what = " ".join(filter(None, [case.variant, case.input]))
        print(f"failed: {case.program.path.name}{on} {what} with {case.workers} workers: "
              f"{case.trouble}")
    return bool(failed)


def print_list(programs):
    for name in known_benchmarks():
        systems = dict.fromkeys(p.system for p in programs if p.benchmark == name)
        print(f"{name:16} {' '.join(systems) or '(not built)'}")


class BusyCores:
    """A process on each core that does nothing but compute, while this object is in use."""

    LOOP = ("import os, sys\n"
            "os.sched_setaffinity(0, {int(sys.argv[1])})\n"
            "while os.getppid() == int(sys.argv[2]):\n"
            "    for _ in range(1000000):\n"
            "        pass\n")

    def __init__(self, wanted):
        self._cores = os.sched_getaffinity(0) if wanted else ()
        self._processes = []

    def __enter__(self):
        for core in self._cores:
            command = [sys.executable, "-c", self.LOOP, str(core), str(os.getpid())]
            self._processes.append(subprocess.Popen(command))
        return self

    def __exit__(self, *_):
        for process in self._processes:
            process.kill()
            process.wait()


def parse():
    parser = Parser(prog="bench/run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="benchmarks, or openmp, openmp-apps for several; see --list")
    parser.add_argument("--all", action="store_true", help="every benchmark")
    parser.add_argument("--list", action="store_true", help="what there is, and built for whom")
    parser.add_argument("--workers", type=counts, metavar="1,2",
                        help="default: 1 and all cores; OpenMP: all cores")
    parser.add_argument("--systems", type=names, metavar="a,b",
                        help="only these systems; Kasuri and the base line are not implied")
    parser.add_argument("--variants", type=names, metavar="a,b", help="only these variants")
    parser.add_argument("--input", action="append", default=[], metavar="TEXT",
                        help="only this set of the problem's parameters, or a further one that it "
                             "accepts: A=100,K=3,n=5 for bin, n=1000 for loops, records,almost,n=1000 "
                             "for sort; repeatable")
    parser.add_argument("--busy", action="store_true",
                        help="with a process that computes on each core beside")
    parser.add_argument("--bolt", metavar="DIR", help="the folder of BOLT's library: a system more")
    parser.add_argument("--quick", action="store_true", help="small sizes, 3 rounds")
    parser.add_argument("--reps", type=positive, metavar="N", help="rounds, default 5")
    parser.add_argument("--limit", type=positive, metavar="S", default=built.TIME_LIMIT,
                        help="seconds that one process may take, default "
                             f"{built.TIME_LIMIT}")
    parser.add_argument("--size", type=positive, metavar="N", help="the problem's size")
    parser.add_argument("--json", metavar="FILE", help="write the results there as well")
    parser.add_argument("--build", action="append", type=Path, default=[], metavar="DIR",
                        help="a further build folder, such as one by another compiler")
    options = parser.parse_args()
    options.builds = [path for path in [HERE.parent / "build", *options.build] if path.is_dir()]
    options.reps = options.reps or (3 if options.quick else 5)
    options.names = known_benchmarks() if options.all or options.list else list(dict.fromkeys(
        one for name in options.names for one in openmp.groups().get(name, [name])))
    return parser, options


def check_names(parser, options, programs, left_out):
    """Leaves with status 2 and the known names when one is unknown or none is given."""
    known = known_benchmarks()
    for name in options.names:
        if name not in known:
            parser.error(f"unknown benchmark {name!r}; "
                         f"known: {', '.join([*known, *openmp.groups()])}")
    if not options.names:
        parser.error(f"no benchmark named; known: {', '.join(known)} (or --all)")
    missing = [str(path) for path in options.build if not path.is_dir()]
    if missing:
        parser.error(f"no such build folder: {', '.join(missing)}")
    systems = sorted({program.system for program in programs})
    if not systems:
        parser.error("no benchmark programs in build/bin: build the project with KASURI_BENCH=ON first")
    for system in options.systems or []:
        if system not in systems:
            for line in left_out:
                if line.startswith(f"{system} "):
                    parser.error(line)
            parser.error(f"unknown or unbuilt system {system!r}; built: {', '.join(systems)}")
    if options.bolt and not Path(options.bolt).is_dir():
        parser.error(f"--bolt {options.bolt}: no such folder")
    if options.json:
        parser.check_writable("--json", options.json)


def plan_of(options, name):
    def progress(turn, case):
        same_terminal_line(f"{name}: round {turn + 1} of {options.reps}, {case.program.system} "
                           f"{case.variant} with {case.workers}")
    return Plan(options.reps, options.quick, options.size, options.limit,
                patience=PATIENCE if name.startswith(openmp.PREFIX) else 0,
                variants=options.variants, inputs=options.input,
                extra_inputs={name: options.input} if name in OWN_INPUTS else {},
                several_builds=len(options.builds) > 1, progress=progress)


def main():
    parser, options = parse()
    runtimes = openmp.Runtimes(options.builds, options.bolt)
    ours = next((b / "lib/kasuri/omp" for b in options.builds
                 if (b / "lib/kasuri/omp").is_dir()), None)
    programs = built.find([build / "bin" for build in options.builds], ours)
    programs += [built.Program(benchmark, setting.system, path, 0, setting)
                 for benchmark, setting, path in runtimes.found(options.names)]
    if options.list:
        print_list(programs)
        return 0
    check_names(parser, options, programs, runtimes.left_out())
    if any(name.startswith(openmp.PREFIX) for name in options.names):
        for line in runtimes.left_out():
            print(line)
    results = []
    failed = False
    with BusyCores(options.busy):
        for name in options.names:
            chosen = [p for p in programs
                      if p.benchmark == name and p.system in (options.systems or [p.system])]
            plan = plan_of(options, name)
            cases = ordered_cases(chosen, plan, options)
            rows = with_speedups(Rounds(cases, plan, {}).run())
            same_terminal_line("")
            if rows:
                print_table(rows)
            troubled = print_trouble(cases)
            if not rows and not troubled:
                print(f"{name}: no case applies to these arguments")
            failed = troubled or failed
            results += rows
    about = machine.describe(results, options.busy)
    print(machine.line(about))
    if options.json:
        document = {"machine": about, "results": [row.as_json() for row in results]}
        Path(options.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0

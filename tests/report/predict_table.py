#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How right `kasuri predict` is: a row for each program. See docs/how-to/judge-predictions.md.

Each program is recorded on one and on two workers, and timed on each number of workers that is predicted, in turns, a
number of times; the least time counts. Runs beside which other programs took the CPUs are repeated for a while.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measure import CPUS, QUIET, run_quietly

HERE = Path(__file__).resolve().parent
LOOPS = ("even", "fine", "rising", "one_long", "nested", "reduce", "locked", "serial_between", "tree", "lopsided",
         "group")
OPENMP = ("even", "rising", "rising_dynamic", "rising_guided", "one_long", "locked", "phases", "tasks", "flat_tasks",
          "wavefront", "chains")
# {p} is the number of workers.
BUILT = {
    "bench/bin-750": "bench_bin_kasuri --workers {p} --reps 8 --variant parallel_invoke --input A=750,K=2",
    "bench/bin-23000": "bench_bin_kasuri --workers {p} --reps 3 --variant parallel_invoke --input A=23000,K=1 --quick",
    "bench/create": "bench_create_kasuri --workers {p} --reps 5 --variant parallel_invoke",
    "bench/fib": "bench_fib_kasuri --workers {p} --reps 8 --variant parallel_invoke --quick",
    "apps/cilksort": "cilksort --workers {p} --repeat 3",
    "apps/uts": "uts --workers {p} --repeat 3",
    "apps/queens": "queens --workers {p} --repeat 5",
    "apps/jacobi": "jacobi --no-check --iterations 100 --threads {p}",
    "apps/jacobi-loop": "jacobi --no-check --iterations 100 --threads {p} --variant loop",
    "apps/sparselu": "sparselu --no-check --threads {p}",
    "apps/sparselu-loop": "sparselu --no-check --threads {p} --variant loop",
    "kastors/jacobi": "jacobi_gcc --no-check --iterations 100 --threads {p}",
    "kastors/sparselu": "sparselu_gcc --no-check --threads {p}",
    "kastors/strassen": "strassen_gcc --no-check --threads {p}",
}


@dataclass
class Program:
    name: str
    command: list
    openmp: bool = False

    def on(self, build, workers):
        """The command on so many workers."""
        words = [w.replace("{p}", str(workers)) for w in self.command]
        env = [f"KASURI_NUM_WORKERS={workers}", f"OMP_NUM_THREADS={workers}"]
        if self.openmp:
            env.append(f"LD_LIBRARY_PATH={build}/lib/kasuri/omp")
        return ["env", *env, *words]


def compiled(build, folder):
    """The programs of this folder, with `loops` and `openmp` built."""
    loops = folder / "loops"
    include = ["-I", str(HERE.parents[1] / "include"), "-I", str(build / "include")]
    library = [f"-L{build}/lib", "-lkasuri", f"-Wl,-rpath,{build}/lib"]
    source = HERE / "predicted"
    subprocess.run(["g++", "-std=c++20", "-O2", "-g", *include, str(source / "loops.cpp"), "-o", str(loops), *library],
                   check=True)
    all_programs = [Program(f"loops/{way}", [str(loops), way]) for way in LOOPS]
    for compiler in ("gcc", "clang-19"):
        if not shutil.which(compiler):
            continue
        binary = folder / f"openmp-{compiler}"
        subprocess.run([compiler, "-std=gnu11", "-O2", "-g", "-fopenmp", str(source / "openmp.c"), "-o", str(binary)],
                       check=True)
        all_programs += [Program(f"{compiler}/{way}", [str(binary), way], True) for way in OPENMP]
    return all_programs


def built(build):
    """Those of the build folder that are there."""
    found = []
    for name, words in BUILT.items():
        first, *rest = words.split()
        if (build / "bin" / first).exists():
            found.append(Program(name, [str(build / "bin" / first), *rest], name.startswith("kastors")))
        else:
            print(f"{name} is left out: there is no {build}/bin/{first}", file=sys.stderr)
    return found


def record(program, build, workers, out):
    command = program.on(build, workers)
    command.insert(1, f"KASURI_PROFILE={out}")
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def predict(build, profiles, counts):
    """Seconds by number of workers, and what else the command says."""
    command = [str(build / "bin/kasuri"), "predict", *map(str, profiles), "--json", "-",
               "--workers", ",".join(map(str, counts))]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    answer = json.loads(done.stdout)
    return {p["workers"]: p for p in answer["predictions"]}, answer


def by_formulas(profile, one, two, workers):
    """What others would say: T1/P; Amdahl's law through the times on 1 and 2; Cilkscale's bound."""
    spans = json.loads(Path(profile).read_text(encoding="utf-8").strip().splitlines()[-1])["spans"]
    serial = max(0.0, min(1.0, 2 * two / one - 1))
    return {"linear": one / workers,
            "amdahl": one * (serial + (1 - serial) / workers),
            "cilkscale": one / workers + (1 - 1 / workers) * 1.7 * spans["burdened_s"]}


def times_of(program, build, counts, options):
    """The least time on each number of workers, and whether all of these were quiet."""
    best = {}
    for _ in range(options.runs):
        for p in counts:
            seconds, others = run_quietly(program.on(build, p), None, options.patience)
            better = p not in best or (others <= QUIET, -seconds) > (best[p][1] <= QUIET, -best[p][0])
            if better:
                best[p] = (seconds, others)
    return {p: s for p, (s, _) in best.items()}, all(o <= QUIET for _, o in best.values())


def percent(predicted, measured):
    return 100 * (predicted / measured - 1)


def row_of(program, build, counts, options, folder):
    """A row for each predicted number of workers."""
    profiles = [folder / "1.profile", folder / "2.profile"]
    for workers, out in zip((1, 2), profiles):
        record(program, build, workers, out)
    by_one, _ = predict(build, profiles[:1], counts)
    by_two, _ = predict(build, profiles[1:], counts)
    by_both, _ = predict(build, profiles, counts)
    measured, quiet = times_of(program, build, sorted({1, 2, *counts}), options)
    rows = []
    for p in counts:
        row = {"program": program.name, "workers": p, "quiet": quiet, "seconds": measured[p], "one_s": measured[1],
               "from_1": percent(by_one[p]["seconds"], measured[p]),
               "from_2": percent(by_two[p]["seconds"], measured[p]),
               "from_both": percent(by_both[p]["seconds"], measured[p]),
               "predicted_from_1_s": by_one[p]["seconds"], "predicted_from_2_s": by_two[p]["seconds"]}
        formulas = by_formulas(profiles[0], measured[1], measured[2], p)
        row.update({name: percent(s, measured[p]) for name, s in formulas.items()})
        rows.append(row)
    return rows


COLUMNS = ("from_1", "from_2", "from_both", "linear", "amdahl", "cilkscale")


def show(row):
    cells = " ".join(f"{row[c]:+9.1f}" for c in COLUMNS)
    mark = " " if row["quiet"] else "~"
    print(f"{row['program']:24} {row['workers']:3} {mark}{row['seconds']:8.3f} {cells}", flush=True)


def summary(rows):
    sure = [r for r in rows if r["quiet"]] or rows
    for what, of in (("median", statistics.median), ("most", max)):
        cells = " ".join(f"{of(abs(r[c]) for r in sure):9.1f}" for c in COLUMNS)
        print(f"{what + ' of errors':37} {cells}")
    if len(sure) != len(rows) or not sure[0]["quiet"]:
        print("~: other programs had processors in each run, so that the measured time is too long")


def check(programs, build, folder):
    """Each program runs, is recorded and predicted; no time is looked at. The number of faults."""
    faults = 0
    for program in programs:
        small = Program(program.name, [*program.command, "4"], program.openmp)
        for workers in (1, 2):
            out = folder / f"{workers}.profile"
            record(small, build, workers, out)
            seconds, answer = predict(build, [out], [1, 2, 16])
            on = answer["recorded_on"]
            bounds = all(p["least_s"] <= p["seconds"] * 1.0001 and p["seconds"] <= p["most_s"] * 1.0001
                         for p in seconds.values())
            if on != workers or not bounds or not seconds[1]["seconds"] >= seconds[16]["seconds"] > 0:
                print(f"{program.name} on {workers}: recorded on {on}, {seconds}", file=sys.stderr)
                faults += 1
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of programs, or the beginnings of names")
    parser.add_argument("--build", default="build", help="the build folder (build)")
    parser.add_argument("--runs", type=int, default=5, help="timed runs on each number of workers (5)")
    parser.add_argument("--patience", type=float, default=20, help="seconds to wait for a quiet moment, a run (20)")
    parser.add_argument("--predict", help="numbers of workers, with commas (2, and up to the CPUs that are here)")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--check", action="store_true", help="only see that all can be recorded and predicted")
    options = parser.parse_args()
    build = Path(options.build).resolve()
    counts = [int(p) for p in options.predict.split(",")] if options.predict else [
        p for p in (2, 4, 8, 16, 32, 64) if p <= max(2, CPUS)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = compiled(build, folder)
        if options.check:
            sys.exit(min(check(programs, build, folder), 1))
        programs += built(build)
        if options.names:
            programs = [p for p in programs if any(p.name.startswith(n) for n in options.names)]
        if not programs:
            sys.exit(f"{' '.join(options.names)}: no such program")
        print(f"{'error in %':24}   P  seconds  " + " ".join(f"{c:>9}" for c in COLUMNS), flush=True)
        rows = []
        for program in programs:
            for row in row_of(program, build, counts, options, folder):
                show(row)
                rows.append(row)
    summary(rows)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    main()

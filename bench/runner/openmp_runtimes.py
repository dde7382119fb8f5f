# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/openmp under each OpenMP runtime: one binary per compiler, and the loader
is told which runtime it finds."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

HERE = Path(__file__).resolve().parent.parent
PREFIX = "openmp-"
COMPILERS = ("gcc", "clang")
STOCK = ("gcc-libgomp", "clang-libomp")
OURS = "kasuri"
POSING = "gcc-libomp"
# The faster one counts.
GROUPS = {"stock": STOCK, OURS: tuple(f"{compiler}-{OURS}" for compiler in COMPILERS)}
COMPARED = [(OURS, "stock"), (f"gcc-{OURS}", STOCK[0]), (f"clang-{OURS}", STOCK[1])]
# Under which names the binaries of the two compilers look for their runtime.
SONAMES = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")
PROBE_LIMIT = 20  # seconds
MICRO = ("openmp-sync", "openmp-task", "openmp-nested")


def benchmark_names():
    return [PREFIX + path.stem for path in sorted((HERE / "openmp").glob("*.cpp"))]


def groups():
    """Names that stand for several benchmarks."""
    names = benchmark_names()
    return {"openmp": names, "openmp-apps": [name for name in names if name not in MICRO]}


@dataclass
class Setting:
    """One runtime as a program of one compiler meets it; `directory` goes before the loader's own
    places, `expected` is the file or folder where the runtime must then come from."""

    system: str
    compiler: str
    directory: Path = None
    expected: Path = None
    never: tuple = ()  # files that must not be it

    def environment(self, workers=None):
        result = dict(os.environ)
        if self.directory:
            before = [self.directory, *filter(None, [result.get("LD_LIBRARY_PATH")])]
            result["LD_LIBRARY_PATH"] = ":".join(map(str, before))
        if workers:
            result["OMP_NUM_THREADS"] = str(workers)
        return result

    def trouble(self, program):
        """Why this program does not run on that runtime; "" when it does."""
        found, trouble = runtime_of(program, self.environment())
        if trouble:
            return trouble
        if self.expected and self.expected.resolve() not in (found, *found.parents):
            return f"the loader took {found}, not {self.expected}"
        if found in self.never:
            return f"the loader took {found}; see LD_LIBRARY_PATH and LD_PRELOAD"
        return ""


def runtime_of(program, environment=None):
    """The file that the loader takes for this program's runtime, or (None, why)."""
    try:
        done = subprocess.run([program, "--runtime"], env=environment, text=True,
                              capture_output=True, timeout=PROBE_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None, f"its start took more than {PROBE_LIMIT} s"
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        return None, lines[0]
    return Path(done.stdout.strip()), ""


class Runtimes:
    """The settings of one run. Posing runtimes get a folder of links, gone with this object."""

    def __init__(self, builds, bolt):
        self._scratch = tempfile.TemporaryDirectory(prefix="bench-openmp-")
        self._left_out = []
        self.settings = [Setting(system, system.split("-")[0]) for system in STOCK]
        self._first_build = builds[0] if builds else None
        self._add_posing_libomp()
        self._add_kasuri(builds)
        if bolt:
            self._add_bolt(Path(bolt))
        others = tuple(s.expected.resolve() for s in self.settings
                       if s.expected and s.system != POSING)
        for setting in self.settings[:len(STOCK)]:
            setting.never = others

    def _add_posing_libomp(self):
        """libomp has libgomp's entry points too: the file that Clang's programs load."""
        program = next(iter(self.programs_of("clang")), None)
        if program is None:
            return
        file, trouble = runtime_of(program)
        if not trouble:
            self.settings.append(Setting(POSING, "gcc", self._links("libomp", file), file))

    def _add_kasuri(self, builds):
        folders = [build / "lib" / "kasuri" / "omp" for build in builds]
        found = next((folder for folder in folders if folder.is_dir()), None)
        for compiler in COMPILERS:
            system = f"{compiler}-{OURS}"
            if found is None:
                self._left_out.append(f"{system} left out: no {' or '.join(map(str, folders))}")
            else:
                # The names there may be links to a file beside the folder.
                soname = "libgomp.so.1" if compiler == "gcc" else "libomp.so.5"
                self.settings.append(Setting(system, compiler, found.resolve(), found / soname))

    def _add_bolt(self, folder):
        names = ("libbolt.so", "libomp.so", "libomp.so.5", "libiomp5.so")
        file = next((folder / name for name in names if (folder / name).is_file()), None)
        for compiler in COMPILERS:
            system = f"{compiler}-bolt"
            if file is None:
                self._left_out.append(f"{system} left out: no {' or '.join(names)} in {folder}")
            else:
                self.settings.append(Setting(system, compiler, self._links("bolt", file), file))

    def _links(self, name, file):
        folder = Path(self._scratch.name) / name
        folder.mkdir(exist_ok=True)
        for soname in SONAMES:
            link = folder / soname
            if not link.is_symlink():
                link.symlink_to(file.resolve())
        return folder

    def programs_of(self, compiler):
        if self._first_build is None:
            return []
        return sorted((self._first_build / "bin").glob(f"bench_{PREFIX}*_{compiler}"))

    def found(self, names):
        """(benchmark, Setting, path) of every program of these that its runtime can load."""
        result = []
        for setting in self.settings:
            for path in self.programs_of(setting.compiler):
                name = path.name[len("bench_"):-len(setting.compiler) - 1]
                if name not in names:
                    continue
                trouble = setting.trouble(path)
                if trouble:
                    self._left_out.append(f"{setting.system} left out of {name}: {trouble}")
                else:
                    result.append((name, setting, path))
        return result

    def left_out(self):
        return list(dict.fromkeys(self._left_out))


def same_point(row, other):
    return ((row.benchmark, row.variant, row.metric, row.workers)
            == (other.benchmark, other.variant, other.metric, other.workers))


def kasuri_over(row, rows):
    """Kasuri's median over this row's, from a binary of the same compiler."""
    own = least(f"{row.system.split('-')[0]}-{OURS}", row, rows)
    return quotient(own, row.median())


def over_stock(row, rows):
    """This row's median over the smaller one of both compilers' own runtimes."""
    return quotient(row.median(), least("stock", row, rows))


def least(name, point, rows):
    """The median of a system at the point of this row, or the least of a group's."""
    members = GROUPS.get(name, (name,))
    found = [r.median() for r in rows if r.system in members and same_point(point, r)]
    return min(found) if len(found) == len(members) else None


def quotient(a, b):
    """None where it says nothing: an overhead can come out at zero or below."""
    return a / b if a is not None and b is not None and a > 0 and b > 0 else None


def summary(rows):
    """Lines below the table: what nesting costs, and the ratios of Kasuri to the others."""
    points = {(r.metric, r.workers, r.variant): r for r in rows if r.benchmark.startswith(PREFIX)}
    lines = nesting_costs(rows) if points else []
    for metric, workers in dict.fromkeys((metric, workers) for metric, workers, _ in points):
        chosen = [row for key, row in points.items() if key[:2] == (metric, workers)]
        for own, base in COMPARED:
            ratios = [(quotient(least(own, row, rows), least(base, row, rows)), row.variant)
                      for row in chosen]
            ratios = [pair for pair in ratios if pair[0] is not None]
            if ratios:
                mean = geometric_mean(ratio for ratio, _ in ratios)
                (low, best), (high, worst) = min(ratios), max(ratios)
                lines.append(f"{own}/{base}, {metric}, {workers} workers: geometric mean "
                             f"{mean:.3g} of {len(ratios)}, "
                             f"{low:.3g} ({best}) to {high:.3g} ({worst})")
    return lines


def nesting_costs(rows):
    """A line for each system: what nesting costs over the same work in a flat region."""
    costs = {}
    for row in rows:
        flat = re.sub(r"-nested[0-9]+", "-flat", row.variant)
        base = next((r for r in rows if r.variant == flat and r.system == row.system
                     and r.metric == row.metric and r.workers == row.workers), None)
        if flat != row.variant and base:
            ratio = quotient(row.median(), base.median())
            costs.setdefault(row.system, []).append(f"{row.variant} {ratio:.3g}")
    return [f"{system}, nested over flat: {', '.join(found)}" for system, found in costs.items()]

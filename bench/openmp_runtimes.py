# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/openmp under each OpenMP runtime: one binary per compiler, and the loader
is told which runtime it finds."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

HERE = Path(__file__).resolve().parent
PREFIX = "openmp-"
COMPILERS = ("gcc", "clang")
STOCK = ("gcc-libgomp", "clang-libomp")
OURS = "kasuri"
# Under which names the binaries of the two compilers look for their runtime.
SONAMES = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")
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
        done = subprocess.run([program, "--runtime"], env=self.environment(), text=True,
                              capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
            return lines[0]
        found = Path(done.stdout.strip())
        if self.expected and self.expected.resolve() not in (found, *found.parents):
            return f"the loader took {found}, not {self.expected}"
        return ""


class Runtimes:
    """The settings of one run. Posing runtimes get a folder of links, gone with this object."""

    def __init__(self, builds, bolt):
        self._scratch = tempfile.TemporaryDirectory(prefix="bench-openmp-")
        self._left_out = []
        self.settings = [Setting("gcc-libgomp", "gcc"), Setting("clang-libomp", "clang")]
        self._first_build = builds[0] if builds else None
        self._add_posing_libomp()
        self._add_kasuri(builds)
        if bolt:
            self._add_bolt(Path(bolt))

    def _add_posing_libomp(self):
        """libomp has libgomp's entry points too: the file that Clang's programs load."""
        program = next(iter(self.programs_of("clang")), None)
        if program is None:
            return
        done = subprocess.run([program, "--runtime"], text=True, capture_output=True, timeout=60,
                              check=False)
        file = Path(done.stdout.strip())
        if done.returncode == 0 and file.is_file():
            self.settings.append(Setting("gcc-libomp", "gcc", self._links("libomp", file), file))

    def _add_kasuri(self, builds):
        folders = [build / "lib" / "kasuri" / "omp" for build in builds]
        found = next((folder for folder in folders if folder.is_dir()), None)
        for compiler in COMPILERS:
            system = f"{compiler}-{OURS}"
            if found is None:
                self._left_out.append(f"{system} left out: no {' or '.join(map(str, folders))}")
            else:
                # The names there may be links to a file beside the folder.
                self.settings.append(Setting(system, compiler, found.resolve(),
                                             (found / "libgomp.so.1").resolve()))

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

    def found(self, wanted=None):
        """(benchmark, Setting, path) of every program that its runtime can load."""
        result = []
        for setting in self.settings:
            if wanted and setting.system not in wanted:
                continue
            for path in self.programs_of(setting.compiler):
                trouble = setting.trouble(path)
                if trouble:
                    self._left_out.append(f"{setting.system} left out of {path.name}: {trouble}")
                else:
                    name = path.name[len("bench_"):-len(setting.compiler) - 1]
                    result.append((name, setting, path))
        return result

    def left_out(self):
        return list(dict.fromkeys(self._left_out))


def is_ours(system):
    return system.endswith(f"-{OURS}")


def same_point(row, other):
    return ((row.benchmark, row.variant, row.metric, row.workers)
            == (other.benchmark, other.variant, other.metric, other.workers))


def kasuri_over(row, rows):
    """Kasuri's median over this row's, from a binary of the same compiler."""
    own = next((r for r in rows if is_ours(r.system) and same_point(row, r)
                and r.system.split("-")[0] == row.system.split("-")[0]), None)
    return quotient(own.median(), row.median()) if own else None


def over_stock(row, rows):
    """This row's median over the smaller one of both compilers' own runtimes."""
    stock = [r.median() for r in rows if r.system in STOCK and same_point(row, r)]
    return quotient(row.median(), min(stock)) if len(stock) == len(STOCK) else None


def quotient(a, b):
    """None where it says nothing: an overhead can come out at zero or below."""
    return a / b if a > 0 and b > 0 else None


def summary(rows):
    """A line for each of Kasuri's binaries, metric and number of workers: the geometric mean and
    the extremes of its ratios to stock and to each compiler's own runtime."""
    lines = []
    kinds = dict.fromkeys((r.system, r.metric, r.workers) for r in rows if is_ours(r.system))
    for kind in kinds:
        own = [r for r in rows if (r.system, r.metric, r.workers) == kind]
        for base in ("stock", *STOCK):
            ratios = [(ratio, r.variant) for r in own
                      if (ratio := over(r, base, rows)) is not None]
            if ratios:
                mean = geometric_mean(ratio for ratio, _ in ratios)
                (low, best), (high, worst) = min(ratios), max(ratios)
                lines.append(f"{kind[0]}/{base}, {kind[1]}, {kind[2]} workers: geometric mean "
                             f"{mean:.3g}, {low:.3g} ({best}) to {high:.3g} ({worst})")
    return lines


def over(row, base, rows):
    if base == "stock":
        return over_stock(row, rows)
    other = next((r for r in rows if r.system == base and same_point(row, r)), None)
    return quotient(row.median(), other.median()) if other else None

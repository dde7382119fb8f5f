#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs of several ranks on this host, as a user starts them.

  run.py BIN conformance LAUNCHER RANKS [TRANSPORT]   every promise of the transport
  run.py BIN deaths LAUNCHER [TRANSPORT]              ranks that end too early, in all ways
  run.py BIN leaves                                   a whole program of which a rank leaves
  run.py BIN settings LAUNCHER                        ranks whose settings differ, or are bad
  run.py BIN mismatch LAUNCHER                        collective calls that do not match
  run.py BIN program LAUNCHER RANKS PROGRAM [TRANSPORT]   a program that says "all right on N ranks", or
                                                      whose ranks all say that their tests passed
  run.py BIN pairs LAUNCHER COUNT                     two jobs at a time
  run.py BIN one-build                                a runtime of another build beside the library
  run.py BIN still LAUNCHER                           a rank that is stopped, and goes on
  run.py BIN own-mpi                                  a program that has started Open MPI itself
  run.py BIN sanitizer                                a program under AddressSanitizer
  run.py BIN self-test                                the early flush of an MPI is named
  run.py BIN start                                    what cannot be started says why; streams, signals

BIN is the folder of the programs; LAUNCHER is kasuri, mpich or openmpi. Ends with status 77 and a line
where an MPI, or Kasuri's module for it, is not here.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from processes import is_alive  # noqa: E402

SKIPPED = 77
LIMIT = 550  # seconds; ctest, which ends this script after 600, would not say where it stood


# Jobs of Open MPI that begin and end at the same time make and remove one folder of theirs for the user, and one of
# them fails by that (4.1.4: "A call to mkdir was unable to create the desired directory: File exists"). So each has its
# own; a short name, for it holds sockets.
sessions = tempfile.TemporaryDirectory(prefix="k", dir="/tmp")


def environment(**changes):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KASURI_")}
    # As root Open MPI asks for these; it also refuses more ranks than cores.
    kept |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return kept | {name: str(value) for name, value in changes.items() if value is not None}


class Launcher:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.program = str(folder / "kasuri") if name == "kasuri" else f"mpiexec.{name}"
        if name != "kasuri":
            module = folder.parent / "lib" / f"libkasuri-mpi-{name}.so"
            if not module.exists() or shutil.which(self.program) is None:
                print(f"skipped: {self.program} or {module.name} is not here")
                sys.exit(SKIPPED)

    def line(self, ranks, program, *arguments):
        front = {"kasuri": ["run", "-n", str(ranks), "--cluster"],
                 "mpich": ["-n", str(ranks)],
                 "openmpi": ["--oversubscribe", "-n", str(ranks)]}[self.name]
        return [self.program, *front, str(self.folder / program), *map(str, arguments)]

    def line_of_each(self, program, *arguments, settings):
        """For ranks with environments of their own: `settings` has a dictionary for each."""
        if self.name == "kasuri":
            cases = " ".join(
                f"*:{rank}) export {' '.join(f'{name}={value}' for name, value in each.items())};;"
                for rank, each in enumerate(settings) if each)
            words = " ".join([str(self.folder / program), *map(str, arguments)])
            return [self.program, "run", "-n", str(len(settings)), "--cluster", "sh", "-c",
                    f"case $KASURI_JOB in {cases} esac; exec {words}"]
        line = [self.program, *(["--oversubscribe"] if self.name == "openmpi" else [])]
        for rank, each in enumerate(settings):
            line += [*([":"] if rank else []), "-n", "1", "env",
                     *(f"{name}={value}" for name, value in each.items()),
                     str(self.folder / program), *map(str, arguments)]
        return line

    @staticmethod
    def start_line(line, **settings):
        session = {"OMPI_MCA_orte_tmpdir_base": tempfile.mkdtemp(dir=sessions.name)}
        return subprocess.Popen(line, env=environment(**settings) | session,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, start_new_session=True)

    def start(self, ranks, program, *arguments, **settings):
        return self.start_line(self.line(ranks, program, *arguments), **settings)

    def run(self, *arguments, **settings):
        return finish(self.start(*arguments, **settings))


def finish(job):
    """The status and the output."""
    try:
        output, _ = job.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        fail(f"{' '.join(job.args)}: no end after {LIMIT} s\n{job.communicate()[0]}")
    return job.returncode, output


def fail(message):
    print(message)
    sys.exit(1)


def expect(good, what, result):
    if not good:
        fail(f"{what}: status {result[0]}, output:\n{result[1]}")


# What makes the MPIs talk as between hosts, over sockets.
NETWORK = {"UCX_TLS": "tcp,self", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1",
           "OMPI_MCA_osc": "^rdma,sm"}


def conformance(folder, name, ranks, transport=None):
    settings = NETWORK if transport == "network" else {}
    result = Launcher(folder, name).run(
        int(ranks), "cluster_conformance", ranks, *(["quick"] if settings else []),
        KASURI_TRANSPORT="mpi" if settings else transport, **settings)
    expect(result[0] == 0 and f"{ranks} ranks: " in result[1], "conformance", result)
    print(result[1], end="")


CAUSES = {
    "kill": r"it was killed by signal 9 \(Killed\)",
    "abort": r"it was killed by signal 6 \(Aborted\)",
    "exit": r"it ended by exit\(5\)",
    "static": r"it ended by exit\(5\)",
    "quick": r"it ended with status 0",
}


def pids_in(file):
    text = file.read_text() if file.exists() else ""
    return dict(re.findall(r"^rank (\d) is (\d+)$", text, re.MULTILINE))


def expect_death(what, end, pids, result):
    """One line names rank 1, and all ranks have ended."""
    expect(result[0] != 0, what, result)
    lines = [line for line in result[1].splitlines() if line.startswith("kasuri:")]
    cause = rf"kasuri: rank 1 \(pid {pids.get('1')} on host \S+\) ended before the job did: "
    # An MPI may be quicker to end the job than the system to tell of what a rank has died.
    cause += rf"({CAUSES[end]}|it ended by exit\(5\)|it ended with status 5|its process ended.*)"
    expect(len(lines) == 1 and re.fullmatch(cause, lines[0]), what, result)
    deadline = time.monotonic() + LIMIT
    while any(map(is_alive, pids.values())) and time.monotonic() < deadline:
        time.sleep(0.05)
    expect(len(pids) == 4 and not any(map(is_alive, pids.values())), f"{what}: all end", result)


def watches_of(pids):
    """The processes of the program of these ranks that are no ranks."""
    program = os.readlink(f"/proc/{pids['0']}/exe")
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # Not the watches of other jobs: who holds a rope of these ranks shares a pipe with rank 0.
            if each.name in pids.values() or os.readlink(each / "exe") != program:
                continue
            pipes = {os.readlink(link) for link in (each / "fd").iterdir()}
            if any(os.readlink(link) in pipes for link in pathlib.Path("/proc", pids["0"], "fd").iterdir()
                   if os.readlink(link).startswith("pipe:")):
                found.append(int(each.name))
        except OSError:
            continue
    return found


def looks(watch):
    """Whether the watch of four ranks waits for all: two files of each are in its set of events."""
    try:
        for link in pathlib.Path(f"/proc/{watch}/fd").iterdir():
            if os.readlink(link) == "anon_inode:[eventpoll]":
                return pathlib.Path(f"/proc/{watch}/fdinfo/{link.name}").read_text().count("tfd:") >= 8
    except OSError:  # the watch has closed that file, or has ended
        pass
    return False


def death_behind_a_slow_watch(launcher, transport):
    """The launcher knows first of the death, and ends all, its own work done, before the watch runs."""
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place, "pids")
        job = launcher.start(4, "cluster_victim", "linger", "nap", KASURI_TRANSPORT=transport,
                             VICTIM_PIDS=file)
        patience = time.monotonic() + LIMIT
        while len(pids_in(file)) != 4 and time.monotonic() < patience:
            time.sleep(0.05)
        pids = pids_in(file)
        expect(len(pids) == 4, "four ranks start", (0, str(pids)))
        while not any(map(looks, stopped := watches_of(pids))) and time.monotonic() < patience:
            time.sleep(0.05)
        for each in stopped:
            os.kill(each, signal.SIGSTOP)
        os.kill(int(pids["1"]), signal.SIGKILL)
        try:
            job.wait(3)  # Open MPI's ends; MPICH's waits for what the watch may write
        except subprocess.TimeoutExpired:
            pass
        for each in stopped:
            os.kill(each, signal.SIGCONT)
        result = finish(job)
        expect(len(stopped) == 1, "one watch", (0, str(stopped)))
        expect_death("a launcher quicker than the watch", "kill", pids, result)


def deaths(folder, name, transport=None):
    launcher = Launcher(folder, name)
    cases = [("kill", "nap"), ("kill", "compute"), ("static", "nap")]
    if transport is None:
        cases += [("abort", "barrier"), ("exit", "compute"), ("quick", "compute")]
    if name == "kasuri":
        cases += [("kill", "barrier"), ("exit", "nap"), ("static", "barrier"), ("quick", "nap")]
    for end, others in cases:
        what = f"{end} while the others {others}"
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "pids")
            result = launcher.run(4, "cluster_victim", end, others, KASURI_TRANSPORT=transport,
                                  VICTIM_PIDS=file)
            expect_death(what, end, pids_in(file), result)
    if name != "kasuri":
        death_behind_a_slow_watch(launcher, transport)
    result = launcher.run(4, "cluster_victim", "none", "nap", KASURI_TRANSPORT=transport)
    expect(result[0] == 3 and "kasuri:" not in result[1], "an orderly end with status 3", result)


def leaves(folder):
    """A whole program, not the transport alone."""
    for name in ("kasuri", "mpich", "openmpi"):
        if name != "kasuri" and shutil.which(f"mpiexec.{name}") is None:
            continue
        launcher = Launcher(folder, name)
        for end, cause in (("exit", r"it ended by exit\(5\)"), ("kill", "it was killed by signal 9")):
            result = launcher.run(3, "cluster_leaver", end)
            expect(result[0] != 0 and re.search(rf"^kasuri: rank 1 .*{cause}", result[1],
                                                re.MULTILINE), f"{name}: {end}", result)
        # In the middle of its work: it has one closure or more of others.
        result = launcher.run(2, "cluster_leaver", "busy")
        expect(re.search(r"^kasuri: rank 1 .*closures that ran there: [1-9]\d* of rank 0$", result[1],
                         re.MULTILINE), f"{name}: the closures that it had", result)
        result = launcher.run(2, "cluster_leaver", "fault")
        # Open MPI's own handler of the signal may be in between.
        expect(re.search(r"^kasuri: rank 1 .*(closures that ran there: [1-9].*KASURI_CHECK=checkout finds them"
                         r"|cause is not known.*)$", result[1], re.MULTILINE),
               f"{name}: a fault in a closure of another", result)
        result = launcher.run(3, "cluster_leaver", "none")
        expect(result == (0, ""), f"{name}: an orderly end", result)


def one_line(result, what, text):
    """The job has failed, and has said one thing."""
    lines = [line for line in result[1].splitlines() if line.startswith("kasuri: ")]
    expect(result[0] != 0 and len(lines) == 1 and re.fullmatch("kasuri: " + text, lines[0]), what,
           result)


def settings(folder, name):
    launcher = Launcher(folder, name)
    for ranks, setting, usual, other in (
            (3, "TRANSPORT", "auto", "mpi"), (2, "TRANSPORT_FLUSH", "target", "all"),
            (2, "HOST_RANKS", "0", "1"), (2, "GLOBAL_RANGE", "256G", "128G"),
            (2, "GLOBAL_HEAP", "256M", "1M"), (3, "GLOBAL_BLOCK", "4K", "64K"),
            (2, "CHECK", "off", "checkout"), (2, "SCHED", "near", "adws")):
        setting = "KASURI_" + setting
        odd = ranks - 1
        each = [{setting: other} if rank == odd else {} for rank in range(ranks)]
        result = finish(launcher.start_line(
            launcher.line_of_each("cluster_leaver", "none", settings=each)))
        one_line(result, setting, rf"{setting}={other} on rank {odd}, but {usual} on rank 0; accepted: "
                 "one value for all ranks")
    # What need not agree does not have to.
    each = [{"KASURI_CACHE_SIZE": "1M", "KASURI_NUM_WORKERS": "2"}, {"KASURI_SEED": "7"}]
    result = finish(launcher.start_line(
        launcher.line_of_each("cluster_leaver", "none", settings=each)))
    expect(result == (0, ""), "settings of each rank's own", result)
    # Bad values: at all ranks, at one, and what is found out later.
    result = launcher.run(3, "cluster_leaver", "none", KASURI_SCHED="bogus")
    one_line(result, "a bad value", "KASURI_SCHED=bogus: unknown name; accepted: .*")
    result = finish(launcher.start_line(launcher.line_of_each(
        "cluster_leaver", "none", settings=[{}, {"KASURI_GLOBAL_BLOCK": "50"}])))
    one_line(result, "a bad value at one rank",
             "(rank 1: )?KASURI_GLOBAL_BLOCK=50: too small; accepted: .*")
    result = launcher.run(3, "cluster_leaver", "none", KASURI_GLOBAL_BLOCK="5000")
    one_line(result, "no power of two",
             "KASURI_GLOBAL_BLOCK=5000: accepted: a power of two from 4096 to .*")
    result = launcher.run(3, "cluster_leaver", "none", KASURI_NO_SUCH="1")
    expect(result == (0, "kasuri: warning: KASURI_NO_SUCH is no setting of Kasuri\n"),
           "an unknown setting", result)


def mismatch(folder, name):
    launcher = Launcher(folder, name)
    array = "global::vector of 400000 bytes"
    end = r"the end of the global array at global address \d+"
    run = "global::run with a result of 8 bytes"
    reduce = "global::reduce of 4 bytes for rank 2"
    load = r"global::load_checkpoint of 400000 bytes, whose path, names and arrays have checksum \d+"
    for odd, number, all_others, rank_1 in (
            ("array", 1, array, "global::vector of 200000 bytes"),
            ("distribution", 1, array, array + ", cyclic by 16384 bytes"),
            ("first", 1, array, reduce), ("run", 2, reduce, "global::vector of 5 bytes"),
            ("early", 2, reduce, end), ("counters", 2, reduce, "global::counters"),
            ("values", 2, reduce, "global::reduce of 8 bytes for rank 2"),
            ("root", 2, reduce, "global::reduce of 4 bytes for rank 1"),
            ("scan", 2, reduce, "global::scan of 4 bytes"),
            ("capacity", 1, "global::hash_map of capacity 100, with entries of 16 bytes",
             "global::hash_map of capacity 99, with entries of 16 bytes"),
            ("path", 3, load, load),
            ("result", 3, run, "global::run with a result of 1 bytes")):
        for transport in ((None,) if name == "kasuri" else (None, "mpi")):
            result = launcher.run(3, "cluster_odd_one", odd, KASURI_TRANSPORT=transport)
            call = rf"\(its collective call {number}\)"
            one_line(result, odd, rf"collective calls that do not match: rank 0 is in {all_others} {call}"
                     rf", rank 1 in {rank_1} {call}; accepted: the same calls by all ranks, in the same "
                     "order")
    for transport in ((None,) if name == "kasuri" else (None, "mpi")):
        result = launcher.run(3, "cluster_odd_one", "main", KASURI_TRANSPORT=transport)
        one_line(result, "main", r"rank 1 \(pid \d+ on host \S+\) ended before the job did: it ended by "
                 rf"exit\(0\), while rank [02] is in {array} \(its collective call 1\)")
        result = launcher.run(3, "cluster_odd_one", "none", KASURI_TRANSPORT=transport)
        expect(result == (0, ""), "calls that match", result)


def program(folder, name, ranks, which, transport=None):
    """With the settings of whoever runs the test, beside the transport."""
    own = {key: value for key, value in os.environ.items() if key.startswith("KASURI_")}
    own |= {"KASURI_TRANSPORT": transport, "GTEST_COLOR": "no"}
    result = Launcher(folder, name).run(int(ranks), which, **own)
    all_say = result[1].count("[  PASSED  ]") == int(ranks)
    expect(result[0] == 0 and (all_say or f"all right on {ranks} ranks\n" in result[1]), which, result)


def pairs(folder, name, count):
    launcher = Launcher(folder, name)
    for _ in range(int(count)):
        jobs = [launcher.start(2, "cluster_conformance", 2, "quick") for _ in range(2)]
        for job in jobs:
            result = finish(job)
            expect(result[0] == 0, "one of two jobs", result)


def one_build(folder):
    """The OpenMP runtime that kasuri run loads first holds all of the library, too."""
    runtime = folder.parent / "lib" / "kasuri" / "omp" / "libgomp.so.1"
    if not runtime.exists():
        print(f"skipped: {runtime} is not here")
        sys.exit(SKIPPED)
    content = runtime.read_bytes()
    # Loaded from the start, as it is made for: there is room for its thread-locals then.
    line = ("import ctypes; "
            "print((ctypes.c_char * 16).in_dll(ctypes.CDLL(None), 'kasuri_build_word').value.decode())")
    told = subprocess.run([sys.executable, "-c", line], env=environment(LD_PRELOAD=str(runtime)),
                          capture_output=True, timeout=LIMIT, check=True)
    word = told.stdout.strip()
    expect(re.fullmatch(b"[0-9a-f]{16}", word), "the word of a build", (0, word))
    with tempfile.TemporaryDirectory() as place:
        for wrong in (False, True):
            copy = pathlib.Path(place, f"libgomp-{wrong}.so.1")
            copy.write_bytes(content.replace(word, word[::-1] if wrong else word))
            done = subprocess.run([str(folder / "cluster_leaver"), "none"], timeout=LIMIT, check=False,
                                  env=environment(LD_PRELOAD=str(copy)), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            result = (done.returncode, done.stdout)
            if wrong:
                expect(result[0] == 2, "two builds", result)
                one_line(result, "two builds", rf"{copy} and \S+libkasuri\S+ are of two builds of "
                         "Kasuri; accepted: one build in a process .*")
            else:
                expect(result == (0, ""), "one build", result)


def still(folder, name):
    launcher = Launcher(folder, name)
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place, "pids")
        job = launcher.start(2, "cluster_victim", "linger", "nap", VICTIM_PIDS=file)
        patience = time.monotonic() + LIMIT
        while len(pids_in(file)) != 2 and time.monotonic() < patience:
            time.sleep(0.05)
        pids = {rank: int(pid) for rank, pid in pids_in(file).items()}
        os.kill(pids["1"], signal.SIGSTOP)
        line = job.stdout.readline()  # the test's own limit ends it where nothing is said
        good = re.fullmatch(rf"kasuri: warning: rank 1 \(pid {pids['1']} on host \S+\) has stood still for "
                            r"10 s, .*\n", line) and all(map(is_alive, pids.values()))
        os.kill(pids["1"], signal.SIGCONT)
        for pid in pids.values():
            with contextlib.suppress(ProcessLookupError):  # the end of one may have ended the other
                os.kill(pid, signal.SIGTERM)
        finish(job)
        expect(good, "a rank that stands still", (0, line))


def own_mpi(folder):
    launcher = Launcher(folder, "openmpi")
    for settings, refused in (({}, True), ({"OMPI_MCA_osc": "^sm,pt2pt"}, True),
                              ({"OMPI_MCA_osc": "^rdma"}, False)):
        result = launcher.run(2, "cluster_own_mpi", KASURI_TRANSPORT="mpi", **settings)
        if result[0] == SKIPPED or "all right" in result[1] and refused and "OMPI" not in result[1]:
            print("skipped: this is no Open MPI 4")
            sys.exit(SKIPPED)
        if refused:
            one_line(result, "Open MPI's own choice", "KASURI_TRANSPORT=mpi: the program has started Open "
                     r"MPI 4 itself, with its component osc/rdma, .*; accepted: OMPI_MCA_osc=\^rdma in .*")
        else:
            expect(result[0] == 0 and "all right on 2 ranks" in result[1], "without osc/rdma", result)
    result = launcher.run(2, "cluster_own_mpi")
    expect(result[0] == 0 and "all right on 2 ranks" in result[1], "ranks that share memory", result)


def sanitizer(folder):
    """GCC's runtime is a library, and refuses to start behind another one that is loaded first."""
    compiler = shutil.which("g++")
    if compiler is None:
        print("skipped: no g++")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as place:
        source, made = pathlib.Path(place, "asan.cpp"), pathlib.Path(place, "asan")
        source.write_text("int main() { return 0; }\n")
        done = subprocess.run([compiler, "-fsanitize=address", source, "-o", made], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        if done.returncode != 0:
            print("skipped: no AddressSanitizer")
            sys.exit(SKIPPED)
        for options in ([], ["-n", "2", "--cluster"]):
            for program, path in ((str(made), None), ("asan", f"{place}:{os.environ['PATH']}")):
                result = finish(Launcher.start_line([str(folder / "kasuri"), "run", *options, program],
                                                    **({"PATH": path} if path else {})))
                expect(result == (0, ""), f"a program under a sanitizer, {options}", result)


def self_test(folder):
    """Where the MPI has the fault it is named; where it has not, the job runs."""
    result = Launcher(folder, "mpich").run(2, "cluster_conformance", 2, KASURI_TRANSPORT="mpi",
                                           KASURI_TRANSPORT_FLUSH="all")
    named = ("kasuri: the network of this job fails its test: a flush returned before gets had "
             "landed (MPI_Win_flush_all, by KASURI_TRANSPORT_FLUSH=all; accepted here: target)")
    if result[0] == 0:
        print("this MPICH flushes all targets rightly")
    else:
        expect(named in result[1], "the early flush", result)
        print(named)


def start(folder):
    kasuri = str(folder / "kasuri")
    launcher = Launcher(folder, "kasuri")

    def told(line, status, text, **settings):
        result = subprocess.run(line, env=environment(**settings), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=LIMIT, check=False)
        expect(result.returncode == status and text in result.stdout, " ".join(line),
               (result.returncode, result.stdout))
        return result.stdout

    conformance_program = str(folder / "cluster_conformance")
    told([kasuri, "run", "-n", "0", "--cluster", "true"], 2, "--ranks: Value 0 not in range 1 to 1024")
    told([kasuri, "run", "-n", "2", "true"], 2, "requires --cluster")
    output = told([kasuri, "run", "-n", "3", "--cluster", "no-such-program"], 127,
                  "kasuri: run: no-such-program: No such file or directory")
    expect(output.count("\n") == 1, "one line about a missing program", (127, output))
    told([conformance_program], 2, "KASURI_JOB=x: no seat in a job", KASURI_JOB="x")
    told([conformance_program], 2, "KASURI_JOB=0:0: that job is not open here", KASURI_JOB="0:0")
    told([conformance_program], 2, "KASURI_TRANSPORT=mpi: this process is no rank of an MPI job",
         KASURI_TRANSPORT="mpi")
    told([conformance_program], 2, "KASURI_TRANSPORT=tcp: unknown name; accepted: auto or shared or mpi",
         KASURI_TRANSPORT="tcp")
    told(launcher.line(2, "cluster_conformance"), 2,
         "KASURI_TRANSPORT=mpi: this job was started by kasuri run --cluster", KASURI_TRANSPORT="mpi")
    told(launcher.line(4, "cluster_conformance", 4, "quick"), 0, "4 ranks", KASURI_HOST_RANKS=3,
         EXPECTED_HOSTS=2, EXPECTED_WORKERS="shared")
    told(launcher.line(3, "cluster_conformance", 3, "quick"), 0, "3 ranks", KASURI_NUM_WORKERS=5,
         EXPECTED_HOSTS=1, EXPECTED_WORKERS=5)
    # Processes that were started together and cannot find each other.
    for number, lines in (("0", 1), ("1", 0)):
        output = told([conformance_program, "1", "quick"], 0, "1 ranks", SLURM_PROCID=number, SLURM_NTASKS=4)
        expect(output.count("kasuri: warning: SLURM_PROCID=0, SLURM_NTASKS=4: Slurm has started 4 processes "
                            "without a PMI") == lines, "tasks of Slurm without a PMI", (0, output))
    # Programs that are no ranks: streams and status.
    told([kasuri, "run", "-n", "3", "--cluster", "sh", "-c", "echo here; exit 4"], 4,
         "here\nhere\nhere\n")
    told([kasuri, "run", "-n", "2", "--cluster", "sh", "-c", "kill -TERM $$"], 128 + 15, "rank ")
    # One rank runs another program.
    told([kasuri, "run", "-n", "2", "--cluster", "sh", "-c",
          f"case $KASURI_JOB in *:1) exec {folder}/cluster_victim kill nap;; "
          f"*) exec {conformance_program};; esac"], 2,
         f"rank 1 runs {folder}/cluster_victim, another build than rank 0")
    # One rank never comes.
    told([kasuri, "run", "-n", "2", "--cluster", "sh", "-c",
          f"case $KASURI_JOB in *:1) exit 0;; *) exec {conformance_program};; esac"], 2,
         "rank 1 of the job ended without having joined it")
    # A rank's child is no rank.
    told([kasuri, "run", "-n", "1", "--cluster", "sh", "-c",
          f"{conformance_program} 1 quick && {conformance_program} 1 quick"], 2,
         "rank 0 of this job is already process")
    # What is sent to the launcher reaches the ranks.
    job = launcher.start(2, "cluster_victim", "linger", "nap")
    seen = [job.stdout.readline() for _ in range(2)]
    job.send_signal(signal.SIGTERM)
    result = finish(job)
    expect(result[0] == 128 + 15 and len(seen) == 2, "SIGTERM to the launcher", result)
    # No rank outlives it.
    job = launcher.start(2, "cluster_victim", "linger", "nap")
    pids = [job.stdout.readline().split()[-1] for _ in range(2)]
    job.kill()
    finish(job)  # which reads until no rank holds the stream; one may close it before it is gone
    patience = time.monotonic() + LIMIT
    while any(map(is_alive, pids)) and time.monotonic() < patience:
        time.sleep(0.05)
    expect(not any(map(is_alive, pids)), "the ranks of a launcher that was killed", (0, str(pids)))


if __name__ == "__main__":
    bin_folder = pathlib.Path(sys.argv[1]).resolve()
    {"conformance": conformance, "deaths": deaths, "pairs": pairs, "leaves": leaves, "self-test": self_test,
     "still": still, "own-mpi": own_mpi, "sanitizer": sanitizer,
     "one-build": one_build,
     "program": program, "settings": settings, "mismatch": mismatch, "start": start}[sys.argv[2]](bin_folder, *sys.argv[3:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs on two hosts, by an mpiexec and a host file: two_hosts.py BIN mpich|openmpi [PROGRAM ARGUMENTS...]

The hosts are name spaces of this machine (of the network, the host's name, the processes, the mounts)
with a cable between them; they share the processors and the files, nothing else. The one that mpiexec
runs on keeps the processes of this machine. Where ssh would be, a script enters the other host. Without a
program: those that are built. Ends with status 77 and a line where such name spaces or the MPI are not to
be had.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
LIMIT = 500  # seconds
ADDRESSES = ("10.77.0.1", "10.77.0.2")
PROGRAMS = ("cluster_conformance 2 quick", "cluster_real_ranks 10", "cluster_real_memory 3",
            "cilksort --keys 2000000 --check", "uts --depth 9 --check", "queens --size 9 --check",
            "heat_cluster --size 256 --steps 10 --check", "fmm --particles 5000 --check",
            "kmer --letters 100000 --check")
OPTIONS = {"mpich": ["-launcher", "ssh", "-launcher-exec", "{agent}", "-f", "{hosts}"],
           # It would bind both ranks to the first core of their hosts, which is the same one here.
           "openmpi": ["--bind-to", "none", "--mca", "plm_rsh_agent", "{agent}", "--hostfile",
                       "{hosts}"]}
HOST_LINES = {"mpich": "{}:1\n", "openmpi": "{} slots=1\n"}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def end(process):
    process.kill()
    process.wait()


class Host:
    """Its processes: `first` has all its name spaces."""

    def __init__(self, name, kinds, preparation):
        self.name, self.kinds = name, kinds
        line = f"{preparation}mount -t sysfs sysfs /sys && hostname {name} && echo here; exec sleep 1000"
        self.holder = subprocess.Popen(
            ["unshare", *(f"--{kind}" for kind in kinds), "sh", "-c", line],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        answer = self.holder.stdout.readline().strip()
        if answer != "here":
            end(self.holder)
            skip(f"name spaces cannot be made here: {answer}")
        self.first = self.holder.pid
        if "fork" in kinds:
            children = pathlib.Path(f"/proc/{self.first}/task/{self.first}/children")
            self.first = int(children.read_text().split()[0])

    def entered(self, *words):
        kinds = ["-n", "-u", "-m"] + (["-p", "-i"] if "fork" in self.kinds else [])
        return ["nsenter", "-t", str(self.first), *kinds, *words]

    def do(self, *words):
        done = subprocess.run(self.entered(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False)
        if done.returncode != 0:
            skip(f"{' '.join(words)}: {done.stdout.strip()}")
        return done.stdout


def connect(hosts):
    hosts[0].do("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns",
                str(hosts[1].first))
    for host, address in zip(hosts, ADDRESSES):
        host.do("ip", "link", "set", "lo", "up")
        host.do("ip", "address", "add", f"{address}/24", "dev", "cable")
        host.do("ip", "link", "set", "cable", "up")
    deadline = time.monotonic() + LIMIT
    for host in hosts:
        while host.do("cat", "/sys/class/net/cable/operstate").strip() != "up":
            if time.monotonic() > deadline:
                skip("the link between the hosts does not come up")
            time.sleep(0.05)


def run(host, line):
    """Whether it ends well; says what it says if not."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("KASURI_")}
    kept |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    job = subprocess.Popen(host.entered(*line), env=kept, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           start_new_session=True)
    try:
        output, _ = job.communicate(timeout=LIMIT)
        status = job.returncode
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        output, status = job.communicate()[0], f"no end after {LIMIT} s"
    if status != 0:
        print(f"{' '.join(line)}: {status}\n{output}")
    return status == 0


def main(folder, mpi, given):
    module = folder.parent / "lib" / f"libkasuri-mpi-{mpi}.so"
    for needed in (f"mpiexec.{mpi}", "unshare", "nsenter", "ip"):
        if shutil.which(needed) is None:
            skip(f"{needed} is not here")
    if not module.exists():
        skip(f"{module.name} is not here")
    programs = [given] if given else [
        [str(folder / words[0]), *words[1:]] for words in map(str.split, PROGRAMS)
        if (folder / words[0]).exists()]
    with tempfile.TemporaryDirectory() as place:
        identity = pathlib.Path(place, "boot_id")
        identity.write_text("11111111-2222-3333-4444-555555555555\n", encoding="ascii")
        hosts = []
        try:
            hosts.append(Host("kasuri-one", ["net", "uts", "mount"], ""))
            hosts.append(Host("kasuri-two", ["net", "uts", "mount", "ipc", "pid", "fork", "kill-child",
                                             "mount-proc"],
                              f"mount --bind {identity} /proc/sys/kernel/random/boot_id && "))
            connect(hosts)
            agent = pathlib.Path(place, "agent")
            agent.write_text("#!/bin/sh\n"
                             "while case $1 in -*) ;; *) false;; esac; do shift; done\nshift\n"
                             f"exec {' '.join(hosts[1].entered('sh', '-c'))} \"$*\"\n",
                             encoding="ascii")
            agent.chmod(0o755)
            host_file = pathlib.Path(place, "hosts")
            host_file.write_text("".join(map(HOST_LINES[mpi].format, ADDRESSES)), encoding="ascii")
            front = [f"mpiexec.{mpi}", *(word.format(agent=agent, hosts=host_file)
                                         for word in OPTIONS[mpi]), "-n", "2"]
            bad = [program for program in programs if not run(hosts[0], [*front, *program])]
        finally:
            for host in hosts:
                end(host.holder)
    print(f"{len(programs) - len(bad)} of {len(programs)} programs right on two hosts")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]))

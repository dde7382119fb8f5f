# SPDX-License-Identifier: Apache-2.0
"""What a run was measured on."""

import glob
import os
import platform
import re
from pathlib import Path


def cores():
    return len(os.sched_getaffinity(0))


def cpu_model():
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    match = re.search(r"^(?:model name|Model|CPU part)\s*:\s*(.*)$", text, re.MULTILINE)
    return match[1] if match else platform.machine()


def describe(rows, busy=False):
    versions = {row.system: row.version for row in rows if row.version}
    return {
        "cpu": cpu_model(),
        "cores": cores(),
        "numa_nodes": len(glob.glob("/sys/devices/system/node/node[0-9]*")) or 1,
        "kernel": platform.release(),
        "load": os.getloadavg()[0],
        "busy": cores() if busy else 0,
        "compilers": sorted({row.compiler for row in rows}),
        "flags": "-O3",
        "versions": dict(sorted(versions.items())),
    }


def line(about):
    versions = ", ".join(f"{system} {version}" for system, version in about["versions"].items())
    return (f"machine: {about['cpu']}, {about['cores']} cores, {about['numa_nodes']} NUMA nodes, "
            f"Linux {about['kernel']}, {', '.join(about['compilers'])}, {about['flags']}, "
            f"{about['busy']} busy processes beside; "
            f"{versions}")

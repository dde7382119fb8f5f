# SPDX-License-Identifier: Apache-2.0
"""bench/run readme: the table of measured ratios of README.md, by one command on one machine.

Runs the problems of the table in turns with whatever systems are built, on one worker and on all cores, and
prints a row for each figure of Kasuri: its median, the two best of the others, and the ratios. What follows
the name goes to bench/run: --quick, --reps N, --build FOLDER, --workers 1,16. --from FILE makes the table of
figures that bench/run --json has written, without a run.
"""

from from_run import number, print_tables

# In the order of the table: the problem, its metric, and what the row is called.
ROWS = (
    ("fib", "time-per-spawn", "fib without cut-off, a spawn"),
    ("create", "time-per-task", "spawn an empty task and wait"),
    ("flat", "time-per-task", "empty tasks of one parent"),
    ("threads", "time", "threads of the C interface"),
    ("handover", "time-per-handover", "hand-over"),
    ("wakeup", "latency", "start of a task on an idle worker"),
    ("bin", "time", "tree of small tasks"),
    ("uts", "time", "UTS T1"),
    ("cilksort", "time", "merge sort"),
    ("sort", "time", "10^7 32-bit integers sorted"),
    ("queens", "time", "queens"),
    ("matmul", "time", "product of matrices"),
    ("sparselu", "time", "sparse LU"),
    ("fft", "time", "Fourier transform"),
)
OTHERS = 2  # named in a row
MORE_IS_BETTER = ("GFLOP/s", "x")


def best_of_each(rows):
    """The best variant of each system, best system first."""
    sign = -1 if rows and rows[0]["unit"] in MORE_IS_BETTER else 1
    found = {}
    for row in sorted(rows, key=lambda row: sign * row["median"]):
        found.setdefault(row["system"], row)
    return found


def table_row(name, metric, case, rows):
    workers, text = case
    found = best_of_each(rows)
    own = found.pop("kasuri", None)
    # Kasuri's OpenMP runtime is no other system, and a serial program spawns nothing.
    for system in [name for name in found if name.endswith("-kasuri")]:
        del found[system]
    if metric != "time":
        found.pop("serial", None)
    if own is None or not found:
        return None
    others = list(found.values())[:OTHERS]
    label = ", ".join(filter(None, [name, text,
                                    f"{workers} worker" + ("" if workers == 1 else "s")]))
    ratios = ", ".join(number(own["median"] / other["median"]) if other["median"] else "-"
                       for other in others)
    named = ", ".join(f"{other['system']} {number(other['median'])}" for other in others)
    return f"| {label} | {number(own['median'])} {own['unit']} | {named} | {ratios} |"


def table(results):
    lines = ["| | Kasuri | others | Kasuri / other |", "| --- | --- | --- | --- |"]
    for benchmark, metric, name in ROWS:
        same = [row for row in results if row["benchmark"] == benchmark and row["metric"] == metric]
        for case in sorted({(row["workers"], row["input"]) for row in same}):
            chosen = [row for row in same if (row["workers"], row["input"]) == case]
            lines.append(table_row(name, metric, case, chosen))
    return [line for line in lines if line]


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    return print_tables("bench/run readme", [name for name, _, _ in ROWS], arguments, table)

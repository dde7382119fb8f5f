# SPDX-License-Identifier: Apache-2.0
"""bench/run lengths: loops, sums, prefix sums and sorts of 1 to 10^8 elements, by every system.

Runs the problems loops and sort in turns, on one worker and on all cores, and prints a table for each variant and
number of workers: the serial time of a call, the best system and its time, and of every system its median by the
best one's and by the serial one. What follows the name goes to bench/run: --quick (to 10^6), --reps N, --systems a,b,
--variants a,b, --workers 1,2. --from FILE makes the tables of figures that bench/run --json has written, without a
run.
"""

from from_run import number, print_tables
from programs import system_order

METRICS = {"loops": "time-per-call", "sort": "time"}
SECONDS = {"ns": 1e-9, "s": 1}
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
MOST = {False: 10 ** 8, True: 10 ** 6}  # full and --quick


def length_of(text):
    """The n of an input that says nothing else, or None."""
    return int(text[2:]) if text.startswith("n=") and text[2:].isdigit() else None


def time_text(seconds):
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    return f"{number(seconds / size)} {unit}"


def medians(results):
    """{(benchmark, variant): {workers: {n: {system: seconds}}}}; with several builds the first one counts."""
    found = {}
    for row in results:
        n = length_of(row["input"])
        if n is None or row["metric"] != METRICS.get(row["benchmark"]):
            continue
        variants = found.setdefault((row["benchmark"], row["variant"]), {})
        systems = variants.setdefault(row["workers"], {}).setdefault(n, {})
        systems.setdefault(row["system"], row["median"] * SECONDS[row["unit"]])
    return found


def cell(seconds, best, serial):
    if seconds is None:
        return ""
    by_serial = number(seconds / serial) if serial else "-"
    return f"{number(seconds / best)}, {by_serial}"


def line(n, times, serial, systems):
    best, least = min(times.items(), key=lambda pair: pair[1])
    cells = [cell(times.get(system), least, serial) for system in systems]
    own = time_text(serial) if serial else ""
    return f"| {n} | {own} | {best} {time_text(least)} | " + " | ".join(cells) + " |"


def table(results):
    lines = []
    for (benchmark, variant), by_workers in medians(results).items():
        serial = {n: times["serial"] for n, times in by_workers.get(1, {}).items() if "serial" in times}
        for workers, by_length in sorted(by_workers.items()):
            parallel = {n: {system: time for system, time in times.items() if system != "serial"}
                        for n, times in by_length.items()}
            systems = sorted({system for times in parallel.values() for system in times},
                             key=system_order)
            if not systems:
                continue
            title = f"{benchmark} {variant}, {workers} worker" + ("" if workers == 1 else "s")
            lines += [f"{title}: the time by the best system's, by the serial one's", "",
                      "| n | serial | best | " + " | ".join(systems) + " |",
                      "| --- | --- | --- |" + " --- |" * len(systems)]
            lines += [line(n, times, serial.get(n), systems)
                      for n, times in sorted(parallel.items()) if times]
            lines.append("")
    return lines[:-1]


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    most = MOST["--quick" in arguments]
    inputs = [word for power in range(9) if 10 ** power <= most
              for word in ("--input", f"n={10 ** power}")]
    return print_tables("bench/run lengths", ["loops", "sort", *inputs], arguments, table)

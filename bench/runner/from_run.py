# SPDX-License-Identifier: Apache-2.0
"""Tables of what bench/run measures, now or before: for commands that choose problems and show them in their
own way."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent / "run"


def number(value):
    return f"{value:.3g}"


def machine_line(machine):
    return f"Measured on {machine['cpu']}, {machine['cores']} cores, load before {machine['load']:.1f}:"


def measured(arguments):
    """(figures, status) of bench/run; its own tables go to standard error."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        status = subprocess.run([RUN, *arguments, "--json", file], stdout=sys.stderr,
                                check=False).returncode
        if not file.exists():
            sys.exit(status or 1)
        return json.loads(file.read_text(encoding="utf-8")), status


def print_tables(command, problems, arguments, table):
    """Prints the lines of table(results), of a run of these problems or of --from FILE; returns the status."""
    status = 0
    if arguments[:1] == ["--from"]:
        if len(arguments) != 2:
            print(f"{command}: --from: no file; accepted: --from FILE", file=sys.stderr)
            return 2
        try:
            figures = json.loads(Path(arguments[1]).read_text(encoding="utf-8"))
            lines = [machine_line(figures["machine"]), "", *table(figures["results"])]
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{command}: --from {arguments[1]}: {error}; accepted: what bench/run --json wrote",
                  file=sys.stderr)
            return 2
    else:
        figures, status = measured([*problems, *arguments])
        lines = [machine_line(figures["machine"]), "", *table(figures["results"])]
    print("\n".join(lines))
    return status

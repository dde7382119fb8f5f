# SPDX-License-Identifier: Apache-2.0
"""Runs an application and takes its report and its pictures apart."""

import json
import os
import re
import struct
import subprocess
import tempfile
import zlib

PROGRAM = os.environ["APP_PROGRAM"]


def run(*arguments, settings=None):
    """The finished process; settings of whoever runs the tests do not reach it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("KASURI_")}
    return subprocess.run([PROGRAM, *map(str, arguments)], env={**environment, **(settings or {})},
                          capture_output=True, text=True, timeout=120, check=False)


def simulated(graph, *arguments):
    """{policy: figures} of `kasuri simulate`, the scheduler on virtual workers in virtual time; None where
    the command was not built. Equal arguments give equal figures, whatever else the machine does."""
    command = os.environ.get("APP_COMMAND")
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "figures.json")
        subprocess.run([command, "simulate", "--graph", graph, "--json", name, *map(str, arguments)],
                       stdout=subprocess.DEVNULL, timeout=120, check=True)
        with open(name, encoding="utf-8") as file:
            return {each["policy"]: each for each in json.load(file)["policies"]}


class Report:
    """The lines of a run that must end well, by their first word."""

    def __init__(self, *arguments, settings=None):
        done = run(*arguments, settings=settings)
        assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
        assert done.stderr == "", done.stderr
        self.lines = dict(line.split(None, 1) for line in done.stdout.splitlines())

    def __getitem__(self, word):
        return self.lines[word]

    def numbers(self, word):
        """All numbers of a line."""
        return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", self.lines[word])]


def usage_problems(case, table):
    """Each command line of the table must give one line with the text beside it, and status 2."""
    for arguments, text in table:
        with case.subTest(arguments=arguments):
            done = run(*arguments.split())
            case.assertEqual(done.returncode, 2, done)
            case.assertEqual(done.stdout, "")
            case.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            case.assertIn(text, done.stderr)


def read_png(path):
    """(palette, rows) of a PNG with a palette; every checksum and length is verified."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        at += 12 + size
    assert [kind for kind, _ in chunks] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, depth, colours, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, colours, rest) == (8, 3, [0, 0, 0])
    raw = zlib.decompress(chunks[2][1])
    assert len(raw) == height * (width + 1)
    rows = [raw[y * (width + 1):(y + 1) * (width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    palette = [tuple(chunks[1][1][i:i + 3]) for i in range(0, len(chunks[1][1]), 3)]
    return palette, [row[1:] for row in rows]

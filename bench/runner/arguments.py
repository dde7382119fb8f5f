# SPDX-License-Identifier: Apache-2.0
"""Command lines: one clear line for what is wrong."""

import argparse
import re


def positive(text):
    """The type of a number from 1 on."""
    if not re.fullmatch("0*[1-9][0-9]*", text):
        raise argparse.ArgumentTypeError(f"{text!r}; accepted: a number from 1 on")
    return int(text)


def counts(text):
    """The type of --workers: 1,2,4."""
    return [positive(part) for part in text.split(",")]


def names(text):
    """The type of a list of names: a,b."""
    return list(dict.fromkeys(part for part in text.split(",") if part))


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    hint = ""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}{self.hint}\n")

    def check_writable(self, option, path):
        """Before the hours that the results may take."""
        try:
            open(path, "a", encoding="utf-8").close()
        except OSError as error:
            self.error(f"{option} {path}: {error.strerror}")

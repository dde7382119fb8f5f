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


def described_option(action):
    takes_value = action.nargs != 0
    value = (action.metavar or "") if takes_value else ""
    kind = {"FILE": "file", "DIR": "folder"}.get(value, "text") if takes_value else ""
    return {"names": action.option_strings, "value": value, "kind": kind, "choices": [],
            "repeatable": isinstance(action.default, list), "excludes": [], "needs": [],
            "help": action.help}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    hint = ""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}{self.hint}\n")

    def described(self, command):
        """The table of options, in the form of tools/kasuri/description.cpp."""
        return {"kasuri_command_line": 1, "commands": [{
            "name": command, "description": " ".join(self.description.split()), "footer": "",
            "ends_in_program": False, "arguments": [],
            "options": [described_option(each) for each in self._actions]}]}

    def check_writable(self, option, path):
        """Before the hours that the results may take."""
        try:
            open(path, "a", encoding="utf-8").close()
        except OSError as error:
            self.error(f"{option} {path}: {error.strerror}")

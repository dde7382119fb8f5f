#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completion have what --help says, and no more, and work.

  pages.py SHARE KASURI

SHARE is the folder of the written pages, as share/ of an installation; KASURI the command. A shell or formatter that
is not installed is named, and left out.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
problems = []


def expect(wanted, found, what):
    if wanted != found:
        problems.append(f"{what}: {found!r}, not {wanted!r}")


def run(*command, **more):
    return subprocess.run(command, text=True, capture_output=True, check=False, **more)


def installed(program, what):
    if shutil.which(program) is None:
        print(f"no {program}: {what} is not tested")
        return False
    return True


def options_of_help(text):
    """{option} of the columns of names; what the texts mention is no option of the command."""
    found = set()
    for line in text.splitlines():
        column = re.match(r"  (-\S+(?: \S+)*?)(?:  |$)", line)
        if column:
            names = re.sub(r"(Excludes|Needs): .*", "", column[1])
            found |= set(OPTION.findall(names))
    return found


class completion:
    """What bash offers at the end of a line."""

    def __init__(self, file):
        self.file = file

    def __call__(self, line):
        words = [part for word in line.split(" ") for part in re.split("(=)", word) if part or word == ""]
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_WORDBREAKS=" =:"\n'
                  'compopt() { :; }; _kasuri; ((${#COMPREPLY[@]} == 0)) || printf "%s\\n" "${COMPREPLY[@]}"')
        done = run("bash", "-c", script, "bash", str(self.file), *words, cwd=self.file.parent)
        if done.returncode or done.stderr:
            problems.append(f"bash: {line}: status {done.returncode} {done.stderr.strip()}")
        return done.stdout.split()


def check_bash(share, helps, settings):
    offer = completion(share / "bash-completion/completions/kasuri")
    expect(sorted(set(helps) - {""}), sorted(offer("kasuri ")), "bash: commands")
    expect(["report"], offer("kasuri rep"), "bash: rep")
    for command, text in helps.items():
        line = f"kasuri {command} -" if command else "kasuri -"
        expect(sorted(options_of_help(text)), sorted(offer(line)), f"bash: {line}")
    expect(["adws"], offer("kasuri run --sched a"), "bash: a value of few")
    expect(["near", "random", "adws"], offer("kasuri run --sched="), "bash: a value of few behind =")
    expect(["numa", "near"], sorted(offer("kasuri simulate --policy n"), reverse=True), "bash: a value of few")
    expect([], offer("kasuri run --workers "), "bash: a number")
    expect([each["name"] + "=" for each in settings if each["category"] != "internal"], offer("kasuri run --set "), "bash: settings")
    expect(["KASURI_SEED="], offer("kasuri report --set KASURI_SEE"), "bash: a setting")
    expect(["on", "off"], offer("kasuri run --set KASURI_BIND="), "bash: values of a setting")
    expect(["shared"], offer("kasuri run --set KASURI_TRANSPORT=s"), "bash: a value of a setting")
    expect(["kasuri"], offer("kasuri trace kas"), "bash: a file")
    expect(["kasuri"], offer("kasuri report --html kas"), "bash: a file behind an option")
    expect(True, "./kasuri" in offer("kasuri run --workers 2 ./k"), "bash: a program")
    expect(True, "cat" in offer("kasuri run -- ca"), "bash: a program on the path")
    expect(["kasuri"], offer("kasuri run cat kas"), "bash: a file behind a program")
    expect([], offer("kasuri run cat --work"), "bash: options behind a program are the program's")


def check_fish(share, helps):
    file = share / "fish/vendor_completions.d/kasuri.fish"
    if not installed("fish", "completion for fish"):
        return

    def offer(line):
        done = run("fish", "--no-config", "-c", f"complete -e -c kasuri; source '{file}'; complete -C '{line}'")
        if done.returncode or done.stderr:
            problems.append(f"fish: {line}: status {done.returncode} {done.stderr.strip()}")
        return {each.split("\t")[0] for each in done.stdout.splitlines()}

    expect(set(helps) - {""}, offer("kasuri "), "fish: commands")
    for command, text in helps.items():
        line = f"kasuri {command} -" if command else "kasuri -"
        expect(options_of_help(text), {each for each in offer(line) if each.startswith("-")}, f"fish: {line}")
    expect({"near", "random", "adws"}, offer("kasuri run --sched "), "fish: a value of few")
    expect({"KASURI_BIND=on", "KASURI_BIND=off"}, offer("kasuri run --set KASURI_BIND="), "fish: a setting")


def check_zsh(share, helps):
    file = share / "zsh/site-functions/_kasuri"
    text = file.read_text(encoding="utf-8")
    for command, said in helps.items():
        body = re.search(rf"^_kasuri{'_' + command if command else ''}\(\) {{\n(.*?)^}}", text, re.S | re.M)
        found = set(re.findall(r"^    '(?:\([^)]*\))?\*?(--?[a-z][\w-]*)=?\[", body[1] if body else "", re.M))
        expect(options_of_help(said), found, f"zsh: options of {command or 'kasuri'}")
    if installed("zsh", "the syntax of the completion for zsh"):
        done = run("zsh", "-n", str(file))
        expect((0, ""), (done.returncode, done.stderr), "zsh: syntax")


def check_manual(share, helps, settings):
    for command, text in helps.items():
        page = share / f"man/man1/kasuri{'-' + command if command else ''}.1"
        shown = page.read_text(encoding="utf-8").replace("\\-", "-")
        tags = set()
        for tag in re.findall(r"^\.TP\n(.*)$", shown, re.M):
            tags |= set(re.findall(r"\\fB(-[^\\]*)\\fR", tag))
        expect(options_of_help(text), tags, page.name)
    names = re.findall(r"^\.TP\n\\fB(KASURI_\w+)\\fR$",
                       (share / "man/man7/kasuri.7").read_text(encoding="utf-8"), re.M)
    expect([each["name"] for each in settings], names, "kasuri.7")
    for page in sorted(share.glob("man/man?/*")):
        if shutil.which("groff"):
            done = run("groff", "-ww", "-man", "-Tutf8", str(page))
            expect((0, ""), (done.returncode, done.stderr), f"groff: {page.name}")
            expect(True, len(done.stdout) > 200, f"groff: {page.name} has text")
        if shutil.which("mandoc"):
            # A date would make two builds differ.
            said = [line for line in run("mandoc", "-Tlint", "-Wwarning", str(page)).stdout.splitlines()
                    if "missing date" not in line]
            expect([], said, f"mandoc: {page.name}")
    installed("groff", "what manual pages look like")
    installed("mandoc", "the form of manual pages")


def main():
    share, kasuri = Path(sys.argv[1]).resolve(), sys.argv[2]
    top = run(kasuri, "--help").stdout
    listed = top[top.index("Subcommands:"):].split("\n\n")[0]
    commands = re.findall(r"^  ([a-z]+) +\S", listed, re.M)
    settings = json.loads(run(kasuri, "--describe").stdout)["settings"]
    in_force = json.loads(run(kasuri, "info", "--json").stdout)["settings"]
    expect([each["name"] for each in in_force], [each["name"] for each in settings], "the settings described")
    if len(commands) < 9 or len(settings) < 20:
        sys.exit(f"{len(commands)} commands, {len(settings)} settings: too few to be all")
    helps = {"": top}
    for command in commands:
        helps[command] = run(kasuri, command, "--help").stdout
    if not helps["compare"]:  # built without the benchmarks, which hold its options
        helps["compare"] = "  -h,--help  "
    check_bash(share, helps, settings)
    check_fish(share, helps)
    check_zsh(share, helps)
    check_manual(share, helps, settings)
    print("\n".join(problems) or f"{len(commands)} commands and {len(settings)} settings are in all of them")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

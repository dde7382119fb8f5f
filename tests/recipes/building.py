# SPDX-License-Identifier: Apache-2.0
"""Compiles and links parts of a copy of the tree with the commands, and the other objects, of a build of the tree.

An object is compiled anew when the diff touches its source, or a header that it includes and to which the diff does not
only add. All other objects are those of the build.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess

SOURCES = {".cpp", ".c", ".S"}


class Failed(Exception):
    pass


def run(command, folder):
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True)
    if done.returncode:
        raise Failed(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Build:
    """What Ninja and CMake know of the build."""

    def __init__(self, tree, folder, copy):
        self.tree, self.folder, self.copy = tree, folder, copy
        self.command_of, self.source_of = {}, {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            command = shlex.split(entry["command"])
            made = os.path.relpath(os.path.join(entry["directory"], command[command.index("-o") + 1]), folder)
            self.command_of[made], self.source_of[made] = command, self.in_tree(entry["file"])

    def in_tree(self, path):
        """The path relative to the tree."""
        return os.path.relpath(os.path.join(self.folder, path), self.tree)

    def in_copy(self, word):
        """A word of a command with the copy in the place of the tree."""
        return word if str(self.folder) in word else word.replace(str(self.tree), str(self.copy))

    def link_command(self, target):
        """The words of the command that makes the target, without what goes before and after it."""
        try:
            lines = run(["ninja", "-t", "commands", target], self.folder).splitlines()
        except Failed as failed:
            raise Failed(f"{failed}the build has no target {target}") from None
        for part in lines[-1].split("&&"):
            words = shlex.split(part)
            if any(word.endswith(".o") for word in words):
                return words
        raise Failed(f"{target}: not understood: {lines[-1]}")

    def objects_of(self, words):
        """The objects that a link command names, itself or by archives of the build."""
        for word in words:
            if word.endswith(".o"):
                yield word
            elif word.endswith(".a") and not os.path.isabs(word):
                yield from (w for w in self.link_command(word) if w.endswith(".o"))

    def objects_that_include(self, headers):
        """Those that were compiled with one of the headers, as Ninja has noted."""
        wanted, current, found = set(headers), None, set()
        for line in run(["ninja", "-t", "deps"], self.folder).splitlines():
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line and self.in_tree(line.strip()) in wanted:
                found.add(current)
        return found

    def compile(self, source, command, number):
        """Compiles a source of the copy as `command` compiles another; returns the object."""
        new = self.copy / "objects" / f"{number}.o"
        new.parent.mkdir(exist_ok=True)
        words = [self.in_copy(word) for word in command]
        words[words.index("-o") + 1] = str(new)
        words[words.index("-c") + 1] = str(self.copy / source)
        for option in ("-MF", "-MT"):  # the dependences of the build stay as they are
            if option in words:
                words[words.index(option) + 1] = str(new) + ".d"
        run(words, self.folder)
        return str(new)

    def neighbour_of(self, source):
        """The object of a source of the same kind that lies nearest to a new one: it is compiled alike."""
        path = pathlib.PurePath(source)
        for folder in path.parents:
            for known, of in sorted(self.source_of.items()):
                of = pathlib.PurePath(of)
                if of.suffix == path.suffix and of.is_relative_to(folder) and of.name != path.name:
                    return known
        raise Failed(f"{source}: no source like it is compiled")


def like(build, made, source, tests, own_tests):
    """The object by whose command the source is compiled: its own, a test of the program, or a neighbour."""
    if made in build.command_of:
        return made
    return own_tests[0] if source in tests and own_tests else build.neighbour_of(source)


def link(recipe, build):
    """Links the recipe's program; returns its path."""
    words = build.link_command(recipe.fields["program"])
    linked = dict.fromkeys(build.objects_of(words))
    touched = {f for f in recipe.files if pathlib.Path(f).suffix in SOURCES}
    headers = {f for f in recipe.files if pathlib.Path(f).suffix not in SOURCES} - set(recipe.words("adds"))
    tests = recipe.words("tests")
    # By the object: where sources are compiled in batches, those lie in the build.
    dropped = [o for o in linked if tests and o.startswith("tests/")]

    stale = build.objects_that_include(headers)
    work = {o: build.source_of[o] for o in linked if o in build.source_of and o not in dropped and
            (o in stale or build.source_of[o] in touched)}
    known = set(build.source_of.values())
    new = [s for s in sorted(touched) if s in tests or s not in known and not s.startswith("tests/")]
    work.update({s: s for s in new})

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        jobs = {o: workers.submit(build.compile, source, build.command_of[like(build, o, source, tests, dropped)], n)
                for n, (o, source) in enumerate(work.items())}
        made = {o: job.result() for o, job in jobs.items()}
    return run_link(recipe, build, words, made, dropped)


def run_link(recipe, build, words, made, dropped):
    at = words.index("-o")
    old = build.folder / words[at + 1]
    program = build.copy / "linked" / old.name
    program.parent.mkdir(exist_ok=True)
    command = [build.in_copy(made.get(word, word)) for word in words if word not in dropped]
    command[command.index("-o") + 1] = str(program)
    # Before the archives: the linker takes what they have of these names from here.
    added = [new for o, new in made.items() if o not in words]
    first = next((i for i, word in enumerate(command) if word.endswith(".o")), command.index("-o"))
    run(command[:first] + added + command[first:], build.folder)
    for link_name in old.parent.iterdir():  # other names of a library
        if link_name.is_symlink() and os.readlink(link_name) == old.name:
            (program.parent / link_name.name).symlink_to(old.name)
    return program

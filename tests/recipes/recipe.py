#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/contributing: a diff each, NAME.patch, which must go on fitting the tree.

  recipe.py check NAME BUILD [--clang-format PROGRAM] [--doxygen PROGRAM]
  recipe.py edit NAME FOLDER     a copy of the tree in FOLDER with what fits of NAME.patch
  recipe.py save NAME FOLDER     NAME.patch is what FOLDER has more than the tree

`check` applies the diff to a copy of the tree in BUILD, runs the lints on the copy, compiles what the diff
touches by the commands of the build in BUILD, links the program of the head and runs it. Above the diff a patch has
a head:

  program: TARGET        the target of the build whose link command is used
  tests: FILE...         sources of the diff; they take the place of the target's own tests
  adds: HEADER...        headers to which the diff only adds: objects of others that include them fit as they are
  run: COMMAND...        {program} is what was linked, {folder} where it lies, {copy} the copy of the tree
"""

import argparse
import difflib
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
sys.path.insert(0, str(TREE / "tests" / "lint"))

import building  # noqa: E402
import documentation  # noqa: E402
import form  # noqa: E402
import frames_life  # noqa: E402
import house_rules  # noqa: E402
import include_rule  # noqa: E402
import memory_orders  # noqa: E402
import plain_words  # noqa: E402
import source_tree  # noqa: E402

LINTS = (include_rule, memory_orders, house_rules, documentation, frames_life, plain_words)
# The lines of a diff that name its files; the second of a pair is the file as it will be.
NAMES = re.compile(r"^--- (?:a/)?(\S+).*\n\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
NO_FILE = "/dev/null"
LEFT_OUT = 77


class Recipe:
    def __init__(self, name):
        self.name = name
        self.path = HERE / f"{name}.patch"
        text = self.path.read_text() if self.path.exists() else ""
        start = re.search(r"^(diff|---) |\Z", text, re.MULTILINE).start()
        self.head, self.diff = text[:start], text[start:]
        self.fields = dict(re.findall(r"^(\w+): (.+)$", self.head, re.MULTILINE))
        self.files = [new for _, new in NAMES.findall(self.diff)]

    def words(self, field):
        return shlex.split(self.fields.get(field, ""))


def copy_tree(folder):
    shutil.rmtree(folder, ignore_errors=True)
    for path in source_tree.files(TREE):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(TREE / path, target)


def apply(diff, folder, fuzz):
    """What patch says where the diff does not fit; nothing where it does."""
    if not diff:
        return ""
    done = subprocess.run(["patch", "-p1", f"--fuzz={fuzz}", "--forward", "--batch", "--silent",
                           "--no-backup-if-mismatch", "-d", folder], input=diff, text=True, capture_output=True)
    return done.stdout + done.stderr if done.returncode else ""


# ---- check -------------------------------------------------------------------------------------


def lint(copy, files, clang_format, doxygen):
    """What the lints say of the copy; of the form, for the files of the diff only."""
    for each in LINTS:
        for path, line, message in each.check(copy):
            yield f"{path}:{line}: {message}"
    changed = [pathlib.Path(f) for f in files if pathlib.Path(f).suffix in form.FORMATTED]
    findings = list(form.long_lines(copy, changed))
    if clang_format:
        findings += form.other_form(copy, changed, clang_format)
    for path, line, message in findings:
        yield f"{path}:{line}: {message}"
    if doxygen and any(f.startswith("include/") for f in files):
        yield from reference(copy, doxygen)


def reference(copy, doxygen):
    shutil.copy2(TREE / "docs" / "Doxyfile.in", copy / "docs" / "Doxyfile.in")
    done = subprocess.run([sys.executable, TREE / "tests" / "lint" / "reference.py", doxygen, copy],
                          text=True, capture_output=True)
    if done.returncode:
        yield done.stdout + done.stderr


def run(recipe, program, copy):
    places = {"{program}": str(program), "{folder}": str(program.parent), "{copy}": str(copy)}
    command = recipe.fields["run"]
    for name, value in places.items():
        command = command.replace(name, shlex.quote(value))
    done = subprocess.run(shlex.split(command), cwd=copy, text=True, capture_output=True)
    return f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode else ""


def check(recipe, options):
    build = options.build.resolve()
    copy = build / "tests" / "recipes" / recipe.name
    copy_tree(copy)
    # As the patch command does by itself: a line beside a change may differ, for it is not what the example shows.
    said = apply(recipe.diff, copy, fuzz=2)
    if said:
        return (f"{said}{recipe.name}.patch does not fit the tree any more: `tests/recipes/recipe.py edit "
                f"{recipe.name} FOLDER`, mend the copy in FOLDER, then `save` in the place of `edit`")
    findings = list(lint(copy, recipe.files, options.clang_format, options.doxygen))
    if findings:
        return "\n".join(findings)
    if not (build / "build.ninja").exists():
        print("left out: compiling, for the build is not one of Ninja")
        sys.exit(LEFT_OUT)
    try:
        program = building.link(recipe, building.Build(TREE, build, copy))
    except building.Failed as failed:
        return str(failed)
    return run(recipe, program, copy)


# ---- edit, save ----------------------------------------------------------------------------------


def follow_moves(recipe):
    """The diff with each file where a file of that name is now, if it was moved and there is one of that name."""
    everywhere = source_tree.files(TREE)
    diff = recipe.diff
    for old, new in NAMES.findall(recipe.diff):
        if old == NO_FILE or (TREE / new).exists():
            continue
        found = [path for path in everywhere if path.name == pathlib.Path(new).name]
        if len(found) == 1:
            diff = re.sub(rf"^(--- a/|\+\+\+ b/){re.escape(new)}$", rf"\g<1>{found[0]}", diff, flags=re.MULTILINE)
            print(f"{new} is {found[0]} now")
        else:
            print(f"{new} is gone, or there are several of that name")
    return diff


def sums(root):
    """Of each file of the tree, apart from the recipes, which the copy has as they were."""
    return {str(path): hashlib.sha256((root / path).read_bytes()).hexdigest()
            for path in source_tree.files(root) if path.suffix != ".patch"}


def sums_file(folder):
    """What the tree was when FOLDER was copied; beside FOLDER, for all within it is of the tree."""
    return folder.with_name(folder.name + ".tree.json")


def edit(recipe, folder):
    copy_tree(folder)
    sums_file(folder).write_text(json.dumps(sums(TREE)))
    said = apply(follow_moves(recipe), folder, fuzz=3)
    print(said + (f"the rest is in {folder}; *.rej there is what did not fit" if said
                  else f"all of it fits; the copy is in {folder}"))


def difference(folder):
    before, after = set(source_tree.files(TREE)), set(source_tree.files(folder))
    for path in sorted(before | after):
        if path.suffix == ".patch":
            continue  # the copy has the recipes as they were when it was made
        if path.suffix in (".rej", ".orig"):
            sys.exit(f"{path}: remove it when it has been mended")
        old, new = (root / path for root in (TREE, folder))
        if path in before and path in after and old.read_bytes() == new.read_bytes():
            continue
        lines = [file.read_text().splitlines(True) if there else []
                 for file, there in ((old, path in before), (new, path in after))]
        names = (f"a/{path}" if path in before else NO_FILE, f"b/{path}" if path in after else NO_FILE)
        yield from difflib.unified_diff(*lines, *names)


def changed_since(folder):
    """Files of the tree that changed since FOLDER was copied from it: the diff would take them back."""
    if not sums_file(folder).exists():
        sys.exit(f"{folder}: not made by `recipe.py edit`, for {sums_file(folder)} is not there")
    before, now = json.loads(sums_file(folder).read_text()), sums(TREE)
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def save(recipe, folder):
    changed = changed_since(folder)
    if changed:
        sys.exit(f"the tree has changed since {folder} was copied from it: {', '.join(changed[:5])}"
                 f"{' and more' if changed[5:] else ''}; `edit` again into another folder and carry your lines over")
    recipe.path.write_text(recipe.head + "".join(difference(folder)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("action", choices=("check", "edit", "save"))
    parser.add_argument("name")
    parser.add_argument("build", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--clang-format")
    parser.add_argument("--doxygen")
    options = parser.parse_args()
    recipe = Recipe(options.name)
    if options.action == "check":
        trouble = check(recipe, options)
        print(trouble or f"{recipe.name}: {len(recipe.files)} files")
        sys.exit(1 if trouble else 0)
    (edit if options.action == "edit" else save)(recipe, options.build.resolve())


if __name__ == "__main__":
    main()

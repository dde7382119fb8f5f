#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version in the recipes of packaging/, and in what users copy, is that of project() in CMakeLists.txt.

version.py check [TREE]   names each recipe that has another one, and fails
version.py write [TREE]   gives them the one of project(); debian/changelog gets an entry
"""

import email.utils
import pathlib
import re
import sys

PACKAGING = pathlib.Path("packaging")
CHANGELOG = PACKAGING / "debian/changelog"
ENTRY = """kasuri ({version}-1) unstable; urgency=medium

  * New version.

 -- Kasuri maintainers <noreply@github.com>  {date}

"""

FIND_PACKAGE = r"\bfind_package\(kasuri ([0-9][0-9.]*)"

# File, pattern with the version as its group, whether it is the soname's part alone: MAJOR.MINOR.
PLACES = [
    (CHANGELOG, r"\Akasuri \(([0-9.]+)-", False),
    (PACKAGING / "debian/control", r"\blibkasuri([0-9][0-9.]*)", True),
    (PACKAGING / "spack/packages/kasuri/package.py", r'version\("([^"]+)"', False),
    (PACKAGING / "spack/packages/kasuri/package.py", r'tag="v([^"]+)"', False),
    (PACKAGING / "spack/packages/kasuri/package.py", r"kasuri@([0-9.]+)", False),
    (pathlib.Path("docs/how-to/install.md"), r"kasuri@([0-9.]+)", False),
    (pathlib.Path("README.md"), FIND_PACKAGE, True),
    (pathlib.Path("docs/how-to/install.md"), FIND_PACKAGE, True),
    (pathlib.Path("docs/how-to/fortran.md"), FIND_PACKAGE, True),
    (pathlib.Path("tests/package/cpp/CMakeLists.txt"), FIND_PACKAGE, True),
    (PACKAGING / "vcpkg/kasuri/vcpkg.json", r'"version": "([^"]+)"', False),
    (pathlib.Path("bindings/rust/Cargo.toml"), r'(?m)^version = "([^"]+)"', False),
    (pathlib.Path("bindings/rust/kasuri/Cargo.toml"), r'(?m)^kasuri-sys = .*version = "([^"]+)"', False),
    (pathlib.Path("bindings/rust/Cargo.lock"), r'name = "kasuri(?:-sys)?"\nversion = "([^"]+)"', False),
    (pathlib.Path("bindings/rust/compile-fail/Cargo.lock"), r'name = "kasuri(?:-sys)?"\nversion = "([^"]+)"', False),
    (PACKAGING / "conda-forge/recipe.yaml", r'(?m)^  version: "([^"]+)"', False),
]


def project_version(tree):
    if not (tree / "CMakeLists.txt").is_file():
        sys.exit(f"version.py: {tree}: no CMakeLists.txt there; accepted: a source tree of Kasuri")
    match = re.search(r"^project\(kasuri VERSION ([0-9]+\.[0-9]+\.[0-9]+)\b", (tree / "CMakeLists.txt").read_text(),
                      re.MULTILINE)
    if not match:
        sys.exit(f"version.py: {tree}/CMakeLists.txt: no project(kasuri VERSION MAJOR.MINOR.PATCH")
    return match[1]


def expected(version, soname):
    return version.rpartition(".")[0] if soname else version


def check(tree):
    """What differs, a line each."""
    version = project_version(tree)
    for path, pattern, soname in PLACES:
        found = re.findall(pattern, (tree / path).read_text())
        if not found:
            yield f"{path}: no version is found by {pattern}"
        for each in sorted(set(found) - {expected(version, soname)}):
            wanted = expected(version, soname)
            yield f"{path}: {each}; accepted: {wanted}, as project() says; packaging/version.py write"


def write(tree):
    version = project_version(tree)
    for path, pattern, soname in PLACES:
        text = (tree / path).read_text()
        if path == CHANGELOG:
            if re.search(pattern, text)[1] != version:
                text = ENTRY.format(version=version, date=email.utils.formatdate()) + text
        else:
            replace = lambda m: m[0].replace(m[1], expected(version, soname))
            text = re.sub(pattern, replace, text)
        (tree / path).write_text(text)


def main(arguments):
    if not 1 <= len(arguments) <= 2 or arguments[0] not in ("check", "write"):
        sys.exit(f"usage: version.py check|write [TREE]; not: {' '.join(arguments) or 'nothing'}")
    tree = pathlib.Path(arguments[1]) if len(arguments) == 2 else pathlib.Path(__file__).resolve().parent.parent
    if arguments[0] == "write":
        write(tree)
    findings = list(check(tree))
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""packaging/version.py finds and mends a version that differs; the recipes name options that the build has, and parts
that are installed."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = TREE / "packaging"
RECIPES = ["conan/conanfile.py", "spack/packages/kasuri/package.py", "vcpkg/kasuri/portfile.cmake",
           "conda-forge/recipe.yaml", "debian/rules", "packages", "container/Dockerfile"]


def build_files():
    return [TREE / "CMakeLists.txt", *TREE.glob("cmake/*.cmake"), *TREE.glob("src/**/CMakeLists.txt"),
            *TREE.glob("tools/**/CMakeLists.txt")]


def version_tool():
    spec = importlib.util.spec_from_file_location("version", PACKAGING / "version.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def version(what, tree):
    return subprocess.run([sys.executable, PACKAGING / "version.py", what, tree], capture_output=True, text=True,
                          check=False)


class Versions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for path in {"CMakeLists.txt", *(str(path) for path, *_ in version_tool().PLACES)}:
            (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / path, self.tree / path)

    def project(self, new):
        path = self.tree / "CMakeLists.txt"
        path.write_text(re.sub(r"(project\(kasuri VERSION )[0-9.]+", rf"\g<1>{new}", path.read_text()))

    def test_another_version_is_found_in_each_recipe_and_mended(self):
        self.project("12.34.5")
        found = version("check", self.tree)
        self.assertEqual(found.returncode, 1)
        for recipe in ("debian/changelog", "debian/control", "spack/", "vcpkg/", "conda-forge/"):
            self.assertIn(f"packaging/{recipe}", found.stdout)
        for page in ("README.md", "docs/how-to/install.md", "docs/how-to/fortran.md"):
            self.assertIn(f"{page}: 0.", found.stdout)
        self.assertEqual(version("write", self.tree).returncode, 0)
        self.assertEqual(version("check", self.tree).returncode, 0)
        control = (self.tree / "packaging/debian/control").read_text()
        self.assertIn("Package: libkasuri12.34\n", control)
        self.assertIn("kasuri (12.34.5-1)", (self.tree / "packaging/debian/changelog").read_text())

    def test_a_recipe_without_a_version_is_found(self):
        (self.tree / "packaging/vcpkg/kasuri/vcpkg.json").write_text("{}\n")
        found = version("check", self.tree)
        self.assertEqual(found.returncode, 1)
        self.assertIn("vcpkg.json: no version is found", found.stdout)

    def test_a_wrong_call_is_refused(self):
        self.assertIn("usage", version("verify", self.tree).stderr)
        self.assertEqual(version("check", "/no-tree").stderr, "version.py: /no-tree: no CMakeLists.txt there; accepted: "
                         "a source tree of Kasuri\n")


class Recipes(unittest.TestCase):
    def test_each_option_that_a_recipe_sets_is_one_of_the_build(self):
        known = "\n".join(path.read_text() for path in build_files())
        options = set(re.findall(r"\bKASURI_[A-Z_]*[A-Z]\b", known))
        options |= {"KASURI_MPICC_mpich", "KASURI_MPICC_openmpi"}  # the function puts these names together
        self.assertIn("KASURI_MPICC_${name}", known)
        for recipe in RECIPES:
            text = (PACKAGING / recipe).read_text()
            for option in re.findall(r"-DKASURI_\w+|[\"\s]KASURI_[A-Za-z_]+[\"\s]", text):
                self.assertIn(option.strip('"\n ').removeprefix("-D"), options, recipe)

    def test_each_rule_of_install_names_its_part(self):
        for path in build_files():  # a rule without one is in no package
            for rule in re.findall(r"(?m)^ *install\([^)]*\)", path.read_text()):
                self.assertIn("COMPONENT", rule, path)

    def test_each_part_is_in_a_package(self):
        known = "\n".join(path.read_text() for path in build_files())
        parts = set(re.findall(r"\bCOMPONENT ([a-z-]+(?:\$\{name\})?)", known)) - {"mpi-${name}"}
        self.assertEqual(parts, {"runtime", "development", "tools", "openmp", "doc"})
        rules = (PACKAGING / "debian/rules").read_text()
        cpack = (TREE / "cmake/packages.cmake").read_text()
        for part in parts:
            self.assertIn(f"$(call part,{part},", rules)
            self.assertIn(f"kasuri_package({part} ", cpack)

    def test_debian_and_cpack_have_the_same_packages(self):
        control = (PACKAGING / "debian/control").read_text()
        names = {re.sub(r"[0-9.]+$", "", name) for name in re.findall(r"^Package: (\S+)", control, re.MULTILINE)}
        cpack = (TREE / "cmake/packages.cmake").read_text()
        made = set(re.findall(r"kasuri_package\(\S+ ([a-z][\w${}-]*)", cpack))
        made = {name.replace("${library_package}", "libkasuri") for name in made} - {"kasuri-mpi-${mpi}"}
        self.assertEqual(names, made | {"libkasuri", "kasuri-mpi-mpich", "kasuri-mpi-openmpi"})


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Conan 2: conan create packaging/conan, from any folder of the tree. The source is the tree that it lies in."""

import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rm, rmdir

required_conan_version = ">=2.0"


class KasuriRecipe(ConanFile):
    name = "kasuri"
    description = "Task-parallel runtime: fork-join and lightweight threads for C++20 and C"
    license = "Apache-2.0"
    topics = ("parallel", "tasks", "fork-join", "openmp", "scheduler")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "openmp": [True, False],  # the OpenMP runtime that `kasuri run` loads
        "cluster": [True, False],  # kasuri::global, without modules for an MPI
        "tools": [True, False],  # the command kasuri
        "hwloc": [True, False],  # machines that HWLOC_SYNTHETIC describes
    }
    default_options = {"shared": True, "openmp": True, "cluster": True, "tools": False, "hwloc": False}

    def set_version(self):
        cmake = (pathlib.Path(self.recipe_folder) / "../../CMakeLists.txt").read_text()
        self.version = re.search(r"project\(kasuri VERSION ([0-9.]+)", cmake)[1]

    def export_sources(self):
        tree = pathlib.Path(self.recipe_folder) / "../.."
        for part in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "docs/*", "examples/*",
                     "include/*", "src/*", "tools/*"):
            copy(self, part, tree, self.export_sources_folder)

    def _other_library(self):
        return self.settings.get_safe("compiler.libcxx") == "libc++"

    def config_options(self):
        if self._other_library():  # both are tested with libstdc++ alone
            self.options.openmp = False
            self.options.cluster = False

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Only the command needs libraries, and they end in it; of hwloc, the headers.
        if self.options.tools:
            self.requires("cli11/[>=2.1 <3]", visible=False)
            self.requires("nlohmann_json/[>=3.11 <4]", visible=False)
            self.requires("elfutils/[>=0.188]", visible=False)
        if self.options.hwloc:
            self.requires("hwloc/[>=2.9 <3]", visible=False)

    def build_requirements(self):
        if self.options.hwloc or self.options.tools:  # both are looked for by pkg-config
            self.tool_requires("pkgconf/[>=2.0]")

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration(
                f"os={self.settings.os}, arch={self.settings.arch}: accepted: Linux on x86_64 or armv8")
        check_min_cppstd(self, 20)
        if self._other_library() and (self.options.openmp or self.options.cluster):
            raise ConanInvalidConfiguration(
                "compiler.libcxx=libc++: accepted with openmp=False and cluster=False")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "APPS", "EXAMPLES"):
            toolchain.cache_variables[f"KASURI_{part}"] = False
        for option in ("openmp", "cluster", "tools", "hwloc"):
            toolchain.cache_variables[f"KASURI_{option.upper()}"] = bool(self.options.get_safe(option))
        for mpi in ("mpich", "openmpi"):  # not the system's
            toolchain.cache_variables[f"KASURI_MPICC_{mpi}"] = "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()
        if self.options.hwloc or self.options.tools:
            from conan.tools.gnu import PkgConfigDeps
            PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        cmake = CMake(self)
        parts = ["runtime", "development"]
        parts += [part for part in ("tools", "openmp") if self.options.get_safe(part)]
        for part in parts:
            cmake.install(component=part)
        lib = pathlib.Path(self.package_folder) / "lib"
        rmdir(self, lib / "cmake")  # Conan writes its own
        rmdir(self, lib / "pkgconfig")
        if self.options.shared:
            rm(self, "*.a", lib)
        else:
            rm(self, "libkasuri.so*", lib)

    def package_info(self):
        self.cpp_info.libs = ["kasuri"]
        self.cpp_info.set_property("cmake_file_name", "kasuri")
        self.cpp_info.set_property("cmake_target_name", "kasuri::kasuri")
        if not self.options.shared:
            self.cpp_info.set_property("cmake_target_aliases", ["kasuri::kasuri_static"])
        self.cpp_info.set_property("pkg_config_name", "kasuri")
        self.cpp_info.system_libs = ["pthread", "dl"]
        if self._other_library():
            self.cpp_info.defines = ["KASURI_WITH_LIBCXX"]

# SPDX-License-Identifier: Apache-2.0
"""Spack: `spack repo add packaging/spack`, then `spack dev-build kasuri@0.2.0` in the tree."""

import pathlib

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # before Spack 1.0 it comes with the line above
    pass


class Kasuri(CMakePackage):
    """Task-parallel runtime for C++20, C, Fortran and unmodified OpenMP programs. All parts of a
    process share one pool with a worker for each core; tasks may block without holding it."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()  # the tree that this file lies in

    license("Apache-2.0")

    version("0.2.0", tag="v0.2.0")

    variant("openmp", default=True, description="OpenMP runtime for unmodified programs")
    variant("tools", default=True, description="The command kasuri")
    variant("lines", default=True, when="+tools", description="Lines of the source in reports")
    variant("cluster", default=True, description="Fork-join over processes (kasuri::global)")
    variant("mpi", default=False, when="+cluster", description="Processes as ranks of an MPI")
    variant("hwloc", default=True, description="Machines that HWLOC_SYNTHETIC describes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build", when="+hwloc")
    depends_on("pkgconfig", type="build", when="+lines")
    depends_on("cli11@2.1:", type="build", when="+tools")
    depends_on("nlohmann-json@3.11:", type="build", when="+tools")
    depends_on("elfutils@0.188:", when="+lines")
    depends_on("hwloc@2.9:", when="+hwloc")
    depends_on("mpi", when="+mpi")

    requires("platform=linux", msg="Kasuri runs on Linux")
    requires("target=x86_64:", "target=aarch64:", policy="one_of", msg="on x86-64 or AArch64")
    requires(
        "^[virtuals=mpi] mpich",
        "^[virtuals=mpi] openmpi",
        policy="one_of",
        when="+mpi",
        msg="there are modules for MPICH and for Open MPI",
    )
    conflicts("%gcc@:11", msg="GCC 12 or newer")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define(f"KASURI_{part}", False) for part in ("TESTS", "BENCH", "APPS", "EXAMPLES")
        ]
        args += [
            self.define_from_variant(f"KASURI_{variant.upper()}", variant)
            for variant in ("openmp", "tools", "cluster", "hwloc")
        ]
        for mpi in ("mpich", "openmpi"):
            wrapper = "OFF"  # not the system's
            if self.spec.satisfies(f"+mpi ^{mpi}"):
                wrapper = self.spec["mpi"].mpicc
            args.append(self.define(f"KASURI_MPICC_{mpi}", wrapper))
        return args

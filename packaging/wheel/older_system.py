# SPDX-License-Identifier: Apache-2.0
"""Programs of this machine on the C and C++ libraries of Debian 11: glibc 2.31, and libstdc++ of GCC 10.

Its packages are unpacked into a folder, which becomes the root of a process (unshare and chroot, without root
rights). It stands for systems whose libraries are older than those that the wheel was compiled with."""

import shlex
import subprocess

import sysroot
from common import SOURCE, make_tools, run
from debian_libraries import apt_options

PACKAGES = """libc6 libgcc-s1 libstdc++6 libcrypt1 zlib1g libexpat1 libpython3.9-minimal libpython3.9-stdlib
python3.9 python3.9-minimal libssl1.1 libffi7 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1 libncursesw6 libtinfo6
libreadline8 dash coreutils libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10""".split()
DEBIAN_11 = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror} bullseye main\n"


def mirror():
    """That of this system's own packages."""
    said = run("apt-get", "indextargets", "--format", "$(SITE)|$(RELEASE)|$(COMPONENT)", "Created-By: Packages",
               stdout=subprocess.PIPE, text=True).stdout.split()
    return next(line.split("|")[0] for line in said if line.endswith("|main") and "-" not in line.split("|")[1])


def make(work):
    """The folder with the unpacked system."""
    state = (work / "apt").resolve()
    options = apt_options("amd64", state)
    (state / "sources.list").write_text(DEBIAN_11.format(mirror=mirror()))
    options += ["-o", f"Dir::Etc::SourceList={state}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null"]
    root = work / "root"
    if not (root / "opt").is_dir():
        run("apt-get", *options, "update")
        (state / "debs").mkdir(exist_ok=True)
        run("apt-get", *options, "download", *PACKAGES, cwd=state / "debs")
        for package in sorted((state / "debs").glob("*.deb")):
            run("dpkg-deb", "-x", package, root)
        for folder in ("opt", "tmp", "proc", "dev", "sys"):
            (root / folder).mkdir(exist_ok=True)
    return root


def compile_programs(native, openmp, into, folder):
    """An OpenMP program and one whose tasks throw, linked as the wheel is: this system's programs need its C library."""
    libraries = folder / "sysroot"
    if not libraries.is_dir():
        sysroot.make(make_tools(folder / "tools"), "x86_64", libraries, folder / "zig")
    link = [f"-B{libraries}/", "-Wl,--allow-shlib-undefined"]
    run("gcc-12", "-O2", "-fopenmp", openmp, *link, "-o", into / "openmp")
    run("g++-12", "-std=c++20", "-O2", f"-I{native}/include", SOURCE / "tests" / "wheel" / "exceptions.cpp",
        f"-L{native}/lib", "-lkasuri", *link, "-o", into / "exceptions")


def run_inside(root, line):
    """Runs a line of shell in it; gives what it did."""
    mounts = " && ".join(f"mount --rbind /{name} {shlex.quote(str(root))}/{name}" for name in ("proc", "dev", "sys"))
    inside = shlex.quote(f"export PATH=/usr/bin:/bin; {line}")
    return subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c",
                           f"{mounts} && chroot {shlex.quote(str(root))} /bin/sh -c {inside}"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

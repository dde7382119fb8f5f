# SPDX-License-Identifier: Apache-2.0
"""Static libraries for the wheel, from packages of this Debian for any machine, unpacked and not installed.

kasuri-explain reads debug information by libdw, which is not part of every system. apt is asked with lists
and a store of its own: it needs neither root nor a foreign architecture in the system's settings.
"""

import pathlib
import shutil
import sys

from common import ask, run

DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}
# In the order in which the linker needs them.
LIBRARIES = {"dw": "libdw-dev", "elf": "libelf-dev", "lzma": "liblzma-dev", "bz2": "libbz2-dev",
             "z": "zlib1g-dev"}
LICENCES = ("libdw-dev", "libelf-dev", "liblzma-dev", "libbz2-1.0", "zlib1g-dev")  # packages with the texts


def apt_options(machine, state):
    for folder in ("lists/partial", "archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    return ["-qq", "-o", f"APT::Architecture={machine}", "-o", f"APT::Architectures::={machine}",
            "-o", f"Dir::State={state}", "-o", f"Dir::State::Lists={state}/lists",
            "-o", "Dir::State::status=/dev/null", "-o", f"Dir::Cache={state}",
            "-o", f"Dir::Cache::Archives={state}/archives", "-o", "Acquire::Languages=none",
            "-o", "APT::Sandbox::User=", "-o", "Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false"]


def make(arch, folder, work):
    """Writes the libraries and libdw.pc into `folder`; gives the licence files."""
    state = (work / "apt").resolve()
    options = apt_options(DEBIAN_NAMES[arch], state)
    packages = sorted({*LIBRARIES.values(), *LICENCES})
    if len(list((state / "debs").glob("*.deb"))) != len(packages):
        run("apt-get", *options, "update")
        shutil.rmtree(state / "debs", ignore_errors=True)
        (state / "debs").mkdir()
        run("apt-get", *options, "download", *packages, cwd=state / "debs")
    root = (work / "debian").resolve()
    shutil.rmtree(root, ignore_errors=True)
    for package in sorted((state / "debs").glob("*.deb")):
        run("dpkg-deb", "-x", package, root)

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    multiarch = root / "usr" / "lib" / f"{arch}-linux-gnu"
    for name in LIBRARIES:
        shutil.copyfile(multiarch / f"lib{name}.a", folder / f"lib{name}.a")
    # pkg-config finds libdw here and, with it, only archives.
    version = ask("dpkg-deb", "-f", next((state / "debs").glob("libdw-dev_*.deb")), "Version")
    words = " ".join(f"-l{name}" for name in LIBRARIES)
    (folder / "libdw.pc").write_text(
        f"Name: libdw\nDescription: reader of debug information, static\nVersion: {version}\n"
        f"Libs: -L{folder} {words}\nCflags: -I{root}/usr/include\n")
    documents = root / "usr" / "share" / "doc"
    licences = {package.removesuffix("-dev"): documents / package / "copyright" for package in LICENCES}
    for package, path in licences.items():
        if not path.is_file():
            sys.exit(f"kasuri: Debian's package of {package} has no {path.name}")
    return licences

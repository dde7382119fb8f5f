# SPDX-License-Identifier: Apache-2.0
"""Puts an installed Kasuri into a wheel of the pure Python package.

Whatever back end builds the package, its wheel is unpacked, gets `kasuri/_native`, the licences of
what is linked in and the tag of the machine, and is packed again by the library `wheel`, which sorts and dates what it packs.
"""

import pathlib
import re
import shutil
import subprocess
import sys

from common import run

# Of what is linked in, beside Kasuri's own; packaging/wheel/build brings the texts.
LICENCES = ("Apache-2.0 AND BSD-3-Clause AND MIT AND (GPL-2.0-or-later OR LGPL-3.0-or-later) AND 0BSD AND "
            "bzip2-1.0.6 AND Zlib AND GPL-3.0-or-later WITH GCC-exception-3.1 AND LGPL-2.1-or-later")
LEFT_OUT = ("*.a", "kasuri-static-targets*.cmake", "libkasuri-mpi-*")


def replace_in(path, old, new):
    text = path.read_text()
    if old not in text:
        sys.exit(f"kasuri: {path.name} does not name {old}; the wheel's {new} would not be found")
    path.write_text(text.replace(old, new))


def one(paths, what):
    found = list(paths)
    if len(found) != 1:
        sys.exit(f"kasuri: {len(found)} files where one is expected: {what}")
    return found[0]


def fit_prefix(prefix):
    """An installed tree as a wheel can hold it: without symbolic links and static archives."""
    for pattern in LEFT_OUT:
        for path in list(prefix.rglob(pattern)):
            path.unlink()
    libraries = prefix / "lib"
    links = [path for path in libraries.iterdir() if path.is_symlink()]
    real = one((path for path in libraries.glob("libkasuri.so.*") if path.is_file() and not path.is_symlink()
                and path.suffix != ".py"), "libkasuri.so.*")
    soname = one((path.name for path in links if path.name != "libkasuri.so"), "a link by the soname")
    for path in links:
        path.unlink()
    # The linker reads a text in place of a link; the loader never looks for this name.
    (libraries / "libkasuri.so").write_text(f"INPUT ( -l:{soname} )\n")
    targets = one((libraries / "cmake" / "kasuri").glob("kasuri-shared-targets-*.cmake"), "the CMake targets")
    replace_in(targets, f'/{real.name}"', f'/{soname}"')
    (libraries / f"{real.name}-gdb.py").rename(libraries / f"{soname}-gdb.py")
    real.rename(libraries / soname)
    for path in prefix.rglob("*"):
        if path.is_symlink():
            sys.exit(f"kasuri: {path.relative_to(prefix)} is a symbolic link, which a wheel cannot hold")


def pure_wheel(python, package, source, work):
    """The wheel of the Python package alone. It is built from a copy: back ends leave files behind."""
    copy = work / "source"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in ("CMakeLists.txt", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copyfile(source / name, copy / name)
    shutil.copytree(package, copy / "bindings" / "python",
                    ignore=shutil.ignore_patterns("__pycache__", "_native", "build", "dist", "*.egg-info"))
    out = work / "pure"
    shutil.rmtree(out, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, copy / "bindings" / "python")
    return one(out.glob("kasuri-*.whl"), f"a wheel of {package}")


def edit_metadata(info, arch):
    """The tag of the machine, and what licences the whole has."""
    wheel = info / "WHEEL"
    text = re.sub(r"(?m)^Root-Is-Purelib: .*$", "Root-Is-Purelib: false", wheel.read_text())
    text = re.sub(r"(?m)^Tag: .*\n", "", text).rstrip("\n")
    wheel.write_text(f"{text}\nTag: py3-none-manylinux_2_28_{arch}\n")

    metadata = info / "METADATA"
    head, gap, body = metadata.read_text().partition("\n\n")
    lines = [line for line in head.splitlines()
             if not line.startswith(("License-Expression:", "License-File:", "License:",
                                     "Classifier: License ::", "Metadata-Version:"))]
    files = sorted(path.relative_to(info / "licenses").as_posix()
                   for path in (info / "licenses").rglob("*") if path.is_file())
    lines = ["Metadata-Version: 2.4", *lines, f"License-Expression: {LICENCES}",
             *(f"License-File: {name}" for name in files)]
    metadata.write_text("\n".join(lines) + gap + body)


def pack(python, package, source, prefix, licences, arch, version, out, work):
    pure = pure_wheel(python, package, source, work)
    if pure.name.split("-")[1] != version:
        sys.exit(f"kasuri: {pure.name} is a package of another version; CMakeLists.txt says {version}")
    unpacked = work / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    unpacked.mkdir()
    run(python, "-m", "wheel", "unpack", "--dest", unpacked, pure, stdout=subprocess.DEVNULL)
    root = unpacked / f"kasuri-{version}"
    shutil.copytree(prefix, root / "kasuri" / "_native", symlinks=True)
    info = root / f"kasuri-{version}.dist-info"
    (info / "licenses").mkdir(exist_ok=True)
    shutil.copyfile(source / "LICENSE", info / "licenses" / "LICENSE")
    for name, path in licences.items():
        shutil.copyfile(path, info / "licenses" / f"{name}.txt")
    edit_metadata(info, arch)
    for path in [root, *root.rglob("*")]:
        programs = path.is_dir() or path.parent.name == "bin" or "libexec" in path.parts
        path.chmod(0o755 if programs else 0o644)
    run(python, "-m", "wheel", "pack", "--dest-dir", out, root, stdout=subprocess.DEVNULL)
    return one(out.glob(f"kasuri-{version}-*_{arch}.whl"), "the packed wheel")

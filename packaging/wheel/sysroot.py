# SPDX-License-Identifier: Apache-2.0
"""What the wheel's link sees in place of the system's C library and C++ library.

The C library is one of stubs: `zig cc` makes them from the lists of what each glibc exports, with the
parts of glibc that are linked into programs. Behind them stand our own functions (older/) for what is newer than
glibc 2.28 or libstdc++ of GCC 8: the linker takes them where the stubs have nothing of the name.
"""

import pathlib
import re
import shutil
import subprocess
import sys

from common import ask, run

HERE = pathlib.Path(__file__).resolve().parent
GLIBC = "2.28"
LOADERS = {"x86_64": "ld-linux-x86-64.so.2", "aarch64": "ld-linux-aarch64.so.1"}
STUBS = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")


def zig_inputs(python, arch, work, flags):
    """The files that Zig's linker is given for a small program, by name."""
    source = work / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    environment = {"ZIG_GLOBAL_CACHE_DIR": str(work / "zig"), "ZIG_LOCAL_CACHE_DIR": str(work / "zig"),
                   "HOME": str(work), "PATH": "/usr/bin:/bin"}
    done = run(python, "-m", "ziglang", "cc", "-target", f"{arch}-linux-gnu.{GLIBC}", "-O2", "-v", *flags,
               source, "-o", work / "empty", "-lpthread", "-ldl", "-lm", "-lrt", cwd=work, env=environment,
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    links = [line for line in done.splitlines() if line.startswith("ld.lld ") and "crt1.o" in line]
    if not links:
        sys.exit(f"kasuri: zig cc names no link of a program for {arch}:\n{done[-2000:]}")
    words = (work / word for word in links[-1].split() if re.search(r"\.(o|a)$|\.so(\.\d+)?$", word))
    return {path.name: path for path in words if path.is_file()}


def copy_archive(arch, archive, to, work):
    """Without debug information: where it was compiled would change the build id of what it is linked into.
    Zig's members have the names of their files, which binutils cannot write again."""
    objects = []
    for member in ask(f"{arch}-linux-gnu-ar", "t", archive).splitlines():
        objects.append(work / pathlib.Path(member).name)
        run(f"{arch}-linux-gnu-strip", "-g", work / member, "-o", objects[-1])
    run(f"{arch}-linux-gnu-ar", "rcsD", to, *objects)


def compile_older(compiler, folder, archive, work):
    objects = []
    for source in sorted((HERE / "older" / folder).glob("*.cpp")):
        target = work / f"{folder}_{source.stem}.o"
        run(compiler, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden",
            "-c", source, "-o", target)
        objects.append(target)
    archive.unlink(missing_ok=True)
    run(compiler.replace("g++", "gcc-ar"), "rcsD", archive, *objects)


def make(python, arch, folder, work):
    """Writes the libraries for the linker into `folder`; gives the licence files of what they bring."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    work.mkdir(parents=True, exist_ok=True)
    compiler = f"{arch}-linux-gnu-g++-12"
    given = zig_inputs(python, arch, work, [])
    given.update((name, path) for name, path in zig_inputs(python, arch, work, ["-fPIE", "-pie"]).items()
                 if name == "Scrt1.o")
    for name in (*STUBS, "libld.so.2", "libc_nonshared.a", "crt1.o", "Scrt1.o"):
        if name not in given:
            sys.exit(f"kasuri: zig cc links no {name}; it links: {', '.join(sorted(given))}")
        if name == "libc_nonshared.a":
            copy_archive(arch, given[name], folder / name, work)
        else:
            shutil.copyfile(given[name], folder / (LOADERS[arch] if name == "libld.so.2" else name))
        if name.endswith(".o"):
            run(f"{arch}-linux-gnu-strip", "-g", folder / name)
    for name in STUBS[1:]:
        (folder / re.sub(r"\.\d+$", "", name)).symlink_to(name)

    compile_older(compiler, "c", folder / "libolder_c.a", work)
    # -lc brings all of them, as in a C library of today: the tree asks for no more.
    others = " ".join(f"{folder}/{name}" for name in (*STUBS[1:], LOADERS[arch]))
    (folder / "libc.so").write_text(f"GROUP ( {folder}/libc.so.6 AS_NEEDED ( {others} ) "
                                    f"{folder}/libolder_c.a {folder}/libc_nonshared.a )\n")
    # Ours before the library: it has them too, in versions that the wheel may not need.
    compile_older(compiler, "cxx", folder / "libolder_cxx.a", work)
    theirs = ask(compiler, "-print-file-name=libstdc++.so.6")
    if not pathlib.Path(theirs).is_absolute():
        sys.exit(f"kasuri: {compiler} has no libstdc++.so.6")
    (folder / "libstdc++.so").write_text(f"GROUP ( {folder}/libolder_cxx.a {theirs} )\n")
    zig = pathlib.Path(ask(python, "-c", "import ziglang; print(ziglang.__path__[0])"))
    return {"glibc": zig / "lib" / "libc" / "glibc" / "LICENSES"}

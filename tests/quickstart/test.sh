#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh TREE: ./quickstart of a copy of its scripts in a folder of its own, as a user without rights, with
# stand-ins for the commands that look, install and build: packages are missing, and cmake only writes
# down how it is called. What can be built is configured, and what is left out is said.
set -euo pipefail
tree=$1
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

mkdir -p "$folder/bin" "$folder/tree/examples/openmp"
cp -r "$tree/quickstart" "$tree/packaging" "$folder/tree"
cp "$tree"/examples/openmp/* "$folder/tree/examples/openmp"

# stand_in NAME BODY: a command of this name in front of the system's.
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
# shellcheck disable=SC2016
{
  stand_in dpkg-query 'case ${*: -1} in *mpi*|*tbb*|*cli11*) exit 1;; esac; echo installed'
  stand_in apt-get 'exit 100'
  stand_in sudo 'exit 1'
  stand_in ninja 'exit 0'
  stand_in pkg-config 'exit ${FAKE_HWLOC:-0}'
  stand_in c++ 'for word in "$@"; do [[ $word == ${FAKE_ABSENT:-none} ]] && exit 1; done; exit 0'
  stand_in cmake 'if [[ $1 == --version ]]; then echo "cmake version ${FAKE_CMAKE:-3.25.1}"; exit; fi
echo "$@" >>"$FOLDER/calls"
mkdir -p build/bin; printf "#!/bin/sh\necho demo\n" >build/bin/quickstart_demo; chmod +x build/bin/quickstart_demo'
}

as_user=()
if ((EUID == 0)); then
  if ! command -v setpriv >/dev/null; then
    echo "no setpriv to give up the rights of root"
    exit 77
  fi
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chown -R 65534:65534 "$folder"
fi

# run NAME=VALUE...: quickstart with these set; its status in `status`, what it says in `said`.
run() {
  rm -f "$folder/calls"
  status=0
  said=$(env CXX= FOLDER="$folder" HOME="$folder" PATH="$folder/bin:$PATH" "$@" \
    "${as_user[@]}" bash "$folder/tree/quickstart" 2>&1) || status=$?
  calls=$(cat "$folder/calls" 2>/dev/null || true)
}

# expect WHAT TEXT PART / reject: the part is in the text, or is not.
expect() { [[ $2 == *"$3"* ]] || { echo "$1 lacks: $3"; echo "$2"; failed=1; }; }
reject() { [[ $2 != *"$3"* ]] || { echo "$1 has: $3"; echo "$2"; failed=1; }; }

run
((status == 0)) || { echo "status $status: $said"; failed=1; }
expect "what it says" "$said" "sudo apt-get install"
expect "what it says" "$said" "building what can be built"
expect "what it says" "$said" "demo"
expect "what cmake gets" "$calls" "--preset release"
reject "what cmake gets" "$calls" "-DKASURI_TOOLS=OFF"
reject "what cmake gets" "$calls" "-DKASURI_HWLOC=OFF"

run FAKE_ABSENT=CLI/CLI.hpp FAKE_HWLOC=1
((status == 0)) || { echo "status $status: $said"; failed=1; }
expect "what it says" "$said" "left out: the kasuri command"
expect "what it says" "$said" "left out: machines described by HWLOC_SYNTHETIC"
expect "what cmake gets" "$calls" "-DKASURI_TOOLS=OFF"
expect "what cmake gets" "$calls" "-DKASURI_HWLOC=OFF"

run FAKE_CMAKE=3.20.1
((status == 1)) || { echo "an old cmake: status $status: $said"; failed=1; }
expect "what it says" "$said" "kasuri: the library cannot be built without: CMake 3.22 or newer"
reject "what cmake gets" "$calls" "--preset"

# Other package managers: a PATH that has theirs, and of the system only what the scripts call.
mkdir "$folder/few"
for tool in bash cat chmod dirname env grep head mkdir readlink sed setpriv sort tail; do
  ln -s "$(command -v "$tool")" "$folder/few/$tool"
done
for tool in cmake c++ ninja pkg-config; do cp "$folder/bin/$tool" "$folder/few"; done

# with_manager NAME [VARIABLE=VALUE...]: quickstart where that is the only package manager.
with_manager() {
  local manager=$1
  shift
  printf '#!/bin/bash\nexit 1\n' >"$folder/few/$manager"
  chmod +x "$folder/few/$manager"
  run PATH="$folder/few" "$@"
  rm "$folder/few/$manager"
}

with_manager dnf
((status == 0)) || { echo "dnf: status $status: $said"; failed=1; }
expect "what it says" "$said" "run, as root: dnf install gcc-c++ cmake ninja-build"
expect "what it says" "$said" "json-devel"
expect "what it says" "$said" "elfutils-devel"
reject "what it says" "$said" "libhwloc-dev"
expect "what it says" "$said" "demo"
with_manager dnf FAKE_HWLOC=1
expect "what it says" "$said" "left out: machines described by HWLOC_SYNTHETIC (pkgconf-pkg-config hwloc-devel)"
with_manager zypper
expect "what it says" "$said" "run, as root: zypper install gcc-c++ cmake ninja pkg-config python3 hwloc-devel"
with_manager pacman
expect "what it says" "$said" "run, as root: pacman -S --needed gcc cmake ninja pkgconf python hwloc"
run PATH="$folder/few"
((status == 0)) || { echo "no package manager: status $status: $said"; failed=1; }
expect "what it says" "$said" "this system has no apt; install the equivalents of: g++ cmake"

printf '#!/bin/bash\necho "musl libc (x86_64)" >&2; exit 1\n' >"$folder/few/ldd"
chmod +x "$folder/few/ldd"
with_manager apk
((status == 1)) || { echo "musl: status $status: $said"; failed=1; }
expect "what it says" "$said" "run, as root: apk add g++ cmake ninja pkgconf"
expect "what it says" "$said" "the C library of this system is musl; accepted: glibc"
reject "what cmake gets" "$calls" "--preset"

exit $failed

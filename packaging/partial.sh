# SPDX-License-Identifier: Apache-2.0
# Sourced by ./quickstart: what can be built of the tree with what is installed, however it came there.

# Packages by this system's names: packaging/managers.sh.
has_header() { "${CXX:-c++}" -std=c++20 -fsyntax-only -include "$1" -x c++ /dev/null 2>/dev/null; }
# leave_out WHAT PACKAGE...: what is not built, and the packages that it needs.
leave_out() {
  local names
  names=$(names_for "${@:2}")
  echo "  left out: $1${names:+ ($names)}"
}

cmake_is_new_enough() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
  [[ -n $version && $(printf '3.22\n%s\n' "$version" | sort -V | head -n 1) == 3.22 ]]
}

# plan_partial_build: sets the array `options` to arguments of cmake that leave out what cannot be built,
# and says what that is. Fails, with a line, where not even the library can be built.
plan_partial_build() {
  local lacking=()
  options=()
  if has_musl; then
    echo "kasuri: the C library of this system is musl; accepted: glibc" \
      "(docs/how-to/install.md says what is known of musl)" >&2
    return 1
  fi
  command -v "${CXX:-c++}" >/dev/null || lacking+=("a C++20 compiler (g++)")
  cmake_is_new_enough || lacking+=("CMake 3.22 or newer (cmake; or, as any user, pip install cmake)")
  if ! command -v ninja >/dev/null; then
    if command -v make >/dev/null; then
      options+=(-G "Unix Makefiles")
    else
      lacking+=("Ninja or make (ninja-build)")
    fi
  fi
  if ((${#lacking[@]})); then
    local list
    printf -v list ', %s' "${lacking[@]}"
    echo "kasuri: the library cannot be built without: ${list:2}" >&2
    return 1
  fi
  echo "building what can be built without them"
  if ! command -v pkg-config >/dev/null || ! pkg-config --exists hwloc; then
    leave_out "machines described by HWLOC_SYNTHETIC" pkg-config libhwloc-dev
    options+=(-DKASURI_HWLOC=OFF)
  fi
  if ! has_header CLI/CLI.hpp || ! has_header nlohmann/json.hpp; then
    leave_out "the kasuri command, and with it OpenMP programs on Kasuri" libcli11-dev nlohmann-json3-dev
    options+=(-DKASURI_TOOLS=OFF)
  fi
  pkg-config --exists libdw 2>/dev/null || leave_out "lines of the source in reports" pkg-config libdw-dev
  command -v mpicc.mpich >/dev/null || leave_out "ranks of MPICH" mpich libmpich-dev
  command -v mpicc.openmpi >/dev/null || leave_out "ranks of Open MPI" openmpi-bin libopenmpi-dev
  has_header tbb/version.h || has_header tbb/tbb_stddef.h ||
    leave_out "benchmarks of oneTBB" libtbb-dev
  has_header benchmark/benchmark.h || leave_out "the benchmarks" libbenchmark-dev
}

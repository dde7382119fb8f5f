#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consume.sh WAY [BUILD]: one way to use the installed library. CMake's test passes, by the
# environment, the programs to use, the prefix of the installed tree and a folder to work in.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Installs to one place and moves it: nothing in the package may hold the path it was made for.
install() {
  local first="$WORK/first"
  rm -rf "$first" "$PREFIX"
  "$CMAKE" --install "$1" --prefix "$first"
  mv "$first" "$PREFIX"
}

with_cmake() {
  rm -rf "$WORK/$1"
  "$CMAKE" -S "$here/$1" -B "$WORK/$1" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_COMPILER="$CC" -DPARLAY="$PARLAY" -DSTDEXEC="$STDEXEC" \
    -DCOMPONENTS="${COMPONENTS:-shared;static}"
  "$CMAKE" --build "$WORK/$1"
  for program in "$WORK/$1"/consumer*; do
    "$program"
  done
}

libdir() { dirname "$(find "$PREFIX" -name libkasuri.so)"; }

ask_pkg_config() { PKG_CONFIG_PATH="$(libdir)/pkgconfig" "$PKG_CONFIG" "$@" kasuri; }

# FLAGS COMPILER ARGUMENT...: compiles with the flags that pkg-config gave and runs the result.
compile_and_run() {
  local flags=$1 program
  shift
  program=$(mktemp "$WORK/program.XXXXXX")
  # shellcheck disable=SC2086 # the flags are words
  "$@" -O2 $flags -o "$program"
  LD_LIBRARY_PATH="$(libdir)" "$program"
  rm "$program"
}

# The modules of the compiler that built the package. Status 77: it had none, or it is another compiler.
with_fortran() {
  local flags work="$WORK/fortran_modules"
  flags=$(PKG_CONFIG_PATH="$(libdir)/pkgconfig" "$PKG_CONFIG" --cflags --libs kasuri-fortran) || exit 77
  mkdir -p "$work"
  compile_and_run "$flags" "$FC" "$here/fortran/main.f90" -std=f2018 -Wall -J"$work"
}

# A failure that nobody asked about ends a program with a line that says it.
with_fortran_failure() {
  local flags said status=0 program="$WORK/fortran_failure"
  flags=$(PKG_CONFIG_PATH="$(libdir)/pkgconfig" "$PKG_CONFIG" --cflags --libs kasuri-fortran) || exit 77
  printf 'use kasuri\ntype(kasuri_mutex) :: m\ncall kasuri_mutex_unlock(m)\nend\n' >"$program.f90"
  # shellcheck disable=SC2086 # the flags are words
  "$FC" "$program.f90" $flags -o "$program"
  said=$(LD_LIBRARY_PATH="$(libdir)" "$program" 2>&1) || status=$?
  [[ $status != 0 && $said == *"kasuri: kasuri_mutex_unlock: "*"not held"* ]] || { echo "status $status: $said"; return 1; }
}

with_pkg_config() { compile_and_run "$(ask_pkg_config --cflags --libs)" "$@"; }

# The archive instead of the shared library; what it needs is linked as usual.
with_archive() {
  local flags
  flags=$(ask_pkg_config --static --cflags --libs)
  compile_and_run "${flags/-lkasuri/-l:libkasuri.a}" "$CC" -std=c11 "$here/c/main.c"
}

# A program without shared libraries. The linker warns of what a static C library cannot load.
with_static() {
  local flags
  flags=$(ask_pkg_config --static --cflags --libs)
  compile_and_run "$flags" "$CXX" -std=c++20 -static "$here/cpp/main.cpp"
}

# A plug-in that holds the archive and is closed while its workers live.
with_plugin() {
  local flags
  flags=$(ask_pkg_config --static --cflags --libs)
  # shellcheck disable=SC2086 # the flags are words
  "$CXX" -std=c++20 -O2 -fPIC -shared -Wl,--exclude-libs,ALL "$here/plugin/plugin.cpp" -o "$WORK/plugin.so" \
    ${flags/-lkasuri/-l:libkasuri.a}
  "$CC" -O2 "$here/plugin/host.c" -o "$WORK/host" -ldl
  "$WORK/host" "$WORK/plugin.so"

  # Two of them, which show what they hold: two pools, and a line that says so.
  # shellcheck disable=SC2086 # the flags are words
  "$CXX" -std=c++20 -O2 -fPIC -shared "$here/plugin/plugin.cpp" -o "$WORK/first.so" \
    ${flags/-lkasuri/-l:libkasuri.a}
  cp "$WORK/first.so" "$WORK/second.so"
  local said
  said=$("$WORK/host" "$WORK/first.so" "$WORK/second.so" 2>&1)
  [[ $said == "kasuri: warning: a second copy of Kasuri"*"$WORK/first.so"* ]] || { echo "$said"; return 1; }
}

# Another C++ library than the one that Kasuri was built with is refused, by name, when a program is
# compiled. Status 77: this compiler has no libc++.
with_libcxx() {
  local said empty="$WORK/empty.cpp"
  echo '#include <vector>' >"$empty"
  "$CLANGXX" -std=c++20 -stdlib=libc++ -fsyntax-only "$empty" 2>/dev/null || exit 77
  # shellcheck disable=SC2046 # the flags are words
  if said=$("$CLANGXX" -std=c++20 -stdlib=libc++ -fsyntax-only $(ask_pkg_config --cflags) \
    "$here/cpp/main.cpp" 2>&1); then
    echo "a program with libc++ is compiled against a Kasuri with libstdc++"
    return 1
  fi
  [[ $said == *"This Kasuri was built with libstdc++"* ]] || { echo "$said"; return 1; }
}

# PROGRAM CASE TEXT: the case ends the program with status 2 and one line that holds the text.
ends_with() {
  local said status=0
  said=$(LD_LIBRARY_PATH="$(libdir)" "$1" "$2" 2>&1) || status=$?
  [[ $status == 2 && $said == "kasuri: $3"*"; nobody catches it in a program without exceptions" &&
    $said != *$'\n'* ]] || { echo "$2: status $status: $said"; return 1; }
}

# COMPILER FLAG...: a program without exceptions, what works in it and what ends it.
without_exceptions() {
  local program="$WORK/no_exceptions" flags
  flags=$(ask_pkg_config --cflags --libs)
  echo "$* -fno-exceptions"
  # shellcheck disable=SC2086 # the flags are words
  "$@" -fno-exceptions -O2 -Wall -Wextra -Werror "$here/no_exceptions/main.cpp" $flags -o "$program"
  LD_LIBRARY_PATH="$(libdir)" "$program"
  ends_with "$program" argument "barrier: threads = 0; accepted: 1 to 4294967295"
  ends_with "$program" header "a loop from a negative index to an unsigned one"
  ends_with "$program" future "future: no task behind it"
  ends_with "$program" broken "promise: destroyed before it had a result"
  ends_with "$program" task "latch::count_down: n = 2; what is left: 1"
}

# By each compiler that is here and has the C++ library that Kasuri was built with.
with_no_exceptions() {
  local compilers=("$GXX" "$CLANGXX") compiler
  [[ $(ask_pkg_config --cflags) != *-stdlib=libc++* ]] || compilers=("$CLANGXX")
  for compiler in "${compilers[@]}"; do
    [[ -x $compiler ]] || continue
    without_exceptions "$compiler" -std=c++20
    without_exceptions "$compiler" -std=c++23 -fno-rtti
  done
}

# The installed command finds the installed OpenMP library, for a program that knows of neither.
with_openmp() {
  local program="$WORK/openmp_program" seen
  "$CC" -O2 -fopenmp "$1" -o "$program"
  seen=$("$PREFIX/bin/kasuri" run --openmp --workers 3 -- "$program")
  [[ $seen == "sum 500500, 3 threads by default" ]] || { echo "$seen"; return 1; }
  "$PREFIX/bin/kasuri" info --openmp "$program"
}

# The installed command finds the installed benchmarks and their runner, and they the library.
with_compare() {
  local out="$WORK/compare" seen
  mkdir -p "$out"
  seen=$("$PREFIX/bin/kasuri" compare --systems serial,kasuri --benchmarks fib --variants \
    call,parallel_invoke --workers 1 --reps 1 --size 15 --json "$out/r.json" --html "$out/r.html" \
    2>"$out/log") || { cat "$out/log"; return 1; }
  [[ $seen == *" figures of 2 systems in "* && $seen != *failed* ]] || { echo "$seen"; return 1; }
}

case $1 in
  install) install "$2" ;;
  find_package_cpp) with_cmake cpp ;;
  find_package_c) with_cmake c ;;
  pkg_config_cpp) with_pkg_config "$CXX" "$here/cpp/main.cpp" -std=c++20 ;;
  pkg_config_c) with_pkg_config "$CC" "$here/c/main.c" -std=c11 -Wall -Wextra -Wpedantic -Werror ;;
  pkg_config_fortran) with_fortran; with_fortran_failure ;;
  find_package_fortran) FC="$FC" with_cmake fortran ;;
  pkg_config_static) with_archive ;;
  static) with_static ;;
  plugin) with_plugin ;;
  libcxx) with_libcxx ;;
  no_exceptions) with_no_exceptions ;;
  openmp) with_openmp "$here/../command/programs/parallel_sum.c" ;;
  compare) with_compare ;;
  *) echo "consume.sh: $1: no such way" >&2; exit 2 ;;
esac

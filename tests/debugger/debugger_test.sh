#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debugger_test.sh dump|gdb|core PROGRAM SCRIPT: three threads wait in the program; are they all shown?
# Status 77: there is no gdb, or it may not trace processes here.
set -euo pipefail
way=$1 program=$2 script=$3

# Each argument is a pattern that must be found in $output.
expect() {
  local pattern
  for pattern in "$@"; do
    if ! grep -Eq -- "$pattern" <<<"$output"; then
      printf 'not found: %s\nin:\n%s\n' "$pattern" "$output" >&2
      exit 1
    fi
  done
}

gdb_on_program() {
  gdb -batch -nx -ex "set debuginfod enabled off" -ex "break all_are_suspended" -ex run \
    -ex "source $script" "$@" "$program" 2>&1
}

case $way in
  dump)
    output=$("$program" dump)
    expect 'thread 0x[0-9a-f]+: mutex' 'thread 0x[0-9a-f]+: semaphore' \
      'thread 0x[0-9a-f]+: latch' 'worker 0 ' '^3 finished'
    ;;
  gdb)
    command -v gdb >/dev/null || exit 77
    output=$(gdb_on_program -ex "info kasuri")
    grep -q 'Breakpoint 1, ' <<<"$output" || { echo "$output"; exit 77; }
    expect 'worker 0 ' 'waits for: mutex' 'waits for: semaphore' 'waits for: latch'
    backtraces=()
    while read -r number; do
      backtraces+=(-ex "kasuri bt $number")
    done < <(sed -nE 's/^ *([0-9]+)  0x.*waits for:.*/\1/p' <<<"$output")
    output=$(gdb_on_program "${backtraces[@]}" -ex "kasuri bt 999" -ex "continue") || true
    expect ' waits_for_mutex ' ' waits_for_semaphore ' ' waits_for_latch ' \
      'kasuri bt 999: no such thread; accepted: 1 to'
    # gdb stops a batch at the first error; the registers must be as before all the same.
    output=$(gdb_on_program "${backtraces[@]}" -ex "continue")
    expect '^3 finished' 'exited normally'
    ;;
  core)
    command -v gdb >/dev/null || exit 77
    core=$(mktemp)
    trap 'rm -f "$core"' EXIT
    gdb_on_core() {
      gdb -batch -nx -ex "set debuginfod enabled off" -ex "source $script" "$@" "$program" "$core" 2>&1
    }
    output=$(gdb_on_program -ex "generate-core-file $core")
    grep -q 'Saved corefile' <<<"$output" || { echo "$output"; exit 77; }
    # gdb leaves out a mapping with guard markers, where the kernel has them: then that is said.
    output=$(gdb_on_core -ex "info kasuri")
    if ! grep -q '^3 suspended threads' <<<"$output"; then
      expect 'the core file lacks the memory of [0-9]+ stacks'
    fi
    export KASURI_GUARD_PAGES=off
    gdb_on_program -ex "generate-core-file $core" >/dev/null
    output=$(gdb_on_core -ex "kasuri bt 1" -ex "kasuri bt 2" -ex "kasuri bt 3")
    expect ' waits_for_mutex ' ' waits_for_semaphore ' ' waits_for_latch '
    ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hang_test.sh NAME PROGRAM: is said what must be said about a program that hangs, and nothing else?
set -euo pipefail
name=$1 program=$2
scratch=$(mktemp -d)
said=$scratch/said
mkfifo "$scratch/input"
pid=
# The program may hang for ever: that is what it is for.
trap 'test -z "$pid" || kill -9 "$pid" 2>/dev/null || true; rm -rf "$scratch"' EXIT

fail() {
  printf '%s\nsaid:\n' "$1" >&2
  cat "$said" >&2
  exit 1
}

# start NAME: the program in the background; `go_on` lets it go on.
start() {
  "$program" "$1" <"$scratch/input" >"$scratch/output" 2>>"$said" &
  pid=$!
  exec 3>"$scratch/input"
}
go_on() { echo >&3; }

# Each argument is a pattern; waits until the program has said all of them, in any order.
await() {
  local pattern
  for pattern in "$@"; do
    until grep -Eqs -- "$pattern" "$said"; do
      kill -0 "$pid" 2>/dev/null || fail "the program ended before it said: $pattern"
      sleep 0.05
    done
  done
}
await_ready() { until grep -qs ready "$scratch/output"; do sleep 0.05; done; }

must_end_well() {
  wait "$pid" || fail "status $?"
  pid=
}
must_not_say() { ! grep -Eq -- "$1" "$said" || fail "must not be said: $1"; }

case $name in
  crosswise)
    export KASURI_DEADLOCK=1 KASURI_NUM_WORKERS=2
    start crosswise
    await 'kasuri: deadlock: all tasks wait' 'threads suspended' \
      'thread 0x[0-9a-f]+: mutex at 0x[0-9a-f]+, locked by thread 0x[0-9a-f]+$' \
      'in locks_first_then_second \(' 'in locks_second_then_first \('
    # Each of the two is named as the one that the other waits for.
    waiting=$(sed -nE 's/^kasuri: thread (0x[0-9a-f]+): mutex.*/\1/p' "$said" | sort)
    locking=$(sed -nE 's/.*, locked by thread (0x[0-9a-f]+)$/\1/p' "$said" | sort)
    [ "$waiting" = "$locking" ] || fail 'those who wait and those who have locked are not the same'
    ;;
  outside)
    export KASURI_DEADLOCK=1
    start outside
    await 'kasuri: deadlock: ' '1 threads outside the pool wait' 'thread [0-9]+ outside the pool: latch at' 'in main'
    ;;
  before_the_pool)
    export KASURI_DEADLOCK=1
    start before_the_pool
    await 'kasuri: deadlock: all tasks wait \(1\)' 'the pool does not run' '1 threads outside the pool wait' \
      'thread [0-9]+ outside the pool: mutex at 0x[0-9a-f]+, locked by itself$' 'in before_the_pool\(\)|in main'
    ;;
  released)
    # A thread of the program is about all the time, through several looks.
    export KASURI_DEADLOCK=1
    start tasks_wait_for_a_line
    await_ready
    sleep 3
    go_on
    must_end_well
    must_not_say deadlock
    ;;
  asleep)
    export KASURI_DEADLOCK=1
    start asleep
    await_ready
    sleep 2
    go_on
    must_end_well
    must_not_say deadlock
    ;;
  sleeping)
    # All tasks sleep, through two looks.
    export KASURI_DEADLOCK=1
    start tasks_sleep
    must_end_well
    must_not_say deadlock
    ;;
  sleeping_and_hanging)
    # The thread of the timers is no thread that may wake somebody, once there is no timer.
    export KASURI_DEADLOCK=1
    start tasks_sleep_and_hang
    await 'kasuri: deadlock: ' 'semaphore at 0x'
    ;;
  signal)
    export KASURI_DUMP_SIGNAL=QUIT KASURI_DEADLOCK=0
    start tasks_wait_for_a_line
    await_ready
    until [ "$(grep -Ec 'thread 0x[0-9a-f]+: semaphore at 0x' "$said")" = 2 ]; do
      : >"$said"
      kill -QUIT "$pid"
      await 'threads suspended'
    done
    await 'in waits_for_semaphore \('
    go_on
    must_end_well
    ;;
  signal_while_running)
    export KASURI_DUMP_SIGNAL=USR1 KASURI_NUM_WORKERS=2
    start tasks_come_and_go
    await_ready
    for _ in $(seq 50); do
      : >"$said"
      kill -USR1 "$pid"
      await 'threads suspended'
    done
    go_on
    must_end_well
    must_not_say deadlock
    ;;
  blocking_limit)
    # Five of the eight readers have no thread of their own, and five spare threads stand in for them.
    export KASURI_MAX_BLOCKING=3 KASURI_NUM_WORKERS=1
    start tasks_read_blocking
    await '^kasuri: warning: 3 tasks are in blocking calls \(KASURI_MAX_BLOCKING=3; accepted: 0 to 1000000\)'
    go_on
    must_end_well
    [ "$(wc -l <"$said")" = 1 ] || fail 'more than one line'
    ;;
  blocking_without_spares | reading_without_spares)
    export KASURI_MAX_BLOCKING=0 KASURI_MAX_SPARES=2 KASURI_NUM_WORKERS=1
    if [ "$name" = blocking_without_spares ]; then start tasks_read_blocking; else start tasks_read; fi
    await '^kasuri: warning: tasks wait, .*\(KASURI_MAX_SPARES=2; accepted: 0 to 1024\)'
    go_on
    must_end_well
    [ "$(wc -l <"$said")" = 1 ] || fail 'more than one line'
    ;;
  bad_values)
    for setting in KASURI_MAX_BLOCKING=many KASURI_MAX_BLOCKING=1000001 KASURI_DUMP_SIGNAL=KILL KASURI_DEADLOCK=-1 KASURI_DEADLOCK=soon; do
      status=0
      env "$setting" "$program" asleep </dev/null >/dev/null 2>"$said" || status=$?
      [ "$status" = 2 ] || fail "$setting: status $status"
      grep -Eq "^kasuri: $setting: .*; accepted: " "$said" || fail "$setting: the line is another"
    done
    ;;
esac

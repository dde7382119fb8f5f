#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh "VM" "OPTIONS" PROGRAM...: runs programs, each a string with its arguments, one after the other on
# the machine that `VM OPTIONS -- COMMAND` makes. 77 where there is no such command, or it fails itself.
vm=$1 options=$2
shift 2
if [ -z "$vm" ]; then
  echo "skipped: KASURI_TEST_NUMA_VM names no command that runs a program on a machine of several nodes"
  exit 77
fi
set -f  # options are words, not patterns
# shellcheck disable=SC2086
$vm $options --timeout 580 -- sh -c 'for p; do echo "== $p"; $p || exit 1; done' sh "$@"
status=$?
if [ $status -eq 125 ]; then
  echo "skipped: $vm could not make a machine with $options"
  exit 77
fi
exit $status

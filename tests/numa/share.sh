#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# share.sh LEAST KIND COUNT RUNTIME PROGRAM ARGS...: runs a program that reports where its tasks ran, with the
# OpenMP runtime of a folder. Are there COUNT tasks, do at least LEAST % of those of KIND (a word that the line begins
# with; tasks: all) run on the node of their output, and is the result right?
least=$1 kind=$2 count=$3 runtime=$4
shift 4
if ! report=$(LD_LIBRARY_PATH=$runtime "$@" --report 2>&1); then
  echo "$report"
  echo "FAILED: the program's status"
  exit 1
fi
echo "$report"
echo "$report" | awk -v least="$least" -v kind="$kind" -v count="$count" '
  $1 == "tasks" { ran = $2 + 0 }
  $1 == kind && match($0, /\([0-9.]+ %\)/) { share = substr($0, RSTART + 1) + 0; found = 1 }
  END {
    if (ran != count) print "FAILED: " ran + 0 " tasks, there should be " count
    if (found && share >= least) exit ran != count
    if (found) print "FAILED: " share " % of " kind ", " least " % are expected"
    else print "FAILED: no share of " kind
    exit 1
  }'

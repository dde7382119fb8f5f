#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# share.sh LEAST KIND RUNTIME PROGRAM ARGS...: runs a program that reports where its tasks ran, with the
# OpenMP runtime of a folder. Do at least LEAST % of the tasks of KIND (a word that the line begins with) run on
# the node of their output, and is the result right?
least=$1 kind=$2 runtime=$3
shift 3
if ! report=$(LD_LIBRARY_PATH=$runtime "$@" --report 2>&1); then
  echo "$report"
  echo "FAILED: the program's status"
  exit 1
fi
echo "$report"
echo "$report" | awk -v least="$least" -v kind="$kind" '
  $1 == kind && match($0, /\([0-9.]+ %\)/) { share = substr($0, RSTART + 1) + 0; found = 1 }
  END {
    if (found && share >= least) exit 0
    if (found) print "FAILED: " share " % of " kind ", " least " % are expected"
    else print "FAILED: no share of " kind
    exit 1
  }'

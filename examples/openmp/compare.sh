#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh KASURI PROGRAM: one OpenMP binary under its own runtime and under Kasuri, in turns so
# that a busy moment hits both; medians of three. The program prints lines "NAME SECONDS right".
set -euo pipefail
kasuri=$1 program=$2
repetitions=3

run_in_turns() {
  local i
  for ((i = 0; i < repetitions; ++i)); do
    "$program" | sed 's/^/own /'
    "$kasuri" run --openmp -- "$program" | sed 's/^/kasuri /'
  done
}

# Also the status: a program whose result is wrong ends with 1, which the pipe keeps.
if lines=$(run_in_turns); then status=0; else status=$?; fi

awk -v repetitions=$repetitions '
  { times[$1, $2] = times[$1, $2] " " $3; if (!($2 in seen)) { seen[$2]; names[++count] = $2 } }
  $4 != "right" { wrong[$2] = wrong[$2] == "" || wrong[$2] == $1 ? $1 : "both" }
  function median(list,   values, n, i, j, swap) {
    n = split(list, values, " ")
    for (i = 1; i <= n; ++i)
      for (j = i + 1; j <= n; ++j)
        if (values[j] + 0 < values[i] + 0) {
          swap = values[i]; values[i] = values[j]; values[j] = swap
        }
    return values[int((n + 1) / 2)]
  }
  END {
    printf "%-8s %12s %9s %15s   %s\n", "program", "own runtime", "Kasuri", "own / Kasuri", "check"
    for (i = 1; i <= count; ++i) {
      name = names[i]; own = median(times["own", name]); ours = median(times["kasuri", name])
      ratio = ours > 0 ? sprintf("%.2fx", own / ours) : "-"
      printf "%-8s %12.3f %9.3f %15s   %s\n", name, own, ours, ratio,
        name in wrong ? "WRONG under: " wrong[name] : "right"
    }
  }' <<<"$lines"
exit "$status"

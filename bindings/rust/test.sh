#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh CARGO TARGET LIBRARIES INCLUDE: builds the crates against the library in LIBRARIES, without a
# network, and runs their tests, documentation and examples on several numbers of workers.
set -euo pipefail
cargo=$1
manifest=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/Cargo.toml
export RUST_BACKTRACE=0 CARGO_TARGET_DIR=$2 LIBKASURI_DIR=$3 LIBKASURI_INCLUDE=$4 LD_LIBRARY_PATH=$3
if ! "$cargo" --version >/dev/null 2>&1; then
  echo "no cargo: the Rust crates are not tested"
  exit 77
fi
run() { nice "$cargo" "$1" --manifest-path "$manifest" --offline --locked --quiet "${@:2}"; }

run test --workspace
run build --release --examples --package kasuri
run test --release --package kasuri --test fork_join --no-run
for workers in 1 2 7; do
  KASURI_NUM_WORKERS=$workers run test --release --package kasuri --test fork_join
done
for example in fib tour; do
  run run --release --package kasuri --example $example
done

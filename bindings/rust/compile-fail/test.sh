#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [OVERWRITE]: the programs in tests/ui do not compile, with the messages beside them; those in
# tests/allowed do, and run. In a copy in which all crates are one workspace, so that no message holds the path
# of this tree. Needs a network, for trybuild. With the argument `overwrite` it writes the messages anew.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
if (($# > 1)) || [[ ${1:-overwrite} != overwrite ]]; then
  echo "usage: test.sh [overwrite]" >&2
  exit 2
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$here/../kasuri" "$here/../kasuri-sys" "$here/../compile-fail" "$copy"
mv "$copy/compile-fail/rust-toolchain.toml" "$copy"
grep -v '^\[workspace\]' "$here/Cargo.toml" >"$copy/compile-fail/Cargo.toml"
sed '/^members/s/\]/, "compile-fail"]/; /^exclude/d' "$here/../Cargo.toml" >"$copy/Cargo.toml"
(($# == 0)) || export TRYBUILD=overwrite
(cd "$copy" && cargo test --package compile-fail)
(($# == 0)) || cp "$copy"/compile-fail/tests/ui/*.stderr "$here/tests/ui"

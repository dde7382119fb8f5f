// SPDX-License-Identifier: Apache-2.0
//! What is refused, and the message for it. The messages are those of the compiler that
//! rust-toolchain.toml names; another one may word them otherwise, and still has to refuse.
#[test]
fn races_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.pass("tests/allowed/*.rs");
}

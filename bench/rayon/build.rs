// SPDX-License-Identifier: Apache-2.0
//! Tells the program which compiler and which Rayon it was built with.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|out| out.stdout);
    let text = String::from_utf8(version.unwrap_or_default()).unwrap_or_default();
    let short: Vec<&str> = text.split_whitespace().take(2).collect();
    println!("cargo:rustc-env=RUSTC_VERSION={}", short.join(" "));

    let manifest = std::fs::read_to_string("Cargo.toml").unwrap_or_default();
    let rayon = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rayon = \"="))
        .map(|rest| rest.trim_end_matches('"'))
        .unwrap_or("");
    println!("cargo:rustc-env=RAYON_VERSION={rayon}");
    println!("cargo:rerun-if-changed=Cargo.toml");
}

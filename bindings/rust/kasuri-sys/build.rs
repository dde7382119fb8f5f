// SPDX-License-Identifier: Apache-2.0
//! Finds libkasuri.so: in the folder LIBKASURI_DIR, below LIBKASURI_PREFIX, or by pkg-config. Programs
//! find it when they run by `DEP_KASURI_LIBDIR`, which their build script can make an rpath of.
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

const LIBRARY: &str = "libkasuri.so";

fn main() {
    for name in ["LIBKASURI_DIR", "LIBKASURI_PREFIX", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    match library_folder() {
        Ok(folder) => {
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib=dylib=kasuri");
            println!("cargo:libdir={}", folder.display());
        }
        Err(why) => {
            eprintln!("kasuri-sys: {why}");
            exit(1);
        }
    }
}

fn library_folder() -> Result<PathBuf, String> {
    if let Some(folder) = variable("LIBKASURI_DIR") {
        return with_library(folder.clone()).ok_or(format!(
            "LIBKASURI_DIR={}: accepted: a folder that holds {LIBRARY}",
            folder.display()
        ));
    }
    if let Some(prefix) = variable("LIBKASURI_PREFIX") {
        let multiarch = format!("lib/{}-linux-gnu", std::env::consts::ARCH);
        return ["lib", "lib64", &multiarch]
            .iter()
            .find_map(|below| with_library(prefix.join(below)))
            .ok_or(format!(
                "LIBKASURI_PREFIX={}: accepted: a prefix with {LIBRARY} in its lib, lib64 or {multiarch}",
                prefix.display()
            ));
    }
    by_pkg_config()
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn with_library(folder: impl AsRef<Path>) -> Option<PathBuf> {
    let folder = folder.as_ref();
    folder.join(LIBRARY).exists().then(|| folder.to_path_buf())
}

fn by_pkg_config() -> Result<PathBuf, String> {
    let command = std::env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let advice = "set LIBKASURI_PREFIX to where Kasuri is installed, or PKG_CONFIG_PATH to the folder of kasuri.pc";
    let output = Command::new(&command)
        .args(["--variable=libdir", "kasuri"])
        .output()
        .map_err(|error| format!("{command} does not run ({error}); {advice}"))?;
    if !output.status.success() {
        return Err(format!("{command} finds no package kasuri; {advice}"));
    }
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_string();
    with_library(&folder).ok_or(format!("{command} names {folder}, which has no {LIBRARY}; {advice}"))
}

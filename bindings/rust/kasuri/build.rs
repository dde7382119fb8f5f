// SPDX-License-Identifier: Apache-2.0
//! The examples and tests of this crate find the library where it was found at the build.
fn main() {
    let folder = std::env::var("DEP_KASURI_LIBDIR").expect("kasuri-sys says where the library lies");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
}

// SPDX-License-Identifier: Apache-2.0
//! The records and constants here are those of the header, as a C compiler sees it. Where the header
//! lies is said by LIBKASURI_INCLUDE, or by pkg-config.
use kasuri_sys::*;
use std::mem::{align_of, offset_of, size_of};
use std::process::Command;

/// Each line: what it is in C, and what it is here.
fn here() -> Vec<(&'static str, i64)> {
    macro_rules! sizes { ($($t:ident)*) => { vec![$(
        (concat!("sizeof(", stringify!($t), ")"), size_of::<$t>() as i64),
        (concat!("_Alignof(", stringify!($t), ")"), align_of::<$t>() as i64),
    )*] } }
    macro_rules! offsets { ($($t:ident: $($f:ident)*;)*) => { vec![$($(
        (concat!("offsetof(", stringify!($t), ", ", stringify!($f), ")"), offset_of!($t, $f) as i64),
    )*)*] } }
    macro_rules! values { ($($c:ident)*) => { vec![$((stringify!($c), $c as i64),)*] } }
    let mut all = sizes!(kasuri_mutex_t kasuri_cond_t kasuri_sem_t kasuri_barrier_t kasuri_latch_t
        kasuri_place_t kasuri_thread_options_t kasuri_distribution_t kasuri_spawn_t kasuri_key_t
        kasuri_priority_t kasuri_thread_t kasuri_arena_t kasuri_steal_function_t
        kasuri_steal_confirm_t);
    all.extend(offsets!(
        kasuri_place_t: kind index;
        kasuri_thread_options_t: policy place hint hint_bytes;
        kasuri_distribution_t: kind node pages block_bytes rows row_bytes tile_rows tile_bytes;
    ));
    all.extend(values!(KASURI_SUCCESS KASURI_ERROR_INVALID KASURI_ERROR_MEMORY KASURI_ERROR_BUSY
        KASURI_ERROR_DEADLOCK KASURI_ERROR_PERMISSION KASURI_ERROR_AGAIN KASURI_ERROR_RANGE
        KASURI_ERROR_STATE KASURI_ERROR_TIMEOUT KASURI_PARENT_FIRST KASURI_CHILD_FIRST
        KASURI_ANYWHERE KASURI_NODE KASURI_WORKER KASURI_PRIORITY_LOW KASURI_PRIORITY_NORMAL
        KASURI_PRIORITY_HIGH KASURI_FIRST_TOUCH KASURI_ON_NODE KASURI_BLOCKED KASURI_INTERLEAVED
        KASURI_CYCLIC KASURI_BLOCK_CYCLIC KASURI_TILES KASURI_HUGE_PAGES));
    all
}

fn include_flags() -> Vec<String> {
    if let Ok(folder) = std::env::var("LIBKASURI_INCLUDE") {
        return vec![format!("-I{folder}")];
    }
    let output = Command::new("pkg-config").args(["--cflags", "kasuri"]).output();
    let output = output.expect("LIBKASURI_INCLUDE is not set, and pkg-config does not run");
    assert!(output.status.success(), "LIBKASURI_INCLUDE is not set, and pkg-config finds no kasuri");
    let flags = String::from_utf8(output.stdout).unwrap();
    flags.split_whitespace().map(String::from).collect()
}

#[test]
fn is_that_of_the_header() {
    let all = here();
    let folder = std::env::temp_dir().join(format!("kasuri-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("layout.c"), folder.join("layout"));
    let lines: String =
        all.iter().map(|(what, _)| format!("  printf(\"%lld\\n\", (long long)({what}));\n")).collect();
    let text = format!(
        "#include <kasuri/kasuri.h>\n#include <stdio.h>\nint main(void) {{\n{lines}  return 0;\n}}\n"
    );
    std::fs::write(&source, text).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(&compiler)
        .arg("-std=c11")
        .args(include_flags())
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap_or_else(|error| panic!("{compiler} does not run: {error}"));
    assert!(compiled.success(), "{compiler} does not compile {}", source.display());
    let output = Command::new(&program).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let there: Vec<i64> =
        String::from_utf8(output.stdout).unwrap().lines().map(|l| l.parse().unwrap()).collect();
    assert_eq!(there.len(), all.len());
    for ((what, here), there) in all.iter().zip(there) {
        assert_eq!(*here, there, "{what}: the first is here, the second in C");
    }
}

#[test]
fn calls_reach_the_library() {
    let text = unsafe { std::ffi::CStr::from_ptr(kasuri_strerror(KASURI_ERROR_BUSY)) };
    assert!(text.to_str().unwrap().contains("held or waited for"), "{text:?}");
    assert!(unsafe { kasuri_num_workers() } >= 1);
}

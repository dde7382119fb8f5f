// SPDX-License-Identifier: Apache-2.0
//! The C interface of Kasuri as it is: `kasuri/kasuri.h` says what each function promises. The crate
//! `kasuri` has a safe layer on top.
//!
//! # Safety
//!
//! A function that waits may let the calling task go on on another OS thread. Rust code counts on
//! staying where it is: what may wait belongs inside [`kasuri_keep_os_thread`], or on the stack of
//! a thread that the program started itself. Nothing may unwind out of a function that is called back.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_uint, c_void};

pub const KASURI_SUCCESS: c_int = 0;
pub const KASURI_ERROR_INVALID: c_int = 1;
pub const KASURI_ERROR_MEMORY: c_int = 2;
pub const KASURI_ERROR_BUSY: c_int = 3;
pub const KASURI_ERROR_DEADLOCK: c_int = 4;
pub const KASURI_ERROR_PERMISSION: c_int = 5;
pub const KASURI_ERROR_AGAIN: c_int = 6;
pub const KASURI_ERROR_RANGE: c_int = 7;
pub const KASURI_ERROR_STATE: c_int = 8;
pub const KASURI_ERROR_TIMEOUT: c_int = 9;

pub const KASURI_PARENT_FIRST: kasuri_spawn_t = 0;
pub const KASURI_CHILD_FIRST: kasuri_spawn_t = 1;

pub const KASURI_ANYWHERE: c_int = 0;
pub const KASURI_NODE: c_int = 1;
pub const KASURI_WORKER: c_int = 2;

pub const KASURI_PRIORITY_LOW: kasuri_priority_t = -1;
pub const KASURI_PRIORITY_NORMAL: kasuri_priority_t = 0;
pub const KASURI_PRIORITY_HIGH: kasuri_priority_t = 1;

pub const KASURI_FIRST_TOUCH: c_int = 0;
pub const KASURI_ON_NODE: c_int = 1;
pub const KASURI_BLOCKED: c_int = 2;
pub const KASURI_INTERLEAVED: c_int = 3;
pub const KASURI_CYCLIC: c_int = 4;
pub const KASURI_BLOCK_CYCLIC: c_int = 5;
pub const KASURI_TILES: c_int = 6;

pub const KASURI_HUGE_PAGES: c_uint = 1;

pub type kasuri_spawn_t = c_int;
pub type kasuri_key_t = u32;
/// An int, not a Rust enum: C may pass any number.
pub type kasuri_priority_t = c_int;

/// A record of the library, known by its address alone.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
            _neither_send_nor_sync: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    )*};
}
opaque!(kasuri_thread kasuri_arena kasuri_steal_round_t);
pub type kasuri_thread_t = *mut kasuri_thread;
pub type kasuri_arena_t = *mut kasuri_arena;

/// Objects that may not move once they are in use. All zero is a free mutex, and a condition
/// variable that nobody waits for.
macro_rules! object {
    ($($name:ident: $words:literal)*) => {$(
        #[repr(C)]
        pub struct $name {
            pub opaque: [u64; $words],
        }
        impl $name {
            pub const ZERO: Self = Self { opaque: [0; $words] };
        }
    )*};
}
object!(kasuri_mutex_t: 2 kasuri_cond_t: 2 kasuri_sem_t: 2 kasuri_barrier_t: 3 kasuri_latch_t: 2);

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct kasuri_place_t {
    pub kind: c_int,
    pub index: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kasuri_thread_options_t {
    pub policy: kasuri_spawn_t,
    pub place: kasuri_place_t,
    pub hint: *const c_void,
    pub hint_bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct kasuri_distribution_t {
    pub kind: c_int,
    pub node: c_int,
    pub pages: usize,
    pub block_bytes: usize,
    pub rows: usize,
    pub row_bytes: usize,
    pub tile_rows: usize,
    pub tile_bytes: usize,
}

pub type TaskFn = unsafe extern "C" fn(arg: *mut c_void);
pub type ThreadFn = unsafe extern "C" fn(arg: *mut c_void) -> *mut c_void;
pub type LoopFn = unsafe extern "C" fn(begin: i64, end: i64, arg: *mut c_void);
pub type kasuri_steal_function_t =
    unsafe extern "C" fn(round: *mut kasuri_steal_round_t, arg: *mut c_void) -> c_int;
pub type kasuri_steal_confirm_t =
    unsafe extern "C" fn(hint: *const c_void, bytes: isize, arg: *mut c_void) -> c_int;

extern "C" {
    pub fn kasuri_strerror(error: c_int) -> *const c_char;
    pub fn kasuri_init(workers: c_int) -> c_int;
    pub fn kasuri_finalize() -> c_int;
    pub fn kasuri_num_workers() -> c_int;
    pub fn kasuri_max_slots() -> c_int;
    pub fn kasuri_slot() -> c_int;
    pub fn kasuri_worker() -> c_int;
    pub fn kasuri_thread_create(
        thread: *mut kasuri_thread_t,
        r#fn: Option<ThreadFn>,
        arg: *mut c_void,
        policy: kasuri_spawn_t,
    ) -> c_int;
    pub fn kasuri_near(data: *const c_void) -> kasuri_place_t;
    pub fn kasuri_thread_create_with(
        thread: *mut kasuri_thread_t,
        r#fn: Option<ThreadFn>,
        arg: *mut c_void,
        options: *const kasuri_thread_options_t,
    ) -> c_int;
    pub fn kasuri_thread_join(thread: kasuri_thread_t, result: *mut *mut c_void) -> c_int;
    pub fn kasuri_thread_detach(thread: kasuri_thread_t) -> c_int;
    pub fn kasuri_thread_self() -> kasuri_thread_t;
    pub fn kasuri_yield();
    pub fn kasuri_sleep_ns(nanoseconds: u64) -> c_int;
    pub fn kasuri_key_create(key: *mut kasuri_key_t, destructor: Option<TaskFn>) -> c_int;
    pub fn kasuri_key_delete(key: kasuri_key_t) -> c_int;
    pub fn kasuri_key_set(key: kasuri_key_t, value: *mut c_void) -> c_int;
    pub fn kasuri_key_get(key: kasuri_key_t) -> *mut c_void;
    pub fn kasuri_set_steal_function(f: Option<kasuri_steal_function_t>, arg: *mut c_void) -> c_int;
    pub fn kasuri_steal_thief(round: *const kasuri_steal_round_t) -> c_int;
    pub fn kasuri_steal_workers(round: *const kasuri_steal_round_t) -> c_int;
    pub fn kasuri_steal_random(round: *mut kasuri_steal_round_t) -> u64;
    pub fn kasuri_steal_peek(
        round: *mut kasuri_steal_round_t,
        victim: c_int,
        hint: *mut c_void,
        bytes: usize,
    ) -> isize;
    pub fn kasuri_steal_take(
        round: *mut kasuri_steal_round_t,
        victim: c_int,
        confirm: Option<kasuri_steal_confirm_t>,
        arg: *mut c_void,
    ) -> c_int;
    pub fn kasuri_invoke(
        first: Option<TaskFn>,
        first_arg: *mut c_void,
        second: Option<TaskFn>,
        second_arg: *mut c_void,
    ) -> c_int;
    pub fn kasuri_keep_os_thread(r#fn: Option<TaskFn>, arg: *mut c_void) -> c_int;
    pub fn kasuri_parallel_for(
        begin: i64,
        end: i64,
        grain: i64,
        r#fn: Option<LoopFn>,
        arg: *mut c_void,
    ) -> c_int;
    pub fn kasuri_blocking(
        r#fn: Option<ThreadFn>,
        arg: *mut c_void,
        result: *mut *mut c_void,
    ) -> c_int;
    pub fn kasuri_arena_create(
        arena: *mut kasuri_arena_t,
        max_workers: c_int,
        priority: kasuri_priority_t,
    ) -> c_int;
    pub fn kasuri_arena_destroy(arena: kasuri_arena_t) -> c_int;
    pub fn kasuri_arena_execute(
        arena: kasuri_arena_t,
        r#fn: Option<TaskFn>,
        arg: *mut c_void,
    ) -> c_int;
    pub fn kasuri_arena_enqueue(
        arena: kasuri_arena_t,
        r#fn: Option<TaskFn>,
        arg: *mut c_void,
    ) -> c_int;
    pub fn kasuri_arena_max_concurrency(arena: kasuri_arena_t) -> c_int;
    pub fn kasuri_mutex_init(mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_mutex_destroy(mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_mutex_lock(mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_mutex_try_lock(mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_mutex_try_lock_for(mutex: *mut kasuri_mutex_t, nanoseconds: u64) -> c_int;
    pub fn kasuri_mutex_unlock(mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_cond_init(cond: *mut kasuri_cond_t) -> c_int;
    pub fn kasuri_cond_destroy(cond: *mut kasuri_cond_t) -> c_int;
    pub fn kasuri_cond_wait(cond: *mut kasuri_cond_t, mutex: *mut kasuri_mutex_t) -> c_int;
    pub fn kasuri_cond_wait_for(
        cond: *mut kasuri_cond_t,
        mutex: *mut kasuri_mutex_t,
        nanoseconds: u64,
    ) -> c_int;
    pub fn kasuri_cond_signal(cond: *mut kasuri_cond_t) -> c_int;
    pub fn kasuri_cond_broadcast(cond: *mut kasuri_cond_t) -> c_int;
    pub fn kasuri_sem_init(sem: *mut kasuri_sem_t, units: u32) -> c_int;
    pub fn kasuri_sem_destroy(sem: *mut kasuri_sem_t) -> c_int;
    pub fn kasuri_sem_acquire(sem: *mut kasuri_sem_t) -> c_int;
    pub fn kasuri_sem_try_acquire(sem: *mut kasuri_sem_t) -> c_int;
    pub fn kasuri_sem_try_acquire_for(sem: *mut kasuri_sem_t, nanoseconds: u64) -> c_int;
    pub fn kasuri_sem_release(sem: *mut kasuri_sem_t, units: u32) -> c_int;
    pub fn kasuri_barrier_init(barrier: *mut kasuri_barrier_t, threads: u32) -> c_int;
    pub fn kasuri_barrier_destroy(barrier: *mut kasuri_barrier_t) -> c_int;
    pub fn kasuri_barrier_wait(barrier: *mut kasuri_barrier_t, last: *mut c_int) -> c_int;
    pub fn kasuri_latch_init(latch: *mut kasuri_latch_t, count: u32) -> c_int;
    pub fn kasuri_latch_destroy(latch: *mut kasuri_latch_t) -> c_int;
    pub fn kasuri_latch_count_down(latch: *mut kasuri_latch_t, n: u32) -> c_int;
    pub fn kasuri_latch_try_wait(latch: *mut kasuri_latch_t) -> c_int;
    pub fn kasuri_latch_wait(latch: *mut kasuri_latch_t) -> c_int;
    pub fn kasuri_numa_alloc(
        memory: *mut *mut c_void,
        bytes: usize,
        distribution: *const kasuri_distribution_t,
        flags: c_uint,
    ) -> c_int;
    pub fn kasuri_numa_free(memory: *mut c_void, bytes: usize) -> c_int;
    pub fn kasuri_numa_move(
        start: *mut c_void,
        bytes: usize,
        distribution: *const kasuri_distribution_t,
        left: *mut usize,
    ) -> c_int;
    pub fn kasuri_numa_node_of(address: *const c_void) -> c_int;
    pub fn kasuri_numa_forget(start: *const c_void, bytes: usize);
    pub fn kasuri_numa_this_node() -> c_int;
    pub fn kasuri_numa_nodes(numbers: *mut c_int, cpus: *mut c_int, most: c_int) -> c_int;
}

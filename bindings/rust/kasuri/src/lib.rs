// SPDX-License-Identifier: Apache-2.0
//! Fork-join on Kasuri, safe to use: a program that has a data race through this crate
//! does not compile.
//!
//! ```
//! fn fib(n: u32) -> u64 {
//!     if n < 2 {
//!         return n.into();
//!     }
//!     let (a, b) = kasuri::join(|| fib(n - 1), || fib(n - 2));
//!     a + b
//! }
//! assert_eq!(fib(20), 6765);
//! ```
//!
//! # Threads
//!
//! Kasuri's own tasks may go on on another OS thread after a wait. Rust code must not: a
//! `thread_local!` that is borrowed, an `Rc` of which another clone lies in a thread-local, and a
//! guard of `std::sync::Mutex` all belong to an OS thread, and no bound can keep a closure from having one
//! of them across a call of [`join`]. So every closure that this crate runs begins and ends on one OS
//! thread, whatever it waits for inside: each is called through `kasuri_keep_os_thread`. A task that
//! has to wait for a child on another worker sleeps on its OS thread, and another stands in for
//! it. Locals of a closure need not be `Send`; what it captures must be.
//!
//! As with Rayon, tasks may share an OS thread: one that calls in from a thread of the program's own
//! may find that its thread ran other tasks during a wait. A lock or a `RefCell` of a thread-local
//! that is held across a call of this crate may therefore be met by another task: such a lock never
//! comes free, and such a `RefCell` panics. Neither is a data race.
//!
//! # Panics
//!
//! A panic in a closure comes out of the call that waits for it. A program whose panics abort ends
//! there.
//! A call of this crate in a `drop` while a panic unwinds may run other tasks on the same OS thread,
//! and `std::thread::panicking` is true in them.
//!
//! # Below C++
//!
//! Code that is called by tasks of a group of C++ that has been cancelled may find that loops leave
//! out iterations and scopes leave out tasks, as `kasuri_parallel_for` does there.
//!
//! # What does not compile
//!
//! Two closures that change one variable:
//!
//! ```compile_fail
//! let mut n = 0;
//! kasuri::join(|| n += 1, || n += 1);
//! ```
//!
//! What belongs to one thread, on another:
//!
//! ```compile_fail
//! let one = std::rc::Rc::new(1);
//! let other = one.clone();
//! kasuri::join(move || drop(one), move || drop(other));
//! ```
//!
//! Iterations that share what is not made for it:
//!
//! ```compile_fail
//! let n = std::cell::Cell::new(0);
//! kasuri::par_for(0..10, |i| n.set(i));
//! ```
//!
//! ```compile_fail
//! let mut v = vec![0; 10];
//! kasuri::par_for(0..10, |i| v[i] = i);
//! ```
//!
//! A task of a scope that refers to what ends before it:
//!
//! ```compile_fail
//! kasuri::scope(|s| {
//!     let local = 1;
//!     s.spawn(|_| println!("{}", &local));
//! });
//! ```
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod call;
mod join;
mod loops;
mod pool;
mod scope;

pub use join::join;
pub use loops::{par_chunks, par_chunks_mut, par_for, par_reduce};
pub use pool::{finalize, init, num_workers, worker, Error};
pub use scope::{scope, Scope};

// SPDX-License-Identifier: Apache-2.0
use crate::call::{expect_success, keep_os_thread, Job};
use kasuri_sys as sys;
use std::panic::resume_unwind;

/// Calls both closures, maybe at the same time, and returns what they return.
///
/// The caller runs `a`, and then `b` unless another worker has taken it. Costs some nanoseconds, so
/// small calls need no cut-off, and may be nested without bound.
///
/// If a closure panics, the call panics with the same payload once both have ended; with that of
/// `a` if both do.
///
/// ```
/// let (a, b) = kasuri::join(|| 1 + 1, || "two".len());
/// assert_eq!((a, b), (2, 3));
/// ```
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    let mut first = Job::new(a);
    let mut second = Job::new(b);
    keep_os_thread(|| {
        // SAFETY: both jobs live on this stack until the call returns, each is run once, and the
        // closures may run on another thread by their bounds.
        expect_success(unsafe {
            sys::kasuri_invoke(
                Some(Job::<A, RA>::call),
                first.address(),
                Some(Job::<B, RB>::call_here),
                second.address(),
            )
        });
    });
    match (first.result(), second.result()) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(panic), second) => {
            if let Err(other) = second {
                std::mem::forget(other); // its drop may panic as well
            }
            resume_unwind(panic)
        }
        (Ok(_), Err(panic)) => resume_unwind(panic),
    }
}

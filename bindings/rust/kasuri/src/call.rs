// SPDX-License-Identifier: Apache-2.0
//! The boundary to C: closures as functions with an argument. Nothing unwinds across it, and every
//! closure keeps its OS thread (see the crate's page).
use kasuri_sys as sys;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Mutex;

pub(crate) type Panic = Box<dyn Any + Send>;

/// A closure that is called once, and what it brings.
pub(crate) struct Job<F, R> {
    closure: Option<F>,
    result: Option<Result<R, Panic>>,
}

impl<F: FnOnce() -> R, R> Job<F, R> {
    pub(crate) fn new(closure: F) -> Self {
        Job { closure: Some(closure), result: None }
    }

    pub(crate) fn address(&mut self) -> *mut c_void {
        (self as *mut Self).cast()
    }

    /// # Safety
    /// `job` is the address of a `Job<F, R>` that nobody else uses meanwhile.
    pub(crate) unsafe extern "C" fn call(job: *mut c_void) {
        let job = unsafe { &mut *job.cast::<Self>() };
        let closure = job.closure.take().expect("a job runs once");
        // A closure that has panicked is gone, and the panic goes on in who waits for it.
        job.result = Some(catch_unwind(AssertUnwindSafe(closure)));
    }

    /// The same on this OS thread, whatever the closure waits for.
    ///
    /// # Safety
    /// As for `call`.
    pub(crate) unsafe extern "C" fn call_here(job: *mut c_void) {
        expect_success(unsafe { sys::kasuri_keep_os_thread(Some(Self::call), job) });
    }

    pub(crate) fn result(self) -> Result<R, Panic> {
        self.result.expect("the job has run")
    }
}

/// Calls `f`; the caller is on the same OS thread after each wait in it, and behind it.
pub(crate) fn keep_os_thread<R>(f: impl FnOnce() -> R) -> R {
    fn run<F: FnOnce() -> R, R>(f: F) -> Result<R, Panic> {
        let mut job = Job::new(f);
        // SAFETY: the job lives here until the call has returned.
        unsafe { Job::<F, R>::call_here(job.address()) };
        job.result()
    }
    run(f).unwrap_or_else(|panic| resume_unwind(panic))
}

/// The codes that remain here say that an argument was wrong, and none is.
pub(crate) fn expect_success(status: std::ffi::c_int) {
    assert_eq!(status, sys::KASURI_SUCCESS, "a call of Kasuri failed");
}

/// The first panic of several closures that run at the same time.
pub(crate) struct FirstPanic {
    any: AtomicBool, // a hint: the mutex says which was first
    payload: Mutex<Option<Panic>>,
}

impl FirstPanic {
    pub(crate) fn new() -> Self {
        FirstPanic { any: AtomicBool::new(false), payload: Mutex::new(None) }
    }

    /// Calls `f`, unless another closure has panicked already.
    pub(crate) fn guard(&self, f: impl FnOnce()) {
        if self.any.load(Relaxed) {
            return;
        }
        if let Err(panic) = catch_unwind(AssertUnwindSafe(f)) {
            self.any.store(true, Relaxed);
            // Nothing between lock and unlock panics.
            let mut first = self.payload.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match *first {
                None => *first = Some(panic),
                // It was not the first, and its drop may panic again.
                Some(_) => std::mem::forget(panic),
            }
        }
    }

    pub(crate) fn resume(self) {
        let first = self.payload.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(panic) = first {
            resume_unwind(panic);
        }
    }
}

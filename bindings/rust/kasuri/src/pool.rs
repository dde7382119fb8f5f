// SPDX-License-Identifier: Apache-2.0
use kasuri_sys as sys;
use std::ffi::{c_int, CStr};
use std::fmt;

/// Why a call was refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    code: c_int,
    what: &'static str,
}

impl Error {
    /// The code of `kasuri/kasuri.h`: one of the constants `KASURI_ERROR_...` of kasuri-sys.
    pub fn code(&self) -> i32 {
        self.code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the text is a constant of the library, for any number.
        let text = unsafe { CStr::from_ptr(sys::kasuri_strerror(self.code)) };
        write!(to, "kasuri::{}: {}", self.what, text.to_string_lossy())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

impl std::error::Error for Error {}

fn checked(code: c_int, what: &'static str) -> Result<(), Error> {
    match code {
        sys::KASURI_SUCCESS => Ok(()),
        code => Err(Error { code, what }),
    }
}

/// Starts the pool with so many workers, 1 to 2048. Optional: the first use starts it by the settings
/// of the environment. Refused when it runs already.
pub fn init(workers: usize) -> Result<(), Error> {
    // 0 would be the environment's choice, which is what there is without a call.
    let workers = match c_int::try_from(workers) {
        Ok(n) if n > 0 => n,
        _ => return checked(sys::KASURI_ERROR_INVALID, "init"),
    };
    checked(unsafe { sys::kasuri_init(workers) }, "init")
}

/// Ends the pool's threads; the next use starts it anew. Refused inside of a task, or while another
/// thread is inside.
pub fn finalize() -> Result<(), Error> {
    checked(unsafe { sys::kasuri_finalize() }, "finalize")
}

/// How many workers run at one time. Starts nothing.
pub fn num_workers() -> usize {
    unsafe { sys::kasuri_num_workers() as usize }
}

/// The index of the worker that the caller runs on; none outside. It may be `num_workers()` or more.
pub fn worker() -> Option<usize> {
    usize::try_from(unsafe { sys::kasuri_worker() }).ok()
}

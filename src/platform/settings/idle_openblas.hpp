// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::platform {

/// Sets OPENBLAS_THREAD_TIMEOUT, where the user has not: OpenBLAS reads it when it is loaded. Its
/// own threads, which LU factorisation keeps under Kasuri, else go on running for 2^26 ticks of the
/// CPU's counter behind each piece of work (some 30 ms), on cores that others need. Nothing where
/// KASURI_OPENBLAS leaves OpenBLAS to itself. Not while other threads read the environment.
void let_idle_openblas_sleep() noexcept;

}  // namespace kasuri::platform

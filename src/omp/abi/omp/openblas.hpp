// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenBLAS that was built with threads of its own refers to omp_in_parallel weakly: where it finds
// the function, there is an OpenMP runtime in the process, and in a region it prints a warning at
// every call, that it may hang. A wheel's OpenBLAS does not find libgomp's, which other wheels
// bring as private copies, but would find ours, which stands before all. So it is answered as if
// there were none.

namespace kasuri::omp {

/// Whether the code at `address` belongs to an OpenBLAS with threads of its own. The first question
/// from a module costs some microseconds, later ones some nanoseconds. Any thread.
bool in_openblas_with_threads(const void* address) noexcept;

}  // namespace kasuri::omp

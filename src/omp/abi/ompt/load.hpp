// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kasuri::omp::tool {

/// The tool is told that all threads end, and to finish; then there is none any more. Once.
void finish() noexcept;

}  // namespace kasuri::omp::tool

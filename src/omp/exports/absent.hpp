// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the rows `absent` of the export tables lead (macros.inc).

extern "C" {
[[noreturn]] void kasuri_omp_absent(const char* name) noexcept;
}

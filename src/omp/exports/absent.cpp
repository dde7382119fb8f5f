// SPDX-License-Identifier: Apache-2.0
#include "omp/exports/absent.hpp"

#include "platform/base/fatal.hpp"

void kasuri_omp_absent(const char* name) noexcept {
  kasuri::platform::fatal("openmp: %s is not provided", name);
}

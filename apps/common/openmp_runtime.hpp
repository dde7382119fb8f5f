// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace apps {

/// The file that holds the OpenMP runtime of this process.
inline std::string openmp_runtime_file() {
  Dl_info found{};
  void* symbol = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
  if (symbol == nullptr || dladdr(symbol, &found) == 0) return "unknown";
  char* resolved = realpath(found.dli_fname, nullptr);
  std::string file = resolved != nullptr ? resolved : found.dli_fname;
  std::free(resolved);
  return file;
}

}  // namespace apps

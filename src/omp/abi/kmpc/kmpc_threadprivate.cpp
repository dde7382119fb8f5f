// SPDX-License-Identifier: Apache-2.0
// threadprivate for Clang's programs with -fnoopenmp-use-tls.

#include "omp/abi/kmpc/kmpc.hpp"
#include "omp/memory/threadprivate.hpp"
#include "omp/region/private_copy.hpp"

using namespace kasuri::omp;
using namespace kasuri::omp::kmpc;

extern "C" {

void kasuri___kmpc_threadprivate_register(location*, void* data, construct_one construct,
                                          copy_one copy, destroy_one destroy) {
  register_private(data, {construct, copy, destroy, nullptr, nullptr, nullptr, 0});
}

void kasuri___kmpc_threadprivate_register_vec(location*, void* data, construct_many construct,
                                              copy_many copy, destroy_many destroy,
                                              std::size_t count) {
  register_private(data, {nullptr, nullptr, nullptr, construct, copy, destroy, count});
}

void* kasuri___kmpc_threadprivate(location*, gtid, void* data, std::size_t size) {
  return private_copy(self(), data, size);
}

/// The cache is the compiler's to read if it wants; Clang always calls.
void* kasuri___kmpc_threadprivate_cached(location*, gtid, void* data, std::size_t size, void***) {
  return private_copy(self(), data, size);
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "runtimes/blas/functions.hpp"

#include <cstddef>

namespace kasuri::runtimes::blas {
namespace {

constexpr std::size_t most_names = 8;

// By prefix and suffix. The Fortran faces, which take addresses, end in one underscore more.
struct names {
  const char* of[most_names];
};

constexpr names set_callback{{
    "openblas_set_threads_callback_function",
    "openblas_set_threads_callback_function64_",
    "openblas_set_threads_callback_function_64",
    "openblas_set_threads_callback_function64",
    "scipy_openblas_set_threads_callback_function",
    "scipy_openblas_set_threads_callback_function64_",
    "scipy_openblas_set_threads_callback_function_64",
    "scipy_openblas_set_threads_callback_function64",
}};
constexpr names threads{{
    "openblas_get_num_threads",
    "openblas_get_num_threads64_",
    "openblas_get_num_threads_64",
    "openblas_get_num_threads64",
    "scipy_openblas_get_num_threads",
    "scipy_openblas_get_num_threads64_",
    "scipy_openblas_get_num_threads_64",
    "scipy_openblas_get_num_threads64",
}};
constexpr names set_threads{{
    "openblas_set_num_threads",
    "openblas_set_num_threads64_",
    "openblas_set_num_threads_64",
    "openblas_set_num_threads64",
    "scipy_openblas_set_num_threads",
    "scipy_openblas_set_num_threads64_",
    "scipy_openblas_set_num_threads_64",
    "scipy_openblas_set_num_threads64",
}};
constexpr names config{{
    "openblas_get_config",
    "openblas_get_config64_",
    "openblas_get_config_64",
    "openblas_get_config64",
    "scipy_openblas_get_config",
    "scipy_openblas_get_config64_",
    "scipy_openblas_get_config_64",
    "scipy_openblas_get_config64",
}};

template <class Function>
Function find(const platform::loaded_object& object, const char* const* all) noexcept {
  for (std::size_t i = 0; i != most_names; ++i)
    if (void* const f = object.function(all[i])) return reinterpret_cast<Function>(f);
  return nullptr;
}

}  // namespace

constinit const char* const names_of_parallel[] = {
    "openblas_get_parallel",
    "openblas_get_parallel64_",
    "openblas_get_parallel_64",
    "openblas_get_parallel64",
    "scipy_openblas_get_parallel",
    "scipy_openblas_get_parallel64_",
    "scipy_openblas_get_parallel_64",
    "scipy_openblas_get_parallel64",
    nullptr,
};

functions functions_of(const platform::loaded_object& object) noexcept {
  functions f;
  f.set_callback = find<decltype(f.set_callback)>(object, set_callback.of);
  f.parallel = find<decltype(f.parallel)>(object, names_of_parallel);
  f.threads = find<decltype(f.threads)>(object, threads.of);
  f.set_threads = find<decltype(f.set_threads)>(object, set_threads.of);
  f.config = find<decltype(f.config)>(object, config.of);
  return f;
}

}  // namespace kasuri::runtimes::blas

// SPDX-License-Identifier: Apache-2.0
#include "omp/abi/omp/openblas.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"
#include "platform/process/module_range.hpp"

namespace kasuri::omp {
namespace {

struct known_module {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool is_openblas;
};

// Few modules ask. A module that does not fit is looked at each time.
constexpr unsigned most_known = 32;

std::array<known_module, most_known> known;
std::atomic<unsigned> known_count{0};  // entries before it are never changed
constinit std::atomic<bool> somebody_writes{false};

/// By the builders' prefixes and suffixes of OpenBLAS.
constexpr const char* parallel_type_names[] = {
    "openblas_get_parallel",          "openblas_get_parallel64_",
    "openblas_get_parallel_64",       "scipy_openblas_get_parallel",
    "scipy_openblas_get_parallel64_", "scipy_openblas_get_parallel_64",
};

/// Says what OpenBLAS was built with: 0 no threads, 1 threads of its own, 2 OpenMP.
using parallel_type = int (*)();
constexpr int own_threads = 1;

/// The function of that name in the module of that file, which is loaded; null: it has none.
/// `stays`: the module is never unloaded.
void* function_in(const char* file, const platform::module_range& range, const char* name,
                  bool stays) noexcept {
  if (file == nullptr) return nullptr;
  void* const handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD | (stays ? RTLD_NODELETE : 0));
  if (handle == nullptr) return nullptr;
  void* const function = dlsym(handle, name);  // also finds those of modules that this one needs
  dlclose(handle);
  return range.holds(function) ? function : nullptr;
}

bool has_openblas_with_threads(const char* file, const platform::module_range& range) noexcept {
  for (const char* const name : parallel_type_names) {
    void* const function = function_in(file, range, name, false);
    if (function == nullptr) continue;
    if (reinterpret_cast<parallel_type>(function)() != own_threads) return false;
    // Its range is remembered: no other module may come to lie there.
    return function_in(file, range, name, true) != nullptr;
  }
  return false;
}

void remember(const known_module& m) noexcept {
  // Nobody waits for another here: the module is looked at again the next time.
  // acquire: pairs with the release below
  if (somebody_writes.exchange(true, std::memory_order_acquire)) return;
  const unsigned n = known_count.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, n <= most_known && m.begin < m.end, "module %u, [%#lx, %#lx)", n, m.begin,
                m.end);
  if (n != most_known) {
    known[n] = m;
    // release: pairs with the acquire in in_openblas_with_threads
    known_count.store(n + 1, std::memory_order_release);
  }
  // release: pairs with the acquire above
  somebody_writes.store(false, std::memory_order_release);
}

bool look_at_module(const void* address) noexcept {
  const platform::module_range range = platform::module_range_of(address);
  Dl_info info;
  if (range.empty() || dladdr(address, &info) == 0) return false;
  const bool found = has_openblas_with_threads(info.dli_fname, range);
  remember({range.begin, range.end, found});
  return found;
}

}  // namespace

bool in_openblas_with_threads(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  // acquire: pairs with the release in remember
  const unsigned n = known_count.load(std::memory_order_acquire);
  for (unsigned i = 0; i != n; ++i)
    if (at - known[i].begin < known[i].end - known[i].begin) return known[i].is_openblas;
  return look_at_module(address);
}

}  // namespace kasuri::omp

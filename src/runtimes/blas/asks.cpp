// SPDX-License-Identifier: Apache-2.0
// OpenBLAS that was built with threads of its own refers to omp_in_parallel weakly: where it finds
// the function, there is an OpenMP runtime in the process, and in a region it prints a warning at
// every call, that it may hang. A wheel's OpenBLAS does not find libgomp's, which other wheels
// bring as private copies, but would find ours, which stands before all. So it is answered as if
// there were none.
//
// It asks before each parallel call that goes to its own threads, and no more once it has the
// callback: so its question is where most processes notice that it is there, also those that never
// begin a region. It is in a call then: relocated, and not to be unloaded.
//
// Of each module that asks it is remembered, so that the next question costs some nanoseconds, its
// range of addresses and whether OpenBLAS lies there that is left to its own threads. Entries are
// added and never changed; the newest that fits holds. One that says yes holds as long as nothing
// was unloaded since. One that says no may be wrong of an OpenBLAS that was loaded over it, which
// then prints its warning.

#include <array>
#include <atomic>
#include <cstdint>

#include "omp/abi/omp/asker.hpp"
#include "platform/base/expect.hpp"
#include "runtimes/blas/callback.hpp"
#include "runtimes/found/found.hpp"

namespace kasuri::runtimes::blas {
namespace {

struct known_module {
  platform::module_range range;
  std::uint64_t unloaded;  // objects, before it was looked at
  bool is_openblas;
};

// Few modules ask. A module that does not fit is looked at each time that it asks in a region.
constexpr unsigned most_known = 64;

std::array<known_module, most_known> known;
constinit std::atomic<unsigned> known_count{0};  // entries before it are never changed
constinit std::atomic<bool> somebody_writes{false};

bool is_openblas_with_threads(const platform::loaded_object& object) noexcept {
  const functions f = functions_of(object);
  return f.parallel != nullptr && f.parallel() == with_own_threads;
}

void remember(const known_module& m) noexcept {
  // Nobody waits for another here: the module is looked at again the next time.
  // acquire: pairs with the release below
  if (somebody_writes.exchange(true, std::memory_order_acquire)) return;
  const unsigned n = known_count.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, n <= most_known && !m.range.empty(), "module %u, [%#lx, %#lx)", n,
                m.range.begin, m.range.end);
  if (n != most_known) {
    known[n] = m;
    // release: pairs with the acquire in hides_region
    known_count.store(n + 1, std::memory_order_release);
  }
  // release: pairs with the acquire above
  somebody_writes.store(false, std::memory_order_release);
}

/// Serves it, if it is an OpenBLAS that can be, and remembers it if not.
bool look_at_module(const void* address) noexcept {
  const std::uint64_t unloaded = unloaded_so_far();
  const platform::loaded_object object = object_at(address);
  if (object.range().empty()) return false;
  const bool is_openblas = is_openblas_with_threads(object);
  // It may be asking for a call that began before it was served.
  if (is_openblas && wanted() && serve(object)) return true;
  remember({object.range(), unloaded, is_openblas});
  return is_openblas;
}

bool hides_region(const void* address, bool inside) noexcept {
  // acquire: pairs with the release in remember
  const unsigned n = known_count.load(std::memory_order_acquire);
  for (unsigned i = n; i-- != 0;) {
    const known_module& m = known[i];
    if (!m.range.holds(address)) continue;
    if (!m.is_openblas) return false;
    if (m.unloaded == unloaded_so_far()) return true;
    break;
  }
  return (inside || n != most_known) && look_at_module(address);
}

[[gnu::constructor]] void answer_from_now_on() {
  omp::hides_region_from.store(hides_region, std::memory_order_relaxed);
}

}  // namespace
}  // namespace kasuri::runtimes::blas

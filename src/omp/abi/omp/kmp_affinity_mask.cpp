// SPDX-License-Identifier: Apache-2.0
// kmp_*: libomp's affinity masks, sets of CPUs that a thread binds itself to.
#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

#include "omp/env/environment.hpp"
#include "platform/base/expect.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/cpu/cpus.hpp"

namespace kasuri::omp {
namespace {

/// A kmp_affinity_mask_t points to this: CPU numbers, ascending.
using cpu_mask = std::vector<int>;

cpu_mask& mask_of(void** place) noexcept { return *static_cast<cpu_mask*>(*place); }

int most_cpus() noexcept {
  const std::vector<int>& cpus = environment().cpus;
  return std::max(platform::present_cpus(), cpus.empty() ? 1 : cpus.back() + 1);
}

bool is_cpu(int cpu) noexcept { return cpu >= 0 && cpu < most_cpus(); }

/// Whether the process may use it.
bool is_usable(int cpu) noexcept { return std::ranges::binary_search(environment().cpus, cpu); }

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

// The results are libomp's: 0 for success, -1 for no such CPU, -2 for one that may not be used.
extern "C" {

void kasuri_kmp_create_affinity_mask(void** mask) { *mask = new cpu_mask; }

void kasuri_kmp_destroy_affinity_mask(void** mask) noexcept {
  delete static_cast<cpu_mask*>(*mask);
  *mask = nullptr;
}

int kasuri_kmp_get_affinity_max_proc() noexcept { return most_cpus(); }

int kasuri_kmp_set_affinity_mask_proc(int cpu, void** mask) {
  if (!is_cpu(cpu)) return -1;
  if (!is_usable(cpu)) return -2;
  cpu_mask& cpus = mask_of(mask);
  KASURI_EXPECT(all, std::ranges::is_sorted(cpus), "a mask of %zu CPUs, not ascending",
                cpus.size());
  const auto at = std::ranges::lower_bound(cpus, cpu);
  if (at == cpus.end() || *at != cpu) cpus.insert(at, cpu);
  return 0;
}

int kasuri_kmp_unset_affinity_mask_proc(int cpu, void** mask) noexcept {
  if (!is_cpu(cpu)) return -1;
  if (!is_usable(cpu)) return -2;
  std::erase(mask_of(mask), cpu);
  return 0;
}

int kasuri_kmp_get_affinity_mask_proc(int cpu, void** mask) noexcept {
  if (!is_cpu(cpu)) return -1;
  return is_usable(cpu) && std::ranges::binary_search(mask_of(mask), cpu);
}

int kasuri_kmp_set_affinity(void** mask) noexcept {
  return kasuri::platform::bind_to_cpus(mask_of(mask)) ? 0 : -1;
}

int kasuri_kmp_get_affinity(void** mask) {
  mask_of(mask) = kasuri::platform::affinity_cpus();
  return 0;
}

void kasuri_kmp_set_thread_affinity_mask_initial() noexcept {
  kasuri::platform::bind_to_cpus(environment().cpus);
}

}  // extern "C"

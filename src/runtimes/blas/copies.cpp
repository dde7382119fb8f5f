// SPDX-License-Identifier: Apache-2.0
#include "runtimes/blas/copies.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/thread/mutex.hpp"
#include "runtimes/found/found.hpp"

namespace kasuri::runtimes::blas {
namespace {

struct listed_copy : copy {
  // Of a copy that was unloaded: another one lies there now.
  std::atomic<bool> gone{false};
  listed_copy* next = nullptr;
};

constinit std::atomic<listed_copy*> all_copies{nullptr};  // newest first; none is taken out
constinit platform::mutex adding;

listed_copy* find(const void* code) noexcept {
  // acquire: pairs with the release in add_copy
  for (listed_copy* c = all_copies.load(std::memory_order_acquire); c != nullptr; c = c->next)
    if (c->range.holds(code) && !c->gone.load(std::memory_order_relaxed)) return c;
  return nullptr;
}

// In the child no call is under way, and nobody adds a copy.
[[gnu::constructor]] void register_for_fork() {
  pthread_atfork(nullptr, nullptr, [] {
    std::construct_at(&adding);
    for (listed_copy* c = all_copies.load(std::memory_order_relaxed); c != nullptr; c = c->next)
      c->in_use.reset();
  });
}

/// The threads that a copy made when it was loaded, at most: a program may have lowered the number
/// for a while, and they are still there. By the variables that OpenBLAS reads, in its order.
int threads_at_load() noexcept {
  for (const char* const name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    if (const int n = std::atoi(value); n > 0) return n;
  }
  return platform::usable_cpus();
}

bool overlap(const platform::module_range& a, const platform::module_range& b) noexcept {
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

int numbers_of(const char* config) noexcept {
  constexpr const char* before = "MAX_THREADS=";
  const char* const at = config == nullptr ? nullptr : std::strstr(config, before);
  return at == nullptr ? 0 : std::clamp(std::atoi(at + std::strlen(before)), 0, most_numbers);
}

copy& add_copy(const platform::loaded_object& object, const functions& f) noexcept {
  const std::lock_guard here(adding);
  listed_copy* const first = all_copies.load(std::memory_order_relaxed);
  for (listed_copy* c = first; c != nullptr; c = c->next) {
    if (c->gone.load(std::memory_order_relaxed) || !overlap(c->range, object.range())) continue;
    // The same, or loaded again to the same place: then no job of the former one is under way.
    if (c->range.begin == object.range().begin && c->f.set_callback == f.set_callback &&
        c->f.threads == f.threads)
      return *c;
    c->gone.store(true, std::memory_order_relaxed);
  }
  auto* const c = new listed_copy;
  c->range = object.range();
  c->f = f;
  c->numbers = numbers_of(f.config());
  c->own_threads = std::min(std::max(f.threads(), threads_at_load()), std::max(c->numbers, 1));
  c->next = first;
  // release: pairs with the acquire in find
  all_copies.store(c, std::memory_order_release);
  return *c;
}

copy& copy_of(run_job run) noexcept {
  const auto* const code = reinterpret_cast<const void*>(run);
  if (listed_copy* const c = find(code)) return *c;
  // Copies that were loaded for all to see share the variable that holds the callback.
  const platform::loaded_object object = object_at(code);
  const functions f = functions_of(object);
  if (f.threads == nullptr || f.set_threads == nullptr || f.config == nullptr)
    platform::fatal(
        "a call of OpenBLAS comes from code at %p, which belongs to no copy that Kasuri knows; "
        "KASURI_OPENBLAS=off leaves OpenBLAS to its own threads",
        code);
  return add_copy(object, f);
}

bool numbered_turn::take(bool alone) noexcept {
  KASURI_EXPECT(cheap, taken_ == 0, "%d numbers are taken before", taken_);
  copy_.own_threads = std::max(copy_.own_threads, copy_.f.threads());
  const int lowest = std::max(copy_.own_threads - 1, 0);
  const auto take_down_to = [this](int from, int to) {
    for (int i = from - 1; i >= to && taken_ != jobs(); --i) {
      if (copy_.in_use[static_cast<std::size_t>(i)]) continue;
      copy_.in_use[static_cast<std::size_t>(i)] = true;
      numbers_[taken_++] = static_cast<std::uint16_t>(i);
    }
  };
  take_down_to(copy_.numbers, lowest);
  if (alone) take_down_to(std::min(lowest, copy_.numbers), 0);
  if (taken_ == jobs()) return true;
  if (alone)
    platform::fatal("OpenBLAS calls with %d jobs, and was built for %d threads at most", jobs(),
                    copy_.numbers);
  give();
  return false;
}

void numbered_turn::give() noexcept {
  while (taken_ != 0) copy_.in_use[numbers_[--taken_]] = false;
}

}  // namespace kasuri::runtimes::blas

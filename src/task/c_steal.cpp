// SPDX-License-Identifier: Apache-2.0
// The C face of the program's own steal function.

#include <atomic>
#include <new>

#include "kasuri/kasuri.h"
#include "kasuri/locality.hpp"

namespace {

/// The function that the program installed; never freed, as a thief may be inside it when it is
/// replaced.
struct installed {
  kasuri_steal_function_t function;
  void* arg;
  const installed* older;  // so that none is lost from sight
};

constinit std::atomic<const installed*> newest{nullptr};

kasuri::steal_round& inside(kasuri_steal_round_t* r) noexcept {
  return *reinterpret_cast<kasuri::steal_round*>(r);
}
const kasuri::steal_round& inside(const kasuri_steal_round_t* r) noexcept {
  return *reinterpret_cast<const kasuri::steal_round*>(r);
}

struct question {
  kasuri_steal_confirm_t confirm;
  void* arg;
};

}  // namespace

extern "C" {

int kasuri_set_steal_function(kasuri_steal_function_t f, void* arg) {
  if (f == nullptr) {
    kasuri::set_steal_function(nullptr);
    return KASURI_SUCCESS;
  }
  auto* const made = new (std::nothrow) installed{f, arg, nullptr};
  if (made == nullptr) return KASURI_ERROR_MEMORY;
  made->older = newest.exchange(made, std::memory_order_relaxed);
  kasuri::set_steal_function(
      [](kasuri::steal_round& round, void* what) {
        const auto* mine = static_cast<const installed*>(what);
        return mine->function(reinterpret_cast<kasuri_steal_round_t*>(&round), mine->arg) != 0;
      },
      made);
  return KASURI_SUCCESS;
}

int kasuri_steal_thief(const kasuri_steal_round_t* round) { return inside(round).thief(); }
int kasuri_steal_workers(const kasuri_steal_round_t* round) { return inside(round).workers(); }
uint64_t kasuri_steal_random(kasuri_steal_round_t* round) { return inside(round).random(); }

ptrdiff_t kasuri_steal_peek(kasuri_steal_round_t* round, int victim, void* hint, size_t bytes) {
  return inside(round).peek(victim, hint, bytes);
}

int kasuri_steal_take(kasuri_steal_round_t* round, int victim, kasuri_steal_confirm_t confirm,
                      void* arg) {
  if (confirm == nullptr) return inside(round).steal(victim, nullptr, nullptr);
  question asked{confirm, arg};
  return inside(round).steal(
      victim,
      [](const void* hint, std::ptrdiff_t bytes, void* q) {
        const auto* mine = static_cast<const question*>(q);
        return mine->confirm(hint, bytes, mine->arg) != 0;
      },
      &asked);
}
}

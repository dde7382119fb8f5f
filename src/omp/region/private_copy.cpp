// SPDX-License-Identifier: Apache-2.0
#include "omp/region/private_copy.hpp"

#include <atomic>
#include <memory>

#include "omp/memory/threadprivate.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

/// The member whose thread this is.
member& owner(member& m) noexcept {
  member* at = &m;
  while (at->number == 0 && at->in->parent != nullptr) at = at->in->parent;
  return *at;
}

std::atomic<const member*> owner_of_originals{nullptr};

}  // namespace

void* private_copy(member& m, void* original, std::size_t size) noexcept {
  member& thread = owner(m);
  KASURI_EXPECT(cheap, size != 0 && original != nullptr, "%zu bytes at %p", size, original);
  const member* first = owner_of_originals.load(std::memory_order_relaxed);
  if (first == nullptr && thread.in->nest.level == 0 &&
      owner_of_originals.compare_exchange_strong(first, &thread, std::memory_order_relaxed))
    first = &thread;
  if (first == &thread) {
    keep_first_value(original, size);
    return original;
  }
  std::unique_ptr<private_copies>& copies = thread.work.private_variables;
  const bool dropped = thread.in->nest.level != 0 && copies != nullptr && !copies->are_of_today();
  if (dropped) [[unlikely]]
    copies.reset();
  if (copies == nullptr) copies = std::make_unique<private_copies>();
  return copies->find(original, size);
}

}  // namespace kasuri::omp

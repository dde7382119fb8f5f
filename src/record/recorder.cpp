// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.hpp"

#include "platform/process/executable.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace kasuri::record {
namespace {

// One per process that recorded, the newest first. Never deleted: see open_log(). After fork() the
// first is the parent's, told by the process id; its mutex may be locked for ever then and its file
// belongs to the parent, so the child leaves it alone and only keeps it reachable.
struct generation {
  std::unique_ptr<recording> record;
  generation* parent;
};

std::atomic<generation*> latest{nullptr};

recording* current() noexcept {
  // pairs with the release in start_trace().
  generation* const found = latest.load(std::memory_order_acquire);
  if (found == nullptr || found->record->process() != platform::process_id()) return nullptr;
  return found->record.get();
}

}  // namespace

void start_trace(const trace_settings& settings) {
  if (current() != nullptr) return;
  generation* const parent = latest.load(std::memory_order_relaxed);
  if (auto started = recording::open(settings, parent != nullptr)) {
    // pairs with the acquire in current().
    latest.store(new generation{std::move(started), parent}, std::memory_order_release);
  }
}

worker_log* open_log(std::uint16_t worker, worker_role role) {
  recording* const to = current();
  return to != nullptr ? to->log(worker, role) : nullptr;
}

bool drain() {
  recording* const to = current();
  if (to != nullptr) to->drain();
  return to != nullptr;
}

void flush_all() {
  if (recording* const to = current()) to->flush();
}

}  // namespace kasuri::record

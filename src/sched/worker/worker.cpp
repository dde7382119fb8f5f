// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/worker.hpp"

#include "platform/base/bounds.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::detail {
thread_local constinit worker_face* kasuri_current_face = nullptr;
}

namespace kasuri::sched {

constinit std::atomic<worker*> newest_worker{nullptr};

worker::worker(pool& p, int i, detail::worker_slot* slots, std::size_t capacity, std::size_t soft)
    : work_seat(slots, capacity, soft), home(&p), index(i) {
  KASURI_EXPECT(cheap, i >= 0 && i < platform::most_slots, "worker %d of %d at most", i,
                platform::most_slots);
  random = first_random(platform::current_settings().seed, i);
  stats.worker = i;
}

void two_frames_for(const worker& w) noexcept {
  platform::fatal("internal error: a second frame for worker %d alone", w.index);
}

}  // namespace kasuri::sched

// SPDX-License-Identifier: Apache-2.0
#include "sched/worker/range.hpp"

#include <utility>

#include "platform/base/expect.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/rules/range_rules.hpp"
#include "sched/rules/routing_rules.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

void wear_range(worker& w, extent* range) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "the range of worker %d is changed by worker %d", w.index,
                index_of_caller());
  rules::wear_range(w, range);
}

void drop_range(worker& w) noexcept {
  extent* const old = w.range;
  KASURI_EXPECT(cheap, old != nullptr && old != &w.root && old->by == nullptr,
                "worker %d drops range %p, its root is %p", w.index, static_cast<void*>(old),
                static_cast<void*>(&w.root));
  rules::end_dealing(w, *old);
  wear_range(w, nullptr);
  delete old;
}

void discard_place(const letter& l) noexcept {
  delete l.range;
  rules::release(l.fork);
}

void drop_next_range(worker& w) noexcept { delete std::exchange(w.next_range, nullptr); }

void take_part(worker& w, span_fork* fork) noexcept { rules::take_part(w, fork); }

span_fork* part_of(worker& w) noexcept { return rules::part_of(w); }

void leave_forks(worker& w) noexcept { take_part(w, nullptr); }

}  // namespace kasuri::sched

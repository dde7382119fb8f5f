// SPDX-License-Identifier: Apache-2.0
#include "kasuri/runtime.hpp"

#include <stdexcept>
#include <string>

#include "context/stack.hpp"
#include "platform/base/bounds.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"
#include "platform/settings/settings.hpp"
#include "sched/policy/routing.hpp"
#include "sched/pool/pool.hpp"
#include "sched/life/lifetime.hpp"
#include "sched/worker/slot.hpp"

namespace [[gnu::visibility("default")]] kasuri {

namespace {

std::size_t pages(std::size_t bytes) noexcept {
  return (bytes + platform::page_size() - 1) / platform::page_size();
}

}  // namespace

void initialize(const options& o) {
  if (sched::pool_runs()) throw std::logic_error("kasuri::initialize: the pool runs already");
  if (o.workers < 0 || o.workers > platform::most_workers)
    throw std::invalid_argument("kasuri::initialize: workers = " + std::to_string(o.workers) +
                                "; accepted: 1 to " + std::to_string(platform::most_workers) +
                                ", or 0 for the environment's choice");
  if (o.stack_size != 0 && (o.stack_size < 16 * 1024 || o.stack_size > (std::size_t{1} << 30)))
    throw std::invalid_argument(
        "kasuri::initialize: stack_size = " + std::to_string(o.stack_size) +
        "; accepted: 16384 to 1073741824, or 0 for the environment's choice");
  const std::size_t made = context::stack_bytes();
  if (made != 0 && o.stack_size != 0 && pages(o.stack_size) != pages(made))
    throw std::logic_error("kasuri::initialize: stack_size = " + std::to_string(o.stack_size) +
                           "; the stacks of this process have " + std::to_string(made) +
                           " bytes already");
  const std::string policy = o.scheduling == nullptr ? "" : o.scheduling;
  if (const auto problem = platform::problem_with_sched(policy); !policy.empty() && problem)
    throw std::invalid_argument("kasuri::initialize: scheduling = " + policy + ": " + *problem);
  platform::override_workers(o.workers);
  platform::override_sched(policy);
  if (made == 0 && o.stack_size != 0) platform::override_stack_size(o.stack_size);
  sched::pool::get();
}

void finalize() {
  if (detail::self() != nullptr)
    throw std::logic_error("kasuri::finalize: called from inside a task or kasuri::run");
  if (!sched::finalize()) throw std::logic_error("kasuri::finalize: another thread is inside");
}

int max_slots() { return sched::most_slots_of_tasks(); }

int num_workers() { return platform::current_settings().num_workers; }

namespace detail {

void attachment::enter() {
  sched::worker& w = sched::pool::get().enter();
  sched::begin_root(w);
}

void attachment::leave() noexcept {
  KASURI_EXPECT(cheap, self() != nullptr, "a thread leaves that is not inside; %d workers",
                sched::pool::get().workers());
  sched::worker& w = sched::worker_of(self());
  sched::end_root(w);
  w.home->leave(w);
}

}  // namespace detail

std::vector<worker_counters> counters() {
  std::vector<worker_counters> all;
  if (!sched::pool_runs()) return all;
  const double ns_per_tick = 1e9 / platform::ticks_per_second();
  const auto ns = [ns_per_tick](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_per_tick);
  };
  for (const record::worker_stats* s : sched::pool::get().stats()) {
    const record::time_split time = s->time.read();
    all.push_back({s->worker,           s->tasks.get(),        s->steals_tried.get(),
                   s->steals.get(),     s->steals_near.get(),  s->steals_far.get(),
                   s->refused.get(),    s->rescues.get(),      s->suspends.get(),
                   s->resumes.get(),    s->parks.get(),        s->wakes.get(),
                   s->spares.get(),     s->posted.get(),       s->where_kept.get(),
                   s->where_near.get(), s->where_missed.get(), s->routed.get(),
                   s->widened.get(),    s->declined.get(),     s->overruled.get(),
                   ns(time.work),       ns(time.overhead),     ns(time.idle_ready),
                   ns(time.idle_empty), ns(time.blocked),      ns(time.waiting),
                   ns(time.off_core),   ns(time.processor)});
  }
  return all;
}

}  // namespace kasuri

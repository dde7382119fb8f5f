// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/team_sums.hpp"

#include <new>

#include "omp/profile/spans.hpp"
#include "omp/tool/info.hpp"
#include "platform/base/fatal.hpp"
#include "profile/thread.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace sums {
namespace {

// From the moment at which a task is ready to its begin on a worker that was awake.
constexpr double hand_over_us = 1;

tool::task_info& info_of(task& t) noexcept {
  if (t.tool == nullptr) t.tool = &tool::make_info();
  return *t.tool;
}

}  // namespace

meeting* make_meeting() noexcept {
  void* const memory = sched::allocate_record(sizeof(meeting));
  return memory == nullptr ? nullptr : new (memory) meeting;
}

void free_meeting(meeting* m) noexcept {
  if (m != nullptr) sched::free_record(m, sizeof(meeting));
}

team_sums& sums_of(team& t) noexcept {
  if (t.tool.sums != nullptr) return *t.tool.sums;
  t.tool.sums = new team_sums(t.size);
  // The thread is seen for the first time, outside all regions.
  if (t.nest.level == 0) open_root(*t.members[0]);
  return *t.tool.sums;
}

member_sums* sums_of(member& m) noexcept {
  team& t = *m.in;
  if (t.tool.sums == nullptr) {
    if (t.size != 1) return nullptr;
    sums_of(t);
  }
  return &t.tool.sums->members[m.number];
}

std::uint64_t pause(member& m, task& t, std::uint64_t now) noexcept {
  tool::task_time& time = info_of(t).time;
  const std::uint64_t ran = time.strand.pause(now);
  time.own += ran;
  if (member_sums* const s = sums_of(m)) s->busy += ran;
  return ran;
}

void go_on(task& t, std::uint64_t now) noexcept {
  profile::strand& s = info_of(t).time.strand;
  s.go_on(now);
  profile::here().runs(s.where());
}

std::uint64_t cost_of_hand_over() noexcept { return platform::ticks_of_us(hand_over_us); }

}  // namespace sums

namespace tool {

task_info& make_info() noexcept {
  static_assert(sizeof(task_info) <= sched::block_sizes[sched::block_classes - 1]);
  void* const memory = sched::allocate_record(sizeof(task_info));
  if (memory == nullptr) platform::fatal("no memory for what tools know of an OpenMP task");
  return *new (memory) task_info;
}

void drop(sums::team_sums* of) noexcept { delete of; }

}  // namespace tool
}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/team_sums.hpp"

#include <new>
#include <utility>

#include "omp/tool/info.hpp"
#include "platform/base/fatal.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp {
namespace sums {
namespace {

tool::task_info& info_of(task& t) noexcept {
  if (t.tool == nullptr) t.tool = &tool::make_info();
  return *t.tool;
}

/// The implicit task of a thread outside all regions: its strand is the thread's
/// (profile/spans.hpp), and the task's own has its path while the thread is somewhere else.
bool is_outside(const task& t) noexcept { return t.parent == nullptr; }

void leave_outside(tool::task_time& time, std::uint64_t now) noexcept {
  profile::outer_strand& s = profile::outside();
  // Away: its code is not measured, or it waits already.
  if (s.away()) return;
  time.strand.so_far() = s.leave(now);
  time.left = true;
}

void come_back(tool::task_time& time, std::uint64_t now) noexcept {
  if (!std::exchange(time.left, false)) return;
  profile::outside().come_back(time.strand.so_far(), now);
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
  return *t.tool.sums;
}

member_sums* sums_outside(member& m) noexcept { return &sums_of(*m.in).members[m.number]; }

std::uint64_t pause(member& m, task& t, std::uint64_t now) noexcept {
  tool::task_time& time = info_of(t).time;
  if (is_outside(t)) {
    leave_outside(time, now);
    return 0;
  }
  const std::uint64_t ran = time.strand.pause(now);
  time.own += ran;
  if (member_sums* const s = sums_of(m)) s->busy += ran;
  return ran;
}

void go_on(task& t, std::uint64_t now) noexcept {
  tool::task_time& time = info_of(t).time;
  if (is_outside(t))
    come_back(time, now);
  else
    time.strand.go_on(now);
  profile::here_throughout().runs(time.strand.where());
}

bool runs(task& t) noexcept {
  return is_outside(t) ? !profile::outside().away() : info_of(t).time.strand.runs();
}

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

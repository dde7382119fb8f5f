// SPDX-License-Identifier: Apache-2.0
// Under checks: every use of global memory by a task is entered in the shadow, and a race ends the
// program. What is done outside of a run is not entered: it is ordered with all tasks.

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "cluster/memory/memory.hpp"
#include "kasuri/global/error.hpp"
#include "platform/fatal.hpp"

namespace kasuri::cluster {
namespace {

/// What a thread has entered lately. A task that uses the same bytes again, with no fork between,
/// adds nothing by which a race could be found that is not found without.
struct entered {
  std::uint64_t memory_id = 0;
  std::uint64_t run = 0;
  program_point point;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writes = false;
};
constexpr std::size_t entered_places = 64;
// Not the array itself: a library that is loaded by a running program finds little room for those.
thread_local std::unique_ptr<std::array<entered, entered_places>> entered_lately;

std::array<entered, entered_places>& lately() {
  if (entered_lately == nullptr)
    entered_lately = std::make_unique<std::array<entered, entered_places>>();
  return *entered_lately;
}

entered& place_for(std::uint64_t offset) {
  return lately()[(offset * 0x9e3779b97f4a7c15u) >> 58];
}
static_assert(entered_places == 64);

std::string text_of(const access_mark& a, task_tree& tasks) {
  const std::string bytes = std::to_string(a.bytes) + " bytes";
  const auto verb = [&]() -> std::string {
    switch (a.what) {
      case use::read: return "checkout for reading of " + bytes;
      case use::write: return "checkout for writing of " + bytes;
      case use::atomic: return "atomic operation on " + bytes;
      case use::allocate: return "allocation of " + bytes;
      case use::deallocate: break;
    }
    return "deallocation of " + bytes;
  };
  return verb() + " by task " + tasks.path(a.task) + " on rank " + std::to_string(a.rank);
}

}  // namespace

void memory::begin_run() {
  ++run_;
  if (shadow_ != nullptr) shadow_->clear();
}

std::uint64_t memory::at_fork(const program_point& here) {
  expect_nothing_checked_out();
  return shadow_ == nullptr || here.task == 0 ? 0 : shadow_->tasks().fork(here);
}

/// Of bytes in one region.
void memory::note_use(const region& where, std::uint64_t offset, std::uint64_t bytes, use what) {
  if (tasks_ == nullptr || where.kind == region::kind_t::file) return;
  const program_point point = tasks_->here();
  if (point.task == 0) return;
  const bool plain = what == use::read || what == use::write;
  const entered mine{id_, run_, point, offset, offset + bytes, what == use::write};
  entered& last = place_for(offset);
  if (plain && last.memory_id == id_ && last.run == run_ && last.point == point &&
      last.begin <= mine.begin && mine.end <= last.end && (last.writes || !mine.writes))
    return;
  // An object that the task has freed may be another's by the next time.
  if (what == use::allocate || what == use::deallocate) lately().fill({});

  const access_mark now{point.task, bytes, point.forks, static_cast<std::uint16_t>(rank_), what, 0};
  judge order(shadow_->tasks(), point);
  for (std::uint64_t at = offset; at < offset + bytes;) {
    const home_place home = where.home_of(at);
    const std::uint64_t stop = std::min(offset + bytes, at + home.run);
    if (const auto found = shadow_->enter(home.rank, at, stop, now, order))
      report_race(where, *found, now, order);
    at = stop;
  }
  if (plain) last = mine;
}

void memory::report_race(const region& where, const found_race& found, const access_mark& now,
                         judge& order) {
  task_tree& tasks = shadow_->tasks();
  const std::string place =
      where.heap ? "the heap of rank " + std::to_string(where.home_of(found.begin).rank)
                 : "byte " + std::to_string(found.begin - where.begin) + " of the array of " +
                       std::to_string(where.used - where.begin) + " bytes at global address " +
                       std::to_string(where.begin);
  const bool ordered = !parallel(order.of(found.earlier));
  const std::string line =
      std::string("KASURI_CHECK=checkout: a ") + (ordered ? "use after free of " : "data race on ") + std::to_string(found.end - found.begin) +
      " bytes at global address " + std::to_string(found.begin) + " (" + place +
      "): " + text_of(now, tasks) +
      (ordered ? " comes behind " : " is parallel to ") + text_of(found.earlier, tasks) +
      (ordered ? "; accepted: no use behind global::deallocate"
               : "; accepted: disjoint ranges, reading by both, or a join between the two");
  if (options_.races_end) platform::fatal("%s", line.c_str());
  throw global::error(line);
}

}  // namespace kasuri::cluster

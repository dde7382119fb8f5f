// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/checks.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {
namespace {

/// A use that a thread has entered lately. A task that uses the same bytes again, with no fork
/// between, adds nothing by which a race could be found that is not found without.
struct entered {
  std::uint64_t memory_id = 0;
  std::uint64_t run = 0;
  program_point point;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writes = false;

  /// Whether the other use adds nothing to this one.
  [[nodiscard]] bool includes(const entered& other) const noexcept {
    const bool same_task = memory_id == other.memory_id && run == other.run && point == other.point;
    return same_task && begin <= other.begin && other.end <= end && (writes || !other.writes);
  }
};
constexpr std::size_t entered_places = 64;
// Not the array itself: a library that is loaded by a running program finds little room for those.
thread_local std::unique_ptr<std::array<entered, entered_places>> entered_lately;

std::array<entered, entered_places>& lately() {
  if (entered_lately == nullptr)
    entered_lately = std::make_unique<std::array<entered, entered_places>>();
  return *entered_lately;
}

entered& place_for(std::uint64_t offset) { return lately()[(offset * 0x9e3779b97f4a7c15u) >> 58]; }
static_assert(entered_places == 64);

std::string text_of(const access_mark& a, task_tree& tasks) {
  const std::string bytes = std::to_string(a.bytes) + " bytes";
  const auto verb = [&]() -> std::string {
    switch (a.what) {
      case use::read:
        return "checkout for reading of " + bytes;
      case use::write:
        return "checkout for writing of " + bytes;
      case use::atomic:
        return "atomic operation on " + bytes;
      case use::allocate:
        return "allocation of " + bytes;
      case use::deallocate:
        break;
    }
    return "deallocation of " + bytes;
  };
  return verb() + " by task " + tasks.path(a.task) + " on rank " + std::to_string(a.rank);
}

}  // namespace

memory_checks::memory_checks(transport& network, const memory_options& options, std::uint64_t id,
                             const directory& places, const checkouts& users)
    : id_(id),
      rank_(network.rank()),
      races_end_(options.races_end),
      places_(places),
      users_(users) {
  if (!options.checked) return;
  copies_ = std::make_unique<guarded_copies>([this](const guarded_copies::use& u) {
    return places_.describe({u.offset, u.bytes, u.mode});
  });
  try {
    shadow_ = std::make_unique<shadow>(network, options.check_bytes);
  } catch (const std::bad_alloc&) {
    throw global::error("KASURI_CHECK=checkout: some rank has no room for KASURI_CHECK_MEMORY=" +
                        std::to_string(options.check_bytes) + " bytes; accepted: less, from 1M on");
  }
}

void memory_checks::begin_run() {
  ++run_;
  if (shadow_ != nullptr) shadow_->clear();
}

std::uint64_t memory_checks::at_fork(const program_point& here) {
  return shadow_ == nullptr || here.task == 0 ? 0 : shadow_->tasks().fork(here);
}

void memory_checks::note_use(const region& where, std::uint64_t offset, std::uint64_t bytes,
                             use what) {
  if (tasks_ == nullptr || where.kind == region::kind_t::file) return;
  const program_point point = tasks_->here();
  if (point.task == 0) return;
  const bool plain = what == use::read || what == use::write;
  const entered mine{id_, run_, point, offset, offset + bytes, what == use::write};
  entered& last = place_for(offset);
  if (plain && last.includes(mine)) return;
  // An object that the task has freed may be another's by the next time.
  if (what == use::allocate || what == use::deallocate) lately().fill({});

  const access_mark now{point.task, bytes, point.forks, static_cast<std::uint16_t>(rank_), what, 0};
  judge order(shadow_->tasks(), point);
  KASURI_EXPECT(cheap, where.begin <= offset && offset + bytes <= where.end,
                "bytes %llu + %llu of a region from %llu to %llu are used",
                static_cast<unsigned long long>(offset), static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(where.begin),
                static_cast<unsigned long long>(where.end));
  for (std::uint64_t at = offset; at < offset + bytes;) {
    const home_place home = where.home_of(at);
    const std::uint64_t stop = std::min(offset + bytes, at + home.run);
    if (const auto found = shadow_->enter(home.rank, at, stop, now, order))
      report_race(where, *found, now, order);
    at = stop;
  }
  if (plain) last = mine;
}

void memory_checks::note_uses(std::span<const checkout_request> requests,
                              std::span<const region* const> where) {
  for (std::size_t i = 0; i != requests.size(); ++i) {
    const checkout_request& r = requests[i];
    if (r.bytes != 0) note_use(*where[i], r.offset, r.bytes, r.writes() ? use::write : use::read);
  }
}

/// The memory of a file is for reading alone anyway.
void memory_checks::lend(std::span<const checkout_request> requests,
                         std::span<const region* const> where, std::span<held> results) {
  for (std::size_t i = 0; i != requests.size(); ++i)
    if (requests[i].bytes != 0 && where[i]->kind != region::kind_t::file)
      results[i].data = lend(requests[i], results[i]);
}

std::byte* memory_checks::lend(const checkout_request& r, const held& h) {
  std::optional<stack_range> mine;
  std::byte* const copy =
      copies_->lend({h.kept, h.data, r.offset, r.bytes, r.mode}, [&](std::uintptr_t frame) {
        if (!mine) mine = users_.stack_of_caller();
        return mine->has(frame);
      });
  h.kept->mark_copied();
  return copy;
}

void memory_checks::report_race(const region& where, const found_race& found,
                                const access_mark& now, judge& order) {
  task_tree& tasks = shadow_->tasks();
  const std::string place =
      where.heap ? "the heap of rank " + std::to_string(where.home_of(found.begin).rank)
                 : "byte " + std::to_string(found.begin - where.begin) + " of the array of " +
                       std::to_string(where.used - where.begin) + " bytes at global address " +
                       std::to_string(where.begin);
  const bool ordered = !parallel(order.of(found.earlier));
  const std::string line =
      std::string("KASURI_CHECK=checkout: a ") +
      (ordered ? "use after free of " : "data race on ") + std::to_string(found.end - found.begin) +
      " bytes at global address " + std::to_string(found.begin) + " (" + place +
      "): " + text_of(now, tasks) + (ordered ? " comes behind " : " is parallel to ") +
      text_of(found.earlier, tasks) +
      (ordered ? "; accepted: no use behind global::deallocate"
               : "; accepted: disjoint ranges, reading by both, or a join between the two");
  if (races_end_) platform::fatal("%s", line.c_str());
  throw global::error(line);
}

}  // namespace kasuri::cluster

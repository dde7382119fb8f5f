// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <limits>

#include "fatal.hpp"

namespace kasuri::model {

namespace {

constexpr timestamp timestamp_step = 1 << 6;  // room for 6 insertions into the same gap
constexpr timestamp last_timestamp = std::numeric_limits<timestamp>::max();

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void memory::reset() {
  for (int i = 0; i < used_; ++i) locations_[i].clear();
  used_ = 0;
  threads_.fill({});
  global_ = {};
  for (int t = 0; t < max_threads; ++t) advance(t);
}

int memory::add_location(std::uint64_t initial) {
  if (used_ == max_locations) fatal("a program may have at most 32 atomic locations");
  message& first = locations_[used_].emplace_back();
  first.at = timestamp_step;
  first.value = initial;
  return used_++;
}

int memory::oldest_visible(int thread, int location, bool sequential) const {
  timestamp bound = threads_[thread].current.seen[location];
  if (sequential) bound = std::max(bound, global_.seen[location]);
  const auto& all = locations_[location];
  int index = static_cast<int>(all.size()) - 1;
  while (index > 0 && all[index].at > bound) --index;
  return index;
}

bool memory::gap_open(int location, int index) const {
  const auto& all = locations_[location];
  const auto next = static_cast<std::size_t>(index) + 1;
  return next == all.size() || !all[next].closes_gap;
}

std::uint64_t memory::read(int thread, int location, int index, std::memory_order order) {
  const message& source = locations_[location][index];
  thread_views& views = threads_[thread];
  views.current.seen[location] = std::max(views.current.seen[location], source.at);
  views.acquirable.join(source.carried);
  views.acquirable_heavily.join(source.carried_lightly);
  if (acquires(order)) views.current.join(source.carried);
  if (order == std::memory_order_seq_cst) {
    global_.seen[location] = std::max(global_.seen[location], source.at);
  }
  return source.value;
}

timestamp memory::place_behind(int location, int index) const {
  const auto& all = locations_[location];
  const timestamp low = all[index].at;
  if (static_cast<std::size_t>(index) + 1 == all.size()) {
    if (low > last_timestamp - timestamp_step) fatal("too many stores to one location");
    return static_cast<timestamp>(low + timestamp_step);
  }
  const auto middle = static_cast<timestamp>(low + (all[index + 1].at - low) / 2);
  if (middle == low) fatal("too many stores into one gap of a modification order");
  return middle;
}

message& memory::insert(int location, int behind, std::uint64_t value, const author& by) {
  const timestamp at = place_behind(location, behind);
  auto& all = locations_[location];
  message& fresh = *all.emplace(all.begin() + behind + 1);
  fresh.at = at;
  fresh.value = value;
  fresh.by = by;
  return fresh;
}

void memory::write(int thread, int location, int behind, std::uint64_t value,
                   std::memory_order order, const author& by) {
  message& fresh = insert(location, behind, value, by);
  thread_views& views = threads_[thread];
  views.current.seen[location] = fresh.at;
  if (order == std::memory_order_seq_cst) global_.seen[location] = fresh.at;
  fresh.carried = releases(order) ? views.current : views.released;
  fresh.carried.seen[location] = fresh.at;
  fresh.carried_lightly = views.before_light;
  advance(thread);
}

void memory::write_modified(int thread, int location, int behind, std::uint64_t value,
                            std::memory_order order, const author& by) {
  write(thread, location, behind, value, order, by);
  auto& all = locations_[location];
  all[behind + 1].closes_gap = true;
  all[behind + 1].carried.join(all[behind].carried);
  all[behind + 1].carried_lightly.join(all[behind].carried_lightly);
}

void memory::notice(int thread, int location, int index) {
  timestamp& seen = threads_[thread].current.seen[location];
  seen = std::max(seen, locations_[location][index].at);
}

void memory::fence(int thread, std::memory_order order) {
  thread_views& views = threads_[thread];
  if (acquires(order)) views.current.join(views.acquirable);
  if (order == std::memory_order_seq_cst) {
    views.current.join_seen(global_);
    global_.join_seen(views.current);
    light_fence(thread);
  }
  if (releases(order)) views.released = views.current;
  advance(thread);
}

void memory::light_fence(int thread) {
  thread_views& views = threads_[thread];
  views.current.join_seen(views.after_light);
  views.before_light = views.current;
  advance(thread);
}

void memory::end_heavy_fence(int thread) {
  threads_[thread].current.join(threads_[thread].acquirable_heavily);
  fence(thread, std::memory_order_seq_cst);
}

void memory::barrier(int thread) {
  thread_views& views = threads_[thread];
  global_.join_seen(views.before_light);
  views.after_light.join_seen(global_);
}

}  // namespace kasuri::model

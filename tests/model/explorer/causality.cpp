// SPDX-License-Identifier: Apache-2.0
#include "causality.hpp"

#include <bit>  // for countr_zero

namespace kasuri::model {

namespace {

template <class F>
void for_each_location(location_set set, F f) {
  for (; set != 0; set &= set - 1) f(std::countr_zero(set));
}

}  // namespace

void causality::reset() {
  past_.fill({});
  for_each_location(touched_, [&](int location) { locations_[location] = {}; });
  touched_ = 0;
  sequential_past_ = {};
  last_sequential_.fill(0);
  light_.fill({});
  barrier_.fill({});
}

std::array<tick, max_processes> causality::races(int process, const operation& op) const {
  indices last{};
  const auto consider = [&](const indices& events) { raise(last, events); };
  for_each_location(op.reads | op.writes, [&](int location) {
    const bool writes = (op.writes & bit(location)) != 0;
    consider(writes ? locations_[location].last_access : locations_[location].last_write);
  });
  if (op.sequential) consider(last_sequential_);
  const int thread = thread_of(process);
  if (op.what == action::light_fence) {
    last[barrier_for(thread)] = std::max(last[barrier_for(thread)], barrier_[thread].last);
  }
  if (op.what == action::barrier) last[thread] = std::max(last[thread], light_[thread].last);

  for (int q = 0; q < max_processes; ++q) {
    if (q == process || past_[process].covers(q, last[q])) last[q] = 0;
  }
  return last;
}

clock causality::record(int process, const operation& op) {
  clock& past = past_[process];
  const int thread = thread_of(process);
  const tick index = ++past.at[process];

  for_each_location(op.reads | op.writes, [&](int location) {
    past.join(locations_[location].of_writes);
    if ((op.writes & bit(location)) != 0) past.join(locations_[location].of_reads);
  });
  if (op.sequential) past.join(sequential_past_);
  if (op.what == action::light_fence) past.join(barrier_[thread].past);
  if (op.what == action::barrier) past.join(light_[thread].past);

  touched_ |= op.reads | op.writes;
  for_each_location(op.reads | op.writes, [&](int location) {
    location_past& there = locations_[location];
    there.last_access[process] = index;
    if ((op.writes & bit(location)) != 0) {
      there.last_write[process] = index;
      there.of_writes.join(past);
    } else {
      there.of_reads.join(past);
    }
  });
  if (op.sequential) {
    sequential_past_.join(past);
    last_sequential_[process] = index;
  }
  if (op.what == action::light_fence) light_[thread] = {past, index};
  if (op.what == action::barrier) barrier_[thread] = {past, index};
  return past;
}

}  // namespace kasuri::model

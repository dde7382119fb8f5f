// SPDX-License-Identifier: Apache-2.0
// What each operation of a modelled thread does. All have one shape: announce, take the choices
// that are open, tell the search (commit), change the memory, write the log.
//
// Under sequential consistency fences order nothing that is not ordered already: they are no steps,
// and synchronise for the checks of plain data only.
//
// Before the threads start and after they end there is one thread of control; there operations act
// on the newest message and are not announced.
#include <utility>  // for move

#include "machine.hpp"

namespace kasuri::model {

author machine::commit(int process, const operation& op) {
  const clock past = search_->record(process, op, next_.data());
  return {process, past.at[process], past};
}

void machine::note(const operation& op, std::uint64_t value, const char* result) {
  if (log_ != nullptr) log_->add(running_, op, value, result);
}

void machine::look(int location, int index) {
  modelled_thread& self = threads_[running_];
  const message& it = memory_.messages(location)[index];
  const bool again = (self.looked_at & bit(location)) != 0;
  if (again && it.value != self.saw_value[location] && it.by.process != running_) {
    self.saw_change = true;
  }
  self.looked_at |= bit(location);
  self.saw[location] = it.at;
  self.saw_value[location] = it.value;
}

/// Whether the operation may read message `index` or write just behind it. The rule of search.hpp:
/// all newer messages must lie in its past, which includes the pasts of those it comes behind.
bool machine::may_come_behind(int location, int index, bool sequential) const {
  const auto& all = memory_.messages(location);
  if (index + 1u == all.size()) return true;
  if (!weak_ || !search_->reduces()) return weak_;
  clock past = search_->past(running_, sequential);
  for (int i = 0; i <= index; ++i) past.join(all[i].by.past);
  for (auto i = static_cast<std::size_t>(index) + 1; i < all.size(); ++i) {
    if (!past.covers(all[i].by.process, all[i].by.index)) return false;
  }
  return true;
}

/// Chooses the message to read, or the one to write behind.
int machine::choose_message(int location, const operation& op) {
  candidates_.clear();
  const int oldest =
      memory_.oldest_visible(running_, location, op.order == std::memory_order_seq_cst);
  for (int i = static_cast<int>(memory_.messages(location).size()) - 1; i >= oldest; --i) {
    if (op.writes != 0 && !memory_.gap_open(location, i)) continue;
    if (may_come_behind(location, i, op.sequential)) candidates_.push_back(i);
  }
  return candidates_[search_->choose_value(static_cast<int>(candidates_.size()), true)];
}

/// Chooses the message that a compare-exchange reads: one with the expected value must be one it
/// can write behind.
int machine::choose_compared(int location, std::uint64_t expected, std::memory_order success,
                             std::memory_order failure) {
  candidates_.clear();
  const auto& all = memory_.messages(location);
  const bool either = sequential(success) || sequential(failure);
  const int oldest_success = memory_.oldest_visible(running_, location, sequential(success));
  const int oldest_failure = memory_.oldest_visible(running_, location, sequential(failure));
  for (int i = static_cast<int>(all.size()) - 1; i >= 0; --i) {
    const bool possible = all[i].value == expected
                              ? i >= oldest_success && memory_.gap_open(location, i)
                              : i >= oldest_failure;
    if (possible && may_come_behind(location, i, either)) candidates_.push_back(i);
  }
  return candidates_[search_->choose_value(static_cast<int>(candidates_.size()), true)];
}

std::uint64_t machine::load(int location, std::memory_order order) {
  if (running_ < 0) return memory_.newest(location);
  const operation op{.what = action::load,
                     .order = order,
                     .location = static_cast<std::int8_t>(location),
                     .sequential = sequential(order),
                     .reads = bit(location)};
  announce(op);
  const int index = choose_message(location, op);
  commit(running_, op);
  const std::uint64_t value = memory_.read(running_, location, index, order);
  look(location, index);
  const bool is_newest = index + 1u == memory_.messages(location).size();
  note(op, value, is_newest ? "" : " (an older value)");
  return value;
}

void machine::store(int location, std::uint64_t value, std::memory_order order) {
  if (running_ < 0) {
    memory_.newest(location) = value;
    return;
  }
  const operation op{.what = action::store,
                     .order = order,
                     .location = static_cast<std::int8_t>(location),
                     .sequential = sequential(order),
                     .writes = bit(location)};
  announce(op);
  const int index = choose_message(location, op);
  memory_.write(running_, location, index, value, order, commit(running_, op));
  const bool is_newest = index + 2u == memory_.messages(location).size();
  note(op, value, is_newest ? "" : " (overtaken by a newer value)");
}

std::uint64_t machine::modify(int location, std::memory_order order,
                              const std::function<std::uint64_t(std::uint64_t)>& change) {
  if (running_ < 0) {
    return std::exchange(memory_.newest(location), change(memory_.newest(location)));
  }
  const operation op{.what = action::read_modify_write,
                     .order = order,
                     .location = static_cast<std::int8_t>(location),
                     .sequential = sequential(order),
                     .reads = bit(location),
                     .writes = bit(location)};
  announce(op);
  const int index = choose_message(location, op);
  const author by = commit(running_, op);
  const std::uint64_t old = memory_.read(running_, location, index, order);
  const std::uint64_t value = change(old);
  memory_.write_modified(running_, location, index, value, order, by);
  look(location, index);
  note(op, value);
  return old;
}

bool machine::compare_exchange(int location, std::uint64_t& expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure) {
  if (running_ < 0) {
    const bool equal = memory_.newest(location) == expected;
    (equal ? memory_.newest(location) : expected) = equal ? desired : memory_.newest(location);
    return equal;
  }
  operation op{.what = action::compare_exchange,
               .order = success,
               .location = static_cast<std::int8_t>(location),
               .sequential = sequential(success) || sequential(failure),
               .reads = bit(location),
               .writes = bit(location)};
  announce(op);
  const int index = choose_compared(location, expected, success, failure);
  const std::uint64_t found = memory_.messages(location)[index].value;
  const bool equal = found == expected;
  op.order = equal ? success : failure;
  if (!equal) op.writes = 0;  // but still sequential if it could have been: that limits the choice
  const author by = commit(running_, op);
  memory_.read(running_, location, index, op.order);
  if (equal) memory_.write_modified(running_, location, index, desired, success, by);
  look(location, index);
  note(op, equal ? desired : found, equal ? "" : " (found: failed)");
  if (!equal) expected = found;
  return equal;
}

void machine::fence(std::memory_order order) {
  if (running_ < 0) return;
  if (!weak_) return memory_.fence(running_, order);
  const operation op{.what = action::fence, .order = order, .sequential = sequential(order)};
  announce(op);
  commit(running_, op);
  memory_.fence(running_, order);
  note(op, 0);
}

void machine::light_fence() {
  if (running_ < 0) return;
  if (!weak_) return memory_.light_fence(running_);
  const operation op{.what = action::light_fence};
  announce(op);
  commit(running_, op);
  memory_.light_fence(running_);
  note(op, 0);
}

void machine::heavy_fence() {
  if (running_ < 0) return;
  if (!weak_) return memory_.end_heavy_fence(running_);
  operation op{.what = action::heavy_begin, .sequential = true};
  announce(op);
  commit(running_, op);
  memory_.fence(running_, std::memory_order_seq_cst);
  note(op, 0);
  for (int t = 0; t < program_.threads; ++t) {
    if (t == running_) continue;
    const bool on_its_way = (enabled() & bit(barrier_for(t))) != 0;
    if (!on_its_way) search_->enable(barrier_for(t), running_);
    threads_[running_].barriers_awaited |= bit(barrier_for(t));
  }
  op.what = action::heavy_end;
  announce(op);
  commit(running_, op);
  memory_.end_heavy_fence(running_);
  note(op, 0);
}

void machine::arrive(int thread) {
  const int process = barrier_for(thread);
  const operation& op = next_[process];
  commit(process, op);
  memory_.barrier(thread);
  if (log_ != nullptr) log_->add(thread, op, 0, "");
  for (int t = 0; t < program_.threads; ++t) {
    if ((threads_[t].barriers_awaited & bit(process)) == 0) continue;
    threads_[t].barriers_awaited &= ~bit(process);
    search_->enable(t, process);
  }
}

bool machine::futex_wait(int location, std::uint64_t expected) {
  const operation op{.what = action::futex_wait,
                     .order = std::memory_order_relaxed,  // behind a full fence
                     .location = static_cast<std::int8_t>(location),
                     .sequential = weak_,
                     .reads = bit(location)};
  announce(op);
  memory_.fence(running_, std::memory_order_seq_cst);
  const int index = choose_message(location, op);
  commit(running_, op);
  const std::uint64_t value = memory_.read(running_, location, index, std::memory_order_relaxed);
  look(location, index);
  note(op, value, value == expected ? " (sleeps)" : " (has changed: returns)");
  if (value != expected) return false;
  threads_[running_].is = state::waiting;
  threads_[running_].waits_on = location;
  const operation woken{.what = action::futex_woken};
  announce(woken);
  commit(running_, woken);
  note(woken, 0);
  return true;
}

int machine::futex_wake(int location, int count) {
  if (running_ < 0) return 0;
  const operation op{.what = action::futex_wake,
                     .order = std::memory_order_seq_cst,
                     .location = static_cast<std::int8_t>(location),
                     .sequential = weak_,
                     .writes = weak_ ? 0 : bit(location)};  // depends on the waits there
  announce(op);
  commit(running_, op);
  memory_.fence(running_, std::memory_order_seq_cst);
  int woken = 0;
  for (; woken < count; ++woken) {
    candidates_.clear();
    for (int t = 0; t < program_.threads; ++t) {
      const modelled_thread& it = threads_[t];
      if (it.is == state::waiting && it.waits_on == location) candidates_.push_back(t);
    }
    if (candidates_.empty()) break;
    const int count_of_them = static_cast<int>(candidates_.size());
    const int chosen = candidates_[search_->choose_value(count_of_them, false)];
    threads_[chosen].is = state::live;
    search_->enable(chosen, running_);
  }
  note(op, static_cast<std::uint64_t>(woken), " threads woken");
  return woken;
}

void machine::pause() {
  if (running_ < 0) fail("waits for another thread, but none runs");
  if (running_ < 0) return;
  modelled_thread& self = threads_[running_];
  if (self.looked_at == 0 || self.saw_change) {  // the next turn may go otherwise as things are
    self.looked_at = 0;
    self.saw_change = false;
    return;
  }
  operation op{.what = action::change, .reads = self.looked_at};
  announce(op);
  std::vector<std::pair<int, int>> news;  // location, message
  for (int location = 0; location < memory_.locations(); ++location) {
    const auto& all = memory_.messages(location);
    const int oldest = memory_.oldest_visible(running_, location, false);
    for (int i = static_cast<int>(all.size()) - 1; i >= oldest; --i) {
      if (!is_news(running_, location, all[i])) continue;
      if (may_come_behind(location, i, false)) news.emplace_back(location, i);
    }
  }
  if (news.empty()) {  // all of it could have been noticed before something newer was written
    commit(running_, op);
    end(ending::redundant);
  }
  const auto [location, index] = news[search_->choose_value(static_cast<int>(news.size()), false)];
  commit(running_, op);
  memory_.notice(running_, location, index);
  self.looked_at = 0;
  op.location = static_cast<std::int8_t>(location);
  note(op, memory_.messages(location)[index].value);
}

int machine::add_plain() {
  plain_.emplace_back();
  return static_cast<int>(plain_.size()) - 1;
}

void machine::access_plain(int id, bool writes) {
  plain_data& data = plain_[id];
  if (running_ < 0) {
    if (writes) data = {};
    return;
  }
  const auto unordered = [&](int other, tick when) {
    return other != running_ && when > memory_.synchronized_with(running_, other);
  };
  bool race = data.writer >= 0 && unordered(data.writer, data.written);
  for (int t = 0; writes && t < program_.threads; ++t) race = race || unordered(t, data.read[t]);
  if (race) fail("data race on plain data " + std::to_string(id));
  if (writes) {
    data.writer = running_;
    data.written = memory_.now(running_);
  } else {
    data.read[running_] = memory_.now(running_);
  }
}

}  // namespace kasuri::model

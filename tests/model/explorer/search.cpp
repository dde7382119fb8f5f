// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include <bit>  // for countr_zero

#include "fatal.hpp"

namespace kasuri::model {

void search::begin_execution() {
  cursor_ = 0;
  replayed_ = path_.size();
  asleep_ = 0;
  spent_ = 0;
  if (!reduce_) return;
  causality_.reset();
  trace_.clear();
  for (auto& positions : positions_) positions.clear();
}

bool search::advance() {
  while (!path_.empty()) {
    node& last = path_.back();
    if (last.enabled == 0) {
      if (++last.chosen < last.count) return true;
    } else {
      last.tried |= bit(last.chosen);
      if ((last.wanted & ~last.tried & ~last.asleep) != 0) {
        last.chosen = pick(last);
        return true;
      }
    }
    path_.pop_back();
  }
  return false;
}

int search::scripted() {
  if (cursor_ == script_->size()) fatal("the choices to replay do not fit this program");
  path_.push_back({.chosen = (*script_)[cursor_]});
  return (*script_)[cursor_++];
}

int search::choose_process(process_set enabled, int current) {
  if (script_ != nullptr) return scripted();
  point_ = cursor_;
  if (cursor_ == path_.size()) {
    node point = make_point(enabled, current);
    if ((enabled & ~point.asleep) == 0) return redundant;
    point.chosen = pick(point);
    if (reduce_) point.wanted = bit(point.chosen);
    path_.push_back(point);
  }
  const node& point = path_[cursor_++];
  if (point.enabled != enabled) fatal("the program does not behave the same when run again");
  asleep_ = point.asleep | point.tried;
  spent_ = spent(point, point.chosen);
  return point.chosen;
}

search::node search::make_point(process_set enabled, int current) const {
  node point;
  point.enabled = enabled;
  point.current = current;
  point.deviations = spent_;
  point.asleep = reduce_ ? asleep_ : 0;
  point.wanted = reduce_ ? enabled : affordable(point);
  return point;
}

int search::spent(const node& point, int process) const {
  const bool could_go_on = point.current >= 0 && (point.enabled & bit(point.current)) != 0;
  return point.deviations + (could_go_on && process != point.current ? 1 : 0);
}

process_set search::affordable(const node& point) const {
  if (deviations_ == unbounded) return point.enabled;
  process_set result = 0;
  for (int p = 0; p < max_processes; ++p) {
    if ((point.enabled & bit(p)) != 0 && spent(point, p) <= deviations_) result |= bit(p);
  }
  return result;
}

int search::pick(const node& point) const {
  const process_set open = point.wanted & ~point.tried & ~point.asleep;
  if (point.current >= 0 && (open & bit(point.current)) != 0) return point.current;
  return std::countr_zero(open);
}

int search::choose_value(int count, bool deviates) {
  if (count == 1) return 0;
  if (script_ != nullptr) return scripted();
  if (deviates && spent_ == deviations_) count = 1;
  if (cursor_ == path_.size()) path_.push_back({.count = count});
  const node& point = path_[cursor_++];
  if (point.count != count) fatal("the program does not behave the same when run again");
  if (deviates && point.chosen != 0) ++spent_;
  return point.chosen;
}

clock search::record(int process, const operation& op, const operation* next) {
  if (!reduce_) return {};
  if (script_ != nullptr) return causality_.record(process, op);
  const bool is_new = cursor_ >= replayed_;
  const auto races = is_new ? causality_.races(process, op) : std::array<tick, max_processes>{};
  const clock past = causality_.record(process, op);
  positions_[process].push_back(trace_.size());
  trace_.push_back({process, past.at[process], point_, past});
  if (is_new) reverse_races(races);

  for (process_set rest = asleep_; rest != 0; rest &= rest - 1) {
    const int q = std::countr_zero(rest);
    if (q == process || dependent(process, op, q, next[q])) asleep_ &= ~bit(q);
  }
  return past;
}

void search::reverse_races(const std::array<tick, max_processes>& races) {
  for (int q = 0; q < max_processes; ++q) {
    if (races[q] == 0) continue;
    bool immediate = true;  // otherwise the event between is reversed first
    for (int r = 0; r < max_processes; ++r) {
      if (r == q || races[r] == 0) continue;
      const event& other = trace_[positions_[r][races[r] - 1]];
      if (other.past.covers(q, races[q])) immediate = false;
    }
    if (!immediate) continue;
    const std::size_t position = positions_[q][races[q] - 1];
    node& point = path_[trace_[position].at];
    const process_set first = reversed_beginnings(position) & point.enabled;
    if (first == 0 || (first & (point.wanted | point.asleep)) != 0) continue;
    const int process = trace_.back().process;
    point.wanted |= (first & bit(process)) != 0 ? bit(process) : first & (~first + 1);
  }
}

/// The processes that can begin a schedule in which the last event comes before the one at
/// `position`: take that event out with all that depends on it, keep the rest and the last event;
/// those whose first event there has nothing of it in its past.
process_set search::reversed_beginnings(std::size_t position) const {
  const event& late = trace_[position];
  std::array<tick, max_processes> first{};
  process_set result = 0;
  for (std::size_t i = position + 1; i < trace_.size(); ++i) {
    const event& e = trace_[i];
    const bool is_last = i + 1 == trace_.size();
    if (!is_last && e.past.covers(late.process, late.index)) continue;
    bool begins = first[e.process] == 0;
    for (int q = 0; q < max_processes && begins; ++q) {
      if (first[q] != 0 && e.past.covers(q, first[q])) begins = false;
    }
    if (first[e.process] == 0) first[e.process] = e.index;
    if (begins) result |= bit(e.process);
  }
  return result;
}

search::choices search::taken() const {
  choices result;
  for (std::size_t i = 0; i < cursor_; ++i) result.push_back(path_[i].chosen);
  return result;
}

}  // namespace kasuri::model

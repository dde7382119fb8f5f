// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/task_tree.hpp"

#include <cstring>
#include <vector>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

task_tree::task_tree(arena& records) : records_(records), taking_(records.network()) {}

void task_tree::clear() {
  next_ = end_ = 0;
  of_others_.clear();
}

std::uint64_t task_tree::fork(const program_point& at) {
  const fork_record made{at.task, at.forks, depth_of(at.task) + 1};
  const int me = records_.network().rank();
  const std::scoped_lock hold(taking_);
  if (next_ == end_) {
    next_ = records_.take(me, chunk);
    end_ = next_ + chunk;
  }
  KASURI_EXPECT(cheap, next_ + sizeof made <= end_ && next_ % sizeof made == 0,
                "a fork's record at %llu, the chunk ends at %llu",
                static_cast<unsigned long long>(next_), static_cast<unsigned long long>(end_));
  std::memcpy(records_.local(next_), &made, sizeof made);
  const std::uint64_t place = next_ / sizeof made;
  KASURI_EXPECT(cheap, place < std::uint64_t{1} << rank_at, "fork %llu of rank %d",
                static_cast<unsigned long long>(place), me);
  next_ += sizeof made;
  return (static_cast<std::uint64_t>(me) << rank_at | place) << 1;
}

/// Of the fork that the task is of; the task is not the root. A number is known only to who came by
/// it behind the fork, so the record is there.
task_tree::fork_record task_tree::record_of(std::uint64_t task) {
  KASURI_EXPECT(cheap, task > root, "task %llu was forked by none",
                static_cast<unsigned long long>(task));
  const std::uint64_t fork = task >> 1;
  const auto rank = static_cast<int>(fork >> rank_at);
  const std::uint64_t offset = (fork & ((std::uint64_t{1} << rank_at) - 1)) * sizeof(fork_record);
  fork_record found;
  if (rank == records_.network().rank()) {
    std::memcpy(&found, records_.local(offset), sizeof found);
    return found;
  }
  {
    const std::scoped_lock hold(lock_);
    if (const auto at = of_others_.find(fork); at != of_others_.end()) return at->second;
  }
  records_.read(rank, offset, &found, sizeof found);
  const std::scoped_lock hold(lock_);
  of_others_.emplace(fork, found);
  return found;
}

std::uint32_t task_tree::depth_of(std::uint64_t task) {
  return task == root ? 0 : record_of(task).depth;
}

relation task_tree::compare(const program_point& a, const program_point& b) {
  // A climber's place in its task: 2c with c forks behind it, 2n + 1 inside of fork n.
  struct climber {
    std::uint64_t task;
    std::uint64_t place;
    std::uint32_t depth;
  };
  climber x{a.task, std::uint64_t{2} * a.forks, depth_of(a.task)};
  climber y{b.task, std::uint64_t{2} * b.forks, depth_of(b.task)};
  const auto climb = [this](climber& c) {
    const fork_record r = record_of(c.task);
    KASURI_EXPECT(cheap, r.depth == c.depth && r.parent != 0,
                  "task %llu lies at depth %u, its fork by task %llu at %u",
                  static_cast<unsigned long long>(c.task), c.depth,
                  static_cast<unsigned long long>(r.parent), r.depth);
    c = {r.parent, std::uint64_t{2} * r.number + 1, c.depth - 1};
  };
  while (x.depth > y.depth) climb(x);
  while (y.depth > x.depth) climb(y);
  while (x.task != y.task) {
    if (x.task >> 1 == y.task >> 1) return x.task < y.task ? relation::left : relation::right;
    climb(x);
    climb(y);
  }
  if (x.place == y.place) return relation::same;
  return x.place < y.place ? relation::before : relation::behind;
}

std::string task_tree::path(std::uint64_t task) {
  if (task == root) return "root";
  constexpr std::size_t most_shown = 8;  // at either end
  std::vector<std::string> upwards;
  std::size_t left_out = 0;
  const std::uint32_t depth = depth_of(task);
  for (std::uint32_t level = depth; task != root; --level) {
    const fork_record r = record_of(task);
    if (level > depth - most_shown || level <= most_shown || depth <= 2 * most_shown)
      upwards.push_back(std::to_string(std::uint64_t{r.number} + 1) +
                        ((task & 1) != 0 ? 'R' : 'L'));
    else if (left_out++ == 0)
      upwards.emplace_back();
    task = r.parent;
  }
  std::string text;
  for (auto level = upwards.rbegin(); level != upwards.rend(); ++level) {
    if (!text.empty()) text += '.';
    text += level->empty() ? "(" + std::to_string(left_out) + " more)" : *level;
  }
  return text;
}

}  // namespace kasuri::cluster

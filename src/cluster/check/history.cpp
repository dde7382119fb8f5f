// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/history.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

bool races(const access_mark& earlier, judge& order) {
  return earlier.task != 0 && parallel(order.of(earlier));
}

const access_mark* racing(const outer_marks& among, judge& order) {
  if (races(among.left, order)) return &among.left;
  if (races(among.right, order)) return &among.right;
  return nullptr;
}

/// The access in `e` that `now` is in a race with, or null.
const access_mark* racing(const history_entry& e, const access_mark& now, judge& order) {
  if (now.what == use::allocate) return nullptr;  // the bytes were another object's before
  // No order makes the use of what has been given back right.
  if (e.writer.task != 0 && e.writer.what == use::deallocate) return &e.writer;
  if (races(e.writer, order)) return &e.writer;
  if (now.what != use::read)
    if (const access_mark* found = racing(e.readers, order)) return found;
  if (now.what != use::atomic)
    if (const access_mark* found = racing(e.atomics, order)) return found;
  return nullptr;
}

void widen(outer_marks& among, const access_mark& now, judge& order) {
  if (among.left.task == 0 || order.of(among.left) != relation::left) among.left = now;
  if (among.right.task == 0 || order.of(among.right) != relation::right) among.right = now;
}

void remember(history_entry& e, const access_mark& now, judge& order) {
  switch (now.what) {
    case use::read:
      return widen(e.readers, now, order);
    case use::atomic:
      return widen(e.atomics, now, order);
    case use::write:
    case use::allocate:
    case use::deallocate:
      break;
  }
  e.writer = now;
  e.readers = {};
  e.atomics = {};
}

/// Puts `e` behind what is there, as one with its neighbour where they know the same.
void append(std::vector<history_entry>& to, const history_entry& e) {
  if (e.begin == e.end) return;
  if (!to.empty() && to.back().end == e.begin && to.back().knows_the_same(e))
    to.back().end = e.end;
  else
    to.push_back(e);
}

history_entry part_of(history_entry e, std::uint32_t begin, std::uint32_t end) {
  e.begin = std::max(e.begin, begin);
  e.end = std::max(e.begin, std::min(e.end, end));
  return e;
}

}  // namespace

relation judge::of(const access_mark& earlier) {
  const program_point p = earlier.point();
  for (const auto& [point, known] : known_)
    if (point == p) return known;
  return known_.emplace_back(p, tasks_.compare(p, now_)).second;
}

std::optional<race> enter(std::vector<history_entry>& history, std::uint32_t begin,
                          std::uint32_t end, const access_mark& now, judge& order) {
  KASURI_EXPECT(cheap, begin < end && now.task != 0, "bytes %u to %u are used by task %llu", begin,
                end, static_cast<unsigned long long>(now.task));
  std::vector<history_entry> next;
  next.reserve(history.size() + 2);
  std::uint32_t at = begin;  // all before it has been entered
  const auto enter_fresh = [&](std::uint32_t stop) {
    history_entry e;
    e.begin = at;
    e.end = stop;
    remember(e, now, order);
    append(next, e);
    at = stop;
  };
  for (const history_entry& e : history) {
    append(next, part_of(e, 0, begin));
    if (e.end > begin && e.begin < end) {
      if (e.begin > at) enter_fresh(e.begin);
      history_entry inside = part_of(e, begin, end);
      if (const access_mark* earlier = racing(inside, now, order))
        return race{*earlier, inside.begin, inside.end};
      remember(inside, now, order);
      append(next, inside);
      at = inside.end;
    } else if (e.begin >= end && at < end) {
      enter_fresh(end);
    }
    append(next, part_of(e, end, UINT32_MAX));
  }
  if (at < end) enter_fresh(end);
  KASURI_EXPECT(
      all,
      std::ranges::adjacent_find(
          next, [](const history_entry& a, const history_entry& b) { return a.end > b.begin; }) ==
          next.end(),
      "a history of %zu entries is out of order behind bytes %u to %u", next.size(), begin, end);
  history = std::move(next);
  return std::nullopt;
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
// A worker runs its part of a loop: kasuri/detail/loop/lazy_loop.hpp on virtual workers. Who asks
// for work is whoever is idle: a thief that sleeps has asked everybody before.
#include <algorithm>
#include <bit>
#include <utility>

#include "simulate/virtual_pool.hpp"

namespace kasuri::simulate {
namespace {

constexpr std::uint32_t most_at_once = 2048;  // lazy_loop::max_chunk

/// Halves that a new range gives away, so that each worker has a part.
int offers_for(const pool& p) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(p.workers()) - 1U));
}

/// The first iteration of the far half, which is the smaller one.
std::uint32_t middle(const loop_range& r) { return r.end - (r.end - r.begin) / 2; }

}  // namespace

void pool::begin_loop(worker& w) {
  const std::uint32_t node = w.on->calls.back().node;
  call_range(w, node, {.end = graph_.at(node).iterations, .offers = offers_for(*this)}, 0);
}

void pool::call_range(worker& w, std::uint32_t node, const loop_range& range, double late) {
  call& c = w.on->calls.emplace_back();
  c.node = node;
  c.range = range;
  c.late = late;
  c.at = range.offers == 0 || range.end - range.begin == 1 ? stage::chunk : stage::offer;
  c.range.largest = std::clamp<std::uint32_t>((range.end - range.begin) / 8, 1, most_at_once);
  c.range.chunk = std::min(range.chunk, c.range.largest);
}

/// False: the worker has something under way, or has left the stack.
bool pool::advance_loop(worker& w) {
  call& c = w.on->calls.back();
  switch (c.at) {
    case stage::offer: {
      const std::uint32_t mid = middle(c.range);
      divide(w, {.begin = c.range.begin, .end = mid, .offers = c.range.offers - 1},
             {.begin = mid, .end = c.range.end});
      return true;
    }
    case stage::chunk:
      run_chunk(w);
      return false;
    case stage::chunk_ran:
      end_chunk(w);
      return true;
    case stage::join_far:
      return join_far(w);
    default:
      end_range(w);
      return true;
  }
}

/// The far half becomes a task, the near one is called.
void pool::divide(worker& w, const loop_range& near, const loop_range& far) {
  call& c = w.on->calls.back();
  c.at = stage::join_far;
  c.second = new task(c.node);
  c.second->range = far;
  c.second->range.offers = offers_for(*this);
  w.queue.push_back(c.second);
  ++frames_;
  offer(w);
  call_range(w, c.node, near, c.late + costs_.spawn);
}

void pool::run_chunk(worker& w) {
  call& c = w.on->calls.back();
  const std::uint32_t end = std::min(c.range.begin + c.range.chunk, c.range.end);
  const double work = graph_.time_of(graph_.at(c.node), c.range.begin, end);
  c.range.begin = end;
  c.at = stage::chunk_ran;
  w.stats.busy += work;
  schedule(w, step::advance, work + std::exchange(c.late, 0));
}

/// To the next chunk; or, where somebody asks for work, the far half of what is left is for them.
void pool::end_chunk(worker& w) {
  call& c = w.on->calls.back();
  const std::uint32_t left = c.range.end - c.range.begin;
  if (left == 0) {
    c.at = stage::range_ended;
  } else if (left > 1 && idle_.size() != 0 && w.queue.empty()) {
    const std::uint32_t mid = middle(c.range);
    c.range.largest = 0;  // what the near half learns is not for the far one
    divide(w, {.begin = c.range.begin, .end = mid}, {.begin = mid, .end = c.range.end});
  } else {
    c.range.chunk = std::min(2 * c.range.chunk, c.range.largest);
    c.at = stage::chunk;
  }
}

/// False: the far half runs elsewhere still.
bool pool::join_far(worker& w) {
  call& c = w.on->calls.back();
  task* const t = std::exchange(c.second, nullptr);
  c.at = stage::range_ended;
  if (w.queue.empty() || w.queue.back() != t) return join(w, t);
  w.queue.pop_back();
  --frames_;
  loop_range far = t->range;
  delete t;
  const bool is_learned = c.range.largest != 0 && c.learned != 0;
  if (is_learned) {
    far.chunk = c.learned;
    far.offers = 0;
  }
  call_range(w, c.node, far, 0);
  return true;
}

void pool::end_range(worker& w) {
  std::vector<call>& calls = w.on->calls;
  call& c = calls.back();
  c.at = stage::after;
  const bool was_divided_at_once = c.range.largest != 0 && c.learned != 0;
  const std::uint32_t chunk = was_divided_at_once ? c.learned : c.range.chunk;
  if (calls.size() > 1) calls[calls.size() - 2].learned = chunk;
}

}  // namespace kasuri::simulate

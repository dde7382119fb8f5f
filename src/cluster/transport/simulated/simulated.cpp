// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/simulated/simulated.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "cluster/transport/simulated/message.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

// A rank needs so long to look at its own memory, so that one that looks for ever lets time pass.
constexpr std::uint64_t look_ns = 10;

std::uint64_t as_key(int target, const window& w, std::size_t offset) {
  return static_cast<std::uint64_t>(target) << 48 ^ static_cast<std::uint64_t>(w.id) << 40 ^ offset;
}

}  // namespace

simulated_transport::~simulated_transport() {
  for (const part& p : parts_)
    if (p.start != nullptr) platform::unmap_shared(p.start, p.mapped);
}

std::byte* simulated_transport::at(const window& w, std::size_t offset, std::size_t bytes) {
  const auto id = static_cast<std::size_t>(w.id);
  if (w.id < 0 || id >= parts_.size() || parts_[id].start == nullptr)
    throw simulation_error("rank " + std::to_string(rank_) + " has no window " +
                           std::to_string(w.id));
  if (offset > parts_[id].bytes || bytes > parts_[id].bytes - offset)
    throw simulation_error("window " + std::to_string(w.id) + " of rank " + std::to_string(rank_) +
                           ": bytes " + std::to_string(offset) + " + " + std::to_string(bytes) +
                           " of " + std::to_string(parts_[id].bytes));
  return parts_[id].start + offset;
}

window simulated_transport::allocate(std::size_t bytes) {
  const std::size_t page = platform::page_size();
  part p;
  p.bytes = bytes;
  p.mapped = std::max(page, (bytes + page - 1) / page * page);
  p.start = static_cast<std::byte*>(platform::map_shared(p.mapped));
  if (p.start == nullptr) all_.failed_ = true;
  parts_.push_back(p);
  meet();
  const bool failed = all_.failed_;
  meet();  // everybody has looked
  all_.failed_ = false;
  if (failed) {
    if (p.start != nullptr) platform::unmap_shared(p.start, p.mapped);
    parts_.back().start = nullptr;
    throw std::bad_alloc();
  }
  return {static_cast<int>(parts_.size()) - 1, p.start, bytes};
}

void simulated_transport::free(window& w) {
  meet();
  part& p = parts_[static_cast<std::size_t>(w.id)];
  platform::unmap_shared(p.start, p.mapped);
  p.start = nullptr;
  w = {};
}

void simulated_transport::alias(const window& w, std::size_t offset, std::size_t bytes, void* at_) {
  const part& p = parts_[static_cast<std::size_t>(w.id)];
  if (platform::duplicate_mapping(p.start + offset, bytes, at_)) return;
  throw no_address_space("a second mapping of its memory at rank " + std::to_string(rank_), bytes);
}

simulation::message& simulated_transport::message_about(int target, const window& w,
                                                        std::size_t offset, std::size_t bytes) {
  simulation::message& m = all_.fresh_message();
  m.origin = rank_;
  m.target = target;
  m.where = w;
  m.offset = offset;
  m.bytes = bytes;
  return m;
}

void simulated_transport::put(int target, const window& w, std::size_t offset, const void* from,
                              std::size_t bytes) {
  if (target == rank_) {
    std::memmove(at(w, offset, bytes), from, bytes);
    return;
  }
  simulation::message& m = message_about(target, w, offset, bytes);
  m.what = simulation::message::kind::put;
  m.from = from;
  ++outstanding_[target];
  ++all_.traffic_.puts;
  all_.time_.at(all_.arrival(rank_, target, bytes), m);
}

void simulated_transport::get(int target, const window& w, std::size_t offset, void* to,
                              std::size_t bytes) {
  if (target == rank_) {
    std::memmove(to, at(w, offset, bytes), bytes);
    return;
  }
  simulation::message& m = message_about(target, w, offset, bytes);
  m.what = simulation::message::kind::get;
  m.to = to;
  ++outstanding_[target];
  ++all_.traffic_.gets;
  all_.time_.at(all_.arrival(rank_, target, 8), m);
}

void simulated_transport::landed(int target) {
  const auto found = outstanding_.find(target);
  KASURI_EXPECT(cheap, found != outstanding_.end() && found->second > 0,
                "something lands at rank %d that was not begun for rank %d", rank_, target);
  if (--found->second != 0) return;
  outstanding_.erase(found);
  if (flushes_ == target) {
    flushes_ = -1;
    all_.time_.resume(rank_);
  }
}

void simulated_transport::flush(int target) {
  if (!outstanding_.contains(target)) return;
  KASURI_EXPECT(cheap, flushes_ == -1, "rank %d flushes for rank %d, and does for rank %d", rank_,
                target, flushes_);
  flushes_ = target;
  all_.time_.wait("puts and gets to end");
}

/// Operations of one rank on one word arrive in the order in which they left.
std::uint64_t simulated_transport::in_order(simulation::message& m, std::uint64_t arrival) {
  KASURI_EXPECT(cheap, m.offset % m.bytes == 0 && m.target != rank_,
                "an operation of rank %d on the word at byte %zu of rank %d", rank_, m.offset,
                m.target);
  const std::uint64_t key = as_key(m.target, m.where, m.offset);
  const auto found = last_store_.find(key);
  if (found != last_store_.end()) arrival = std::max(arrival, found->second);
  if (m.what == simulation::message::kind::store) {
    if (last_store_.size() > 4096) {
      const std::uint64_t now = all_.time_.now();
      std::erase_if(last_store_, [now](const auto& entry) { return entry.second < now; });
    }
    last_store_[key] = arrival;
  }
  return arrival;
}

/// Sends the operation and waits for its answer.
std::uint64_t simulated_transport::word_operation(simulation::message& m) {
  ++all_.traffic_.words;
  all_.time_.at(in_order(m, all_.arrival(rank_, m.target, 16)), m);
  all_.time_.wait("an atomic operation");
  KASURI_EXPECT(cheap, m.answered, "rank %d goes on without an answer of rank %d", rank_, m.target);
  const std::uint64_t before = m.a;
  m.end();
  return before;
}

std::uint64_t simulated_transport::fetch_add(int target, const window& w, std::size_t offset,
                                             std::uint64_t value) {
  if (target == rank_) {
    std::byte* const memory = at(w, offset, 8);
    const std::uint64_t before = read_word(memory);
    write_word(memory, before + value);
    return before;
  }
  simulation::message& m = message_about(target, w, offset, 8);
  m.what = simulation::message::kind::add;
  m.a = value;
  return word_operation(m);
}

std::uint64_t simulated_transport::compare_swap(int target, const window& w, std::size_t offset,
                                                std::uint64_t expected, std::uint64_t desired) {
  if (target == rank_) {
    std::byte* const memory = at(w, offset, 8);
    const std::uint64_t before = read_word(memory);
    if (before == expected) write_word(memory, desired);
    return before;
  }
  simulation::message& m = message_about(target, w, offset, 8);
  m.what = simulation::message::kind::swap;
  m.a = expected;
  m.b = desired;
  return word_operation(m);
}

std::uint64_t simulated_transport::load(int target, const window& w, std::size_t offset) {
  if (target == rank_) return read_word(at(w, offset, 8));
  simulation::message& m = message_about(target, w, offset, 8);
  m.what = simulation::message::kind::load;
  return word_operation(m);
}

std::uint64_t simulated_transport::apply(int target, const window& w, std::size_t offset,
                                         const atomic_operation& op) {
  if (target == rank_) return apply_at(at(w, offset, op.bytes), op);
  simulation::message& m = message_about(target, w, offset, op.bytes);
  m.what = simulation::message::kind::apply;
  m.op = op;
  return word_operation(m);
}

void simulated_transport::store(int target, const window& w, std::size_t offset,
                                std::uint64_t value) {
  if (target == rank_) return write_word(at(w, offset, 8), value);
  simulation::message& m = message_about(target, w, offset, 8);
  m.what = simulation::message::kind::store;
  m.a = value;
  ++all_.traffic_.words;
  all_.time_.at(in_order(m, all_.arrival(rank_, target, 16)), m);
}

void simulated_transport::progress() { all_.time_.spend(look_ns); }

void simulated_transport::nap(std::uint64_t ns) {
  if (std::exchange(rung_, false)) return;
  ++naps_;
  if (ns < UINT64_MAX - all_.time_.now()) {  // else for ever: no alarm, so that a deadlock is seen
    simulation::message& m = all_.fresh_message();
    m.what = simulation::message::kind::alarm;
    m.origin = rank_;
    m.a = naps_;
    all_.time_.at(all_.time_.now() + std::max<std::uint64_t>(ns, 1), m);
  }
  KASURI_EXPECT(cheap, !napping_ && !rung_, "rank %d naps for the %lluth time, and %s", rank_,
                static_cast<unsigned long long>(naps_), napping_ ? "naps" : "was rung");
  napping_ = true;
  all_.time_.wait("a ring");
}

void simulated_transport::ring(int target) {
  if (target == rank_) {
    rung_ = true;
    return;
  }
  simulation::message& m = all_.fresh_message();
  m.what = simulation::message::kind::ring;
  m.origin = rank_;
  m.target = target;
  ++all_.traffic_.rings;
  all_.time_.at(all_.arrival(rank_, target, 8), m);
}

/// Waits until every rank has come here.
void simulated_transport::meet() {
  KASURI_EXPECT(cheap, all_.arrived_ < size(), "%d of %d ranks have come", all_.arrived_, size());
  if (++all_.arrived_ != size()) {
    all_.time_.wait("the others in a collective operation");
    return;
  }
  all_.arrived_ = 0;
  const auto rounds = static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(size() - 1)));
  const std::uint64_t then = all_.time_.now() + 2 * rounds * all_.options_.latency_ns;
  for (int i = 0; i != size(); ++i) all_.time_.resume_at(then, i);
  all_.time_.wait("a collective operation");
}

void simulated_transport::barrier() {
  // Transfers that their owner has not flushed may be on their way still: the others' puts have to
  // be seen behind a barrier.
  while (!outstanding_.empty()) flush(outstanding_.begin()->first);
  KASURI_EXPECT(cheap, flushes_ == -1 && outstanding_.empty(),
                "rank %d comes to a barrier with %zu targets to flush", rank_, outstanding_.size());
  meet();
}

void simulated_transport::broadcast(int root, std::span<std::byte> data) {
  meet();
  if (rank_ == root) all_.gathered_.assign(data.begin(), data.end());
  meet();
  std::copy(all_.gathered_.begin(), all_.gathered_.end(), data.begin());
}

void simulated_transport::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  meet();
  all_.gathered_.resize(all.size());
  std::copy(mine.begin(), mine.end(),
            all_.gathered_.begin() + static_cast<std::ptrdiff_t>(mine.size()) * rank_);
  meet();
  std::copy(all_.gathered_.begin(), all_.gathered_.end(), all.begin());
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
// Several threads of a process in its cache at a time. Each phase gives every cell to one thread,
// or to all for reading; between phases all ranks learn of all. Within a phase threads release and
// acquire at random.

#include <gtest/gtest.h>

#include <barrier>
#include <random>
#include <thread>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "loopback.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

constexpr int ranks = 3;
constexpr int threads_a_rank = 3;
constexpr int threads = ranks * threads_a_rank;
constexpr std::uint32_t cell_bytes = 500;  // not a divisor of a block: neighbours share blocks
constexpr int cells = 300;

struct board {
  explicit board(std::uint64_t s) : seed(s), tokens(ranks), value(cells) {}
  std::uint64_t seed;
  std::barrier<> meeting{threads};
  std::vector<token> tokens;
  std::vector<int> value;  // of each cell; written by its writer of the phase
  std::atomic<int> wrong{0};
};

std::byte pattern(int value, std::uint32_t i) {
  return static_cast<std::byte>(value == 0 ? 0 : value * 31 + static_cast<int>(i) * 7 + 1);
}

/// `later`: what is checked out is fetched ahead, as far as that can begin.
held check_out(memory& m, std::uint64_t start, int c, access mode, bool later) {
  const checkout_request r{start + static_cast<unsigned>(c) * cell_bytes, cell_bytes, mode};
  if (!later) return m.checkout(r.offset, r.bytes, r.mode);
  const memory::begun b = m.begin(r);
  std::this_thread::yield();
  return m.finish(r, b);
}

void compare(board& b, const held& h, int c) {
  for (std::uint32_t i = 0; i != cell_bytes; ++i)
    if (h.data[i] != pattern(b.value[static_cast<std::size_t>(c)], i)) {
      b.wrong.fetch_add(1, std::memory_order_relaxed);
      break;
    }
}

void check(board& b, memory& m, std::uint64_t start, int c, bool later) {
  const held h = check_out(m, start, c, access::read, later);
  compare(b, h, c);
  if (h.kept != nullptr) m.check_in(*h.kept);
}

/// Checkouts for reading that have begun, and outlast others of the thread.
class begun_ones {
 public:
  begun_ones(board& b, memory& m, std::uint64_t start) : board_(b), memory_(m), start_(start) {}

  void add(int c) {
    const checkout_request r{start_ + static_cast<unsigned>(c) * cell_bytes, cell_bytes,
                             access::read};
    held_.push_back({c, r, memory_.begin(r)});
  }
  [[nodiscard]] std::size_t size() const { return held_.size(); }
  /// One is used, or given up.
  void end(std::size_t which, bool use) {
    const one o = held_[which];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
    if (!use) return memory_.abandon(o.begun);
    const held h = memory_.finish(o.request, o.begun);
    compare(board_, h, o.cell);
    if (h.kept != nullptr) memory_.check_in(*h.kept);
  }

 private:
  struct one {
    int cell;
    checkout_request request;
    memory::begun begun;
  };
  board& board_;
  memory& memory_;
  std::uint64_t start_;
  std::vector<one> held_;
};

void change(board& b, memory& m, std::uint64_t start, int c, int value, bool read, bool later) {
  const held h = check_out(m, start, c, read ? access::read_write : access::write, later);
  for (std::uint32_t i = 0; i != cell_bytes; ++i) {
    if (read && h.data[i] != pattern(b.value[static_cast<std::size_t>(c)], i))
      b.wrong.fetch_add(1, std::memory_order_relaxed);
    h.data[i] = pattern(value, i);
  }
  b.value[static_cast<std::size_t>(c)] = value;
  if (h.kept != nullptr) m.check_in(*h.kept);
}

void thread_main(board& b, memory& m, std::uint64_t start, int me, int phases) {
  std::mt19937_64 common(b.seed);
  std::mt19937_64 own(b.seed * 100 + static_cast<unsigned>(me));
  for (int phase = 1; phase <= phases; ++phase) {
    std::vector<int> mine;
    std::vector<int> shared;
    for (int c = 0; c != cells; ++c) {
      const auto who = static_cast<int>(common() % (threads + 2));
      if (who == me) mine.push_back(c);
      if (who >= threads) shared.push_back(c);
    }
    begun_ones ahead(b, m, start);
    for (int i = 0; i != 60; ++i) {
      const bool write = own() % 2 == 0;
      const std::vector<int>& from = write ? mine : shared;
      if (from.empty()) continue;
      const int c = from[own() % from.size()];
      if (write)
        change(b, m, start, c, phase * 100 + static_cast<int>(own() % 100), own() % 2 == 0,
               own() % 2 == 0);
      else
        check(b, m, start, c, own() % 2 == 0);
      if (!m.options().checked && !shared.empty() && own() % 4 == 0)
        ahead.add(shared[own() % shared.size()]);
      if (ahead.size() > 4) ahead.end(own() % ahead.size(), own() % 2 == 0);
      if (own() % 16 == 0) m.abandon(m.begin({start, cell_bytes, access::read}));
      if (own() % 16 == 0) (void)m.release();
      if (own() % 16 == 0) m.acquire(b.tokens[own() % ranks]);
    }
    while (ahead.size() != 0) ahead.end(0, own() % 2 == 0);
    b.meeting.arrive_and_wait();
    const auto rank = static_cast<std::size_t>(me / threads_a_rank);
    if (me % threads_a_rank == 0) b.tokens[rank] = m.release();
    b.meeting.arrive_and_wait();
    for (const token& t : b.tokens) m.acquire(t);
    b.meeting.arrive_and_wait();
  }
}

template <class Network>
void run_board(std::uint64_t seed, const memory_options& options) {
  board b(seed);
  on_ranks<Network>(ranks, [&](transport& network) {
    memory m(network, options);
    const std::uint64_t start = m.arrays().add_cyclic(cells * cell_bytes, 8192);
    std::vector<std::thread> others;
    for (int t = 0; t != threads_a_rank; ++t)
      others.emplace_back(thread_main, std::ref(b), std::ref(m), start,
                          network.rank() * threads_a_rank + t, scaled(40));
    for (std::thread& t : others) t.join();
    EXPECT_EQ(m.check(), nullptr);
    EXPECT_LE(m.resident_bytes(), options.cache_bytes);
    network.barrier();
    m.free_array(start);
    EXPECT_EQ(m.resident_bytes(), 0U);
  });
  EXPECT_EQ(b.wrong.load(), 0) << "seed " << seed;
}

void run_boards(std::uint64_t first, std::uint64_t last, const memory_options& options) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    if (seed % 2 == 0)
      run_board<loopback>(seed, options);
    else
      run_board<late_loopback>(seed, options);
  }
}

memory_options small_heap() {
  memory_options o;
  o.range_bytes = std::size_t{8} << 20;
  o.heap_bytes = 4096;
  o.same_address = false;
  return o;
}

TEST(MemoryOfThreads, WithRoomForAll) { run_boards(1, 5, small_heap()); }

TEST(MemoryOfThreads, WithATinyCache) {
  memory_options o = small_heap();
  o.cache_bytes = 16 * 4096;
  o.moved_bytes = 4096;
  run_boards(1, 5, o);
}

TEST(MemoryOfThreads, WithNoticesThatOverflow) {
  memory_options o = small_heap();
  o.cache_bytes = 12 * 4096;
  o.log_entries = 8;
  o.most_notices = 4;
  run_boards(1, 5, o);
}

TEST(MemoryOfThreads, WithTheCacheOff) {
  memory_options o = small_heap();
  o.cached = false;
  run_boards(1, 5, o);
  o.cache_bytes = 12 * 4096;
  run_boards(6, 10, o);
}

TEST(MemoryOfThreads, UnderChecks) {
  memory_options o = small_heap();
  o.checked = true;
  run_boards(1, 3, o);
}

}  // namespace
}  // namespace kasuri::test

// SPDX-License-Identifier: Apache-2.0
// Random programs of many runs, on the simulated network, with the scheduler: what any rank wrote
// before a run is seen in it, and what was written in a run is seen by all behind it. Ranks write
// between the runs; arrays come and go; logs and what goes along with a call overflow; runs throw.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/base/process.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/sched/front/strands.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/run.hpp"
#include "support/abandoned.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ b;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

std::byte byte_of(std::uint64_t value, std::uint64_t place) {
  return value == 0 ? std::byte{0} : static_cast<std::byte>(mix(value, place));
}

/// Bytes that are read and written together; neighbours in a block are often of other ranks.
struct cell {
  int array;
  std::uint64_t at;  // in the array
  std::uint64_t bytes;
  std::uint64_t value = 0;  // by now: ranks are contexts of one process, and there is no race
};

class program {
 public:
  program(std::uint64_t seed, planted_fault fault) : seed_(seed), random_(seed) {
    network_.ranks = pick({2, 3, 5, 8, 20, 40});
    network_.ranks_per_host = pick({1, 1, 2, 4, 4, 7});
    network_.seed = seed;
    network_.latency_ns = 100 + random_() % 3000;
    network_.jitter_ns = random_() % 2 == 0 ? 0 : random_() % 20'000;
    network_.until_ns = 20'000'000'000;
    options_.range_bytes = std::size_t{8} << 20;
    options_.heap_bytes = 4096;
    options_.cache_bytes = std::size_t{4096} * pick({16, 20, 64, 64, 1024, 1024});
    options_.log_entries = pick({1, 4, 16, 64, 1024, 1024});
    options_.most_notices = pick({1, 4, 64, 4096, 4096, 4096});
    options_.stamps_at_once = random_() % 2 == 0;
    options_.checked = random_() % 6 == 0;
    options_.check_bytes = std::size_t{16} << 20;
    options_.races_end = false;
    options_.same_address = false;
    options_.cached = fault != planted_fault::none || seed % 7 != 0;
    options_.fault = fault;
    runs_ = 3 + static_cast<int>(random_() % 5);
    for (int a = 0; a != arrays; ++a) shape(a);
  }

  void let_die(int rank, std::uint64_t ns) {
    network_.dying_rank = rank % network_.ranks;
    network_.dies_at_ns = ns;
  }

  /// What went wrong, or "".
  std::string play() {
    the_program = this;
    try {
      simulation all(network_);
      all.run([&](int rank, transport& net) { at_rank(all, rank, net); });
    } catch (const std::exception& e) {
      complain(std::string("threw: ") + e.what());
    }
    the_program = nullptr;
    return complaint_;
  }

  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }

 private:
  static constexpr int arrays = 3;
  enum class use { nothing, look, change };
  static inline program* the_program = nullptr;

  int pick(std::array<int, 6> from) { return from[random_() % from.size()]; }
  void complain(const std::string& what) {
    if (complaint_.empty()) complaint_ = what;
  }

  /// New cells for an array, one behind the other; they begin at zero.
  void shape(int array) {
    std::erase_if(cells_, [array](const cell& c) { return c.array == array; });
    const std::uint64_t some = 1 + random_() % 40;
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i != some; ++i) {
      const std::uint64_t bytes = 1 + random_() % (random_() % 4 == 0 ? 9000 : 300);
      cells_.push_back({array, at, bytes});
      at += bytes + random_() % 3 * 100;
    }
    bytes_[static_cast<std::size_t>(array)] = at;
  }

  std::uint64_t add(memory& m, int array) {
    const std::uint64_t bytes = bytes_[static_cast<std::size_t>(array)];
    return array == 1 ? m.arrays().add_cyclic(bytes, 4096) : m.arrays().add_blocked(bytes);
  }

  void at_rank(simulation& all, int rank, transport& net) {
    memory m(net, options_);
    all.process_of(rank).memory = &m;
    scheduler_options how;
    how.adws = seed_ % 3 == 0;
    how.seed = seed_;
    how.checked = options_.checked;
    std::optional<simulated_rank> me(std::in_place, all, rank, m, how);
    std::array<std::uint64_t, arrays> begins{};
    for (int a = 0; a != arrays; ++a) begins[static_cast<std::size_t>(a)] = add(m, a);
    for (int run = 0; run != runs_; ++run) {
      begins_ = begins;  // the same at all
      between(run, rank, m);
      run_once(run);
      const std::uint64_t plan = mix(seed_, 7 * static_cast<std::uint64_t>(run));
      if (plan % 3 == 0) {
        // One array ends, and another takes its place, whose bytes are none of the old ones.
        const int gone = static_cast<int>(plan / 3 % arrays);
        m.free_array(begins[static_cast<std::size_t>(gone)]);
        net.barrier();
        if (rank == 0) shape(gone);
        net.barrier();
        begins[static_cast<std::size_t>(gone)] = add(m, gone);
      }
    }
    begins_ = begins;
    between(runs_, rank, m);
    net.barrier();
    if (const char* wrong = m.check()) complain(wrong);
    overflows_ += m.counts().overflows;
    me.reset();
    all.process_of(rank).memory = nullptr;
  }

  /// Each cell is looked at by some ranks, or changed by one.
  void between(int run, int rank, memory& m) {
    for (std::size_t i = 0; i != cells_.size(); ++i) {
      const std::uint64_t plan = mix(seed_ + 1000 * static_cast<std::uint64_t>(run), i);
      const auto owner = static_cast<int>(plan / 4 % static_cast<std::uint64_t>(network_.ranks));
      if (plan % 4 == 0) {
        if (owner == rank) visit(i, use::change, m);
      } else if (mix(plan, static_cast<std::uint64_t>(rank)) % 3 == 0) {
        visit(i, use::look, m);
      }
    }
  }

  void run_once(int run) {
    const bool throws = mix(seed_, static_cast<std::uint64_t>(run)) % 5 == 0;
    bool thrown = false;
    try {
      const int said = global::run([run, throws] {
        program& p = *the_program;
        const std::size_t n = p.cells_.size();
        for (int phase = 0; phase != 2; ++phase) divide(run, phase, 0, n);
        if (throws) fail(run);
        return run + 1;
      });
      if (said != run + 1) complain("a run has another result");
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    if (thrown != throws) complain("a run throws, or does not");
  }

  /// The second closure may run elsewhere, or not at all; what it wrote is seen if it does.
  static void fail(int run) {
    global::parallel_invoke(
        [] {
          current_process->network->spend(20'000);
          throw std::runtime_error("no more of this");
        },
        [run] {
          program& p = *the_program;
          p.visit(mix(p.seed_, static_cast<std::uint64_t>(run)) % p.cells_.size(), use::change,
                  *current_process->memory);
        });
  }

  static void divide(int run, int phase, std::size_t low, std::size_t high) {
    if (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      global::parallel_invoke([=] { divide(run, phase, low, middle); },
                              [=] { divide(run, phase, middle, high); });
      return;
    }
    program& p = *the_program;
    const std::uint64_t plan = mix(p.seed_ + 77, low + 1000 * static_cast<std::uint64_t>(run));
    current_process->network->spend(plan % 20'000);
    // In the second phase some cells are changed again, by whoever comes by.
    const std::uint64_t how = mix(plan, static_cast<std::uint64_t>(phase)) % 4;
    if (how != 0) p.visit(low, how == 1 ? use::look : use::change, *current_process->memory);
  }

  void visit(std::size_t index, use how, memory& m) {
    cell& c = cells_[index];
    const std::uint64_t at = begins_[static_cast<std::size_t>(c.array)] + c.at;
    const held h = m.checkout(at, c.bytes, how == use::look ? access::read : access::read_write);
    for (std::uint64_t i = 0; i != c.bytes; ++i) {
      if (h.data[i] == byte_of(c.value, i)) continue;
      complain("byte " + std::to_string(i) + " of cell " + std::to_string(index) + " on rank " +
               std::to_string(m.network().rank()) + " is old");
      break;
    }
    if (how == use::change) {
      c.value = mix(c.value + 1, index + seed_);
      for (std::uint64_t i = 0; i != c.bytes; ++i) h.data[i] = byte_of(c.value, i);
    }
    if (h.kept != nullptr) m.check_in(*h.kept);
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  simulation_options network_;
  memory_options options_;
  int runs_ = 0;
  std::vector<cell> cells_;
  std::array<std::uint64_t, arrays> bytes_{};
  std::array<std::uint64_t, arrays> begins_{};
  std::uint64_t overflows_ = 0;
  std::string complaint_;
};

TEST(RandomRuns, SeeWhatWasWrittenBeforeThemAndAllSeeWhatIsWrittenInThem) {
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(80));
  std::uint64_t overflows = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    program p(seed, planted_fault::none);
    ASSERT_EQ(p.play(), "") << "seed " << seed;
    overflows += p.overflows();
  }
  EXPECT_GT(overflows, 0U);
}

TEST(RandomRuns, FindWhatIsNotToldAtTheirEnds) {
  for (const planted_fault fault :
       {planted_fault::subtree_forgotten, planted_fault::begin_untold, planted_fault::end_untold}) {
    std::uint64_t seed = 1;
    while (seed != 500 && program(seed, fault).play().empty()) ++seed;
    EXPECT_LT(seed, 500U) << "fault " << static_cast<int>(fault);
  }
}

TEST(RandomRuns, EndWhereARankDies) {
  const abandons_memory of_the_rank_that_dies_and_of_those_that_wait_for_it;
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(30));
  int died = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    program p(seed, planted_fault::none);
    p.let_die(static_cast<int>(mix(seed, 1) % 40), mix(seed, 2) % 1'000'000);
    const std::string said = p.play();
    if (said.empty()) continue;  // all was over before
    ASSERT_NE(said.find("has died"), std::string::npos) << "seed " << seed << ": " << said;
    ++died;
  }
  EXPECT_GT(died, 0);
}

}  // namespace
}  // namespace kasuri::test

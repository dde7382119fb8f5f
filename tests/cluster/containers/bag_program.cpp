// SPDX-License-Identifier: Apache-2.0
// Random programs of a bag: tasks on all ranks add, and behind that all is there, once: for those
// who walk over it, in a vector of it, and when it is drained. Then it begins anew.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cluster/containers/programs.hpp"
#include "cluster/containers/working_ranks.hpp"
#include "kasuri/global/container/bag.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "kasuri/global/run.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

template <std::size_t Bytes>
struct element {
  std::array<std::uint8_t, Bytes> bytes;

  static element of(std::uint64_t n) {
    element e;
    for (std::size_t i = 0; i != Bytes; ++i)
      e.bytes[i] = static_cast<std::uint8_t>(n * (2 * i + 1) >> (i % 4 * 3));
    return e;
  }
  friend auto operator<=>(const element&, const element&) = default;
};

template <class T>
class bag_program {
 public:
  explicit bag_program(std::uint64_t seed) : seed_(seed), random_(seed) {
    ranks_ = 1 + static_cast<int>(random_() % 5);
  }

  outcome play() {
    the_program = this;
    try {
      on_working_ranks(ranks_, seed_, container_memory(seed_, true),
                       [this](int rank, transport& net) {
                         const global::bag<T> bag;
                         for (int phase = 0; phase != 3; ++phase) {
                           if (rank == 0) plan();
                           net.barrier();
                           global::run([v = bag.view()] { the_program->add_all(v); });
                           if (rank == 0) std::ranges::sort(oracle_);
                           net.barrier();
                           look(bag, rank, net);
                         }
                       });
    } catch (const std::exception& e) {
      complain(std::string("threw: ") + e.what());
    }
    the_program = nullptr;
    return result_;
  }

 private:
  static inline bag_program* the_program = nullptr;

  void complain(const std::string& what) {
    if (result_.complaint.empty()) result_.complaint = what + "\n";
  }

  void plan() {
    // Chunks of 4 KiB and of 8, as far as a heap of 64 KiB has them at one rank.
    const std::uint64_t most = std::max<std::uint64_t>(4, 10'000 / sizeof(T));
    to_add_ = random_() % (random_() % 2 == 0 ? std::min<std::uint64_t>(40, most) : most);
    to_add_ = std::min<std::uint64_t>(to_add_, 600);
    drains_ = random_() % 2 == 0 || sum_ + to_add_ > most;
    sum_ = drains_ ? 0 : sum_ + to_add_;
    grain_ = 1 + random_() % 9;
    policy_ = {.cutoff = random_() % 3 * 10, .checkout = random_() % 2 * 3};
  }

  void add_all(const global::bag_view<T>& v) {
    global::parallel_for(std::uint64_t{0}, to_add_, grain_,
                         [v](std::uint64_t lo, std::uint64_t hi) {
                           current_process->network->spend(lo % 7 * 500);
                           for (; lo != hi; ++lo) {
                             const T e = T::of(lo);
                             v.add(e);
                             the_program->oracle_.push_back(e);
                           }
                         });
  }

  void expect_all(std::vector<T>& got, const char* when) {
    std::ranges::sort(got);
    if (got != oracle_)
      complain(std::string(when) + ": " + std::to_string(got.size()) + " elements, not the " +
               std::to_string(oracle_.size()) + " that were added");
    got.clear();
  }

  void look(const global::bag<T>& bag, int rank, transport& net) {
    static std::vector<T> got;
    if (rank == 0) got.clear();
    net.barrier();
    if (bag.view().size() != oracle_.size()) complain("the size is another");
    global::run([v = bag.view()] {
      v.for_each(global::read, [](const T& e) { got.push_back(e); }, the_program->policy_);
      the_program->expect_all(got, "for_each");
      // Changed by each rank, and back.
      const auto turn = [](T& e) { e.bytes[0] = static_cast<std::uint8_t>(~e.bytes[0]); };
      v.for_each(global::read_write, turn, the_program->policy_);
      v.for_each(global::read_write, turn);
    });
    const global::vector<T> copied = global::to_vector(bag);
    if (rank == ranks_ - 1) {
      for (std::size_t i = 0; i != copied.size(); ++i)
        got.push_back(global::get(copied.begin() + static_cast<std::ptrdiff_t>(i)));
      expect_all(got, "to_vector");
    }
    net.barrier();
    if (!drains_) return;
    global::run([v = bag.view()] {
      v.drain([](const T& e) { got.push_back(e); });
      the_program->expect_all(got, "drain");
    });
    if (bag.view().size() != 0) complain("something is left");
    net.barrier();
    if (rank == 0) oracle_.clear();
    net.barrier();
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  int ranks_;
  std::uint64_t to_add_ = 0;
  std::uint64_t sum_ = 0;
  bool drains_ = false;
  std::size_t grain_ = 1;
  global::policy policy_;
  std::vector<T> oracle_;
  outcome result_;
};

}  // namespace

outcome run_bag_program(std::uint64_t seed) {
  switch (seed % 4) {
    case 0:
      return bag_program<element<8>>(seed).play();
    case 1:
      return bag_program<element<1>>(seed).play();
    case 2:
      return bag_program<element<57>>(seed).play();
    default:
      return bag_program<element<5000>>(seed).play();
  }
}

}  // namespace kasuri::test

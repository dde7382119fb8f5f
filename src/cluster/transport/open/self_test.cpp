// SPDX-License-Identifier: Apache-2.0
// Each check is one promise that some MPI has broken: a flush that returns before gets have landed,
// as MPICH 4.0.2 over UCX does once some 256 KB are under way and all targets are flushed at once;
// atomic operations that are not, as SimGrid's; memory that a put reaches and a load does not see.
#include "cluster/transport/open/self_test.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t piece = 64 * 1024;
constexpr std::size_t pieces = 16;
constexpr std::size_t words = pieces * piece / 8;
constexpr std::size_t atomics_at = pieces * piece;  // two words at rank 0, and one for messages
constexpr std::size_t window_bytes = atomics_at + 4096;
constexpr int flush_rounds = 4;
constexpr std::uint64_t adds = 64;
constexpr std::uint64_t swaps = 16;

enum fault : std::uint32_t { none, early_flush, lost_add, wrong_swap, unseen_put, unseen_store };

constexpr std::array fault_texts = {
    "",
    "a flush returned before gets had landed",
    "fetch-and-add was not atomic",
    "compare-and-swap was not atomic",
    "a put that was flushed could not be seen by a load",
    "an atomic store could not be seen",
};

std::uint64_t pattern(int rank, std::size_t index) {
  return (static_cast<std::uint64_t>(rank) + 1) * 0x9e3779b97f4a7c15 + index;
}

std::uint64_t& local_word(const window& w, std::size_t offset) {
  return *reinterpret_cast<std::uint64_t*>(w.local + offset);
}

class trial {
 public:
  explicit trial(transport& network)
      : network_(network),
        window_(network.allocate(window_bytes)),
        next_((network.rank() + 1) % network.size()) {}
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;

  // Collective, as what follows. Not after a fault, when operations may be under way for ever.
  void end() { network_.free(window_); }

  fault flushes() {
    for (std::size_t i = 0; i < words; ++i) {
      local_word(window_, 8 * i) = pattern(network_.rank(), i);
    }
    network_.barrier();
    fault found = none;
    for (int round = 0; round < flush_rounds && found == none; ++round) {
      std::ranges::fill(to_, 0);
      for (std::size_t i = 0; i < pieces; ++i) {
        network_.get(next_, window_, i * piece, to_.data() + i * (piece / 8), piece);
      }
      network_.flush(next_);
      if (!landed()) found = early_flush;
    }
    // Bytes that come late must not find their memory gone.
    for (int i = 0; i < 10'000 && found != none && !landed(); ++i) network_.nap(100'000);
    network_.barrier();
    return found;
  }

  fault adding() {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < adds; ++i) sum += network_.fetch_add(0, window_, atomics_at, 1);
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(network_.size()));
    network_.all_gather(std::as_bytes(std::span(&sum, 1)), std::as_writable_bytes(std::span(sums)));
    std::uint64_t total = 0;
    for (const std::uint64_t each : sums) total += each;
    const std::uint64_t count = adds * static_cast<std::uint64_t>(network_.size());
    // The earlier values are 0 to count - 1, each once.
    const bool right =
        network_.load(0, window_, atomics_at) == count && total == count * (count - 1) / 2;
    network_.barrier();
    return right ? none : lost_add;
  }

  fault swapping() {
    for (std::uint64_t i = 0; i < swaps; ++i) {
      std::uint64_t seen = network_.load(0, window_, atomics_at + 8);
      for (std::uint64_t before; true; seen = before) {
        before = network_.compare_swap(0, window_, atomics_at + 8, seen, seen + 1);
        if (before == seen) break;
      }
    }
    network_.barrier();
    const std::uint64_t count = swaps * static_cast<std::uint64_t>(network_.size());
    return network_.load(0, window_, atomics_at + 8) == count ? none : wrong_swap;
  }

  fault messages() {
    const int previous = (network_.rank() + network_.size() - 1) % network_.size();
    const std::uint64_t value = pattern(network_.rank(), words);
    network_.put(next_, window_, 0, &value, 8);
    network_.flush(next_);
    network_.store(next_, window_, atomics_at + 16, value);
    network_.flush(next_);
    network_.barrier();
    const std::uint64_t expected = pattern(previous, words);
    const std::uint64_t by_put =
        std::atomic_ref(local_word(window_, 0)).load(std::memory_order_relaxed);
    const std::uint64_t by_store = network_.load(network_.rank(), window_, atomics_at + 16);
    network_.barrier();
    return by_put != expected ? unseen_put : by_store != expected ? unseen_store : none;
  }

 private:
  // From the end: what was asked for last lands last.
  [[nodiscard]] bool landed() const {
    for (std::size_t i = words; i-- > 0;) {
      if (std::atomic_ref(to_[i]).load(std::memory_order_relaxed) != pattern(next_, i))
        return false;
    }
    return true;
  }

  transport& network_;
  window window_;
  const int next_;
  mutable std::vector<std::uint64_t> to_ = std::vector<std::uint64_t>(words);
};

}  // namespace

std::string find_fault(transport& network) {
  if (network.size() == 1) return "";
  trial test(network);
  for (fault (trial::*check)() :
       {&trial::flushes, &trial::adding, &trial::swapping, &trial::messages}) {
    const fault mine = (test.*check)();
    std::vector<fault> all(static_cast<std::size_t>(network.size()));
    network.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    const auto first = std::ranges::find_if(all, [](fault each) { return each != none; });
    if (first != all.end()) return fault_texts[*first];
  }
  test.end();
  return "";
}

}  // namespace kasuri::cluster

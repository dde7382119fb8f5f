// SPDX-License-Identifier: Apache-2.0
// Costs of the operations between ranks 0 and the last one, which sleeps and is called, as JSON:
// each the median over turns, in nanoseconds an operation, its flush included.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cluster/transport/open/open.hpp"
#include "cluster/transport/transport.hpp"

namespace {

using kasuri::cluster::transport;
using kasuri::cluster::window;

constexpr std::size_t window_bytes = 1 << 20;
constexpr std::size_t data_at = 4096;
constexpr std::size_t turn_at = 0;   // of the ping-pong, at each of the two
constexpr std::size_t word_at = 64;  // for atomic operations
constexpr int turns = 21;

class bench {
 public:
  bench(transport& network, window& w)
      : network_(network), window_(w), target_(network.size() - 1), data_(window_bytes) {}

  // The last rank: answers calls until there are no more.
  void serve() {
    for (std::uint64_t turn = 1; turn <= calls; ++turn) {
      while (network_.load(target_, window_, turn_at) < turn) network_.nap(1'000'000'000);
      network_.store(0, window_, turn_at, turn);
      network_.ring(0);
    }
  }

  void measure() {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{4096}, std::size_t{65536}}) {
      const std::string size = '_' + std::to_string(bytes);
      const int rounds = bytes > 8 ? 50 : 500;
      report("get" + size, rounds, [&] {
        network_.get(target_, window_, data_at, data_.data(), bytes);
        network_.flush(target_);
      });
      report("put" + size, rounds, [&] {
        network_.put(target_, window_, data_at, data_.data(), bytes);
        network_.flush(target_);
      });
    }
    report("fetch_add", 500, [&] { network_.fetch_add(target_, window_, word_at, 1); });
    report("compare_swap", 500, [&] { network_.compare_swap(target_, window_, word_at, 0, 0); });
    report("load", 500, [&] { network_.load(target_, window_, word_at); });
    std::uint64_t turn = 0;
    // There and back: two rings that end two naps.
    report("ring_and_answer", calls / turns, [&] {
      network_.store(target_, window_, turn_at, ++turn);
      network_.ring(target_);
      while (network_.load(0, window_, turn_at) < turn) network_.nap(1'000'000'000);
    });
  }

 private:
  static constexpr int calls = turns * 50;

  template <class F>
  void report(const std::string& name, int rounds, F&& operation) {
    std::vector<double> times;
    for (int t = 0; t < turns; ++t) {
      const std::uint64_t begin = network_.now_ns();
      for (int i = 0; i < rounds; ++i) operation();
      times.push_back(static_cast<double>(network_.now_ns() - begin) / rounds);
    }
    std::ranges::nth_element(times, times.begin() + turns / 2);
    std::printf("%s\n  \"%s_ns\": %.1f", first_ ? "{" : ",", name.c_str(), times[turns / 2]);
    first_ = false;
  }

  transport& network_;
  window& window_;
  const int target_;
  std::vector<std::byte> data_;
  bool first_ = true;
};

}  // namespace

int main() {
  const auto network = kasuri::cluster::open_transport();
  window w = network->allocate(window_bytes);
  {
    bench measured(*network, w);
    if (network->rank() == 0) {
      measured.measure();
      std::printf(",\n  \"ranks\": %d\n}\n", network->size());
    } else if (network->rank() == network->size() - 1) {
      measured.serve();
    }
  }
  network->barrier();
  network->free(w);
}

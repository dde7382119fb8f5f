// SPDX-License-Identifier: Apache-2.0
// A flow graph of oneTBB whose nodes have Kasuri's loops inside.
#include <kasuri/kasuri.hpp>

#include <oneapi/tbb/flow_graph.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using numbers = std::vector<long>;

long sum_of(const numbers& v) { return std::accumulate(v.begin(), v.end(), 0L); }

}  // namespace

int main() {
  long total = 0;
  // Graph:
  namespace flow = tbb::flow;
  flow::graph graph;
  flow::function_node<long, numbers> fill(graph, flow::unlimited, [](long start) {
    numbers v(10'000);
    kasuri::parallel_for(std::size_t{0}, v.size(),
                         [&](std::size_t i) { v[i] = start + static_cast<long>(i); });
    return v;
  });
  flow::function_node<numbers, long> add(graph, flow::unlimited, [](const numbers& v) {
    return kasuri::parallel_reduce(
        std::size_t{0}, v.size(), 0L, [&](std::size_t i) { return v[i]; }, std::plus<>());
  });
  flow::function_node<long> collect(graph, flow::serial, [&total](long sum) { total += sum; });
  flow::make_edge(fill, add);
  flow::make_edge(add, collect);
  for (long start = 0; start != 50; ++start) fill.try_put(start);
  graph.wait_for_all();
  // end

  long expected = 0;
  for (long start = 0; start != 50; ++start) {
    numbers v(10'000);
    std::iota(v.begin(), v.end(), start);
    expected += sum_of(v);
  }
  std::printf("total %ld: %s\n", total, total == expected ? "right" : "wrong");
  return total == expected ? 0 : 1;
}

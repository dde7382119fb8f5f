// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/pages.hpp"

#include <charconv>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>

#include "numa/nodes.hpp"
#include "profile/base/json.hpp"

namespace kasuri::profile {
namespace {

/// The number at the begin of the text, or 0.
std::uint64_t number_in(std::string_view text) noexcept {
  std::uint64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

}  // namespace

void pages::add_line(std::string_view line, std::vector<std::uint64_t>& kib_by_node) {
  if (line.find(" file=") != std::string_view::npos) return;
  constexpr std::string_view size = "kernelpagesize_kB=";
  const std::size_t at = line.find(size);
  if (at == std::string_view::npos) return;
  const std::uint64_t kib = number_in(line.substr(at + size.size()));
  for (std::size_t n = line.find(" N"); n != std::string_view::npos; n = line.find(" N", n + 1)) {
    const std::string_view rest = line.substr(n + 2);
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || rest[digits] != '=') continue;
    const std::uint64_t node = number_in(rest);
    constexpr std::uint64_t most_nodes = 4096;
    if (node >= most_nodes) continue;
    if (kib_by_node.size() <= node) kib_by_node.resize(node + 1);
    kib_by_node[node] += kib * number_in(rest.substr(digits + 1));
  }
}

void pages::look() {
  const numa::node_map& machine = numa::this_machine();
  if (!machine.has_choice()) return;
  std::vector<std::uint64_t> by_number;
  std::ifstream maps("/proc/self/numa_maps");
  for (std::string line; std::getline(maps, line);) add_line(line, by_number);
  std::vector<std::uint64_t> by_index(machine.all().size());
  for (std::size_t number = 0; number != by_number.size(); ++number)
    if (const int i = machine.index_of(static_cast<int>(number)); i >= 0)
      by_index[static_cast<std::size_t>(i)] += by_number[number];
  if (sum_of(by_index) > sum_of(kib_by_node_)) kib_by_node_ = std::move(by_index);
}

void pages::write(json& to) const {
  to.begin_array();
  for (const std::uint64_t kib : kib_by_node_) to.value(kib);
  to.end_array();
}

}  // namespace kasuri::profile

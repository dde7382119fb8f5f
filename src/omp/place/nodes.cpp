// SPDX-License-Identifier: Apache-2.0
#include "omp/place/nodes.hpp"

#include <iterator>
#include <vector>

#include "numa/nodes.hpp"
#include "numa/place.hpp"
#include "omp/place/places.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

bool has_nodes() noexcept {
  static const bool several = [] {
    const numa::node_map& map = numa::this_machine();
    return map.has_choice() && map.round().size() > 1;
  }();
  return several;
}

int node_count() noexcept { return static_cast<int>(numa::this_machine().all().size()); }

int node_that_holds(const void* address) noexcept {
  const int index = numa::node_index_or_wish(address);
  if (index < 0) return -1;
  KASURI_EXPECT(cheap, index < node_count(), "node %d of %d", index, node_count());
  return numa::this_machine().all()[static_cast<std::size_t>(index)].cpus != 0 ? index : -1;
}

int node_nearest_to(int cpu) noexcept {
  const numa::node_map& map = numa::this_machine();
  return map.index_of(map.nearest_to(cpu));
}

bool place_is_within_a_node(int place) noexcept {
  static const std::vector<bool>& all = *new const std::vector<bool>([] {
    std::vector<bool> within;
    for (const std::vector<int>& cpus : places()) {
      bool same = true;
      for (const int cpu : cpus)
        same = same && node_nearest_to(cpu) == node_nearest_to(cpus.front());
      within.push_back(same);
    }
    return within;
  }());
  KASURI_EXPECT(cheap, place >= 0 && place < std::ssize(all), "place %d of %td", place,
                std::ssize(all));
  return all[static_cast<std::size_t>(place)];
}

}  // namespace kasuri::omp

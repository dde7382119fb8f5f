// SPDX-License-Identifier: Apache-2.0
#include "omp/env/place_list.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

using platform::pu;
using platform::topology;

// Guards against lists that only a mistake makes: {0}:1000000000.
constexpr std::int64_t most_listed = 1 << 20;

void remove_values(std::vector<std::int64_t>& from, const std::vector<std::int64_t>& values) {
  std::erase_if(from, [&](std::int64_t n) { return std::ranges::find(values, n) != values.end(); });
}

std::vector<std::int64_t> numbers_of(const cpu_interval& interval) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t n = 0; n < std::min(interval.count, most_listed); ++n)
    numbers.push_back(interval.first + n * interval.stride);
  return numbers;
}

/// The numbers of a place in the order listed, each once.
std::vector<std::int64_t> numbers_of(const std::vector<cpu_interval>& intervals) {
  std::vector<std::int64_t> all;
  for (const cpu_interval& interval : intervals) {
    const std::vector<std::int64_t> some = numbers_of(interval);
    remove_values(all, some);
    if (!interval.excluded) all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

using number_places = std::vector<std::vector<std::int64_t>>;

number_places places_of(const place_interval& interval) {
  const std::vector<std::int64_t> first = numbers_of(interval.cpus);
  std::int64_t stride = interval.stride;
  if (stride == 0 && !first.empty()) {
    const auto [least, greatest] = std::ranges::minmax(first);
    stride = greatest - least + 1;
  }
  number_places places;
  for (std::int64_t n = 0; n < std::min(interval.count, most_listed); ++n) {
    std::vector<std::int64_t> shifted = first;
    for (std::int64_t& number : shifted) number += n * stride;
    places.push_back(std::move(shifted));
  }
  return places;
}

number_places listed_places(const place_request& request) {
  number_places all;
  for (const place_interval& interval : request.listed) {
    number_places some = places_of(interval);
    if (interval.excluded) {
      std::erase_if(
          all, [&](const auto& place) { return std::ranges::find(some, place) != some.end(); });
    } else if (request.one_cpu_each) {
      for (const auto& place : some)
        for (const std::int64_t number : place) all.push_back({number});
    } else {
      std::ranges::move(some, std::back_inserter(all));
    }
  }
  return all;
}

place_list resolve_listed(const place_request& request, const topology& machine) {
  place_list places;
  for (const auto& numbers : listed_places(request)) {
    std::vector<int> usable;
    for (const std::int64_t number : numbers)
      if (std::ranges::find(machine.pus, number, &pu::os_index) != machine.pus.end())
        usable.push_back(static_cast<int>(number));
    if (!usable.empty()) places.push_back(std::move(usable));
  }
  return places;
}

/// The part of the machine that a PU belongs to, of the kind that makes a place. The first number
/// keeps PUs without such a part apart from those that have one.
std::pair<int, int> part_of(const pu& unit, place_kind kind) {
  const auto or_self = [&](int part) {
    return part == -1 ? std::pair{1, unit.os_index} : std::pair{0, part};
  };
  switch (kind) {
    case place_kind::cores:
      return or_self(unit.core);
    case place_kind::ll_caches:
      return unit.l3 == -1 ? or_self(unit.core) : std::pair{2, unit.l3};
    case place_kind::numa_domains:
      return {0, unit.numa_node};
    case place_kind::sockets:
      return {0, unit.package};
    default:
      return {1, unit.os_index};
  }
}

/// Places in the order of the machine, each with its first PU.
struct found_places {
  place_list cpus;
  std::vector<pu> first;
};

found_places parts_of_machine(place_kind kind, const topology& machine) {
  found_places found;
  std::map<std::pair<int, int>, std::size_t> seats;
  for (const pu& unit : machine.pus) {
    const auto [seat, added] = seats.try_emplace(part_of(unit, kind), found.cpus.size());
    if (added) {
      found.cpus.emplace_back();
      found.first.push_back(unit);
    }
    found.cpus[seat->second].push_back(unit.os_index);
  }
  for (std::vector<int>& place : found.cpus) std::ranges::sort(place);
  return found;
}

/// Where a place lies: its package, its core in the package, its PU in the core.
std::vector<std::array<int, 3>> seats_of(const std::vector<pu>& first) {
  std::map<int, std::vector<int>> cores_of_package;
  std::map<int, int> units_of_core;
  std::vector<std::array<int, 3>> seats;
  for (const pu& unit : first) {
    std::vector<int>& cores = cores_of_package[unit.package];
    const int core = unit.core == -1 ? -2 - unit.os_index : unit.core;
    if (std::ranges::find(cores, core) == cores.end()) cores.push_back(core);
    const auto at = std::ranges::find(cores, core) - cores.begin();
    seats.push_back({unit.package, static_cast<int>(at), units_of_core[core]++});
  }
  return seats;
}

/// KMP_AFFINITY's orders: the `permute` innermost levels count first, innermost before all; then
/// the others from the outermost. scatter is the order with all levels but the outermost turned
/// round.
void reorder(place_list& places, const std::vector<pu>& first, const place_request& request) {
  constexpr int levels = 3;
  const int asked = std::clamp(request.permute, 0, levels - 1);
  const int inner = request.order == place_order::scattered ? levels - 1 - asked : asked;
  const std::vector<std::array<int, 3>> seats = seats_of(first);
  KASURI_EXPECT(cheap, seats.size() == places.size(), "%zu seats of %zu places", seats.size(),
                places.size());
  std::vector<std::pair<std::array<int, 3>, std::vector<int>>> keyed;
  for (std::size_t n = 0; n != places.size(); ++n) {
    std::array<int, 3> key{};
    for (int i = 0; i != levels; ++i)
      key[static_cast<std::size_t>(i)] =
          seats[n][static_cast<std::size_t>(i < inner ? levels - 1 - i : i - inner)];
    keyed.emplace_back(key, std::move(places[n]));
  }
  std::ranges::stable_sort(keyed, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t n = 0; n != places.size(); ++n) places[n] = std::move(keyed[n].second);
}

}  // namespace

place_list resolve(const place_request& request, const topology& machine) {
  place_list places;
  if (request.kind == place_kind::none) return places;
  if (request.kind == place_kind::listed) {
    places = resolve_listed(request, machine);
  } else {
    found_places found = parts_of_machine(request.kind, machine);
    places = std::move(found.cpus);
    if (request.order == place_order::scattered || request.permute != 0)
      reorder(places, found.first, request);
  }
  if (request.offset != 0 && !places.empty())
    std::ranges::rotate(places, places.begin() + request.offset % std::ssize(places));
  if (request.most != 0 && std::ssize(places) > request.most)
    places.resize(static_cast<std::size_t>(request.most));
  KASURI_EXPECT(all, std::ranges::none_of(places, &std::vector<int>::empty),
                "one of %zu places is empty", places.size());
  return places;
}

namespace {

/// The PUs that a layer keeps: its parts are numbered in the machine, or anew in each part of the
/// layer above, and the PUs of the parts within its bounds stay.
std::vector<pu> kept(const std::vector<pu>& units, const hw_subset::layer& layer, place_kind above,
                     bool whole) {
  std::map<std::pair<int, int>, std::map<std::pair<int, int>, int>> numbers;
  std::vector<pu> result;
  for (const pu& unit : units) {
    const bool one_group = whole || above == place_kind::none;
    auto& inside = numbers[one_group ? std::pair{0, 0} : part_of(unit, above)];
    const int next = static_cast<int>(inside.size());
    const int number = inside.try_emplace(part_of(unit, layer.kind), next).first->second;
    const bool low = number < layer.offset;
    const bool high = layer.count != 0 && number >= layer.offset + layer.count;
    if (!low && !high) result.push_back(unit);
  }
  return result;
}

}  // namespace

std::vector<int> cpus_of_subset(const hw_subset& subset, const topology& machine,
                                const std::vector<int>& cpus) {
  KASURI_EXPECT(all, std::ranges::is_sorted(cpus), "%zu CPUs, not ascending", cpus.size());
  std::vector<pu> units = machine.pus;
  std::erase_if(units, [&](const pu& u) { return !std::ranges::binary_search(cpus, u.os_index); });
  // Within what a layer's parts are counted: the innermost of what every machine has around them
  // and of what the subset names.
  place_kind named = place_kind::sockets;
  for (const hw_subset::layer& layer : subset.layers) {
    const place_kind around = layer.kind == place_kind::sockets   ? place_kind::none
                              : layer.kind == place_kind::threads ? place_kind::cores
                                                                  : place_kind::sockets;
    units = kept(units, layer, std::min(around, named), subset.whole);
    named = layer.kind;
  }
  if (units.empty()) return cpus;
  std::vector<int> left;
  for (const pu& unit : units) left.push_back(unit.os_index);
  std::ranges::sort(left);
  return left;
}

topology usable_machine(const std::vector<int>& cpus) {
  KASURI_EXPECT(all, std::ranges::is_sorted(cpus), "%zu CPUs, not ascending", cpus.size());
  topology machine = platform::machine_topology();
  std::erase_if(machine.pus,
                [&](const pu& u) { return !std::ranges::binary_search(cpus, u.os_index); });
  return machine;
}

std::string cpu_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i != cpus.size();) {
    std::size_t end = i + 1;
    while (end != cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (end - i > 1) text += (end - i == 2 ? ',' : '-') + std::to_string(cpus[end - 1]);
    i = end;
  }
  return text;
}

std::string place_text(const place_list& places) {
  std::string text;
  for (const std::vector<int>& place : places) {
    if (!text.empty()) text += ',';
    text += '{';
    for (std::size_t n = 0; n != place.size(); ++n)
      text += (n == 0 ? "" : ",") + std::to_string(place[n]);
    text += '}';
  }
  return text;
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#include "omp/place/places.hpp"

#include <algorithm>
#include <iterator>

#include "omp/env/environment.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/cpu/cpus.hpp"

namespace kasuri::omp {
namespace {

/// Cuts `whole` into `parts` pieces that differ by one at most, the longer ones first.
struct division {
  int whole;
  int parts;

  int begin(int part) const { return part * (whole / parts) + std::min(part, whole % parts); }
  int size(int part) const { return begin(part + 1) - begin(part); }

  /// The piece that holds element i.
  int part_of(int i) const {
    KASURI_EXPECT(cheap, i >= 0 && i < whole && parts <= whole, "element %d of %d, cut into %d", i,
                  whole, parts);
    const int longer = whole % parts;
    const int size = whole / parts;
    const int in_longer = longer * (size + 1);
    return i < in_longer ? i / (size + 1) : longer + (i - in_longer) / size;
  }
};

place_list read_places() {
  place_list list = resolve(environment().affinity.places, usable_machine(environment().cpus));
  if (list.empty() && environment().affinity.places.kind != place_kind::none)
    platform::warn(
        "openmp: none of the places asked for has a CPU that this process may use; "
        "members are not bound");
  return list;
}

void expect_member_and_part([[maybe_unused]] int member, [[maybe_unused]] int members,
                            [[maybe_unused]] const place_partition& part) noexcept {
  KASURI_EXPECT(cheap, member >= 0 && member < members, "member %d of %d", member, members);
  KASURI_EXPECT(cheap, part.count >= 0 && part.first >= 0, "a partition of %d places from %d",
                part.count, part.first);
}

}  // namespace

place_partition place_of(int member, int members, proc_bind bind,
                         const place_partition& parents) noexcept {
  const int count = parents.count;
  expect_member_and_part(member, members, parents);
  if (count == 0) return parents;
  const bool inside = parents.bound >= parents.first && parents.bound < parents.first + count;
  const int here = inside ? parents.bound - parents.first : 0;
  const auto at = [&](int offset) { return parents.first + offset % count; };
  // With more members than places each place gets a run of consecutive members, and the first run
  // the place of the parent.
  const auto close = [&] {
    return at(here + (members <= count ? member : division{members, count}.part_of(member)));
  };
  switch (bind) {
    case proc_bind::primary:
      return {parents.first, count, at(here)};
    case proc_bind::on:
    case proc_bind::close:
      return {parents.first, count, close()};
    case proc_bind::spread:
      break;
    // A region of one is its parent's thread.
    default:
      return {parents.first, count, members == 1 ? parents.bound : -1};
  }
  if (members > count) return {close(), 1, close()};
  const division cut{count, members};
  const int part = (cut.part_of(here) + member) % members;
  const int first = parents.first + cut.begin(part);
  KASURI_EXPECT(cheap, member != 0 || (at(here) >= first && at(here) < first + cut.size(part)),
                "the primary's place %d is outside its part, %d from %d", at(here), cut.size(part),
                first);
  return {first, cut.size(part), member == 0 ? at(here) : first};
}

const place_list& places() {
  static const place_list& list = *new place_list(read_places());
  return list;
}

place_partition initial_partition() {
  const int count = static_cast<int>(places().size());
  const bool bound = count != 0 && initial_values().bind != proc_bind::off;
  return {.first = 0, .count = count, .bound = bound ? 0 : -1};
}

bool bind_os_thread(int place) noexcept {
  KASURI_EXPECT(cheap, place < 0 || place < std::ssize(places()), "place %d of %td", place,
                std::ssize(places()));
  if (place >= 0) return platform::bind_to_cpus(places()[static_cast<std::size_t>(place)]);
  // The CPUs that the process could use before anything was bound.
  return platform::bind_to_cpus(environment().cpus);
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/parts.hpp"

#include <array>
#include <set>

#include "cluster/memory/saved/checkpoint_header.hpp"
#include "kasuri/global/error.hpp"
#include "platform/cpu/crc32c.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t longest_name = 255;

template <class T>
std::uint32_t checksum_of(const T& numbers, std::uint32_t before) {
  return platform::crc32c(std::as_bytes(std::span(numbers)), before);
}

}  // namespace

collective_call call_for(collective_call::kind what, const std::string& path,
                         std::span<const saved_part> parts) {
  std::uint64_t bytes = 0;
  std::uint32_t digest = checksum_of(path, 0);
  for (const saved_part& p : parts) {
    const std::array<std::uint64_t, 8> numbers{p.name_bytes,
                                               static_cast<std::uint64_t>(p.kind),
                                               static_cast<std::uint64_t>(p.element),
                                               p.element_bytes,
                                               p.bytes,
                                               p.row,
                                               p.offset,
                                               p.is_const ? 1U : 0U};
    digest = checksum_of(numbers, checksum_of(std::span(p.name, p.name_bytes), digest));
    bytes += p.bytes;
  }
  return {.what = what, .sizes = {bytes, digest}};
}

void expect_fit(memory& m, const std::string& call, const std::string& path,
                std::span<const saved_part> parts, access mode) {
  const auto refuse = [&](const saved_part& p, const std::string& what) {
    throw global::error(call + " '" + path + "': the part '" + name_of(p) + "' " + what);
  };
  std::set<std::string> names;
  for (const saved_part& p : parts) {
    if (p.name_bytes == 0 || p.name_bytes > longest_name)
      refuse(p, "has a name of " + std::to_string(p.name_bytes) + " bytes; accepted: 1 to " +
                    std::to_string(longest_name));
    if (!names.insert(name_of(p)).second)
      refuse(p, "is there twice; accepted: a name of its own for each part");
    if (mode != access::read && p.is_const)
      refuse(p, "is const; accepted: variables, and views of elements that are not const");
    if (p.kind == saved_kind::array && p.bytes != 0) region_of(m, p, mode);
  }
}

const region& region_of(memory& m, const saved_part& array, access mode) {
  return m.arrays().expect({array.offset, array.bytes, mode});
}

}  // namespace kasuri::cluster

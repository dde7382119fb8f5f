// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/ending.hpp"

#include <algorithm>
#include <cstring>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

struct head {
  layout::outcome how;
  std::uint32_t bytes;  // of the content, which follows
  std::int32_t rank;
  std::uint32_t filler;
};
static_assert(sizeof(head) == 16);

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

std::vector<std::byte> ending::pack() const {
  if (how == layout::outcome::value && content.empty() && told.empty()) return {};
  const head h{how, static_cast<std::uint32_t>(content.size()), rank, 0};
  std::vector<std::byte> to(sizeof h + padded(content.size()) + told.size());
  std::memcpy(to.data(), &h, sizeof h);
  std::ranges::copy(content, to.begin() + sizeof h);
  std::ranges::copy(told, to.end() - static_cast<std::ptrdiff_t>(told.size()));
  return to;
}

ending ending::unpack(std::span<const std::byte> from) {
  ending e;
  if (from.empty()) return e;
  head h{};
  KASURI_EXPECT(cheap, from.size() >= sizeof h, "the outcome of a run has %zu bytes", from.size());
  std::memcpy(&h, from.data(), sizeof h);
  const std::span rest = from.subspan(sizeof h);
  KASURI_EXPECT(cheap, padded(h.bytes) <= rest.size(), "%u of %zu bytes are the result of a run",
                h.bytes, rest.size());
  const std::span content = rest.first(h.bytes);
  const std::span told = rest.subspan(padded(h.bytes));
  e.how = h.how;
  e.rank = h.rank;
  e.content.assign(content.begin(), content.end());
  e.told.assign(told.begin(), told.end());
  return e;
}

}  // namespace kasuri::cluster

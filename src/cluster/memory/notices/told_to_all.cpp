// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/told_to_all.hpp"

#include <algorithm>
#include <cstring>

#include "cluster/memory/notices/merge_notices.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

void told_to_all::add(const told_to_all& other, std::size_t most) {
  position = std::max(position, other.position);
  number = std::max(number, other.number);
  notices.insert(notices.end(), other.notices.begin(), other.notices.end());
  merge_notices(notices, most);
}

void told_to_all::write(std::vector<std::byte>& to) const {
  const std::size_t before = to.size();
  to.resize(before + bytes_for(notices.size()));
  std::byte* const at = to.data() + before;
  std::memcpy(at, &position, sizeof position);
  std::memcpy(at + sizeof position, &number, sizeof number);
  if (!notices.empty())
    std::memcpy(at + head_bytes, notices.data(), notices.size() * sizeof(notice));
}

told_to_all told_to_all::read(std::span<const std::byte> from) {
  KASURI_EXPECT(cheap,
                from.size() >= head_bytes && (from.size() - head_bytes) % sizeof(notice) == 0,
                "%zu bytes are told to all", from.size());
  told_to_all told;
  std::memcpy(&told.position, from.data(), sizeof told.position);
  std::memcpy(&told.number, from.data() + sizeof told.position, sizeof told.number);
  told.notices.resize((from.size() - head_bytes) / sizeof(notice));
  if (!told.notices.empty())
    std::memcpy(told.notices.data(), from.data() + head_bytes,
                told.notices.size() * sizeof(notice));
  return told;
}

}  // namespace kasuri::cluster

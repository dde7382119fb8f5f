// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/transport.hpp"

#include "cluster/transport/call_tree.hpp"

namespace kasuri::cluster {

transport::transport() = default;
transport::~transport() = default;

call_tree& transport::calls() {
  if (calls_ == nullptr) calls_ = std::make_unique<call_tree>(*this);
  return *calls_;
}

std::uint64_t transport::apply(int target, const window& w, std::size_t offset,
                               const atomic_operation& op) {
  using kind = atomic_operation::kind;
  const bool whole = op.bytes == 8;
  if (whole && op.what == kind::add) return fetch_add(target, w, offset, op.value);
  if (whole && op.what == kind::compare_swap)
    return compare_swap(target, w, offset, op.expected, op.value);
  const std::size_t at = offset % 8;
  std::uint64_t before = load(target, w, offset - at);
  while (true) {
    const std::uint64_t mine = whole ? before : half_of(before, at);
    const std::uint64_t next = op.result(mine);
    if (next == mine) return mine;
    const std::uint64_t seen =
        compare_swap(target, w, offset - at, before,
                     whole ? next : with_half(before, at, static_cast<std::uint32_t>(next)));
    if (seen == before) return mine;
    before = seen;
  }
}

}  // namespace kasuri::cluster

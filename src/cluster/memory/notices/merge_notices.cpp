// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/merge_notices.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

/// Of notices in the order of their begins, those that may() become one and touch.
template <class May>
void merge_neighbours(std::vector<notice>& all, May may) {
  std::size_t kept = 0;
  for (const notice& n : all) {
    if (kept != 0 && may(all[kept - 1], n) && n.begin <= all[kept - 1].end) {
      notice& into = all[kept - 1];
      into.end = std::max(into.end, n.end);
      into.source = into.rank() == n.rank() ? std::max(into.source, n.source) : notice::of_many;
    } else {
      all[kept++] = n;
    }
  }
  all.resize(kept);
}

}  // namespace

void merge_notices(std::vector<notice>& all, std::size_t most) {
  KASURI_EXPECT(all, std::ranges::all_of(all, [](const notice& n) { return n.begin < n.end; }),
                "%zu notices are merged, some of no bytes", all.size());
  std::ranges::sort(all, [](const notice& a, const notice& b) {
    return a.rank() != b.rank() ? a.rank() < b.rank() : a.begin < b.begin;
  });
  merge_neighbours(all, [](const notice& a, const notice& b) { return a.rank() == b.rank(); });
  if (all.size() <= most) return;
  std::ranges::sort(all, {}, &notice::begin);
  merge_neighbours(all, [](const notice&, const notice&) { return true; });
  if (all.size() > most) all.assign(1, {notice::of_many, 0, notice::all_bytes});
}

}  // namespace kasuri::cluster

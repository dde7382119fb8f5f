// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/offers/inbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::on_parts;
using test::rank_parts;

layout::parcel parcel_of(const rank_parts& p, std::uint64_t task) {
  layout::parcel head{};
  head.bytes = sizeof task;
  head.from = p.site.rank;
  head.task = task;
  return head;
}

void send(rank_parts& p, inbox& letters, std::uint64_t task) {
  const auto ticket = letters.reserve(0);
  ASSERT_TRUE(ticket);
  letters.fill(0, *ticket, parcel_of(p, task), &task);
}

/// The closures that can be taken, in their order.
std::vector<std::uint64_t> taken(rank_parts& p, inbox& letters) {
  std::vector<std::uint64_t> all;
  while (travelled* const t = letters.take()) {
    std::uint64_t closure = 0;
    std::memcpy(&closure, t->closure(), sizeof closure);
    EXPECT_EQ(closure, t->head.task);
    EXPECT_EQ(t->head.from, 1);
    all.push_back(closure);
    p.store.give_back(t);
  }
  return all;
}

TEST(Inbox, KeepsTheOrderOverManyRounds) {
  on_parts(2, [](rank_parts& p) {
    inbox letters(p.site, p.store);
    for (std::uint64_t round = 0; round != 50; ++round) {
      if (p.site.rank == 1)
        for (std::uint64_t i = 0; i != 7; ++i) send(p, letters, 100 * round + i);
      p.site.net.barrier();
      if (p.site.rank == 0) {
        EXPECT_TRUE(letters.has_mail());
        std::vector<std::uint64_t> expected;
        for (std::uint64_t i = 0; i != 7; ++i) expected.push_back(100 * round + i);
        EXPECT_EQ(taken(p, letters), expected);
        EXPECT_FALSE(letters.has_mail());
      }
      p.site.net.barrier();
    }
    EXPECT_EQ(p.site.counted.received.get(), p.site.rank == 0 ? 350U : 0U);
  });
}

TEST(Inbox, RefusesWhatItHasNoRoomFor) {
  on_parts(2, [](rank_parts& p) {
    inbox letters(p.site, p.store);
    if (p.site.rank == 1) {
      for (std::uint64_t i = 0; i != layout::inbox_slots; ++i) send(p, letters, i);
      EXPECT_FALSE(letters.reserve(0));
    }
    p.site.net.barrier();
    if (p.site.rank == 0) {
      EXPECT_EQ(taken(p, letters).size(), std::size_t{layout::inbox_slots});
    }
    p.site.net.barrier();
    if (p.site.rank == 1) send(p, letters, 99);
  });
}

TEST(Inbox, WaitsForASlotThatIsReservedAndSkipsAnEmptyOne) {
  on_parts(2, [](rank_parts& p) {
    inbox letters(p.site, p.store);
    std::optional<std::uint64_t> first;
    if (p.site.rank == 1) {
      first = letters.reserve(0);
      ASSERT_TRUE(first);
      send(p, letters, 5);
    }
    p.site.net.barrier();
    if (p.site.rank == 0) {
      EXPECT_FALSE(letters.has_mail());
      EXPECT_EQ(letters.take(), nullptr);
    }
    p.site.net.barrier();
    if (p.site.rank == 1) letters.fill(0, *first, {}, &p);
    p.site.net.barrier();
    if (p.site.rank == 0) {
      EXPECT_EQ(taken(p, letters), std::vector<std::uint64_t>{5});
    }
  });
}

}  // namespace
}  // namespace kasuri::cluster

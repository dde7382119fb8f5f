// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/offers/outbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "cluster/sched/search/thief.hpp"
#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using global::detail::offer;
using global::detail::offer_state;
using test::idle_fork;
using test::on_parts;
using test::rank_parts;

struct posting {
  explicit posting(rank_parts& p) : open(p.site), box(p.site, open, face) {}
  global::detail::spread_face face;
  joins open;
  outbox box;

  [[nodiscard]] bool take_back(offer& o) { return box.take_back(o, offer_state::taken); }
};

struct task {
  int number;
  int operator()() const { return number; }
};

outbox_word word_of(const rank_parts& p) { return outbox_word(p.site.own(layout::outbox_state)); }

TEST(Outbox, OffersTheOldestForksUntilNoMoreAreWanted) {
  on_parts(1, [](rank_parts& p) {
    posting at(p);
    auto& chain = p.pool.chain();
    idle_fork<task> a(chain, {1}), b(chain, {2}), c(chain, {3});
    EXPECT_TRUE(at.face.wants());
    at.box.post(chain);
    EXPECT_FALSE(at.face.wants());
    EXPECT_EQ(a.state, offer_state::posted);
    EXPECT_EQ(b.state, offer_state::posted);
    EXPECT_EQ(c.state, offer_state::local);
    EXPECT_EQ(word_of(p).length(), 2);
    EXPECT_NE(at.box.check(), nullptr);
    EXPECT_TRUE(at.take_back(b));
    EXPECT_EQ(b.state, offer_state::taken);
    EXPECT_TRUE(at.take_back(a));
    EXPECT_EQ(at.box.check(), nullptr);
    EXPECT_EQ(at.open.check(), nullptr);
    EXPECT_EQ(p.site.counted.posted.get(), 2U);
    EXPECT_EQ(p.site.counted.taken_back.get(), 2U);
  });
}

TEST(Outbox, LeavesOutForksOfSeveralRanksAndForksThatSomebodyHas) {
  on_parts(1, [](rank_parts& p) {
    posting at(p);
    auto& chain = p.pool.chain();
    idle_fork<task> wide(chain, {1}), lent(chain, {2}), left(chain, {3});
    wide.low = 0;
    wide.high = 2;
    lent.state = offer_state::lent;
    at.box.post(chain);
    EXPECT_EQ(wide.state, offer_state::local);
    EXPECT_EQ(left.state, offer_state::posted);
    EXPECT_EQ(word_of(p).length(), 1);
    EXPECT_TRUE(at.take_back(left));
  });
}

/// Rank 1 takes what rank 0 has posted; test(posting, chain, steal) at rank 0, steal() being that.
template <class Test>
void with_a_thief(Test test) {
  bool over = false;
  int wanted = 0;
  int stolen = 0;
  on_parts(2, [&](rank_parts& p) {
    if (p.site.rank == 1) {
      thief t(p.site, p.store);
      while (!over) {
        p.site.net.nap(10'000);
        if (wanted == 0) continue;
        travelled* const got = t.probe_any(p.site.net.now_ns());
        ASSERT_NE(got, nullptr);
        stolen = static_cast<const task*>(static_cast<void*>(got->closure()))->number;
        p.site.net.flush(0);
        p.store.give_back(got);
        --wanted;
      }
      return;
    }
    posting at(p);
    test(p, at, [&] {
      wanted = 1;
      while (wanted != 0) p.site.net.nap(5'000);
      p.site.net.nap(50'000);  // the number of the copy has come
      return stolen;
    });
    over = true;
  });
}

TEST(Outbox, AnOfferThatAThiefHasTakenIsNotTakenBack) {
  with_a_thief([](rank_parts& p, posting& at, auto steal) {
    auto& chain = p.pool.chain();
    idle_fork<task> a(chain, {11}), b(chain, {12});
    at.box.post(chain);
    EXPECT_EQ(steal(), 11);
    EXPECT_EQ(a.state, offer_state::posted);  // not known yet
    EXPECT_FALSE(at.take_back(a));
    EXPECT_EQ(a.state, offer_state::gone);
    EXPECT_TRUE(at.take_back(b));
    EXPECT_EQ(at.box.check(), nullptr);
    at.open.withdraw(static_cast<std::uint32_t>(a.record));
  });
}

TEST(Outbox, EachTheftMakesItWantOneOfferMore) {
  with_a_thief([](rank_parts& p, posting& at, auto steal) {
    auto& chain = p.pool.chain();
    std::deque<idle_fork<task>> forks;
    for (int i = 0; i != 20; ++i) forks.emplace_back(chain, task{i});
    for (int i = 0; i != 10; ++i) {
      at.box.post(chain);
      EXPECT_EQ(steal(), i);
    }
    at.box.post(chain);
    EXPECT_EQ(word_of(p).length(), outbox_word::slots);
    for (auto& f : forks) {
      if (f.state != offer_state::posted && f.state != offer_state::gone) continue;
      if (f.state == offer_state::gone || !at.take_back(f))
        at.open.withdraw(static_cast<std::uint32_t>(f.record));
    }
    EXPECT_EQ(at.box.check(), nullptr);
    EXPECT_EQ(at.open.check(), nullptr);
    while (!forks.empty()) forks.pop_back();
  });
}

TEST(Outbox, RingsTheRankThatSleepsAtIt) {
  on_parts(4, [](rank_parts& p) {
    if (p.site.rank == 3) {  // one before rank 0
      thief t(p.site, p.store);
      EXPECT_EQ(t.ask_lifelines(), nullptr);
      EXPECT_EQ(t.take_call(), -1);
      p.site.net.barrier();
      p.site.net.barrier();
      EXPECT_TRUE(t.is_called());
      EXPECT_EQ(t.take_call(), 0);
      EXPECT_FALSE(t.is_called());
      return;
    }
    posting at(p);
    p.site.net.barrier();
    if (p.site.rank == 0) {
      EXPECT_TRUE(word_of(p).sleeps(0));
      idle_fork<task> a(p.pool.chain(), {1});
      at.box.post(p.pool.chain());
      EXPECT_FALSE(word_of(p).anybody_sleeps());
      EXPECT_TRUE(at.take_back(a));
    }
    p.site.net.barrier();
  });
}

}  // namespace
}  // namespace kasuri::cluster

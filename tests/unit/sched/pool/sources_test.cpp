// SPDX-License-Identifier: Apache-2.0
// The list of sources (sched/pool/sources.hpp): a search finds what the last look before a sleep
// sees, wherever it lies, and the other way round.
#include "sched/pool/sources.hpp"

#include <gtest/gtest.h>

#include <kasuri/kasuri.hpp>

#include "sched/pool/pool.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::test {
namespace {

constexpr detail::frame_type no_code{nullptr, false, "no_code"};

struct place {
  const char* name;
  void (*put)(sched::pool&, sched::worker&, detail::frame*);
};

/// Worker 0 has no thread: the guest has the only token.
constexpr place places[] = {
    {"what only the worker may run",
     [](sched::pool&, sched::worker& w, detail::frame* f) { w.bring(f); }},
    {"its deque",
     [](sched::pool&, sched::worker& w, detail::frame* f) {
       detail::worker_slot* at;
       static_cast<void>(w.face.push(f, at, detail::slot_detached));
     }},
    {"its ring", [](sched::pool&, sched::worker& w, detail::frame* f) { w.ready.put(f); }},
    {"its mailbox", [](sched::pool& p, sched::worker& w,
                       detail::frame* f) { p.post_to_worker(w.index, {.what = f}); }},
    {"its node's mailbox", [](sched::pool& p, sched::worker& w,
                              detail::frame* f) { p.post_to_node(w.node, {.what = f}); }},
    {"another's ring",
     [](sched::pool& p, sched::worker&, detail::frame* f) { p.at(0)->ready.put(f); }},
    {"the inbox", [](sched::pool& p, sched::worker&, detail::frame* f) { p.send(f); }},
    {"another's mailbox",
     [](sched::pool& p, sched::worker&, detail::frame* f) { p.post_to_worker(0, {.what = f}); }},
};

TEST(sources, what_a_search_finds_the_last_look_sees) {
  initialize({.workers = 1});
  sched::pool& p = sched::pool::get();
  sched::worker& w = p.enter();
  w.busy.store(false, std::memory_order_relaxed);  // the monitor is to lend no token
  for (const place& at : places) {
    detail::frame f;
    f.type = &no_code;
    f.in = nullptr;
    EXPECT_FALSE(p.work_offered(&w)) << at.name;
    at.put(p, w, &f);
    EXPECT_TRUE(p.work_offered(&w)) << at.name;
    sched::search_round r{.all = p, .w = w};
    EXPECT_EQ(sched::sources::all::look(r), &f) << at.name;
    EXPECT_FALSE(p.work_offered(&w)) << at.name;
  }
  p.leave(w);
  finalize();
}

struct gives_none {
  static detail::frame* look(sched::search_round& r) noexcept {
    ++r.idle_for;
    return nullptr;
  }
  static bool may_hold(const sched::onlooker&) noexcept { return false; }
};

struct gives_one {
  static inline detail::frame one;
  static detail::frame* look(sched::search_round& r) noexcept {
    ++r.idle_for;
    return &one;
  }
  static bool may_hold(const sched::onlooker&) noexcept { return true; }
};

TEST(sources, a_round_ends_at_the_first_that_has_a_frame) {
  initialize({.workers = 1});
  sched::pool& p = sched::pool::get();
  sched::search_round r{.all = p, .w = *p.at(0)};
  using some = sched::sources::list<gives_none, gives_one, gives_none>;
  EXPECT_EQ(some::look(r), &gives_one::one);
  EXPECT_EQ(r.idle_for, 2u);
  EXPECT_TRUE(some::may_hold({.all = p}));
  using none = sched::sources::list<gives_none, gives_none>;
  EXPECT_EQ(none::look(r), nullptr);
  EXPECT_EQ(r.idle_for, 4u);
  EXPECT_FALSE(none::may_hold({.all = p}));
  finalize();
}

}  // namespace
}  // namespace kasuri::test

// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/wait_account.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

using record::time_state;

namespace {

// A look for tasks ends a wait in the recording, if it has lasted so long: not at each look, of
// which there are a million a second. So at most this much of a wait is not in it.
constexpr double worth_recording_us = 100;

}  // namespace

void wait_account::begin(sched::worker& w) noexcept {
  KASURI_EXPECT(cheap, &w == sched::current(), "worker %p is not the calling thread's",
                static_cast<void*>(&w));
  on_ = &w;
  since_ = platform::ticks();
  w.stats.time.wait_for(why_);
  w.spends_time_on(time_state::waiting);
}

void wait_account::end() noexcept {
  KASURI_EXPECT(cheap, on_ == sched::current(), "a wait on worker %p ends on %p",
                static_cast<void*>(on_), static_cast<void*>(sched::current()));
  record::emit_waited(on_->log, since_, why_);
  on_->spends_time_on(time_state::work);
}

void wait_account::begin_look() noexcept {
  KASURI_EXPECT(cheap, on_ == sched::current(), "a wait on worker %p goes on on %p",
                static_cast<void*>(on_), static_cast<void*>(sched::current()));
  const std::uint64_t now = platform::ticks();
  if (now - since_ >= platform::ticks_of_us(worth_recording_us)) {
    record::emit_waited(on_->log, since_, why_);
    since_ = now;
  }
  on_->spends_time_on(time_state::work);
}

void wait_account::end_look(bool ran) noexcept {
  sched::worker* const now_on = sched::current();
  KASURI_EXPECT(cheap, now_on != nullptr, "a wait on worker %p goes on outside the pool",
                static_cast<void*>(on_));
  if (ran || now_on != on_)
    begin(*now_on);
  else if (on_->timing)
    on_->stats.time.waited_on();
}

}  // namespace kasuri::omp

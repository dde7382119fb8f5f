// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/wait_account.hpp"

#include "platform/base/clock.hpp"

namespace kasuri::omp {

using record::time_state;

namespace {

// A look for tasks ends a wait in the recording, if it has lasted so long: not at each look, of
// which there are a million a second. So at most this much of a wait is not in it.
constexpr double worth_recording_us = 100;

}  // namespace

void wait_account::begin(sched::worker& w) noexcept {
  on_ = &w;
  since_ = platform::ticks();
  w.spends_time_on(time_state::waiting);
}

void wait_account::end() noexcept {
  record::emit_waited(on_->log, since_, why_);
  on_->spends_time_on(time_state::work);
}

void wait_account::begin_look() noexcept {
  const std::uint64_t now = platform::ticks();
  if (now - since_ >= platform::ticks_of_us(worth_recording_us)) {
    record::emit_waited(on_->log, since_, why_);
    since_ = now;
  }
  on_->spends_time_on(time_state::work);
}

void wait_account::end_look(bool ran) noexcept {
  sched::worker* const now_on = sched::current();
  if (ran || now_on != on_)
    begin(*now_on);
  else if (on_->timing)
    on_->stats.time.waited_on();
}

}  // namespace kasuri::omp

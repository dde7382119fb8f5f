// SPDX-License-Identifier: Apache-2.0
// Profiles made by hand: each test says what is in them.
#pragma once

#include "report/profile.hpp"

namespace kasuri::report::test {

/// A run of 2 s on two workers that worked all the time.
inline profile busy_run() {
  profile p;
  p.program = "prog";
  p.seconds = 2;
  p.last = true;
  p.workers = 2;
  for (int i = 0; i != 2; ++i) {
    account& a = p.accounts.emplace_back();
    a.worker = i;
    a.role = "worker";
    a.work_s = 2;
  }
  p.sites[7] = {.kind = "region", .address = 0x1000, .work_s = 4};
  return p;
}

/// The same, but the second worker had nothing to do for `seconds` of it.
inline profile idle_run(double seconds) {
  profile p = busy_run();
  p.accounts[1].work_s -= seconds;
  p.accounts[1].idle_empty_s = seconds;
  return p;
}

}  // namespace kasuri::report::test

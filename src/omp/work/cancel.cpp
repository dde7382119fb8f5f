// SPDX-License-Identifier: Apache-2.0
#include "omp/work/cancel.hpp"

#include "omp/env/environment.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/run/wait.hpp"

namespace kasuri::omp {
namespace {

constexpr std::uint32_t parallel_bit = static_cast<std::uint32_t>(cancel_kind::parallel);

bool region_cancelled(const member& m) noexcept {
  return m.in->cancelled.load(std::memory_order_relaxed) != 0;
}

}  // namespace

bool cancel(member& m, cancel_kind what) noexcept {
  if (!cancellation()) return false;
  if (tool::active()) [[unlikely]]
    tool::cancel(m, what, true);
  team& t = *m.in;
  switch (what) {
    case cancel_kind::parallel:
      notify(&t, sched::in_order::set_bits(t.cancelled, parallel_bit));
      break;
    case cancel_kind::loop:
    case cancel_kind::sections:
      t.shares.cancelled.store(m.work.phase + 1, std::memory_order_relaxed);
      if (construct* const c = m.work.loop.shared; c != nullptr)
        c->cancelled.store(1, std::memory_order_relaxed);
      break;
    case cancel_kind::taskgroup:
      return cancel_taskgroup(m);
  }
  return true;
}

bool cancellation_point(member& m, cancel_kind what) noexcept {
  if (!cancelled(m, what)) return false;
  if (tool::active()) [[unlikely]]
    tool::cancel(m, what, false);
  return true;
}

bool cancelled(const member& m, cancel_kind what) noexcept {
  if (!cancellation()) return false;
  switch (what) {
    case cancel_kind::parallel:
      break;
    case cancel_kind::loop:
    case cancel_kind::sections:
      if (m.in->shares.cancelled.load(std::memory_order_relaxed) == m.work.phase + 1) return true;
      break;
    case cancel_kind::taskgroup:
      return is_cancelled(m.current->group) || region_cancelled(m);
  }
  return region_cancelled(m);
}

}  // namespace kasuri::omp

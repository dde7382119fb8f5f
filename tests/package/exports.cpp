// SPDX-License-Identifier: Apache-2.0
// Linked with the shared library: it exports each function that the public headers declare outside
// classes. (Clang takes a namespace's visibility from where the definition stands, GCC from the
// first declaration.)
#include <kasuri/kasuri.hpp>
#include <kasuri/numa.hpp>

#include <cstdio>

namespace {

template <class... Functions>
bool all_there(Functions*... functions) {
  return ((functions != nullptr) && ...);
}

}  // namespace

int main() {
  namespace detail = kasuri::detail;
  namespace numa = kasuri::numa;
  const bool there =
      all_there(&kasuri::initialize, &kasuri::finalize, &kasuri::num_workers, &kasuri::counters,
                &kasuri::dump, &kasuri::set_steal_function, &kasuri::this_task::worker,
                &kasuri::this_task::slot, &kasuri::max_slots, &detail::exception_of_task,
                &kasuri::this_task::yield, &numa::alloc, &numa::free, &numa::move, &numa::forget,
                &numa::node_of, &numa::nodes, &numa::this_node) &&
      all_there(&detail::allocate_record_slow, &detail::free_record_slow, &detail::announce_shares,
                &detail::announce_total, &detail::blocking_begin, &detail::blocking_end,
                &detail::finish, &detail::finish_future, &detail::join_sent, &detail::push_slow,
                &detail::report_tally, &detail::send_to, &detail::spawn_slow,
                &detail::start_detached, &detail::take_back_or_wait, &detail::wait_for_future,
                &detail::wait_for_future_until, &detail::sleep_by, &detail::start_timer,
                &detail::cancel_timer, &detail::end_timer, &detail::detach_timer) &&
      all_there(&detail::start_stop_timer, &detail::end_stop_timer, &detail::end_wait,
                &detail::throw_bad_alloc, &detail::throw_logic_error,
                &detail::throw_invalid_argument, &detail::throw_out_of_range,
                &detail::throw_future_without_task, &detail::logic_error_of,
                &detail::broken_promise_of);
  std::puts(there ? "every function of the public headers is exported"
                  : "a function is at address 0");
  return there ? 0 : 1;
}

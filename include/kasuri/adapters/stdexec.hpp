// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Senders and receivers (P2300, std::execution) on Kasuri, by the library stdexec: a scheduler
/// whose work runs on the workers of the pool. Needs stdexec's headers.
///
/// \code
/// auto work = stdexec::schedule(kasuri::senders::get_scheduler())
///           | stdexec::then([] { return 6; })
///           | stdexec::bulk(stdexec::par, 100, [](int i, int& n) { ... });
/// auto [n] = kasuri::senders::sync_wait(std::move(work)).value();
/// \endcode
///
/// Futures, and coroutines of type kasuri::coro, are awaitable, and so senders for stdexec; what it
/// has for coroutines may await the objects of kasuri/coroutine.hpp.

#include "kasuri/detail/needs_cxx20.hpp"

#include <stdexec/execution.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasuri/adapters/stdexec_bulk.hpp"
#include "kasuri/detail/end_of_task.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/join.hpp"
#include "kasuri/future.hpp"
#include "kasuri/sync.hpp"

namespace kasuri::senders {

class scheduler;

namespace detail {

namespace kernel = kasuri::detail;

/// A task of the pool, which completes its receiver. The caller of start() keeps the operation
/// alive until then.
template <class Receiver>
class operation : kernel::frame {
 public:
  using operation_state_concept = stdexec::operation_state_tag;

  explicit operation(Receiver r) noexcept(std::is_nothrow_move_constructible_v<Receiver>)
      : receiver_(std::move(r)) {}

  void start() & noexcept {
    type = &kind;
    in = nullptr;
    kernel::start_detached(this);
  }

 private:
  static kernel::suspended* run(kernel::frame* f) {
    auto& self = *static_cast<operation*>(f);
    const auto stop = stdexec::get_stop_token(stdexec::get_env(self.receiver_));
    if constexpr (!stdexec::unstoppable_token<std::remove_cvref_t<decltype(stop)>>) {
      if (stop.stop_requested()) {
        stdexec::set_stopped(std::move(self.receiver_));
        return nullptr;
      }
    }
    stdexec::set_value(std::move(self.receiver_));
    return nullptr;  // the operation is gone
  }
  static constexpr kernel::frame_type kind{&run, false, "sender"};

  Receiver receiver_;
};

}  // namespace detail

/// What the algorithms of senders do otherwise where the work before them completes on the pool:
/// bulk runs in parallel, and sync_wait blocks the task and not the worker.
struct domain : stdexec::default_domain {
  /// bulk and bulk_chunked, of a policy that allows it, as a parallel loop; bulk_unchunked as a
  /// task for each index, which may wait for each other.
  template <detail::bulk_sender Sender, class Env>
  static decltype(auto) transform_sender(stdexec::set_value_t, Sender&& sender, const Env&) {
    return detail::in_parallel(std::forward<Sender>(sender));
  }

  /// As kasuri::senders::sync_wait.
  template <class Sender>
  static auto apply_sender(stdexec::sync_wait_t, Sender&& sender);
};

/// The pool of the process as a scheduler. All objects are equal.
///
/// Work is queued as a task of its own, in no group; where a stop was requested before it begins,
/// it completes as stopped. It may block as tasks do. Forward progress is `parallel`: a task that
/// has begun and waits in the system has a spare thread run in its place.
/// @par Thread-safety: any thread.
class scheduler {
 public:
  /// What schedule() gives.
  class sender {
   public:
    using sender_concept = stdexec::sender_tag;  ///< it is one
    /// How it completes: without values, or as stopped where a stop can be requested.
    template <class Self, class... Env>
    static consteval auto get_completion_signatures() noexcept {
      if constexpr ((stdexec::unstoppable_token<stdexec::stop_token_of_t<Env>> || ...))
        return stdexec::completion_signatures<stdexec::set_value_t()>();
      else
        return stdexec::completion_signatures<stdexec::set_value_t(), stdexec::set_stopped_t()>();
    }

    /// The operation, which starts as a task.
    template <class Receiver>
    auto connect(Receiver r) const {
      return detail::operation<Receiver>(std::move(r));
    }
    /// Itself: it answers the queries below.
    const sender& get_env() const noexcept { return *this; }
    /// Where it completes.
    template <class Tag>
    scheduler query(stdexec::get_completion_scheduler_t<Tag>) const noexcept {
      return {};
    }
    /// By which rules.
    template <class Tag>
    domain query(stdexec::get_completion_domain_t<Tag>) const noexcept {
      return {};
    }
  };

  /// A sender that completes on a worker.
  sender schedule() const noexcept { return {}; }

  /// `parallel`.
  stdexec::forward_progress_guarantee query(
      stdexec::get_forward_progress_guarantee_t) const noexcept {
    return stdexec::forward_progress_guarantee::parallel;
  }
  /// Itself.
  template <class Tag>
  scheduler query(stdexec::get_completion_scheduler_t<Tag>) const noexcept {
    return {};
  }
  /// By which rules the work before it completes.
  template <class Tag>
  domain query(stdexec::get_completion_domain_t<Tag>) const noexcept {
    return {};
  }

  /// There is one pool.
  bool operator==(const scheduler&) const noexcept = default;
};

/// The scheduler. Starts nothing.
inline scheduler get_scheduler() noexcept { return {}; }

namespace detail {

/// What sync_wait tells its sender: further work goes to the pool.
struct waiting_env {
  scheduler query(stdexec::get_scheduler_t) const noexcept { return {}; }
  scheduler query(stdexec::get_start_scheduler_t) const noexcept { return {}; }
  scheduler query(stdexec::get_delegation_scheduler_t) const noexcept { return {}; }
};

template <class... Values>
using decayed_tuple = std::tuple<std::decay_t<Values>...>;
template <class... Completions>
struct only_one {
  static_assert(sizeof...(Completions) == 1,
                "kasuri::senders::sync_wait takes a sender with one completion with values");
};
template <class Completion>
struct only_one<Completion> {
  using type = Completion;
};
template <class Sender>
using values_of =
    typename stdexec::value_types_of_t<Sender, waiting_env, decayed_tuple, only_one>::type;

/// The end of the work: its values, its error, or neither where it was stopped.
template <class Values>
struct outcome {
  std::optional<Values> values;
  std::exception_ptr error;
  latch ended{1};
};

template <class Values>
class waiting_receiver {
 public:
  using receiver_concept = stdexec::receiver_tag;

  explicit waiting_receiver(outcome<Values>& to) noexcept : to_(&to) {}

  template <class... Args>
  void set_value(Args&&... args) noexcept {
    KASURI_TRY { to_->values.emplace(std::forward<Args>(args)...); }
    KASURI_CATCH_ALL { to_->error = kernel::exception_of_task(); }
    to_->ended.count_down();
  }
  template <class Error>
  void set_error(Error&& e) noexcept {
    if constexpr (std::is_same_v<std::decay_t<Error>, std::exception_ptr>)
      to_->error = std::forward<Error>(e);
    else if constexpr (std::is_same_v<std::decay_t<Error>, std::error_code>)
      to_->error = std::make_exception_ptr(std::system_error(e));
    else
      to_->error = std::make_exception_ptr(std::forward<Error>(e));
    to_->ended.count_down();
  }
  void set_stopped() noexcept { to_->ended.count_down(); }
  waiting_env get_env() const noexcept { return {}; }

 private:
  outcome<Values>* to_;
};

}  // namespace detail

/// Starts the work of a sender and waits for its end: a task waits and its worker does not; an OS
/// thread that is no worker sleeps. Work that asks where to go on goes on on the pool.
/// stdexec::sync_wait does the same where the work ends on the pool; elsewhere it blocks the
/// worker.
/// @param sender  with one completion with values.
/// @return the values as a tuple; empty where the work was stopped.
/// @throw the error that the work ended with: an exception as it is, a std::error_code as
///        std::system_error, anything else as it is; std::bad_alloc when there is no memory to wait
///        with, which ends the program by std::terminate once the work has started.
/// @par Thread-safety: any thread.
template <class Sender>
auto sync_wait(Sender&& sender) {
  using values = detail::values_of<Sender>;
  detail::outcome<values> end;
  auto work = stdexec::connect(std::forward<Sender>(sender), detail::waiting_receiver<values>(end));
  stdexec::start(work);
  [&end]() noexcept { end.ended.wait(); }();
  if (end.error != nullptr) std::rethrow_exception(std::move(end.error));
  return std::move(end.values);
}

template <class Sender>
auto domain::apply_sender(stdexec::sync_wait_t, Sender&& sender) {
  return senders::sync_wait(std::forward<Sender>(sender));
}

}  // namespace kasuri::senders

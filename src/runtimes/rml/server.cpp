// SPDX-License-Identifier: Apache-2.0
#include "runtimes/rml/server.hpp"

#include <mutex>
#include <new>
#include <utility>

#include "context/sized_stack.hpp"
#include "kasuri/detail/atomics.hpp"
#include "omp/team/dock.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "platform/thread/park.hpp"
#include "runtimes/found/time_inside.hpp"
#include "runtimes/rml/server_list.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/life/lifetime.hpp"
#include "sched/run/own_stack.hpp"
#include "sched/worker/fresh_stack.hpp"
#include "sched/worker/identity.hpp"

namespace kasuri::runtimes::rml {
namespace {

constinit time_inside inside{"oneTBB"};

[[gnu::constructor]] void begin_to_count() { inside.enter(); }

detail::suspended* run_frame(detail::frame* f) {
  job& j = *static_cast<job*>(f);
  j.of->run(j);
  return nullptr;
}

constinit const detail::frame_type job_kind{run_frame, false, "oneTBB job"};

/// A chain of jobs that were counted as sent.
void send_all(job* chain) noexcept {
  while (chain != nullptr) {
    // Before it is sent: a worker may have run it by then.
    job* const next = std::exchange(chain->next, nullptr);
    sched::pool::get().send(chain);
    chain = next;
  }
}

struct call_inside {
  client_face& client;
  job& j;
};

/// On the job's stack, with its thread-locals.
void process(void* arg) noexcept {
  const auto& [client, j] = *static_cast<call_inside*>(arg);
  const stay here(inside);
  if (j.record == nullptr) j.record = client.create_one_job();
  client.process(*j.record);
}

/// On the OS thread whose thread-locals the job had.
void clean_up(void* arg) noexcept {
  const auto& [client, j] = *static_cast<call_inside*>(arg);
  client.cleanup(*j.record);
}

}  // namespace

server* server::make(client_face& of) noexcept {
  auto* const s = new (std::nothrow) server(of);
  if (s == nullptr) return nullptr;
  sched::hold_pool();  // its handlers of fork() before ours: here locks of ours come first
  sched::monitor::get().all_must_start();
  servers().add(*s);
  return s;
}

server::server(client_face& of) noexcept
    : client_(of), most_(of.max_job_count()), stack_bytes_(of.min_stack_size()) {}

void server::yield() { detail::yield_processor(); }

// ---- how many jobs are under way --------------------------------------------------------------

job* server::make_job() noexcept {
  if (made_ == most_) return nullptr;
  auto* const j = new (std::nothrow) job;
  if (j == nullptr) return nullptr;
  j->type = &job_kind;
  j->in = nullptr;
  j->of = this;
  j->next_made = std::exchange(first_made_, j);
  ++made_;
  return j;
}

void server::put_idle(job& j) noexcept {
  j.state = job_state::idle;
  j.next = std::exchange(idle_, &j);
}

job* server::take_for_estimate() noexcept {
  job* chain = nullptr;
  while (under_way_ < estimate_ && !closing_) {
    job* j = idle_;
    if (j != nullptr)
      idle_ = j->next;
    else if ((j = make_job()) == nullptr)
      break;
    KASURI_EXPECT(cheap, j->state == job_state::idle, "job %p is to be sent, in state %d",
                  static_cast<void*>(j), static_cast<int>(j->state));
    j->state = job_state::sent;
    j->next = std::exchange(chain, j);
    ++under_way_;
    ++references_;
  }
  return chain;
}

void server::adjust_job_count_estimate(int delta) {
  job* to_send;
  {
    const std::lock_guard hold(lock_);
    estimate_ += delta;
    to_send = take_for_estimate();
  }
  send_all(to_send);
}

// ---- a job on a worker --------------------------------------------------------------------------

bool server::begin(job& j) noexcept {
  {
    const std::lock_guard hold(lock_);
    KASURI_EXPECT(cheap, j.state == job_state::sent || j.state == job_state::withdrawn,
                  "job %p is taken, in state %d", static_cast<void*>(&j),
                  static_cast<int>(j.state));
    if (j.state == job_state::sent && under_way_ <= estimate_) {
      j.state = job_state::inside;
      ++inside_;
      return true;
    }
    if (j.state == job_state::sent) {
      --under_way_;
      put_idle(j);
    }
  }
  drop_reference();
  return false;
}

/// False: the system has no thread for its thread-locals, or no memory for its stack.
bool server::equip(job& j) noexcept {
  // New: oneTBB has thread-locals of its own, and one that somebody has worn has them already where
  // a member has called oneTBB.
  if (j.identity == nullptr) j.identity = context::try_make_identity(sched::face_of_this_thread);
  if (j.stack == nullptr) j.stack = context::make_stack(stack_bytes_);
  return j.identity != nullptr && j.stack != nullptr;
}

/// Other jobs do its work, if there are any.
void server::give_up(job& j) noexcept {
  bool alone;
  bool closing;
  {
    const std::lock_guard hold(lock_);
    KASURI_EXPECT(cheap, j.state == job_state::inside && under_way_ > 0, "job %p in state %d",
                  static_cast<void*>(&j), static_cast<int>(j.state));
    closing = closing_;
    alone = under_way_ == 1 && !closing;
    --inside_;
    come_out(j);
  }
  if (alone)
    platform::fatal(
        "oneTBB has no worker: the system gives no thread, or no memory for a stack of %zu bytes; "
        "accepted: higher limits (ulimit -u, ulimit -v, pids.max)",
        stack_bytes_);
  if (platform::first_thread_refused())
    platform::warn(
        "the system gives no more threads, or no memory for their stacks: oneTBB goes on with "
        "fewer workers");
  if (closing) clean(j);
  drop_reference();
}

/// The job is not under way any more, and is to be cleaned up where the connection ends.
void server::come_out(job& j) noexcept {
  --under_way_;
  if (closing_)
    j.state = job_state::ended;
  else
    put_idle(j);
}

/// Whether the worker that is inside calls oneTBB once more: it came back a moment before oneTBB
/// has lowered the estimate, or new work has come meanwhile.
bool server::goes_on_at_once(const job& j) noexcept {
  sched::worker& w = *sched::current();
  w.tick();
  {
    const std::lock_guard hold(lock_);
    if (j.state != job_state::inside || closing_ || under_way_ > estimate_) return false;
  }
  return !w.home->crowded(w) && !w.home->work_visible() && !w.home->stopping();
}

/// The worker has come back from oneTBB and wears its own thread-locals again.
void server::leave(job& j) noexcept {
  bool again;
  bool closing;
  {
    const std::lock_guard hold(lock_);
    if (j.state == job_state::lost) return;
    KASURI_EXPECT(cheap, j.state == job_state::inside && under_way_ > 0,
                  "job %p comes back in state %d, %d are under way", static_cast<void*>(&j),
                  static_cast<int>(j.state), under_way_);
    closing = closing_;
    again = !closing && under_way_ <= estimate_;
    --inside_;
    if (again)
      j.state = job_state::sent;
    else
      come_out(j);
  }
  if (again) return sched::pool::get().send(&j);  // behind what others wait for
  if (closing) clean(j);
  drop_reference();
}

void server::run(job& j) noexcept {
  if (!begin(j)) return;
  if (!equip(j)) return give_up(j);
  sched::worker& w = *sched::current();
  sched::put_on(w, *j.identity);
  sched::refresh_stack(w);
  call_inside what{client_, j};
  omp::foreign_calls.fetch_add(1, std::memory_order_relaxed);  // see there
  do {
    sched::call_on_stack(*j.stack, process, &what);
  } while (goes_on_at_once(j));
  omp::foreign_calls.fetch_sub(1, std::memory_order_relaxed);
  sched::take_off(*sched::opaque(sched::current()));
  leave(j);
}

// ---- the end ------------------------------------------------------------------------------------

bool server::caller_is_inside() const noexcept {
  const sched::worker* const w = sched::current();
  if (w == nullptr || w->wears == nullptr) return false;
  for (const job* j = first_made_; j != nullptr; j = j->next_made)
    if (j->state == job_state::inside && j->identity == w->wears) return true;
  return false;
}

void server::request_close_connection(bool) {
  bool waits;
  {
    const std::lock_guard hold(lock_);
    KASURI_EXPECT(cheap, !closing_, "the connection %p is closed twice", static_cast<void*>(this));
    closing_ = true;
    waits = !caller_is_inside();
    uncleaned_ = 1;  // the caller, until it has cleaned up its own
    for (job* j = first_made_; j != nullptr; j = j->next_made) {
      if (j->state == job_state::lost) continue;
      ++uncleaned_;
      if (j->state == job_state::inside) continue;
      if (j->state == job_state::sent) --under_way_;
      j->state = j->state == job_state::sent ? job_state::withdrawn : job_state::ended;
      j->closer_cleans = true;
    }
    idle_ = nullptr;
    ++references_;  // the caller's own
  }
  // None is made any more.
  for (job* j = first_made_; j != nullptr; j = j->next_made)
    if (j->closer_cleans) clean(*j);
  count_cleaned();
  if (waits)
    // acquire: pairs with the release in count_cleaned
    while (acknowledged_.load(std::memory_order_acquire) == 0) platform::park(acknowledged_, 0);
  drop_reference();
}

/// Nobody is inside of the job, nor will be.
void server::clean(job& j) noexcept {
  call_inside what{client_, j};
  if (j.identity != nullptr)
    context::end_identity(std::exchange(j.identity, nullptr),
                          j.record != nullptr ? clean_up : nullptr, &what);
  if (j.stack != nullptr) context::end_stack(std::exchange(j.stack, nullptr));
  count_cleaned();
}

void server::count_cleaned() noexcept {
  {
    const std::lock_guard hold(lock_);
    if (--uncleaned_ != 0) return;
  }
  servers().remove(*this);
  client_.acknowledge_close_connection();
  sched::let_pool_go();
  // release: pairs with the acquire in request_close_connection
  acknowledged_.store(1, std::memory_order_release);
  platform::unpark(acknowledged_, 1);
  drop_reference();  // the connection's
}

void server::drop_reference() noexcept {
  {
    const std::lock_guard hold(lock_);
    if (--references_ != 0) return;
  }
  while (first_made_ != nullptr) delete std::exchange(first_made_, first_made_->next_made);
  delete this;
}

// ---- fork ---------------------------------------------------------------------------------------

server::presence server::others_inside() const noexcept {
  const std::lock_guard hold(lock_);
  if (inside_ == 0 || caller_is_inside()) return presence::none;
  return inside_ > estimate_ ? presence::leave : presence::may_work;
}

void server::begin_anew_in_child() noexcept {
  references_ = 1;
  under_way_ = 0;
  inside_ = 0;
  idle_ = nullptr;
  const sched::worker* const w = sched::current();
  for (job* j = first_made_; j != nullptr; j = j->next_made) {
    if (j->state == job_state::inside) {
      j->state = job_state::lost;
      // oneTBB takes it for a worker that is there, unless it has told that it needs none. The
      // caller's is there.
      const bool is_callers = w != nullptr && w->wears != nullptr && w->wears == j->identity;
      if (estimate_ > 0 && !is_callers) --estimate_;
      if (!is_callers) omp::foreign_calls.fetch_sub(1, std::memory_order_relaxed);
    }
    if (j->state == job_state::lost) continue;
    j->identity = nullptr;  // its donor is not here
    put_idle(*j);
  }
}

}  // namespace kasuri::runtimes::rml

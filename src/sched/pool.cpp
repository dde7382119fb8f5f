// SPDX-License-Identifier: Apache-2.0
#include "sched/pool.hpp"

#include "kasuri/detail/join.hpp"
#include "platform/clock.hpp"
#include "platform/fatal.hpp"
#include "platform/memory.hpp"
#include "platform/os_thread.hpp"
#include "platform/park.hpp"
#include "platform/settings.hpp"
#include "platform/topology.hpp"
#include "record/recorder.hpp"
#include "sched/lifetime.hpp"
#include "sched/monitor.hpp"

namespace kasuri::detail {
thread_local constinit worker_face* kasuri_current_face = nullptr;
}

namespace kasuri::sched {

constinit std::atomic<worker*> newest_worker{nullptr};

namespace {

constexpr std::size_t deque_capacity = std::size_t{1} << 20;

}  // namespace

worker::worker(pool& p, int i, detail::worker_slot* slots, std::size_t capacity, std::size_t soft)
    : queue(face, slots, capacity, soft),
      random((platform::current_settings().seed + static_cast<std::uint64_t>(i)) *
                 0x9e3779b97f4a7c15u |
             1),
      home(&p),
      index(i) {
  stats.worker = i;
}

pool::pool() : slots_(most_slots) { configure(); }

void pool::configure() {
  const platform::settings& s = platform::current_settings();
  configured_ = s.num_workers;
  context::configure_stacks(s.stack_size, s.guard_pages);
  policy_ = make_policy(s.sched);
  spin_ticks_ = static_cast<std::uint64_t>(s.spin_us * 1e-6 * platform::ticks_per_second());
  timing_ = s.stats;
  while (workers() < configured_) add_worker(record::worker_role::worker);
  // Workers beyond the configured ones (it was started before, with more) stay as sleepers: the
  // tokens alone decide how many run.
  std::uint32_t sleeping = 0;
  for (int i = 0; i != workers(); ++i) {
    worker& w = *at(i);
    w.stuck = worker::progress::moves;  // the tokens lent are gone with the old count
    if (w.stats.role == record::worker_role::guest) continue;
    if (i < configured_) place(w);
    // The wake-up that ended its thread may have come when it had ended already.
    w.asleep.store(1, std::memory_order_relaxed);
    ++sleeping;
  }
  idle_.reset(sleeping, static_cast<std::uint32_t>(configured_));
}

worker* pool::add_worker(record::worker_role role) {
  const std::lock_guard hold(slots_lock_);
  const int i = count_.load(std::memory_order_relaxed);
  if (i == most_slots)
    platform::fatal("more than %d threads inside at once; accepted: at most %d", most_slots,
                    most_slots);
  const std::size_t bytes = (deque_capacity + 2) * sizeof(detail::worker_slot);
  auto* slots = static_cast<detail::worker_slot*>(platform::reserve(bytes));
  if (slots == nullptr)
    platform::fatal("no address space for the deque of worker %d (%zu bytes); accepted: fewer "
                    "workers (KASURI_NUM_WORKERS) or a higher limit (ulimit -v)",
                    i, bytes);
  auto* w = new worker(*this, i, slots, deque_capacity,
                       static_cast<std::size_t>(platform::current_settings().queue_limit));
  w->stats.role = role;
  w->timing = timing_;
  if (role == record::worker_role::guest) w->asleep.store(0, std::memory_order_relaxed);
  w->log = record::open_log(static_cast<std::uint16_t>(i), role);
  w->observed = w->timing || w->log != nullptr;
  // release: pairs with the acquire in at
  slots_[static_cast<std::size_t>(i)].store(w, std::memory_order_release);
  w->older = i == 0 ? nullptr : newest_worker.load(std::memory_order_relaxed);
  newest_worker.store(w, std::memory_order_relaxed);
  // release: pairs with the acquire in workers
  count_.store(i + 1, std::memory_order_release);
  return w;
}

/// Its place in the machine tree.
void pool::place(worker& w) const {
  w.victims = platform::victim_order(platform::machine_topology(), w.index, configured_);
  w.levels.assign(static_cast<std::size_t>(configured_), 0);
  for (std::size_t level = 0; level != w.victims.size(); ++level)
    for (const int other : w.victims[level])
      w.levels[static_cast<std::size_t>(other)] = static_cast<std::uint8_t>(level);
}

// ---- guests -----------------------------------------------------------------------------------

worker& pool::borrow_worker() {
  {
    const std::lock_guard hold(slots_lock_);
    if (!free_guests_.empty()) {
      worker* w = free_guests_.back();
      free_guests_.pop_back();
      return *w;
    }
  }
  return *add_worker(record::worker_role::guest);
}

namespace {

/// What a guest does inside, as a task of the record.
std::uint64_t guest_task_of(const worker& w) noexcept {
  return reinterpret_cast<std::uintptr_t>(&w.native_stack);
}

}  // namespace

worker& pool::enter() {
  worker& w = borrow_worker();
  adopt_thread(w);
  w.asleep.store(0, std::memory_order_relaxed);
  if (!idle_.try_enter()) wait_for_token(w);
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::task_begin, guest_task_of(w));
  w.busy.store(true, std::memory_order_relaxed);
  w.queue.ask();  // so that its first push looks for sleepers
  monitor::get().tokens_changed(idle_.counts());
  return w;
}

void pool::wait_for_token(worker& w) noexcept {
  w.granted.store(0, std::memory_order_relaxed);
  while (!queue_for_token(w, worker::wish::enter))
    if (idle_.try_enter()) return;
  ask_all();
  monitor::get().tokens_changed(idle_.counts());
  // acquire: pairs with the release in grant_tokens
  while (w.granted.load(std::memory_order_acquire) == 0) platform::park(w.granted, 0);
}

void pool::grant_tokens() noexcept {
  while (idle_.grant()) {
    worker* w;
    worker::wish wish;
    {
      const std::lock_guard hold(waiting_lock_);
      w = waiting_.front();
      waiting_.pop_front();
      wish = w->wants_token.load(std::memory_order_relaxed);
      w->wants_token.store(worker::wish::none, std::memory_order_relaxed);
    }
    if (wish == worker::wish::enter) {
      // release: pairs with the acquire in wait_for_token
      w->granted.store(1, std::memory_order_release);
      platform::unpark(w->granted, 1);
    } else if (wish == worker::wish::go_home) {
      wake_granted(*w);
    } else if (idle_.leave()) {
      use_claim();
    }
  }
}

/// The token just granted is for a sleeper, unless another claim has woken it since it queued.
void pool::wake_granted(worker& w) noexcept {
  for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) == 1; ++n) {
    if (idle_.sleeper_was_granted()) return use_claim_on(w);
    real_atomics::backoff(n);  // all sleepers are claimed, this one too
  }
  if (idle_.leave()) use_claim();
}

void pool::leave(worker& w) noexcept {
  settle_tally(w);
  while (detail::frame* f = w.queue.pop()) send(f);
  w.queue.rewind();
  while (detail::frame* f = w.ready.take()) send(f);
  w.busy.store(false, std::memory_order_relaxed);
  record::emit(w.log, record::event_kind::task_end, guest_task_of(w));
  w.spends_time_on(record::time_state::detached);
  release_thread(w);
  {
    const std::lock_guard hold(slots_lock_);
    free_guests_.push_back(&w);
  }
  if (idle_.leave()) use_claim();
  grant_tokens();
}

// ---- work -------------------------------------------------------------------------------------

void pool::work_is_visible() noexcept {
  if (idle_.claim()) use_claim();
}

void pool::send(detail::frame* f) noexcept {
  {
    const std::lock_guard hold(inbox_lock_);
    inbox_.push_back(f);
    inbox_size_.store(inbox_.size(), std::memory_order_relaxed);
  }
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  work_is_visible();
}

detail::frame* pool::take_from_inbox() noexcept {
  if (inbox_size_.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard hold(inbox_lock_);
  if (inbox_.empty()) return nullptr;
  detail::frame* f = inbox_.front();
  inbox_.pop_front();
  inbox_size_.store(inbox_.size(), std::memory_order_relaxed);
  return f;
}

void pool::return_home(suspended* s) noexcept {
  worker& w = *s->home;
  // release: pairs with the acquire in worker::take_returning
  w.returning.store(s, std::memory_order_release);
  w.queue.ask();  // a push of the task that runs there meanwhile makes room
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  call(w);
}

/// Wakes `w`, if it sleeps, as soon as there is a token for it.
void pool::call(worker& w) noexcept {
  for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) == 1; ++n) {
    if (idle_.claim_for_one()) return use_claim_on(w);
    if (queue_for_token(w, worker::wish::go_home)) {
      grant_tokens();
      return ask_all();
    }
    real_atomics::backoff(n);  // a token came free meanwhile, or all sleepers are claimed
  }
}

/// False, and nothing queued, when there is a token now.
bool pool::queue_for_token(worker& w, worker::wish wish) noexcept {
  const std::lock_guard hold(waiting_lock_);
  if (!idle_.start_waiting()) return false;
  w.wants_token.store(wish, std::memory_order_relaxed);
  waiting_.push_back(&w);
  return true;
}

detail::frame* pool::next_own(worker& w) noexcept {
  if (++w.turns % fair_turn == 0) {
    if (detail::frame* f = w.ready.take()) return f;
    if (detail::frame* f = take_from_inbox()) return f;
  }
  if (detail::frame* f = w.queue.pop()) return f;
  return w.ready.take();
}

/// Reports what the worker owes a group before it turns to something else.
void settle_tally(worker& w) noexcept {
  if (w.face.tally_of == nullptr) return;
  if (suspended* waiter = detail::report_tally(&w.face)) make_ready(waiter);
}

detail::frame* pool::next(worker& w) noexcept {
  w.tick();
  if (w.just_started) {
    w.just_started = false;
    note_spare(w, record::event_kind::spare_begin);
    return search(w);
  }
  if (idle_.crowded()) {  // before its own stack's thread, which has just made room perhaps
    settle_tally(w);
    idle_.start_search();
    step_aside(w);
    return search(w);
  }
  if (w.patience != 0) {
    --w.patience;
  } else if (detail::frame* f = w.take_returning()) {
    settle_tally(w);
    return f;
  }
  if (w.queue.asked() && !w.queue.empty()) answer_thieves(w);
  detail::frame* f = next_own(w);
  if (w.face.tally_of != nullptr && (f == nullptr || !belongs(f, w.face.tally_of))) {
    if (suspended* waiter = detail::report_tally(&w.face)) {
      if (f == nullptr) return waiter;
      make_ready(waiter);
    }
  }
  if (f != nullptr) return f;
  w.queue.rewind();
  idle_.start_search();
  return search(w);
}

/// What the owner that `w` asked has given it, or null.
detail::frame* pool::take_answer(worker& w) noexcept {
  if (!w.answer.is_open() || !w.answer.answered()) return nullptr;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f != nullptr) note_steal(w, victim, f);
  return f;
}

/// Before `w` stops looking: nobody may give it a frame any more. False: somebody has, and it is in
/// its ring now.
bool pool::withdraw(worker& w) noexcept {
  if (!w.answer.is_open()) return true;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f == nullptr) return true;
  note_steal(w, victim, f);
  if (!w.ready.put(f)) send(f);
  return false;
}

/// Precondition: the worker counts as searching.
detail::frame* pool::search(worker& w) noexcept {
  w.busy.store(false, std::memory_order_relaxed);
  w.spends_time_on(record::time_state::idle);
  std::uint64_t since = platform::ticks();
  for (unsigned round = 0;; ++round) {
    w.tick();
    look l;
    l.found = take_answer(w);
    if (l.found == nullptr) l.found = w.take_returning();
    if (l.found == nullptr) l.found = next_own(w);
    if (l.found == nullptr) l.found = take_from_inbox();
    if (l.found == nullptr) l.found = policy_->own(w);
    if (l.found == nullptr) l = policy_->steal(w, *this);
    if (w.timing) w.stats.time.looked(l.saw_work || l.found != nullptr);
    if (l.found != nullptr) {
      w.spends_time_on(record::time_state::overhead);
      withdraw(w);
      w.busy.store(true, std::memory_order_relaxed);
      if (idle_.stop_search()) use_claim();
      monitor::get().tokens_changed(idle_.counts());
      return l.found;
    }
    if (w.stats.role != record::worker_role::guest &&
        stopping_.load(std::memory_order_relaxed) && !l.saw_work && withdraw(w))
      return nullptr;
    if (idle_.crowded()) {
      if (!withdraw(w)) continue;
      step_aside(w);
      since = platform::ticks();
    } else if (l.saw_work) {
      real_atomics::backoff(round % 128);  // an owner that does not answer may be preempted
    } else if (platform::ticks() - since >= spin_ticks_) {
      if (!withdraw(w)) continue;
      sleep(w);
      since = platform::ticks();
    } else {
      for (int i = 0; i != 4 && !w.answer.answered(); ++i) real_atomics::pause();
    }
  }
}

/// What idle::prepare_sleep asks about before `w` sleeps.
struct pool::view {
  pool& p;
  worker& w;
  void ask_all() noexcept { p.ask_all(); }
  bool work_visible() const noexcept {
    return p.work_visible() || w.returning.load(std::memory_order_relaxed) != nullptr ||
           p.stopping_.load(std::memory_order_relaxed);
  }
};

void pool::sleep(worker& w) noexcept {
  view v{*this, w};
  if (!idle_.prepare_sleep(w.asleep, v)) return;
  // It may have become ready while there was no token: nobody who gives one back looks for that.
  if (w.returning.load(std::memory_order_relaxed) != nullptr) call(w);
  doze(w);
}

/// A spare's time awake is on behalf of the worker that was found stuck last.
void pool::note_spare(worker& w, record::event_kind begin_or_end) noexcept {
  if (w.stats.role == record::worker_role::spare)
    record::emit_spare(w.log, begin_or_end,
                       static_cast<std::uint16_t>(lent_for_.load(std::memory_order_relaxed)));
}

/// Sleeps until somebody clears the flag.
void pool::doze(worker& w) noexcept {
  grant_tokens();  // the one just given up may be wanted
  w.stats.parks.add();
  note_spare(w, record::event_kind::spare_end);
  record::emit(w.log, record::event_kind::park);
  // acquire: pairs with the exchange of asleep by the waker
  while (w.asleep.load(std::memory_order_acquire) == 1) platform::park(w.asleep, 1);
  record::emit(w.log, record::event_kind::wake);
  note_spare(w, record::event_kind::spare_begin);
  if (w.timing) w.stats.time.looked(false);
}

/// Sleeps although there is work: a guest waits for a token, or there are more threads than tokens.
void pool::step_aside(worker& w) noexcept {
  w.queue.publish_all();
  w.asleep.store(1, std::memory_order_relaxed);
  idle_.fall_asleep();
  grant_tokens();
  // pairs with the fence_full before idle::claim of those who push, in return_home, and in
  // lifetime::stop: what they made visible, or our flag, is seen by one of us
  real_atomics::fence_full();
  work_is_visible();  // our own frames, if the token was not wanted after all
  if (w.returning.load(std::memory_order_relaxed) != nullptr ||
      stopping_.load(std::memory_order_relaxed))
    call(w);
  doze(w);
}

void pool::ask_all() noexcept {
  const std::uint64_t now = platform::ticks();
  for (int i = 0, n = workers(); i != n; ++i)
    if (worker* v = at(i); v != nullptr && v->queue.ask())
      v->asked_since.store(now, std::memory_order_relaxed);
}

bool pool::work_visible() const noexcept {
  if (inbox_size_.load(std::memory_order_relaxed) != 0 || policy_->has_work()) return true;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* v = at(i); v != nullptr && (!v->queue.empty() || !v->ready.empty()))
      return true;
  return false;
}

void pool::blocking_begin(worker& w) noexcept {
  w.queue.publish_all();
  record::emit(w.log, record::event_kind::blocking_begin);
  w.spends_time_on(record::time_state::blocked);
  w.busy.store(false, std::memory_order_relaxed);
  lend_token(w);
}

void pool::blocking_end(worker& w) noexcept {
  w.busy.store(true, std::memory_order_relaxed);
  w.tick();
  take_token_back();
  w.spends_time_on(record::time_state::work);
  record::emit(w.log, record::event_kind::blocking_end);
}

void pool::lend_token(worker& stuck) noexcept {
  const idle_counts c = idle_.counts();
  const int most = configured_ + platform::current_settings().max_spares;
  if (c.sleeping == 0 && c.limit < static_cast<std::uint32_t>(most)) {
    add_worker(record::worker_role::spare);
    idle_.add_sleeper();
  }
  stuck.stats.spares.add();
  lent_for_.store(stuck.index, std::memory_order_relaxed);
  idle_.add_token();
  grant_tokens();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  if (work_visible()) work_is_visible();
}

void pool::take_token_back() noexcept {
  idle_.remove_token();
  if (idle_.crowded()) ask_all();  // fork-join code looks whether it is to step aside when asked
}

std::vector<const record::worker_stats*> pool::stats() const {
  std::vector<const record::worker_stats*> all;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* w = at(i)) all.push_back(&w->stats);
  return all;
}

void pool::lock_all() {
  slots_lock_.lock();
  inbox_lock_.lock();
  waiting_lock_.lock();
}

void pool::unlock_all() {
  waiting_lock_.unlock();
  inbox_lock_.unlock();
  slots_lock_.unlock();
}

// ---- waking -----------------------------------------------------------------------------------

void pool::use_claim() noexcept {
  // Workers that have a thread first; a flag must be set somewhere: see idle.hpp.
  for (bool with_thread = true;; with_thread = !with_thread) {
    for (int i = 0, n = workers(); i != n; ++i) {
      worker* v = at(i);
      if (v == nullptr || v->has_thread.load(std::memory_order_relaxed) != with_thread) continue;
      if (v->asleep.load(std::memory_order_relaxed) == 0) continue;
      // acq_rel: pairs with the store of asleep in idle::prepare_sleep
      if (v->asleep.exchange(0, std::memory_order_acq_rel) == 1) return wake(*v);
    }
  }
}

/// Uses a claim that is for `w`, or gives it back when `w` is awake.
void pool::use_claim_on(worker& w) noexcept {
  // acq_rel: pairs with the store of asleep in idle::prepare_sleep
  if (w.asleep.exchange(0, std::memory_order_acq_rel) == 1)
    platform::unpark(w.asleep, 1);
  else
    idle_.give_back();
}

void pool::wake(worker& w) noexcept {
  if (worker* self = current()) self->stats.wakes.add();
  if (w.has_thread.load(std::memory_order_relaxed)) {
    platform::unpark(w.asleep, 1);
  } else if (!start_thread(w)) {
    idle_.claimed_worker_is_gone();
  }
}

}  // namespace kasuri::sched

// SPDX-License-Identifier: Apache-2.0
#include "sched/pool.hpp"

#include "platform/clock.hpp"
#include "platform/fatal.hpp"
#include "platform/memory.hpp"
#include "platform/park.hpp"
#include "platform/settings.hpp"
#include "platform/topology.hpp"
#include "record/recorder.hpp"
#include "sched/lifetime.hpp"

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
  slice_ticks_ = static_cast<std::uint64_t>(slice_us * 1e-6 * platform::ticks_per_second());
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
    w.gone.store(false, std::memory_order_relaxed);
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
      if (v->asleep.exchange(0, std::memory_order_acq_rel) == 1) {
        if (!wake(*v)) free_frame_of(*v);
        return;
      }
    }
  }
}

/// Uses a claim that is for `w`, or gives it back when `w` is awake. False as wake.
bool pool::use_claim_on(worker& w) noexcept {
  // acq_rel: pairs with the store of asleep in idle::prepare_sleep
  if (w.asleep.exchange(0, std::memory_order_acq_rel) == 1) return wake(w);
  idle_.give_back();
  return true;
}

/// False: the system gives no thread for it.
bool pool::wake(worker& w) noexcept {
  if (worker* self = current()) self->stats.wakes.add();
  if (w.has_thread.load(std::memory_order_relaxed)) {
    platform::unpark(w.asleep, 1);
    return true;
  }
  if (start_thread(w)) return true;
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  return false;
}

/// Somebody else may have delivered a frame to the worker that is gone: others run it.
void pool::free_frame_of(worker& gone) noexcept {
  real_atomics::fence_full();  // pairs with the one in deliver: it sees `gone`, or we see the frame
  if (detail::frame* f = gone.take_returning()) send(f);
}

}  // namespace kasuri::sched

// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/pool.hpp"

#include <algorithm>
#include <bit>

#include "platform/clock.hpp"
#include "platform/cpus.hpp"
#include "platform/fatal.hpp"
#include "platform/memory.hpp"
#include "platform/park.hpp"
#include "platform/settings.hpp"
#include "platform/topology.hpp"
#include "record/recorder.hpp"
#include "sched/run/lifetime.hpp"

namespace kasuri::detail {
thread_local constinit worker_face* kasuri_current_face = nullptr;
}

namespace kasuri::sched {

constinit std::atomic<worker*> newest_worker{nullptr};

namespace {

// Of frames. One that is full refuses more, and the caller runs them: a smaller one is right as well.
constexpr std::size_t largest_deque = std::size_t{1} << 20;
constexpr std::size_t smallest_deque = std::size_t{1} << 12;
// Of the address space that the user allows, one deque takes this part at most.
constexpr std::size_t deques_of_limit = 128;

struct deque_words {
  detail::worker_slot* slots = nullptr;
  std::size_t capacity = 0;
};

/// Room for a deque, as much as can be had.
deque_words reserve_deque(int worker) {
  const std::size_t allowed =
      platform::address_space_limit() / deques_of_limit / sizeof(detail::worker_slot);
  std::size_t capacity =
      std::clamp(std::bit_floor(allowed), smallest_deque, largest_deque);
  for (;; capacity /= 2) {
    const std::size_t bytes = (capacity + 2) * sizeof(detail::worker_slot);
    if (void* const words = platform::reserve(bytes))
      return {static_cast<detail::worker_slot*>(words), capacity};
    if (capacity == smallest_deque)
      platform::fatal("no address space for the deque of worker %d (%zu bytes); accepted: fewer "
                      "workers (KASURI_NUM_WORKERS) or a higher limit (ulimit -v)",
                      worker, bytes);
  }
}

static_assert(deque<real_atomics>::holds(largest_deque));

// The record names a worker by 16 bits, the last value for none.
static_assert(platform::most_slots < record::no_peer);

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

void two_frames_for(const worker& w) noexcept {
  platform::fatal("internal error: a second frame for worker %d alone", w.index);
}

pool::pool() : slots_(most_slots) { configure(); }

void pool::configure() {
  const platform::settings& s = platform::current_settings();
  configured_ = s.num_workers;
  most_spares_ = s.max_spares;
  lent_.store(0, std::memory_order_relaxed);
  guests_may_bring_tokens_ = s.num_workers >= platform::usable_cpus();
  context::configure_stacks(s.stack_size, s.guard_pages);
  policy_ = make_policy(s.sched, s.num_workers > platform::usable_cpus());
  spin_ticks_ = platform::ticks_of_us(s.spin_us);
  slice_ticks_ = platform::ticks_of_us(slice_us);
  patience_ticks_ = platform::ticks_of_us(patience_us);
  timing_ = s.stats;
  line_up();
  // Workers beyond the configured ones (it was started before, with more) stay as sleepers: the
  // tokens alone decide how many run.
  std::uint32_t sleeping = 0;
  for (int i = 0; i != workers(); ++i) {
    worker& w = *at(i);
    w.stuck = worker::progress::moves;  // the tokens lent are gone with the old count
    if (w.stats.role == record::worker_role::guest) continue;
    if (w.cell >= 0) place(w);
    // The wake-up that ended its thread may have come when it had ended already.
    w.asleep.store(flag::threadless, std::memory_order_relaxed);
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
  const deque_words room = reserve_deque(i);
  auto* w = new worker(*this, i, room.slots, room.capacity,
                       static_cast<std::size_t>(platform::current_settings().queue_limit));
  w->stats.role = role;
  w->timing = timing_;
  if (role == record::worker_role::guest) w->asleep.store(flag::awake, std::memory_order_relaxed);
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

/// The configured workers in order, and the nodes that they lie on. There may be guests of an earlier
/// life between them.
void pool::line_up() {
  line_.clear();
  for (int i = 0; i != workers(); ++i) at(i)->cell = -1;
  for (int i = 0; line_.size() != static_cast<std::size_t>(configured_); ++i) {
    worker& w = i < workers() ? *at(i) : *add_worker(record::worker_role::worker);
    if (w.stats.role != record::worker_role::worker) continue;
    w.cell = static_cast<int>(line_.size());
    line_.push_back(i);
  }
  const platform::topology& machine = platform::machine_topology();
  nodes_.clear();
  for (int i = 0; i != configured_; ++i) nodes_.push_back(platform::pu_of_worker(machine, i).numa_node);
  std::ranges::sort(nodes_);
  nodes_.erase(std::ranges::unique(nodes_).begin(), nodes_.end());
  while (node_boxes_.size() < nodes_.size()) node_boxes_.emplace_back();
}

/// Its place in the machine tree.
void pool::place(worker& w) const {
  const platform::topology& machine = platform::machine_topology();
  const auto node_of = [&](int cell) {
    return node_index(platform::pu_of_worker(machine, cell).numa_node);
  };
  w.node = node_of(w.cell);
  w.victims = platform::victim_order(machine, w.cell, configured_);
  w.levels.assign(static_cast<std::size_t>(workers()), static_cast<std::uint8_t>(w.victims.size()));
  w.levels_of_node = 0;
  for (std::size_t level = 0; level != w.victims.size(); ++level) {
    std::vector<int>& group = w.victims[level];
    const bool near = std::ranges::all_of(group, [&](int cell) { return node_of(cell) == w.node; });
    if (near && w.levels_of_node == level) ++w.levels_of_node;
    for (int& other : group) {
      other = on_line(other);
      w.levels[static_cast<std::size_t>(other)] = static_cast<std::uint8_t>(level);
    }
  }
}

int pool::node_index(int os_node) const noexcept {
  const auto found = std::ranges::lower_bound(nodes_, os_node);
  return found == nodes_.end() || *found != os_node ? -1 : static_cast<int>(found - nodes_.begin());
}

// ---- work -------------------------------------------------------------------------------------

void pool::work_is_visible() noexcept {
  if (idle_.claim()) use_claim();
}

void pool::send(detail::frame* f) noexcept {
  inbox_.put({.what = f});
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  work_is_visible();
}

detail::frame* pool::take_from_inbox() noexcept {
  letter l;
  if (!inbox_.take(l, 0)) return nullptr;
  discard_place(l);
  return l.what;
}

void pool::post_to_worker(int to, const letter& l) noexcept {
  worker& w = *at(to);
  if (worker* self = current()) self->stats.posted.add();
  w.box.put(l);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  if (&w == current() && l.range != nullptr) return work_is_visible();  // see may_open_wide
  if (w.asleep.load(std::memory_order_relaxed) == flag::awake) return;
  // Without a token for it others find the letter when they have nothing to do.
  if (!idle_.claim_for_one() || use_claim_on(w)) return;
  letter back;
  if (w.box.take(back, l.what)) inbox_.put(back);
}

void pool::post_to_node(int node, const letter& l) noexcept {
  if (worker* self = current()) self->stats.posted.add();
  node_boxes_[static_cast<std::size_t>(node)].put(l);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  // One of its own workers, if one sleeps: others would find it only when they have waited a while.
  for (const int i : line_) {
    worker& w = *at(i);
    if (w.node != node || w.asleep.load(std::memory_order_relaxed) == flag::awake) continue;
    if (!idle_.claim_for_one()) break;
    use_claim_on(w);
    return;
  }
  work_is_visible();
}

bool pool::take_back(const detail::frame* f) noexcept {
  letter l;
  for (mailbox& box : node_boxes_)
    if (box.take(l, f)) return true;
  for (int i = 0, n = workers(); i != n; ++i)
    if (at(i)->box.take(l, f)) return true;
  return false;
}

detail::frame* pool::open(worker& w, const letter& l) noexcept {
  if (l.worker >= 0 || l.node >= 0) {
    const bool same_node = l.worker >= 0 ? at(l.worker)->node == w.node : l.node == w.node;
    if (l.worker == w.index || (l.worker < 0 && same_node))
      w.stats.where_kept.add();
    else
      (same_node ? w.stats.where_near : w.stats.where_missed).add();
  }
  if (l.fork != nullptr) take_part(w, l.fork);
  w.next_range = l.range;
  // Wherever it is taken to now, it is not sent on.
  if (l.what->type == &ready_thread) static_cast<suspended*>(l.what)->place = -1;
  return l.what;
}

void pool::give_identities_back() noexcept {
  for (int i = 0, n = workers(); i != n; ++i)
    if (worker* w = at(i)) w->identities.clear();
}

std::vector<const record::worker_stats*> pool::stats() const {
  std::vector<const record::worker_stats*> all;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* w = at(i)) all.push_back(&w->stats);
  return all;
}

void pool::lock_all() {
  slots_lock_.lock();
  waiting_lock_.lock();
  shares_.lock();
}

void pool::unlock_all() {
  shares_.unlock();
  waiting_lock_.unlock();
  slots_lock_.unlock();
}

// ---- waking -----------------------------------------------------------------------------------

/// Whether some sleeper is one to wake for what the caller has.
bool pool::wakes_any(const worker& self) const noexcept {
  if (!policy_->routes()) return true;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* v = at(i); v != nullptr && v->asleep.load(std::memory_order_relaxed) != flag::awake &&
                                 policy_->wakes(*v, self))
      return true;
  return false;
}

void pool::use_claim() noexcept {
  // Workers that have a thread first; a flag must be set somewhere: see idle.hpp.
  const worker* const self = current();
  for (bool with_thread = true;; with_thread = !with_thread) {
    const std::uint32_t wanted = with_thread ? flag::dozing : flag::threadless;
    if (self != nullptr && with_thread && !wakes_any(*self)) return idle_.give_back();
    for (int i = 0, n = workers(); i != n; ++i) {
      worker* v = at(i);
      if (v == nullptr || v->asleep.load(std::memory_order_relaxed) != wanted) continue;
      if (self != nullptr && !policy_->wakes(*v, *self)) continue;
      // acq_rel: pairs with the store of asleep in idle::prepare_sleep
      const std::uint32_t was = v->asleep.exchange(flag::awake, std::memory_order_acq_rel);
      if (was == flag::awake) continue;
      if (!wake(*v, was)) free_frame_of(*v);
      return;
    }
  }
}

/// Uses a claim that is for `w`, or gives it back when `w` is awake. False as wake.
bool pool::use_claim_on(worker& w) noexcept {
  // acq_rel: pairs with the store of asleep in idle::prepare_sleep
  if (const auto was = w.asleep.exchange(flag::awake, std::memory_order_acq_rel); was != flag::awake)
    return wake(w, was);
  idle_.give_back();
  // Whoever has pushed something meanwhile saw somebody search, and that was this claim.
  if (work_visible()) work_is_visible();
  return true;
}

/// For who has cleared the flag of `w`, which was `was`. False: the system gives no thread for it.
bool pool::wake(worker& w, std::uint32_t was) noexcept {
  if (worker* self = current()) self->stats.wakes.add();
  if (was == flag::dozing) {
    outside_.with([&w](outside& o) {
      real_atomics::fence_full();  // pairs with the one in nap_outside: it sees the flag, or we that it naps
      if (w.naps_outside.load(std::memory_order_relaxed)) o.interrupt();
    });
    platform::unpark(w.asleep, 1);
    return true;
  }
  if (start_thread(w)) return true;
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  return false;
}

/// For the thread of `w`, which was started by a claim and ends at once.
void pool::started_in_vain(worker& w) noexcept {
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  free_frame_of(w);
}

/// Somebody else may have delivered a frame to the worker that is gone: others run it.
void pool::free_frame_of(worker& gone) noexcept {
  real_atomics::fence_full();  // pairs with the one in deliver: it sees `gone`, or we see the frame
  if (detail::frame* f = gone.take_returning()) send(f);
}

}  // namespace kasuri::sched

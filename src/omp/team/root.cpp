// SPDX-License-Identifier: Apache-2.0
#include "omp/team/root.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "omp/env/environment.hpp"
#include "omp/memory/threadprivate.hpp"
#include "omp/place/places.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/tool/active.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/settings/settings.hpp"
#include "platform/settings/settings_table.hpp"
#include "platform/thread/mutex.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/pool/pool.hpp"
#include "sched/life/lifetime.hpp"

namespace kasuri::omp {
namespace {

// Initial-exec: the library is there from the start of the process, or small enough for the
// reserve.
[[gnu::tls_model("initial-exec")]] thread_local constinit root* root_of_thread = nullptr;

pthread_key_t key;
bool has_key = false;
std::atomic<int> roots_with_regions{0};
// Guards a root's first way into the pool, and the end of the threads: the thread that ends them
// sees the root that comes in, or that root finds a pool that starts.
constinit platform::mutex way_in;

/// Its OS thread has ended, and its last region too.
void end_record(root& r) noexcept {
  for (context::identity* i : r.identities)
    if (i != nullptr) context::give_identity(i);
  if (r.workers == nullptr) return free_root(r);
  r.workers->retire(r);
  docks::release();
}

/// The OS thread looks at the root no more: it ends, or has another. The last one out frees it.
void leave_to_region(root& r) noexcept {
  if (r.hold.leave()) end_record(r);
}

/// At the end of the OS thread. Regions of tasks that have left it may still hold its roots.
void end_root(void* arg) noexcept {
  auto* r = static_cast<root*>(arg);
  if (tool::active()) [[unlikely]]
    tool::end_root(*r);
  if (r->guest != nullptr && r->pool == &sched::pool::get()) {
    [[maybe_unused]] const int before = roots_with_regions.fetch_sub(1, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, before > 0, "%d roots have regions, and one ends", before);
    r->pool->give_worker_back(*r->guest);
  }
  root_of_thread = nullptr;
  while (r != nullptr) {
    root* const next = r->next_spare;
    leave_to_region(*r);
    r = next;
  }
}

void forget_pool(root& r) noexcept {
  r.pool = nullptr;
  r.guest = nullptr;
}

/// The child has one thread: its root's worker, docks and the donors belonged to the parent.
void after_fork_in_child() noexcept {
  context::unlock_identities();
  context::forget_identities();
  docks::release();
  roots_with_regions.store(0, std::memory_order_relaxed);
  std::construct_at(&way_in);  // the thread that held it is gone
  root* const r = root_of_thread;
  if (r == nullptr) return;
  r->left_in_region = r->inside;
  if (!r->inside) forget_pool(*r);
  r->workers = nullptr;
  std::ranges::fill(r->identities,
                    nullptr);  // a region that goes on has room for its members' there
}

// Members have for their stack, when nobody says otherwise, as much as the system gives new
// threads, which follows ulimit -s, as with both compilers' runtimes. Memory is used as far as it
// is touched.
constexpr std::uint64_t least_default_stack = std::uint64_t{4} << 20;
// Under ulimit -v one stack takes this part of it, if that is not less than the least.
constexpr std::uint64_t stacks_of_limit = 16;
constexpr std::uint64_t largest_stack = std::uint64_t{1} << 30;

/// OMP_STACKSIZE goes before KASURI_STACK_SIZE, and that before our default.
void set_stacks() {
  if (sched::pool_runs()) return;  // started by fork-join code, whose settings hold
  std::uint64_t bytes = stack_size();
  if (bytes > largest_stack)
    platform::warn("OMP_STACKSIZE: %llu bytes are more than the 1G that is accepted; using 1G",
                   static_cast<unsigned long long>(bytes));
  bytes = std::min(bytes, largest_stack);
  const platform::settings& now = platform::current_settings();
  const bool given = platform::origin_of(now, *platform::find_setting("KASURI_STACK_SIZE")) !=
                     platform::setting_origin::default_value;
  if (bytes == 0 && given) return;
  if (bytes == 0) {
    const std::uint64_t allowed = std::max<std::uint64_t>(
        platform::address_space_limit() / stacks_of_limit, least_default_stack);
    bytes = std::clamp<std::uint64_t>(platform::stack_of_new_threads(), least_default_stack,
                                      std::min(allowed, largest_stack));
  }
  platform::override_stack_size(bytes);
}

root* new_root() noexcept {
  auto* const r = new root;
  r->outside = make_outside_team(*r);
  r->initial.places = initial_partition();
  return r;
}

[[gnu::noinline]] root& make_root() noexcept {
  prepare_process();
  root* const r = new_root();
  root_of_thread = r;
  if (has_key) pthread_setspecific(key, r);
  if (tool::active()) [[unlikely]]
    tool::begin_root(*r);
  return *r;
}

/// A spare root of the thread whose own is r that no region holds.
root& spare_of(root& r) noexcept {
  for (root* s = r.next_spare; s != nullptr; s = s->next_spare)
    if (!s->hold.held()) return *s;
  root* const s = new_root();
  s->is_spare = true;
  s->next_spare = std::exchange(r.next_spare, s);
  if (tool::active()) [[unlikely]]
    tool::begin_root(*s);
  return *s;
}

/// The thread is outside the pool, and a region holds its root: of a task that has begun there and
/// goes on elsewhere. The thread gets another one, which is what that was.
[[gnu::noinline]] root& replace_root(root& old) noexcept {
  KASURI_EXPECT(cheap, root_of_thread == &old && !old.inside && old.now == &old.initial,
                "root %p is replaced on the thread of %p, inside %d", static_cast<void*>(&old),
                static_cast<void*>(root_of_thread), old.inside);
  root* const r = new_root();
  own_values(r->initial.implicit) = *old.initial.implicit.values;
  r->pool = std::exchange(old.pool, nullptr);
  r->guest = std::exchange(old.guest, nullptr);
  r->bound_to = old.bound_to;
  r->next_spare = std::exchange(old.next_spare, nullptr);
  root_of_thread = r;
  if (has_key) pthread_setspecific(key, r);
  if (tool::active()) [[unlikely]]
    tool::change_root(old, *r);
  leave_to_region(old);
  return *r;
}

/// Which task the worker runs, and since which suspension: another value for another.
std::uint64_t turn_of(const sched::worker& w) noexcept {
  return w.stats.tasks.get() + w.stats.suspends.get() + w.stats.resumes.get();
}

/// Whether a task may have the thread's own root: not while the thread itself is in a region of
/// one, which it goes on with when the task may still be in its own.
bool may_be_lent(const root& r) noexcept { return !r.hold.held() && r.now == &r.initial; }

/// A region holds the root that the thread whose own is r has chosen, or it is a spare one.
[[gnu::noinline]] root& choose_root(root& r) noexcept {
  KASURI_EXPECT(cheap, !r.is_spare && root_of_thread == &r,
                "root %p, spare %d, chooses on the thread of %p", static_cast<void*>(&r),
                r.is_spare, static_cast<void*>(root_of_thread));
  const sched::worker& w = *sched::current();
  const root::choice now{&w, turn_of(w)};
  if (r.chosen != &r && r.chosen_at == now && !r.chosen->hold.held()) return *r.chosen;
  r.chosen_at = now;
  if (may_be_lent(r)) return *(r.chosen = &r);
  root& s = spare_of(r);
  own_values(s.initial.implicit) = *r.initial.implicit.values;
  return *(r.chosen = &s);
}

/// The root of the task that the thread whose own is r runs as a worker, outside all regions.
root& root_of_task(root& r) noexcept {
  return r.chosen == &r && may_be_lent(r) ? r : choose_root(r);
}

/// The root of the thread whose own that is, and which is no worker.
root& root_outside(root& r) noexcept { return r.hold.held() ? replace_root(r) : r; }

/// For self, which has no stack frame by that.
[[gnu::noinline]] member& find_self() noexcept {
  root& r = this_root();
  return *(sched::current() == nullptr ? root_outside(r) : root_of_task(r)).now;
}

}  // namespace

void prepare_process() noexcept {
  static const bool once = [] {
    set_stacks();
    if (places().size() != 0) platform::set_cpus_of_new_threads(environment().cpus);
    has_key = pthread_key_create(&key, end_root) == 0;
    pthread_atfork(context::lock_identities, context::unlock_identities, after_fork_in_child);
    return true;
  }();
  static_cast<void>(once);
}

void free_root(root& r) noexcept {
  KASURI_EXPECT(cheap, r.outside->size == 1 && r.outside->members[0] == &r.initial,
                "the outside team of a root has %d members", r.outside->size);
  free_team(r.outside);
  delete &r;
}

root& this_root() noexcept {
  root* const r = root_of_thread;
  return r != nullptr ? *r : make_root();
}

root* known_root() noexcept { return root_of_thread; }

bool crowd_of_roots() noexcept {
  return roots_with_regions.load(std::memory_order_relaxed) > sched::pool::get().configured();
}

bool several_roots() noexcept { return roots_with_regions.load(std::memory_order_relaxed) > 1; }

void give_root_back(root& r) noexcept {
  if (r.hold.give()) end_record(r);
}

member& self() noexcept {
  const sched::worker* const w = sched::current();
  if (w != nullptr) {
    if (w->client == nullptr) [[unlikely]]
      return find_self();
    return *static_cast<member*>(w->client);
  }
  const root* const r = root_of_thread;
  if (r == nullptr || r->hold.held()) [[unlikely]]
    return find_self();
  return *r->now;
}

member* known_self() noexcept {
  const sched::worker* const w = sched::current();
  if (w != nullptr && w->client != nullptr) return static_cast<member*>(w->client);
  return root_of_thread != nullptr ? &find_self() : nullptr;
}

bool enter_pool(root& r, bool may_bring_token) {
  if (sched::current() != nullptr) return false;
  if (r.pool != &sched::pool::get()) [[unlikely]] {
    const std::lock_guard hold(way_in);
    r.pool = &sched::pool::get();
    r.guest = &r.pool->borrow_worker();
    roots_with_regions.fetch_add(1, std::memory_order_relaxed);
  }
  KASURI_EXPECT(cheap, !r.inside && r.guest != nullptr,
                "root %p enters the pool as worker %p, inside %d", static_cast<void*>(&r),
                static_cast<void*>(r.guest), r.inside);
  using sched::pool;
  r.pool->admit(*r.guest, may_bring_token ? pool::no_token::brings_one : pool::no_token::waits);
  r.guest->bound_to = r.bound_to;
  r.inside = true;
  return true;
}

void leave_pool(root& r, int docked) noexcept {
  KASURI_EXPECT(cheap, r.inside && r.guest == sched::current(),
                "root %p leaves the pool as worker %p on worker %p, inside %d",
                static_cast<void*>(&r), static_cast<void*>(r.guest),
                static_cast<void*>(sched::current()), r.inside);
  KASURI_EXPECT(cheap, docked >= 0, "%d workers are docked", docked);
  r.inside = false;
  r.bound_to = r.guest->bound_to;
  r.pool->dismiss(*r.guest, crowd_of_roots() ? sched::pool::all_are_quiet : docked);
  // A region that began in the parent of a fork has ended: the next one enters the child's own
  // pool.
  if (std::exchange(r.left_in_region, false)) [[unlikely]]
    forget_pool(r);
}

void expect_tasks_of_one() noexcept {
  member* const m = known_self();
  if (m == nullptr || m->in->nest.level == 0) return;
  const tool::set_up seen(*m);
  if (!enter_pool(*m->of, false)) return;
  KASURI_EXPECT(cheap,
                m->in->size == 1 && !m->in->primary.entered && sched::current()->client == nullptr,
                "a team of %d, entered %d, client %p", m->in->size, m->in->primary.entered,
                sched::current()->client);
  m->in->primary.entered = true;
  m->in->primary.holds_root = true;
  m->of->hold.take();
  sched::current()->client = m;
}

bool end_threads(root& r) noexcept {
  if (sched::current() != nullptr) return false;  // fork-join code is below the caller
  const std::lock_guard hold(way_in);
  if (roots_with_regions.load(std::memory_order_relaxed) > (r.pool != nullptr ? 1 : 0))
    return false;
  if (!sched::end_threads()) return false;
  KASURI_EXPECT(cheap, r.now == &r.initial && !r.inside, "threads end while root %p is in a region",
                static_cast<void*>(&r));
  for (context::identity*& i : r.identities)
    if (i != nullptr) context::end_identity(std::exchange(i, nullptr));
  if (r.pool != nullptr) r.pool->give_identities_back();
  context::end_free_identities();
  drop_private_copies();
  return true;
}

}  // namespace kasuri::omp

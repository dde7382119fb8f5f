// SPDX-License-Identifier: Apache-2.0
// Parallel regions: the threads that run the members, and how the region ends.
//
//   member 0            the thread that met the construct, on the stack it has
//   1 .. docked         workers at their docks (dock.hpp): only in the outermost regions of the
//                       root that has them
//   the others          frames on the primary's deque. A worker that takes one runs the member on
//                       its loop's stack, with thread-locals of its own (context/identity.hpp).
//                       Frames that nobody has taken when the primary is done run one after the
//                       other, a plain call each, on a stack of their own: the primary may have
//                       used up its stack (sched/run/own_stack.hpp).
//
// The end of the region is its last barrier. Docked members write `finished`, frames count. A
// member that has finished runs what tasks there are and goes; if tasks come up later, the member
// that queues them sends for it again (send_for_helper). So the primary alone must stay until all
// have ended and no task is left.

#include "omp/region/region.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kasuri/detail/join.hpp"
#include "omp/env/environment.hpp"
#include "omp/place/places.hpp"
#include "omp/region/affinity_format.hpp"
#include "omp/region/member_identity.hpp"
#include "omp/region/region_member.hpp"
#include "omp/run/at_rest.hpp"
#include "omp/run/tasks.hpp"
#include "omp/run/wait.hpp"
#include "omp/team/helper.hpp"
#include "omp/team/icv_access.hpp"
#include "omp/team/member_place.hpp"
#include "omp/team/root.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"
#include "platform/process/loaded_objects.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/own_stack.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/fresh_stack.hpp"
#include "sched/worker/identity.hpp"

namespace kasuri::omp {
namespace {

detail::suspended* run_frame(detail::frame* f);

member& member_of(detail::frame* f) noexcept { return *static_cast<member_frame*>(f)->of; }

// ---- teams ------------------------------------------------------------------------------------

/// A team of n members for the region that m has met: one that it had before, if there is one.
team& team_for(member& m, int n) {
  team** link = &m.inner;
  while (*link != nullptr && (*link)->size != n) link = &(*link)->next;
  team* t = *link;
  if (t == nullptr)
    t = make_team(*m.of, n, member_kind);
  else
    *link = t->next;
  KASURI_EXPECT(cheap, t->size == n && t->frames.helpers.load(std::memory_order_relaxed) == 0,
                "a team of %d for %d members, %u helpers run in it", t->size, n,
                t->frames.helpers.load(std::memory_order_relaxed));
  t->next = m.inner;
  m.inner = t;
  return *t;
}

/// After a region that was cancelled the members may stand at different barriers.
void line_up(team& t) noexcept {
  std::uint64_t last = std::max(t.barriers.ended.load(std::memory_order_relaxed),
                                t.barriers.draining.load(std::memory_order_relaxed));
  for (int i = 0; i != t.size; ++i)
    last = std::max(last, t.members[i]->arrived.load(std::memory_order_relaxed) >> 1);
  for (int i = 0; i != t.size; ++i)
    t.members[i]->arrived.store(last << 1, std::memory_order_relaxed);
  t.barriers.ended.store(last, std::memory_order_relaxed);
  t.barriers.arrivals.store(0, std::memory_order_relaxed);
  t.cancelled.store(0, std::memory_order_relaxed);
}

/// proc-bind of the region: the clause goes before bind-var, unless that is false.
proc_bind binding(const icvs& values, proc_bind clause) noexcept {
  return clause == proc_bind::unset || values.bind == proc_bind::off ? values.bind : clause;
}

/// num_threads(a, b, ...): what is behind a holds for the regions in this one.
void take_threads_list(team& t, std::vector<int>& list) noexcept {
  t.inherited.threads_list = std::move(list);
  list.clear();
  t.inherited.values.nthreads_list = &t.inherited.threads_list;
  t.inherited.values.nthreads_level = 1;
}

void set_up(team& t, member& m, const region_code& code, const region_clauses& clauses) noexcept {
  const team& outer = *m.in;
  t.code = code;
  t.parent = &m;
  t.outer = m.in;
  t.nest.level = outer.nest.level + 1;
  t.nest.target = outer.nest.target;
  t.contention.busy = outer.contention.busy;
  t.nest.active = outer.nest.active + (t.size > 1 ? 1 : 0);
  t.affinity.bind = binding(*m.current->values, clauses.bind);
  t.league = outer.league;
  t.inherited.values = *m.current->values;
  if (clauses.threads_list != nullptr) [[unlikely]]
    take_threads_list(t, *clauses.threads_list);
  next_level(t.inherited.values);
  t.affinity.displayed = display_affinity() && affinity_display_due(m, t);
  t.has_tasks.store(false, std::memory_order_relaxed);
  const bool whole = t.cancelled.load(std::memory_order_relaxed) == 0;
  KASURI_EXPECT(cheap, !whole || t.barriers.arrivals.load(std::memory_order_relaxed) == 0,
                "%lu arrivals before the region of %d",
                t.barriers.arrivals.load(std::memory_order_relaxed), t.size);
  if (!whole) [[unlikely]]
    line_up(t);
  t.set_docked(0);
  t.on_threads = false;
  t.frames.count = 0;
  KASURI_EXPECT(cheap, t.frames.running.all_ended(), "%ld frames of the last region run",
                t.frames.running.left());
  t.frames.running.begin_anew();
  t.shares.begin_region(t.members[0]->work, whole);
  t.region.store(t.region.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// ---- members ----------------------------------------------------------------------------------

/// Gives the member its place.
void go_to_place(member& m) noexcept {
  const team& t = *m.in;
  m.places = place_of(m.number, t.size, t.affinity.bind, t.parent->places);
  bind_thread_of(m);
}

/// KMP_AFFINITY=reset: outside regions the program's thread may run anywhere.
void free_primary(root& r) noexcept {
  sched::worker* const w = sched::current();
  int& bound = w != nullptr ? w->bound_to : r.bound_to;
  if (bound >= 0 && bind_os_thread(-1)) bound = -1;
}

/// The implicit task of m in the region that begins.
void begin_implicit_task(member& m) noexcept {
  const team& t = *m.in;
  task& i = m.implicit;
  KASURI_EXPECT(cheap, m.number < t.size && t.members[m.number] == &m, "member %d of %d", m.number,
                t.size);
  KASURI_EXPECT(cheap, m.current == &i && i.children.all_ended(),
                "member %d begins a region in a task at depth %u, with %ld children", m.number,
                m.current->depth, i.children.left());
  KASURI_EXPECT(cheap, i.own_values == nullptr && !i.ended,
                "the implicit task of member %d has values of its own, ended %d", m.number,
                i.ended);
  i.parent = t.parent->current;
  i.values = &t.inherited.values;
  i.depth = i.parent->depth + 1;
  i.children.begin_anew();
  i.group = nullptr;
  m.current = &i;
  if (t.parent->places.count != 0) [[unlikely]]
    go_to_place(m);
  if (t.mail != nullptr) [[unlikely]]
    settle_on_node(m);
  if (t.affinity.displayed) [[unlikely]]
    display_affinity_of(m);
  m.work.begin_region(t.shares);
  if (tool::active()) [[unlikely]]
    tool::begin_implicit(m);
}

void give_identity_back(context::identity* i, sched::worker& w) noexcept {
  if (i != nullptr) w.identities.put(*i);
}

/// Whether inner members that run to their end where the region ends pass on what they wear: no
/// tasks were created that they might come back for. There are no barriers in such a region, for
/// the primary has met them all. Not where each has got its own before: under a race detector they
/// would be one thread to it.
bool pass_identities_on(const team& t) noexcept {
  return !keeps_identities(t) && !t.has_tasks.load(std::memory_order_relaxed) &&
         !t.frames.have_identities;
}

/// Whether all members that are frames have thread-locals before they start. Under a race detector,
/// because to make some starts a thread, and what its starter did before, as the primary's part of
/// the region, would count as ordered before the member. And where the size of the team followed
/// from what could be had.
bool needs_identities_before(const member& m) noexcept {
  return platform::race_detector_runs() || m.current->values->dynamic;
}

/// The calling worker while it runs members one after the other on top of what runs there.
class members_on_top {
 public:
  members_on_top() noexcept
      : client_(sched::current()->client),
        scope_(sched::current()->face.current),
        worn_(sched::current()->wears) {}
  members_on_top(const members_on_top&) = delete;
  members_on_top& operator=(const members_on_top&) = delete;

  ~members_on_top() {
    sched::worker& w = *sched::current();
    w.client = client_;
    w.face.current = scope_;
    undress(w);
    give_identity_back(passed_on_, w);
  }

  void run(member& m) {
    dress(m);
    if (m.helps)
      run_tasks_left(m);
    else
      run_member(m);
    sched::refresh_stack(*sched::current());
  }

  /// Before anybody may send for the member that has just run: what it wears must not be on two
  /// workers, so it is taken off; or the member comes back without it, and the next one takes it
  /// over as it is.
  void release(member& m) noexcept {
    KASURI_EXPECT(cheap, dressed_ && sched::current()->client == &m,
                  "member %d has run, and the worker is %p's", m.number, sched::current()->client);
    if (pass_identities_on(*m.in)) {
      passed_on_ = std::exchange(m.identity, nullptr);
    } else {
      undress(*sched::current());
      dressed_ = false;
    }
  }

 private:
  void dress(member& m) {
    sched::worker& w = *sched::current();
    if (m.identity == nullptr && !keeps_identities(*m.in))
      m.identity = std::exchange(passed_on_, nullptr);
    context::identity& mine = identity_for(m, w);
    KASURI_EXPECT(cheap, m.number > m.in->docked(), "member %d is a frame, %d are docked", m.number,
                  m.in->docked());
    if (!dressed_ || w.wears != &mine) sched::put_on(w, mine);
    dressed_ = true;
    sched::refresh_stack(w);
    w.client = &m;
    w.face.current = nullptr;  // wherever it runs
  }

  void undress(sched::worker& w) noexcept {
    if (dressed_) sched::wear_again(w, worn_);
  }

  void* client_;
  detail::scope* scope_;
  context::identity* worn_;
  bool dressed_ = false;
  // Free, but for the worker that still wears it: not in any list, where others would find it.
  context::identity* passed_on_ = nullptr;
};

detail::suspended* run_frame(detail::frame* f) {
  member& m = member_of(f);
  team& t = *m.in;
  const bool helped = m.helps;
  KASURI_EXPECT(cheap, m.engaged.load(std::memory_order_relaxed),
                "member %d runs and is not engaged, helps %d", m.number, helped);
  KASURI_EXPECT(cheap,
                helped ? t.frames.helpers.load(std::memory_order_relaxed) != 0
                       : !t.frames.running.all_ended(),
                "member %d runs and is not counted, helps %d", m.number, helped);
  members_on_top{}.run(m);
  m.helps = false;
  // release: pairs with the acquire in send_for_helper, for the frame and `helps`
  m.engaged.store(false, std::memory_order_release);
  bool last;  // does not matter: the primary does not give the count up
  notify(&t, helped ? sched::in_order::subtract(t.frames.helpers, 1)
                    : t.frames.running.end_elsewhere_by<sched::in_order>(1, last));
  return nullptr;
}

// ---- the thread limit -------------------------------------------------------------------------

bool limited(const icvs& v) noexcept { return v.thread_limit != std::numeric_limits<int>::max(); }

/// Members of the contention group's regions, where there is a limit to them.
void count_busy(team& t, int more) noexcept {
  if (!limited(t.inherited.values)) [[likely]]
    return;
  [[maybe_unused]] const int before = t.contention.busy->fetch_add(more, std::memory_order_relaxed);
  KASURI_EXPECT(cheap, before + more >= 1, "%d members of a contention group, %d more", before,
                more);
}

// ---- begin and end ------------------------------------------------------------------------------

/// Posts the first members to the docks. They run from that moment on.
void post_members(team& t, root& r) {
  if (r.is_spare) return;
  if (r.workers == nullptr) r.workers = docks::claim(sched::pool::get(), dock_kind);
  if (r.workers == nullptr) return;
  const int most = std::min(t.size - 1, r.workers->count());
  t.on_threads = most == t.size - 1;
  int posted = 0;
  KASURI_EXPECT(cheap, most >= 0 && t.members[0]->of == &r, "%d docks for a team of %d", most,
                t.size);
  while (posted != most && r.workers->post(posted + 1, t)) ++posted;
  t.set_docked(posted);
}

/// The workers to which the members that are frames are offered.
sched::offer offer_of(team& t) noexcept {
  if (t.timing.together) return sched::offer::everybody;
  return t.timing.estimates.of(t.code.function, t.nest.level == 1 && crowd_of_roots());
}

void start_members(team& t, member& m) {
  // First of all: a member that is not engaged may be sent for as a helper by one that runs.
  for (int i = 1; i != t.size; ++i)
    if (!t.members[i]->engaged.load(std::memory_order_relaxed))
      t.members[i]->engaged.store(true, std::memory_order_relaxed);
  platform::happens_before(&t);
  if (seen_codes.is_new(t.code.function)) [[unlikely]]
    platform::notice_libraries();
  if (t.nest.level == 1) post_members(t, *m.of);
  t.frames.count = static_cast<std::uint32_t>(t.size - 1 - t.docked());
  t.timing.began = t.nest.level == 1 && several_roots() ? platform::ticks() : 0;
  if (t.frames.count == 0) return;
  t.frames.running.start_here(t.frames.count);
  t.frames.have_identities = needs_identities_before(m);
  if (t.frames.have_identities) [[unlikely]]
    give_identities(t);
  sched::monitor::get().all_must_start();
  sched::worker& w = *sched::current();
  t.timing.offered_before = std::exchange(w.offers, offer_of(t));
  const bool quiet = w.offers != sched::offer::everybody;
  t.timing.began = platform::ticks();
  if (w.offers == sched::offer::nobody)
    w.asked_since.store(t.timing.began + region_estimates::left_alone(), std::memory_order_relaxed);
  for (int i = t.size - 1; i > t.docked(); --i) push_frame(*t.members[i]);
  if (quiet) sched::monitor::get().look_out();
}

/// Takes the newest frame of the calling worker if it is a member of the team that has not begun.
/// Code below on this stack may have forked: its frames stay where they are, for it pops them by
/// name.
member* take_member(const team& t) noexcept {
  sched::worker& w = *sched::current();
  if (w.queue.newest_is_structured()) return nullptr;
  detail::frame* f = w.queue.pop();
  if (f == nullptr) return nullptr;
  KASURI_EXPECT(
      cheap, f->type != &member_kind || member_of(f).engaged.load(std::memory_order_relaxed),
      "member %d of %d is queued and not engaged", member_of(f).number, member_of(f).in->size);
  if (f->type == &member_kind && member_of(f).in == &t) return &member_of(f);
  detail::spawn_detached(&w.face, f);
  return nullptr;
}

struct all_ended {
  const team& t;
  bool operator()() const noexcept {
    if (!t.frames.running.all_ended()) return false;
    const std::uint64_t number = t.region.load(std::memory_order_relaxed);
    for (int i = 1; i <= t.docked(); ++i)
      // acquire: pairs with the store at the dock
      if (t.members[i]->finished.load(std::memory_order_acquire) != number) return false;
    // acquire: pairs with the fetch_sub in run_frame
    return !tasks_left(t) && t.frames.helpers.load(std::memory_order_acquire) == 0;
  }
};

/// Thieves that wait are answered between two members: else they would help themselves, which costs
/// both some microseconds (deque::rescue). In a region that was thought to be short, once it has
/// proved long.
void answer_thieves(team& t) noexcept {
  sched::worker& w = *sched::current();
  if (!w.queue.asked()) return;
  if (w.offers == sched::offer::nobody) {
    constexpr std::int64_t members_between_looks_at_the_clock = 4;
    if (t.frames.running.here() % members_between_looks_at_the_clock != 0 ||
        w.left_alone(platform::ticks()))
      return;
    w.offers = sched::offer::awake;
  }
  sched::answer_thieves(w);
  if (w.home->crowded(w)) sched::yield();  // another thread may have asked for this worker
}

/// Runs what nobody has taken, on a stack that is as large as promised and holds nothing else.
void run_members_left(void* arg) noexcept {
  team& t = *static_cast<team*>(arg);
  members_on_top here;
  for (; t.frames.running.left() != 0; answer_thieves(t)) {
    member* const m = take_member(t);
    if (m == nullptr) return;
    if (m->helps) {
      run_frame(&m->start);
      continue;
    }
    here.run(*m);
    here.release(*m);
    // release: pairs with the acquire in send_for_helper, for the frame
    m->engaged.store(false, std::memory_order_release);
    KASURI_EXPECT(cheap, t.frames.running.here() > 0, "%ld frames of %u are left, and one ends",
                  t.frames.running.here(), t.frames.count);
    t.frames.running.end_here();
  }
}

void wait_for_members(team& t, member& zero) {
  if (t.frames.count != 0 && !sched::current()->queue.empty())
    sched::call_on_own_stack(run_members_left, &t);
  wait_until(zero, &t, all_ended{t}, may_run::anything);
  check_at_rest(t);
  if (t.timing.began == 0) return;
  const std::uint64_t ticks = platform::ticks() - t.timing.began;
  // Members without frames are those of the docks: others ran them all.
  const bool helped = t.frames.count == 0 || t.frames.running.here() != 0;
  if (!t.timing.together) t.timing.estimates.took(t.code.function, helped ? 2 * ticks : ticks);
  if (t.frames.count != 0) sched::current()->offers = t.timing.offered_before;
}

// ---- regions of one ---------------------------------------------------------------------------
//
// They need no help, so their thread runs them as it is: no worker, and without a token, which it
// would have to wait for where the program has more threads than cores. In them it waits as any
// thread outside the pool does. It becomes a worker for the regions of several in them, and when it
// makes tasks, whose memory is the workers'.

/// The calling thread is the new region's primary from here on; until then it was who met the
/// construct.
void become_primary(team& t, member& zero) noexcept {
  sched::worker* const w = sched::current();
  t.primary.client_before = w != nullptr ? std::exchange(w->client, &zero) : nullptr;
  t.primary.holds_root = w != nullptr && t.primary.client_before == nullptr;
  KASURI_EXPECT(cheap, !t.primary.holds_root || !zero.of->hold.held(), "two regions hold root %p",
                static_cast<void*>(zero.of));
  if (t.primary.holds_root)
    zero.of->hold.take();
  else if (w == nullptr)
    zero.of->now = &zero;
}

/// Behind the region: it is who it was. True: a task that holds the root stays m until leave_root.
bool become_who_met(team& t, member& m) noexcept {
  sched::worker* const w = sched::current();
  const bool outermost = m.in->nest.level == 0;
  // The member is the OS thread's, and not that of a worker.
  if (t.primary.holds_root) sched::go_home();
  if (outermost && environment().affinity.reset) [[unlikely]]
    free_primary(*m.of);
  if (w == nullptr || t.primary.entered) {
    m.of->now = &m;
    m.of->chosen = m.of;  // fork-join code in it has had another
  }
  if (t.primary.entered) {
    sched::current()->client = nullptr;
    m.of->hold.give_here();
    leave_pool(*m.of, t.docked());
    return false;
  }
  if (w == nullptr) return false;
  sched::current()->client = t.primary.holds_root ? &m : t.primary.client_before;
  return t.primary.holds_root;
}

/// The last act of a region whose primary is a task: from here on others may use its root.
void leave_root(root& r) noexcept {
  sched::worker& w = *sched::current();
  KASURI_EXPECT(cheap, w.client == &r.initial && r.hold.held(),
                "the region of root %p ends, and the worker is %p's", static_cast<void*>(&r),
                w.client);
  w.client = nullptr;
  give_root_back(r);
}

bool may_bring_token(const region_code& code, team_start how) noexcept {
  return how != team_start::together && several_roots() && !long_regions.has(code.function);
}

/// `asked`: the threads that the program asks for; n: those it gets.
member& begin(member& m, int asked, int n, const region_code& code, const region_clauses& clauses,
              bool in_halves, team_start how = team_start::where_there_is_room) {
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                m.in->size);
  KASURI_EXPECT(cheap, n >= 1 && m.current->executor == &m, "member %d meets a region of %d",
                m.number, n);
  if (tool::active()) [[unlikely]]
    tool::meet_parallel(m);
  team& t = team_for(m, n);
  t.primary.entered = n > 1 && enter_pool(*m.of, may_bring_token(code, how));
  set_up(t, m, code, clauses);
  t.timing.together = how == team_start::together;
  member& zero = *t.members[0];
  if (t.nest.level == 1) m.of->make_room_for(t.size);
  count_busy(t, n - 1);
  if (tool::active()) [[unlikely]]
    tool::begin_parallel(t, m, asked, in_halves);
  // Before the members start: where the queue is full the task is suspended there.
  become_primary(t, zero);
  if (n > 1) start_members(t, m);
  begin_implicit_task(zero);
  return zero;
}

}  // namespace

constinit const detail::frame_type member_kind{run_frame, false, "OpenMP member"};

void run_tasks_left(member& m) noexcept {
  const team& t = *m.in;
  KASURI_EXPECT(cheap, m.current == &m.implicit, "member %d has finished in a task at depth %u",
                m.number, m.current->depth);
  for (;;) {
    while (t.has_tasks.load(std::memory_order_relaxed) && run_one_task(m, may_run::anything)) {
    }
    if (!ask_for_tasks(m)) return;
    sched::yield();
  }
}

void run_member(member& m) noexcept {
  const team& t = *m.in;
  platform::happens_after(&t);
  begin_implicit_task(m);
  t.code.call(t.code, m);
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d comes back as another", m.number, t.size);
  if (tool::active()) [[unlikely]]
    tool::reach_last_barrier(m);
  run_tasks_left(m);
  end_implicit_task(m);
  release_values(m.implicit);
  platform::happens_before(&t.frames.helpers);
}

member& begin_region(const region_code& code, const region_clauses& clauses,
                     bool in_halves) noexcept {
  member& m = self();
  const int asked = clauses.threads > 0 ? clauses.threads : m.current->values->nthreads;
  return begin(m, clauses.parallel ? asked : 1, members_of_region(m, clauses), code, clauses,
               in_halves);
}

member& begin_serial_region() noexcept {
  member& m = self();
  return begin(m, 1, 1, region_code{}, region_clauses{}, false);
}

void end_region() noexcept {
  member& zero = self();
  team& t = *zero.in;
  KASURI_EXPECT(cheap, zero.number == 0 && zero.current == &zero.implicit && t.parent != nullptr,
                "member %d ends the region at level %d, in a task at depth %u", zero.number,
                t.nest.level, zero.current->depth);
  if (tool::active()) [[unlikely]]
    tool::reach_last_barrier(zero);
  wait_for_members(t, zero);
  platform::happens_after(&t.frames.helpers);
  platform::happens_after(&t.tasks);
  if (tool::active()) [[unlikely]]
    tool::end_implicit(zero);
  if (t.size > 1 && !keeps_identities(t) &&
      !(t.frames.running.here() == 0 && pass_identities_on(t)))
    give_identities_back(t, *sched::current());
  t.has_tasks.store(false, std::memory_order_relaxed);
  count_busy(t, 1 - t.size);
  end_implicit_task(zero);
  release_values(zero.implicit);
  member& m = *t.parent;
  KASURI_EXPECT(cheap, m.in == t.outer && m.in->nest.level == t.nest.level - 1,
                "a region at level %d ends in one at %d", t.nest.level, m.in->nest.level);
  const bool gives_root = become_who_met(t, m);
  if (tool::active()) [[unlikely]]
    tool::end_parallel(t, m);
  if (gives_root) [[unlikely]]
    leave_root(*m.of);
}

void run_region(const region_code& code, const region_clauses& clauses) noexcept {
  member& zero = begin_region(code, clauses, false);
  code.call(code, zero);
  end_region();
}

void run_team(const region_code& code, int n, team_start how) noexcept {
  member& zero = begin(self(), n, n, code, region_clauses{}, false, how);
  code.call(code, zero);
  end_region();
}

int members_of_region(const member& m, const region_clauses& clauses) noexcept {
  const icvs& v = *m.current->values;
  if (!clauses.parallel || m.in->nest.active >= v.max_active_levels) return 1;
  int n = clauses.threads > 0 ? clauses.threads : v.nthreads;
  if (v.dynamic) n = std::min(n, sched::pool::get().configured());
  if (limited(v)) [[unlikely]]
    n = std::min(n, v.thread_limit - m.in->contention.busy->load(std::memory_order_relaxed) + 1);
  n = std::max(1, n);
  KASURI_EXPECT(cheap, m.in->contention.busy->load(std::memory_order_relaxed) >= 1,
                "%d members of the contention group",
                m.in->contention.busy->load(std::memory_order_relaxed));
  return v.dynamic ? members_that_can_be(m, n) : n;
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/measured.hpp"

#include <algorithm>
#include <utility>

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/worker/measured_state.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

namespace {

std::uint64_t between_forks() noexcept {
  constexpr double longest_us = 0.2;
  static const std::uint64_t ticks = platform::ticks_of_us(longest_us);
  return ticks;
}

}  // namespace

void measured::go_on(std::uint64_t now) noexcept {
  since = profile::here().clock().begin(now);
  runs = true;
}

void measured::pause(std::uint64_t now) noexcept {
  if (!runs) return;  // all workers share short_task, which nobody may write
  runs = false;
  profile::thread& here = profile::here();
  const std::uint64_t ran =
      leaf ? here.clock().ran(since, now, side.expected) : here.clock().ran(since, now);
  const std::uint64_t ticks = ran > ticks_of_event() ? ran - ticks_of_event() : 1;
  here.add_work(side.where, ticks);
  if (leaf) {
    leaf_ticks += ticks;
    return;
  }
  if (side.fork_ticks != 0 && ticks < between_forks()) return;
  path.add(side.where, ticks);
  chain.add({ticks, ticks, 0});
}

void goes_on(worker& w) noexcept {
  const measured* const m = w.measures;
  w.queue.watch_pushes(m == nullptr || !m->leaf);
  const profile::site_id of_code = m == nullptr ? profile::site_id{0} : m->side.where;
  profile::here().runs(m == &short_task ? w.forks->short_site() : of_code);
}

void run_on(worker& w, measured* m) noexcept {
  w.measures = m;
  goes_on(w);
}

namespace {

// One part in so many of the time goes into samples of a level of sizes.
constexpr std::uint64_t between_samples = 128;
/// Sides of so much work have no leaves in a sample.
bool is_tiny(const fork_recorder& r, std::uint64_t work) noexcept { return work < r.tiny(); }

/// Whether samples are wanted of sides with a level less work. They are what samples of this
/// one's size are made of, so they come first.
bool wants_smaller(fork_recorder& r, site_sums& s, std::uint64_t work, std::uint64_t now) noexcept {
  return !is_tiny(r, work) && now >= s.next_sample_of(work >> site_sums::bits_of_level);
}

void begin_sample(worker& w, measured& m, std::uint64_t now) noexcept {
  const std::uint64_t expected = m.side.expected;
  const bool tiny = is_tiny(*w.forks, expected);
  m.side.sampled = m.side.begins_sample = true;
  m.side.least = tiny ? 0 : expected >> site_sums::bits_of_level;
  m.sample.began = now;
  m.sample.before = m.path;
  w.forks->sample_begins(now);
}

/// From here on it counts as a leaf that took what was expected.
void end_sample(worker& w, measured& m, site_sums& s, std::uint64_t now) noexcept {
  const fork_sums seen = m.chain.all();
  const std::uint64_t took = now - std::exchange(m.sample.began, 0);
  s.next_sample_of(m.side.expected) = now + between_samples * took;
  if (seen.work == 0 || w.forks->sample_is_long(now)) return;
  s.learn_shape(seen, m.side.expected);
  if (is_tiny(*w.forks, m.side.expected)) s.learn_forks(m.side.expected);
  if (seen.forks == 0) return;
  const std::uint64_t work = std::min(m.side.expected, took);
  const fork_sums whole = s.guess(work, work);
  m.path = m.sample.before;
  m.path.add(m.side.where, whole.span);
  m.path.add_burden(whole.work - whole.span);
  m.chain.clear();
  m.chain.add(whole);
}

void end_leaf(measured& m, site_sums& s) noexcept {
  const fork_sums whole = s.guess(m.leaf_ticks, m.side.expected);
  m.path.add(m.side.where, whole.span);
  m.path.add_burden(whole.work - whole.span);  // nobody would have stolen of it
  m.chain.add(whole);
  s.leaves.add();
  s.inner.add(whole.forks);
  s.leaf_ticks.add(whole.work);
  m.leaf = false;
}

}  // namespace

void enter_side(worker& w, measured& m, std::uint64_t expected, std::uint64_t now) noexcept {
  KASURI_EXPECT(cheap, !m.leaf && !m.runs, "a side begins in the leaf of site %u", m.side.where);
  m.side.expected = expected;
  m.side.last_site = 0;
  m.side.skipped = nullptr;
  m.side.descends = m.side.begins_sample = false;
  site_sums& s = w.forks->at(m.side.where);
  m.side.fork_ticks = s.fork_ticks;
  if (expected >= (m.side.sampled ? m.side.least : w.forks->shortest())) return;
  const bool may_sample = !m.side.sampled && m.sample.began == 0 && m.chain.all().work == 0;
  if (may_sample && wants_smaller(*w.forks, s, expected, now)) {
    m.side.descends = true;
  } else if (may_sample && now >= s.next_sample_of(expected)) {
    begin_sample(w, m, now);
  } else {
    m.leaf = true;
    m.leaf_ticks = 0;
  }
}

void end_side(worker& w, measured& m, std::uint64_t now) noexcept {
  m.pause(now);
  site_sums& s = w.forks->at(m.side.where);
  if (m.leaf) return end_leaf(m, s);
  if (m.side.begins_sample) return end_sample(w, m, s, now);
  // Nothing in it was worth a sample.
  if (m.side.descends && wants_smaller(*w.forks, s, m.side.expected, now))
    s.next_sample_of(m.side.expected >> site_sums::bits_of_level) =
        now + between_samples * m.chain.all().work;
}

namespace {

/// The code of a thread that called in, or of a task that is not measured for other reasons.
measured* begin_own_code(worker& w, std::uint64_t now) noexcept {
  measured* const m = w.forks->make_measured();
  if (m == nullptr) return nullptr;
  profile::outer_strand& outside = profile::outside();
  if (w.stats.role == record::worker_role::guest && w.face.stack == &w.native_stack &&
      !outside.away()) {
    m->outer = &outside;
    m->path = outside.leave(now);
  }
  run_on(w, m);
  return m;
}

/// Whether this fork is left in the code around it, because the one before it was short: then all
/// but a few are.
bool is_skipped(worker& w, measured& m, const detail::frame* f, profile::site_id site) noexcept {
  constexpr unsigned one_in = 16;
  if (m.side.last_site != site || m.side.sampled || m.side.last_work >= w.forks->shortest() / 8)
    return false;
  // Frames lie on the stack: this one is a fork within one that was left.
  if (f < m.side.skipped) return true;
  m.side.skipped = f;
  return !w.forks->is_turn(one_in);
}

fork_node* make_node(worker& w, const measured& m, detail::frame* f,
                     profile::site_id site) noexcept {
  fork_node* const n = w.forks->make_node();
  if (n == nullptr) return nullptr;
  n->type = f->type->hint == nullptr ? &fork_kind : &hinted_fork_kind;
  n->in = f->in;
  n->second = f;
  n->outer = m.open;
  n->site = site;
  n->path = m.path;
  n->around = m.side;
  return n;
}

void leave_long_sample(const worker& w, measured_side& side, std::uint64_t now) noexcept {
  if (side.sampled && w.forks->sample_is_long(now)) side.sampled = false;
}

/// The node goes into the slot, and the first side begins. False: a thief is about the frame.
bool expand(worker& w, measured& m, detail::worker_slot* at, detail::frame* f,
            profile::site_id site, std::uint64_t now) noexcept {
  const site_sums& s = w.forks->at(site);
  const std::uint64_t whole = m.side.last_site == site ? m.side.last_work : m.side.expected;
  const std::uint64_t first = s.expect_first(whole);
  fork_node* const n = make_node(w, m, f, site);
  if (n == nullptr) return false;
  if (whole != unknown_work) n->expected_second = whole - first;
  if (!w.queue.put_instead(at, f, n)) {
    w.forks->drop(n);
    return false;
  }
  n->open_join();
  n->before = std::exchange(m.chain, {});
  m.open = n;
  m.side.where = site;
  leave_long_sample(w, m.side, now);
  enter_side(w, m, first, now);
  if (!n->around.sampled) w.forks->expands(now);
  run_on(w, &m);
  return true;
}

}  // namespace

measured* code_of(worker& w, std::uint64_t now) noexcept {
  return w.measures != nullptr ? w.measures : begin_own_code(w, now);
}

void fork_pushed(worker& w, detail::worker_slot* at, detail::frame* f) noexcept {
  if (w.measures != nullptr && w.measures->leaf) return;
  const std::uint64_t now = platform::ticks();
  const profile::site_id site =
      w.forks->site_of(profile::site_kind::fork, reinterpret_cast<const void*>(f->type->run));
  site_sums& s = w.forks->at(site);
  measured* const m = code_of(w, now);
  if (m == nullptr) return;
  if (is_skipped(w, *m, f, site)) return s.skipped.add();
  m->pause(now);
  if (!expand(w, *m, at, f, site, now)) s.unmeasured.add();
  m->go_on(platform::ticks());
}

fork_node* open_fork(const worker& w, const detail::frame* f) noexcept {
  // The innermost of all: frames are joined in the reverse order of their pushes. An older one, if
  // forks in between are not measured.
  fork_node* n = w.measures == nullptr ? nullptr : w.measures->open;
  return n != nullptr && n->second == f ? n : nullptr;
}

void end_first_side(worker& w, fork_node& n) noexcept {
  measured& m = *w.measures;
  KASURI_EXPECT(cheap, m.open == &n, "the fork of %p is joined before %p",
                static_cast<void*>(n.second), static_cast<void*>(m.open));
  end_side(w, m, platform::ticks());
  w.queue.watch_pushes(true);
  n.first_work = m.chain.all().work;
}

namespace {

/// The second side as code of its own, on top of what runs.
measured* begin_second(worker& w, fork_node& n, std::uint64_t expected) noexcept {
  measured* const m = w.forks->make_measured();
  if (m == nullptr) return nullptr;
  m->around = w.measures;
  m->task = n.second;
  m->result = &n;
  m->path = n.path;
  m->path.add_burden(profile::hand_over_ticks());
  m->side.where = n.site;
  const std::uint64_t now = platform::ticks();
  m->side.sampled = n.around.sampled;
  m->side.least = n.around.least;
  leave_long_sample(w, m->side, now);
  enter_side(w, *m, expected, now);
  run_on(w, m);
  m->go_on(platform::ticks());
  return m;
}

/// Its code has ended, and nobody looks at what was measured any more.
void end_measured(worker& w, measured* m) noexcept {
  KASURI_EXPECT(cheap, w.measures == m, "worker %d measures %p, what ends is %p", w.index,
                static_cast<void*>(w.measures), static_cast<void*>(m));
  run_on(w, m->around);
  w.forks->drop(m);
}

detail::suspended* run_node(worker& w, fork_node& n, std::uint64_t expected) noexcept {
  detail::frame* const f = n.second;
  measured* const m = begin_second(w, n, expected);
  if (m == nullptr) goes_on(w);
  // frame_ends() is called before its end: the node may be gone then.
  detail::suspended* const next = f->type->run(f);
  if (m != nullptr) end_measured(*opaque(current()), m);
  return next;
}

/// A thief's.
detail::suspended* run_fork(detail::frame* f) {
  auto& n = *static_cast<fork_node*>(f);
  n.await_join();
  return run_node(*current(), n, n.expected_second);
}

detail::hint_view hint_of_fork(const detail::frame* f) {
  const detail::frame* const second = static_cast<const fork_node*>(f)->second;
  return second->type->hint(second);
}

}  // namespace

constinit const detail::frame_type fork_kind{run_fork, true, "parallel_invoke"};
constinit const detail::frame_type hinted_fork_kind{run_fork, true,    "parallel_invoke",
                                                    nullptr,  nullptr, hint_of_fork};

void run_second_side(worker& w, fork_node& n) noexcept {
  detail::scope* const around = w.face.current;
  const detail::suspended* const waiter =
      run_node(w, n, w.forks->at(n.site).expect_second(n.first_work));
  KASURI_EXPECT(cheap, waiter == nullptr, "%p waits for what its own code runs",
                static_cast<const void*>(waiter));
  opaque(current())->face.current = around;
}

namespace {

/// The code of a fork takes less time than it takes to look at the clock.
void add_fork_itself(worker& w, measured& m, const site_sums& s, profile::site_id site) noexcept {
  const std::uint64_t ticks = w.forks->whole_ticks(s.fork_ticks);
  m.path.add(site, ticks);
  m.chain.add({ticks, ticks, 0});
}

}  // namespace

void close_fork(worker& w, fork_node& n) noexcept {
  measured& m = *w.measures;
  site_sums& s = w.forks->at(n.site);
  const std::uint64_t second = n.second_chain.all().work;
  if (second != 0) {
    if (!n.around.sampled || n.around.least != 0) s.learn_share(n.first_work, second);
    s.count_size(second);
  }
  s.seen.add();
  n.end.add_burden(profile::hand_over_ticks());
  m.path.meet(n.end);
  fork_chain first = std::exchange(m.chain, std::move(n.before));
  m.chain.add_fork(std::move(first), std::move(n.second_chain), n.site);
  m.open = n.outer;
  m.side = n.around;
  if (s.fork_ticks != 0) add_fork_itself(w, m, s, n.site);
  m.side.last_site = n.site;
  m.side.last_work = n.first_work + second;
  w.forks->drop(&n);
  run_on(w, &m);
  m.go_on(platform::ticks());
}

void frame_ends(worker& w, const detail::frame* f) noexcept {
  measured* const m = w.measures;
  if (m == nullptr || m->task != f) return;
  end_side(w, *m, platform::ticks());
  if (fork_node* const n = m->result) {
    n->end = m->path;
    n->second_chain = std::move(m->chain);
  } else {
    tell(w, *m);
  }
}

void end_own_code(worker& w) noexcept {
  measured* const m = w.measures;
  if (m == nullptr) return;
  const std::uint64_t now = platform::ticks();
  end_side(w, *m, now);
  if (m->outer != nullptr) m->outer->come_back(m->path, now);
  program_tree::get().append(std::move(m->chain));
  end_measured(w, m);
}

measured_state leave_measured(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "what worker %d measures is left by worker %d", w.index,
                index_of_caller());
  measured* const m = w.measures;
  const measured_state s{m, m->runs};
  m->pause(platform::ticks());
  run_on(w, nullptr);
  return s;
}

void enter_measured(worker& w, measured_state s) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.measures == nullptr,
                "worker %d is to measure %p and measures %p, the caller is worker %d", w.index,
                static_cast<void*>(s.code), static_cast<void*>(w.measures), index_of_caller());
  run_on(w, s.code);
  if (s.ran) s.code->go_on(platform::ticks());
}

}  // namespace kasuri::sched

// SPDX-License-Identifier: Apache-2.0
// Tasks of groups, threads, and frames that were sent elsewhere.

#include <utility>

#include "kasuri/detail/scope.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/measure/scope_table.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

using profile::site_kind;

namespace {

profile::site_id site_of_task(worker& w, const detail::frame* f) noexcept {
  if (f->type->body == nullptr)
    return w.forks->site_of(f->type->lazy_join ? site_kind::fork : site_kind::group_task,
                            reinterpret_cast<const void*>(f->type->run));
  const bool thread = f->in != nullptr && f->in->as_thread != nullptr;
  return w.forks->site_of(thread ? site_kind::thread : site_kind::group_task,
                          reinterpret_cast<const void*>(f->type->body));
}

/// What its waiter knows it by.
const void* key_of(const detail::frame* f) noexcept {
  return f->type->body == nullptr ? static_cast<const void*>(f) : f->in;
}

/// Their waiters look at the frame before they come here.
bool is_future(const detail::frame_type& type) noexcept {
  return type.body == nullptr && !type.lazy_join;
}

/// Tasks that create others are no leaves: what they create is waited for by a group of their own.
std::uint64_t expected_task(const site_sums& s) noexcept {
  return s.mean_task == 0 || s.creates_tasks ? unknown_work
                                             : static_cast<std::uint64_t>(s.mean_task);
}

/// `f` as code of its own, on top of what runs. `creator`: the path to its creation; null: not
/// known, and its path is told from 0 on.
measured* begin_task(worker& w, const detail::frame* f, profile::site_id site,
                     const profile::path* creator) noexcept {
  measured* const m = w.forks->make_measured();
  if (m == nullptr) return nullptr;
  const std::uint64_t now = platform::ticks();
  m->interrupt(w.measures, now);
  m->task = f;
  m->key = key_of(f);
  m->side.where = site;
  if (creator != nullptr) {
    m->path = *creator;
    m->knows_creator = true;
  }
  enter_side(w, *m, expected_task(w.forks->at(m->side.where)), now);
  run_on(w, m);
  m->go_on(now);
  return m;
}

/// It is told. The code around it goes on.
void end_task(worker& w, measured* m) noexcept {
  KASURI_EXPECT(cheap, w.measures == m, "worker %d measures %p, what ends is %p", w.index,
                static_cast<void*>(w.measures), static_cast<void*>(m));
  run_on(w, m->around);
  if (m->around_ran) m->around->go_on(platform::ticks());
  w.forks->drop(m);
}

}  // namespace

void tell(worker& w, measured& m) noexcept {
  site_sums& s = w.forks->at(m.side.where);
  const std::uint64_t work = m.chain.all().work;
  m.path.add_burden(2 * profile::hand_over_ticks());
  scope_table& all = scope_table::get();
  const bool told =
      !all.empty() && all.ended(m.key, m.path, m.knows_creator, m.chain, m.side.where);
  if (told && is_future(*m.task->type)) all.may_go(m.key);
  // A side of a fork that nobody tells of was counted where it was pushed.
  if (told || !m.task->type->lazy_join) s.seen.add();
  s.learn_task(work);
  s.count_size(work);
  if (!told) program_tree::get().add_beside(m.chain.all());
}

namespace {

void run_body(worker& w, detail::frame* f, const profile::path* creator) noexcept {
  const profile::site_id site = site_of_task(w, f);
  if (run_short(w, f, site)) return;
  measured* const m = begin_task(w, f, site, creator);
  if (m == nullptr) goes_on(w);
  f->type->body(f);
  if (m == nullptr) return;
  worker& after = *opaque(current());
  end_side(after, *m, platform::ticks());
  tell(after, *m);
  end_task(after, m);
}

detail::suspended* run_task(worker& w, detail::frame* f, const profile::path* creator) noexcept {
  const detail::frame_type& type = *f->type;
  if (type.body != nullptr) {
    run_body(w, f, creator);
    return type.end(f, false);
  }
  const bool on_top = w.measures != nullptr;
  measured* m = nullptr;
  if (type.lazy_join || scope_table::get().has(f))
    m = begin_task(w, f, site_of_task(w, f), nullptr);
  if (m == nullptr) goes_on(w);
  detail::suspended* const next = type.run(f);
  worker& after = *opaque(current());
  if (m != nullptr)
    end_task(after, m);
  else if (!on_top)
    end_own_code(after);  // if what is measured of it began on the way
  return next;
}

detail::suspended* run_node(detail::frame* f) {
  auto& n = *static_cast<task_node*>(f);
  // acquire: pairs with the release in task_pushed
  for (unsigned i = 0; !n.ready.load(std::memory_order_acquire); ++i)
    detail::real_atomics::backoff(i);
  detail::frame* const task = n.task;
  const profile::path creator = n.path;
  worker& w = *current();
  w.forks->drop(&n);
  return run_task(w, task, &creator);
}

detail::hint_view hint_of_node(const detail::frame* f) {
  const detail::frame* const task = static_cast<const task_node*>(f)->task;
  return task->type->hint == nullptr ? detail::hint_view{task, 0} : task->type->hint(task);
}

constexpr detail::frame_type task_kind{run_node, false, "task", nullptr, nullptr, hint_of_node};

}  // namespace

detail::suspended* run_measured(worker& w, detail::frame* f) noexcept {
  const detail::frame_type* const type = f->type;
  if (type == &fork_kind || type == &hinted_fork_kind || type == &task_kind) return type->run(f);
  return run_task(w, f, nullptr);
}

void run_body_measured(worker& w, detail::frame* f) noexcept { run_body(w, f, nullptr); }

namespace {

/// The node stands in the slot. Whoever takes it waits until it is ready, so its task is there.
/// False: it has been taken out again, for a frame of another kind.
bool complete(worker& w, measured& m, detail::worker_slot* at, task_node& n) noexcept {
  const detail::frame* const f = n.task;
  if (f->type->body == nullptr && w.queue.put_instead(at, &n, n.task)) return false;
  n.in = f->in;
  m.pushed_site = site_of_task(w, f);
  if (f->type->body != nullptr) scope_table::get().created(f->in, m.path);
  // release: pairs with the acquire in run_node
  n.ready.store(true, std::memory_order_release);
  return true;
}

/// Whether the latest task that it created was of a site of short ones.
bool makes_short(worker& w, const measured& m) noexcept {
  return m.pushed_site != 0 && expected_task(w.forks->at(m.pushed_site)) < w.forks->shortest() / 4;
}

}  // namespace

void task_pushed(worker& w, detail::worker_slot* at, detail::frame* f) noexcept {
  constexpr unsigned one_in = 16;       // where they are short
  if (w.client != nullptr) return;      // another front end's are its own
  if (w.face.arena != nullptr) return;  // the node would have to say which arena it belongs to
  if (w.measures != nullptr && w.measures->leaf) return;
  if (w.measures != nullptr && makes_short(w, *w.measures) && !w.forks->is_turn(one_in)) return;
  const std::uint64_t now = platform::ticks();
  measured* const m = code_of(w, now);
  if (m == nullptr) return;
  m->pause(now);
  task_node* const n = w.forks->make_task_node();
  if (n != nullptr) {
    n->type = &task_kind;
    n->in = nullptr;
    n->task = f;
    n->path = m->path;
    if (!w.queue.put_instead(at, f, n) || !complete(w, *m, at, *n)) w.forks->drop(n);
  }
  m->go_on(platform::ticks());
}

void names_code(const detail::frame* f, const void* entry) noexcept {
  worker* const w = current();
  measured* const m = w == nullptr || w->forks == nullptr ? nullptr : w->measures;
  if (m == &short_task) w->forks->names_short(entry);
  if (m == nullptr || m->task != f || m->leaf) return;
  const std::uint64_t now = platform::ticks();
  m->pause(now);
  m->side.where = w->forks->site_of(site_kind::thread, entry);
  if (!m->side.sampled) enter_side(*w, *m, expected_task(w->forks->at(m->side.where)), now);
  run_on(*w, m);
  m->go_on(now);
}

void task_created(const void* key) noexcept {
  worker* const w = current();
  const std::uint64_t now = platform::ticks();
  if (w == nullptr) return scope_table::get().created(key, profile::outside().look(now));
  if (w->forks == nullptr) return;
  measured* const m = code_of(*w, now);
  if (m == nullptr || m->leaf) return;
  m->pause(now);
  scope_table::get().created(key, m->path);
  m->go_on(platform::ticks());
}

void wait_begins() noexcept {
  const worker* const w = current();
  const std::uint64_t now = platform::ticks();
  if (w == nullptr)
    profile::outside().leave(now);
  else if (w->measures != nullptr)
    w->measures->pause(now);
}

namespace {

/// A leaf has waited for tasks: later ones of its site are none.
void learn_creation(worker& w) noexcept {
  const measured& m = *w.measures;
  w.forks->at(&m == &short_task ? w.forks->short_site() : m.side.where).creates_tasks = true;
}

}  // namespace

void wait_ended(const void* key) noexcept {
  worker* const w = opaque(current());
  ended_tasks all;
  if (w != nullptr && w->forks != nullptr && w->forks->counted().key == key) tell_short(*w);
  const bool found = scope_table::get().take(key, all);
  const std::uint64_t now = platform::ticks();
  if (w == nullptr) {
    profile::outside().come_back(all.longest, now);
    return program_tree::get().append(std::move(all.beside));
  }
  measured* const m = w->measures;
  if (w->forks != nullptr && m != nullptr && m->leaf) learn_creation(*w);
  if (w->forks == nullptr) return;
  goes_on(*w);
  if (m == &short_task) return program_tree::get().add_beside(all.beside.all());
  if (m == nullptr) return program_tree::get().append(std::move(all.beside));
  m->pause(now);
  if (found) m->path.meet(all.longest);
  m->chain.append(std::move(all.beside));
  m->go_on(platform::ticks());
}

void forget_key(const void* key) noexcept {
  ended_tasks all;
  if (scope_table::get().take(key, all)) program_tree::get().append(std::move(all.beside));
}

}  // namespace kasuri::sched

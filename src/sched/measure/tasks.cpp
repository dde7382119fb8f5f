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

std::uint64_t expected_task(const site_sums& s) noexcept {
  return s.mean_task == 0 ? unknown_work : static_cast<std::uint64_t>(s.mean_task);
}

/// `f` as code of its own, on top of what runs. Its path is told from 0 on.
measured* begin_task(worker& w, const detail::frame* f, profile::site_id site) noexcept {
  measured* const m = w.forks->make_measured();
  if (m == nullptr) return nullptr;
  const std::uint64_t now = platform::ticks();
  m->interrupt(w.measures, now);
  m->task = f;
  m->key = f->type->body == nullptr ? static_cast<const void*>(f) : f->in;
  m->side.where = site;
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
  s.seen.add();
  s.learn_task(work);
  s.count_size(work);
  scope_table& all = scope_table::get();
  m.path.add_burden(2 * profile::hand_over_ticks());
  if (!all.empty() && all.ended(m.key, m.path, m.chain, m.side.where)) return;
  program_tree::get().append(std::move(m.chain));
}

detail::suspended* run_measured(worker& w, detail::frame* f) noexcept {
  const detail::frame_type& type = *f->type;
  if (&type == &fork_kind || &type == &hinted_fork_kind) return type.run(f);
  if (type.body != nullptr) {
    run_body_measured(w, f);
    return type.end(f, false);
  }
  const bool on_top = w.measures != nullptr;
  measured* m = nullptr;
  if (type.lazy_join || scope_table::get().has(f)) m = begin_task(w, f, site_of_task(w, f));
  detail::suspended* const next = type.run(f);
  worker& after = *opaque(current());
  if (m != nullptr)
    end_task(after, m);
  else if (!on_top)
    end_own_code(after);  // if what is measured of it began on the way
  return next;
}

void run_body_measured(worker& w, detail::frame* f) noexcept {
  const profile::site_id site = site_of_task(w, f);
  if (run_short(w, f, site)) return;
  measured* const m = begin_task(w, f, site);
  f->type->body(f);
  if (m == nullptr) return;
  worker& after = *opaque(current());
  end_side(after, *m, platform::ticks());
  tell(after, *m);
  end_task(after, m);
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
  // What is a little behind is near enough.
  if (m->created == key && now - m->created_at < w->forks->shortest() / 4) return;
  m->created = key;
  m->created_at = now;
  m->pause(now);
  scope_table::get().created(key, m->path);
  m->go_on(platform::ticks());
}

void wait_begins() noexcept {
  if (current() == nullptr) profile::outside().leave(platform::ticks());
}

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
  if (!found || w->forks == nullptr) return;
  if (m == nullptr || m == &short_task) return program_tree::get().append(std::move(all.beside));
  m->pause(now);
  m->created = nullptr;
  m->path.meet(all.longest);
  m->chain.append(std::move(all.beside));
  m->go_on(platform::ticks());
}

void forget_key(const void* key) noexcept {
  ended_tasks all;
  if (scope_table::get().take(key, all)) program_tree::get().append(std::move(all.beside));
}

}  // namespace kasuri::sched

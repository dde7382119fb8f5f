// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/loops.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "platform/base/clock.hpp"
#include "platform/settings/settings.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri {
namespace sched {
namespace {

// Of short loops at one place so many are looked at together: the clock costs some tens of
// nanoseconds.
constexpr unsigned marked_one_in = 16;
constexpr unsigned pieces_one_in = 8;

detail::marked_loop* make_marks(worker& w, measured& m, std::size_t iterations,
                                profile::site_id site) noexcept {
  detail::marked_loop* const l = w.forks->make_loop();
  if (l == nullptr) return nullptr;
  l->code = &m;
  l->iterations = iterations;
  l->site = site;
  l->path = m.path;
  l->before = std::exchange(m.chain, {});
  return l;
}

/// Time on the path of the running code up to now, from some moment on.
std::uint64_t progress(const worker* w) noexcept {
  measured* const m = w == nullptr ? nullptr : w->measures;
  if (m == nullptr || !m->runs) return 0;
  m->pause(platform::ticks());
  const std::uint64_t so_far = m->leaf ? m->leaf_ticks : m->path.length();
  m->go_on(platform::ticks());
  return so_far;
}

/// Of a loop that has taken `work`: the longest iteration, and the burden of its division.
void end_path(measured& m, const detail::marked_loop& l, const fork_sums& all) noexcept {
  const auto halvings = static_cast<std::uint64_t>(std::bit_width(l.iterations - 1));
  const std::uint64_t burden = 2 * halvings * profile::hand_over_ticks();
  m.path = l.path;
  m.path.add(m.side.where, all.span);
  m.path.add_burden(std::min(burden, all.work - all.span));
}

void end(worker& w, measured& m, detail::marked_loop& l) noexcept {
  site_sums& s = w.forks->at(l.site);
  const fork_chain body = std::exchange(m.chain, std::move(l.before));
  fork_sums all = body.all();
  const std::uint64_t longest = l.longest.load(std::memory_order_relaxed);
  all.span = std::clamp<std::uint64_t>(longest != 0 ? longest : s.guess(all.work, all.work).span, 1,
                                       std::max<std::uint64_t>(all.work, 1));
  if (longest != 0) s.learn_shape(all, all.work);
  s.learn_task(all.work);
  end_path(m, l, all);
  m.chain.add_loop(all, {l.iterations, l.longest_at.load(std::memory_order_relaxed)}, l.site);
}

}  // namespace
}  // namespace sched

namespace [[gnu::visibility("default")]] detail {

bool loops_are_recorded() noexcept { return profile::active(); }

loop_start begin_loop(std::size_t iterations) noexcept {
  const auto workers = static_cast<unsigned>(platform::current_settings().num_workers);
  loop_start start{nullptr, false, static_cast<int>(std::bit_width(workers - 1U))};
  sched::worker* const w = sched::current();
  if (w == nullptr || w->forks == nullptr) [[likely]]
    return start;
  const std::uint64_t now = platform::ticks();
  sched::measured* const m = sched::code_of(*w, now);
  if (m == nullptr || m->leaf || iterations == 0) return start;
  const profile::site_id site =
      w->forks->site_of(profile::site_kind::loop, __builtin_return_address(0));
  const auto usual = static_cast<std::uint64_t>(w->forks->at(site).mean_task);
  const bool is_new = usual == 0;
  if (!is_new && usual < w->forks->shortest() / 8 && !w->forks->is_turn(sched::marked_one_in))
    return start;
  m->pause(now);
  start.marks = sched::make_marks(*w, *m, iterations, site);
  start.has_pieces = start.marks != nullptr && (is_new || usual >= w->forks->shortest() ||
                                                w->forks->is_turn(sched::pieces_one_in));
  m->go_on(platform::ticks());
  return start;
}

void end_loop(marked_loop* l) noexcept {
  sched::worker& w = *sched::opaque(sched::current());
  sched::measured* const m = w.measures;
  if (m == l->code && !m->leaf) {
    m->pause(platform::ticks());
    sched::end(w, *m, *l);
    m->go_on(platform::ticks());
  } else {
    sched::program_tree::get().append(std::move(l->before));
  }
  w.forks->drop(l);
}

std::uint64_t begin_pieces() noexcept { return sched::progress(sched::current()); }

std::uint64_t end_piece(marked_loop* l, std::uint64_t since, std::size_t begin,
                        std::size_t end) noexcept {
  const std::uint64_t now = sched::progress(sched::opaque(sched::current()));
  if (now <= since) return now;
  const std::uint64_t each = (now - since) / (end - begin);
  std::uint64_t longest = l->longest.load(std::memory_order_relaxed);
  if (each > longest) l->longest_at.store(begin + (end - begin) / 2, std::memory_order_relaxed);
  while (each > longest &&
         !l->longest.compare_exchange_weak(longest, each, std::memory_order_relaxed,
                                           std::memory_order_relaxed)) {
  }
  return now;
}

}  // namespace detail
}  // namespace kasuri

// SPDX-License-Identifier: Apache-2.0
#include "omp/team/dock.hpp"

#include "omp/team/root.hpp"
#include "omp/wait/shared_cores.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

std::atomic<bool> claimed{false};

using word_of_dock = dock_word<detail::real_atomics>;
static_assert(alignof(team) > posted_as_help, "the word of a dock has room for a bit");

/// Something may be posted at a dock with that word.
[[maybe_unused]] constexpr bool may_post(std::uintptr_t word) noexcept {
  return word == word_of_dock::away || word == word_of_dock::waiting;
}

}  // namespace

void docks::make_docks() {
  count_ = pool_.configured() - 1;
  docks_.reset(new dock[static_cast<std::size_t>(count_) + 1]);
  for (int i = 0; i <= count_; ++i) {
    docks_[static_cast<std::size_t>(i)].start.type = &kind_;
    docks_[static_cast<std::size_t>(i)].start.in = nullptr;
    docks_[static_cast<std::size_t>(i)].index = i;
  }
}

docks* docks::claim(sched::pool& pool, const detail::frame_type& kind) noexcept {
  // acquire: pairs with the release in release: the workers of the last owner are its no more
  if (claimed.exchange(true, std::memory_order_acquire)) return nullptr;
  // One set for each pool: in the child of a fork the old workers are gone.
  static docks* all = nullptr;
  if (all == nullptr || &all->pool_ != &pool) all = new docks(pool, kind);
  ++all->owner_;
  return all;
}

/// A worker that was posted for a later owner has finished that region.
bool docks::somebody_stands_at(const root& r) const noexcept {
  for (int i = 1; i <= count_; ++i) {
    const dock& d = docks_[static_cast<std::size_t>(i)];
    KASURI_EXPECT(cheap, d.index == i && d.owner <= owner_,
                  "dock %d is number %d, of owner %lu of %lu", i, d.index, d.owner, owner_);
    if (d.owner == r.as_owner && d.word.look() != dock_word<detail::real_atomics>::away)
      return true;
  }
  return false;
}

void docks::retire(root& r) noexcept {
  KASURI_EXPECT(cheap, r.workers == this && r.next_retired == nullptr, "root %p has the docks %p",
                static_cast<void*>(&r), static_cast<void*>(r.workers));
  r.as_owner = owner_;
  r.next_retired = retired_;
  retired_ = &r;
  for (root** at = &retired_; *at != nullptr;) {
    root* const former = *at;
    if (somebody_stands_at(*former)) {
      at = &former->next_retired;
      continue;
    }
    *at = former->next_retired;
    free_root(*former);
  }
}

void docks::release() noexcept {
  // release: pairs with the acquire in claim
  claimed.store(false, std::memory_order_release);
}

bool docks::has_thread_for(int i) noexcept {
  KASURI_EXPECT(cheap, i > 0, "member %d has no dock", i);
  return i <= count_ && pool_.has_thread_for(*pool_.at(pool_.on_line(i)));
}

bool docks::post(int i, team& t) noexcept {
  KASURI_EXPECT(cheap, i > 0 && i <= count_ && i < t.size, "dock %d of %d, a team of %d", i, count_,
                t.size);
  docks_[static_cast<std::size_t>(i)].owner = owner_;
  return post_word(i, reinterpret_cast<std::uintptr_t>(&t));
}

bool docks::post_helper(int i, team& t) noexcept {
  KASURI_EXPECT(cheap,
                i > 0 && i <= t.docked() && docks_[static_cast<std::size_t>(i)].owner == owner_,
                "dock %d, of owner %lu; %d members are docked, owner %lu", i,
                docks_[static_cast<std::size_t>(i)].owner, t.docked(), owner_);
  return post_word(i, reinterpret_cast<std::uintptr_t>(&t) | posted_as_help);
}

bool docks::post_word(int i, std::uintptr_t word) noexcept {
  dock& d = docks_[static_cast<std::size_t>(i)];
  KASURI_EXPECT(cheap, may_post(d.word.look()), "%#lx is posted at dock %d, where another is", word,
                i);
  if (d.word.post(word)) return true;
  sched::worker& w = *pool_.at(pool_.on_line(i));
  const bool had_thread = w.has_thread.load(std::memory_order_relaxed);
  if (foreign_calls.load(std::memory_order_relaxed) == 0 && pool_.deliver(w, &d.start)) {
    if (!had_thread && w.has_thread.load(std::memory_order_relaxed)) [[unlikely]]
      cores_are_shared.thread_starts(platform::ticks());
    return true;
  }
  d.word.take_back();
  return false;
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The split deque.
//
//        base                tail            split                  top              end
//         | ... taken ...     |   public      |      private         |     free       |
//         oldest                                                   newest
//
// Invariant: tail <= split <= top. Frames lie in [tail, top), oldest first.
//
// The writers of each word
//   top     the owner, always by the rules of deque_face (no fence, no locked instruction).
//   slots   the owner; a rescuing thief sets the published bit of the slot at split, under the
//           lock. So the owner exchanges what it changes there after the push (put_instead), and
//           marks a slot below split by a plain store (publish_structured).
//   split   the holder of the lock: the owner when it publishes or takes back, a rescuing thief.
//   tail    {epoch, index}. Thieves advance the index by compare-and-swap. The owner, under the
//           lock, moves the index down when it finds that all its older frames are gone, and
//           raises the epoch with each such move, so that a thief that read the old pair fails.
//   limit   thieves and the owner: deque_request.hpp.
//
// Why no frame is taken twice
//   public  As in the deque of Chase and Lev: the owner lowers split, passes a full fence and
//           reads tail; a thief reads tail, passes a full fence and reads split. The last frame is
//           decided by a compare-and-swap on tail, which the owner wins by raising the epoch.
//   private The owner stores top and then reads the slot; a rescuing thief tags the slot, makes
//           all threads pass a barrier and then reads top. Either the thief sees the lowered top
//           and gives up, or the owner sees the tag and takes the lock.
//
// Structured and detached frames. A frame of parallel_invoke, or the continuation of a parent that
// created a child first, is popped by the code that pushed it, which counts on its being the
// newest. Detached frames (tasks of groups, threads) may be left behind above it. So a push of a
// detached frame onto a private structured one publishes first (publish_structured) and marks it as
// found public, so that later pushes onto it do not ask again; the owner then meets a tag, finds
// that its frame is not the newest, and waits for it as if it were stolen.
//
// Why no frame is lost: a frame leaves [tail, top) only by one of these takes. When the array is
// full the push is refused and the caller keeps the frame (the slot `end` is a scratch slot that
// nobody else reads).
//
// One owner and any number of thieves may run at once. Thieves call steal, ask, rescue, empty;
// everything else is the owner's. docs/design/core.md has the designs that were rejected.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "kasuri/detail/deque_face.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/deque_request.hpp"
#include "sched/kernel/deque_words.hpp"

namespace kasuri::sched {

using detail::frame;

/// The outcome of a steal.
enum class steal_result { taken, empty, lost };

template <class A>
class deque : public deque_request<A>, private deque_words {
 public:
  using typename deque_request<A>::face_type;
  using typename deque_request<A>::slot;
  using deque_words::holds;

  /// The slots are `capacity + 2` zeroed words: one before the first as a sentinel, one behind the
  /// last as scratch. From `soft` frames on, every push takes the slow path.
  deque(face_type& face, slot* words, std::size_t capacity, std::size_t soft) noexcept
      : deque_request<A>(face, words + 1 + (soft < capacity ? soft : capacity)),
        base_(words + 1),
        end_(words + 1 + capacity) {
    KASURI_EXPECT(cheap, words != nullptr && holds(capacity), "words at %p, capacity %zu",
                  static_cast<void*>(words), capacity);
    face_.top.store(base_, std::memory_order_relaxed);
  }

  // ---- owner ----------------------------------------------------------------------------------

  /// Whether the slot that push returned is the scratch slot: the frame was not queued.
  bool refused(slot* at) const noexcept { return at >= end_; }

  /// Each push takes the slow path from here on, resp. those only that did before: for who records
  /// them.
  void watch_pushes(bool all) noexcept { this->slow_from(all ? base_ : this->soft()); }

  /// Puts `other` in place of `f`, which was just pushed into slot `at`. False: a thief is about
  /// it.
  bool put_instead(slot* at, const frame* f, frame* other) noexcept {
    std::uintptr_t word = at->load(std::memory_order_relaxed);
    if (tagged(word) || frame_of(word) != f) return false;
    const std::uintptr_t flags = word & detail::slot_flags;
    // release: pairs with the acquire of the slot in rescue_locked
    return at->compare_exchange_strong(word, reinterpret_cast<std::uintptr_t>(other) | flags,
                                       std::memory_order_release, std::memory_order_relaxed);
  }

  /// Undoes a refused push.
  void drop_refused() noexcept {
    KASURI_EXPECT(cheap, face_.top.load(std::memory_order_relaxed) == end_ + 1,
                  "top %td of %td, refused is only what comes behind the last",
                  face_.top.load(std::memory_order_relaxed) - base_, end_ - base_);
    face_.top.store(end_, std::memory_order_relaxed);
  }

  /// In the child of a fork, whose one thread owns the deque: what thieves were about is undone.
  /// The lock is free, no request is pending, and the private frame that a rescuing thief had
  /// tagged is untagged.
  void forget_thieves() noexcept {
    this->answer();
    slot* const oldest_private = base_ + split_.load(std::memory_order_relaxed);
    if (oldest_private < face_.top.load(std::memory_order_relaxed))
      oldest_private->store(
          oldest_private->load(std::memory_order_relaxed) & ~detail::slot_published,
          std::memory_order_relaxed);
    lock_.begin_anew();
  }

  /// Takes back what was just pushed, before anything else is done with the deque; null when a
  /// rescuing thief has it. Until then a thief may have run the frame and freed it, so that its
  /// pusher must not look at it. The slot is left so that no pop by name finds the frame there.
  frame* unpush(slot* at) noexcept {
    KASURI_EXPECT(cheap, face_.top.load(std::memory_order_relaxed) == at + 1,
                  "slot %td is not the newest", at - base_);
    frame* const f = pop_private();
    if (f != nullptr) at->store(0, std::memory_order_relaxed);
    return f;
  }

  /// Frames the owner has not published; a rescuing thief may publish one more meanwhile.
  std::size_t private_size() const noexcept {
    const auto depth = static_cast<std::size_t>(face_.top.load(std::memory_order_relaxed) - base_);
    // acquire: pairs with the release of split in rescue: an owner that finds nothing private finds
    // the tags, and so does the worker that goes on with a thread that was suspended on the
    // strength of it
    const std::uint32_t split = split_.load(std::memory_order_acquire);
    KASURI_EXPECT(cheap, split <= depth, "split %u, frames up to %zu", split, depth);
    return depth - split;
  }

  /// Makes all frames public.
  void publish_all() noexcept {
    if (private_size() != 0) publish(std::numeric_limits<std::size_t>::max());
  }

  /// Makes all structured frames public: before the owner's stack is suspended, and before a
  /// detached frame is pushed.
  void publish_structured() noexcept {
    if (!face_.has_private_structured()) return;
    publish_all();
    // Pushes above it need not ask again. No thief writes to the slot of a public frame.
    slot* const newest = face_.top.load(std::memory_order_relaxed) - 1;
    newest->store(newest->load(std::memory_order_relaxed) | detail::slot_found_public,
                  std::memory_order_relaxed);
  }

  /// Whether the newest frame is structured, private or public: code below on the owner's stack
  /// pops it by name. A public one must never be pushed anew, which would clear the word of its
  /// join.
  bool newest_is_structured() const noexcept {
    const std::uintptr_t newest =
        (face_.top.load(std::memory_order_relaxed) - 1)->load(std::memory_order_relaxed);
    return newest != 0 && (newest & detail::slot_detached) == 0;
  }

  /// Frames in the deque, as the owner sees it (thieves may take some meanwhile).
  std::size_t size() const noexcept {
    const auto depth = static_cast<std::size_t>(face_.top.load(std::memory_order_relaxed) - base_);
    const std::uint32_t first = index_of(tail_.load(std::memory_order_relaxed));
    KASURI_EXPECT(cheap, first <= depth, "tail %u, frames up to %zu", first, depth);
    return depth - first;
  }

  /// The same, as anybody sees it.
  std::size_t about_size() const noexcept {
    const auto top = face_.top.load(std::memory_order_relaxed) - base_;
    const auto first = static_cast<std::ptrdiff_t>(index_of(tail_.load(std::memory_order_relaxed)));
    return top > first ? static_cast<std::size_t>(top - first) : 0;
  }

  /// Makes the oldest private frames public, at most `count`.
  void publish(std::size_t count) noexcept {
    publish(count, [](frame*) { return false; });
  }

  /// The same; but the oldest of all, if it is among them, is taken from the deque when give(frame)
  /// says that it has given it to somebody.
  template <class Give>
  void publish(std::size_t count, Give give) noexcept {
    lock_.lock();
    // A rescuing thief may have raised split since the caller looked.
    const std::uint32_t first = split_.load(std::memory_order_relaxed);
    const auto depth =
        static_cast<std::uint32_t>(face_.top.load(std::memory_order_relaxed) - base_);
    KASURI_EXPECT(cheap, first <= depth, "split %u, frames up to %u", first, depth);
    const std::uint32_t last =
        count < depth - first ? first + static_cast<std::uint32_t>(count) : depth;
    for (std::uint32_t i = first; i != last; ++i) make_public(i);
    const std::uint64_t seen = tail_.load(std::memory_order_relaxed);
    KASURI_EXPECT(cheap, index_of(seen) <= first, "tail %u, split %u", index_of(seen), first);
    if (index_of(seen) == first && first != last &&
        give(frame_of(base_[first].load(std::memory_order_relaxed))))
      // Thieves see nothing here before and between: tail == split, then tail > split.
      // release: pairs with the acquire of tail in steal, which then sees this split or a later one
      tail_.store(seen + 1, std::memory_order_release);
    // release: pairs with the acquire of split in steal, which then reads slot and frame
    split_.store(last, std::memory_order_release);
    lock_.unlock();
  }

  /// Takes the newest frame if it is private, else null.
  frame* pop_private() noexcept {
    slot* t = face_.top.load(std::memory_order_relaxed) - 1;  // relaxed: only the owner writes it
    // A private frame is untagged. Below the last one lies a tagged slot or the sentinel, always.
    // relaxed: a tag that comes later is seen by the second look
    const std::uintptr_t word = t->load(std::memory_order_relaxed);
    if (tagged(word)) return nullptr;
    // release: pairs with the acquire of top in rescue, for the frames below
    face_.top.store(t, std::memory_order_release);
    A::fence_light();  // pairs with the fence_heavy in rescue
    // relaxed: after the fence above
    if (t->load(std::memory_order_relaxed) == word) return frame_of(word);
    lock_.lock();  // a rescuing thief tagged it: it gives up, or has published it by now
    // relaxed: the lock orders it
    const bool mine = split_.load(std::memory_order_relaxed) <= t - base_;
    // release: as above
    // pairs with the acquire of top in rescue
    if (!mine) face_.top.store(t + 1, std::memory_order_release);
    lock_.unlock();
    return mine ? frame_of(word) : nullptr;
  }

  /// Puts back what pop_private has just taken.
  void unpop() noexcept {
    KASURI_EXPECT(cheap, face_.top.load(std::memory_order_relaxed) < end_, "frames up to %td",
                  end_ - base_);
    // release: pairs with the acquire of top in rescue
    face_.top.store(face_.top.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Takes the newest frame if it is public, and no thief was faster; else null.
  frame* pop_public() noexcept {
    slot* t = face_.top.load(std::memory_order_relaxed) - 1;
    if (t < base_) return nullptr;
    const std::uintptr_t word = t->load(std::memory_order_relaxed);
    return tagged(word) && take_back(t) ? frame_of(word) : nullptr;
  }

  /// Takes the newest frame, or null when there is none that the owner gets.
  frame* pop() noexcept {
    frame* f = pop_private();
    return f != nullptr ? f : pop_public();
  }

  /// The slow half of deque_face::pop: takes `f` back from slot `t` of this deque; false when it
  /// was stolen, or is not the newest frame of this deque (the caller's stack was suspended).
  bool reclaim(frame* f, slot* t, bool lowered) noexcept {
    if (t < base_ || t >= end_) return false;
    const auto word = reinterpret_cast<std::uintptr_t>(f);
    const std::uintptr_t of_public = detail::slot_published | detail::slot_found_public;
    if ((t->load(std::memory_order_relaxed) & ~of_public) != word) return false;
    if (!lowered && face_.top.load(std::memory_order_relaxed) != t + 1) return false;
    return take_back(t);
  }

  /// Starts again at the first slot when nothing is left.
  void rewind() noexcept {
    slot* top = face_.top.load(std::memory_order_relaxed);
    if (top == base_) return;
    check();
    lock_.lock();
    const std::uint64_t seen = tail_.load(std::memory_order_relaxed);
    const auto depth = static_cast<std::uint32_t>(top - base_);
    if (index_of(seen) == depth && split_.load(std::memory_order_relaxed) == depth) {
      split_.store(0, std::memory_order_relaxed);
      // release: pairs with the acquire of tail in steal, which then sees this split or a later one
      tail_.store(next_epoch(seen, 0), std::memory_order_release);
      face_.top.store(base_, std::memory_order_relaxed);
    }
    lock_.unlock();
  }

  /// The invariants above, in the trees that run them. At a quiescent point of the owner: between
  /// two tasks, with no pop under way.
  void check() noexcept {
    if constexpr (platform::expectations < platform::expect_level::all) return;
    lock_.lock();
    const auto tail = index_of(tail_.load(std::memory_order_relaxed));
    const std::uint32_t split = split_.load(std::memory_order_relaxed);
    const std::ptrdiff_t top = face_.top.load(std::memory_order_relaxed) - base_;
    KASURI_EXPECT(all, tail <= split, "tail %u, split %u", tail, split);
    KASURI_EXPECT(all, static_cast<std::ptrdiff_t>(split) <= top && base_ + top <= end_,
                  "split %u, top %td of %td", split, top, end_ - base_);
    for (std::uint32_t i = tail; i != static_cast<std::uint32_t>(top); ++i) {
      const std::uintptr_t word = base_[i].load(std::memory_order_relaxed);
      KASURI_EXPECT(all, word != 0 && tagged(word) == (i < split),
                    "slot %u holds %#zx; tail %u, split %u, top %td", i,
                    static_cast<std::size_t>(word), tail, split, top);
    }
    lock_.unlock();
  }

  // ---- thief ----------------------------------------------------------------------------------

  /// Takes the oldest public frame.
  steal_result steal(frame*& out) noexcept {
    // acquire: pairs with the release of tail in rewind and settle_stolen
    std::uint64_t seen = tail_.load(std::memory_order_acquire);
    A::fence_full();  // pairs with the fence_full in take_back
    // acquire: pairs with the release of split in publish and rescue
    const std::uint32_t split = split_.load(std::memory_order_acquire);
    const std::uint32_t i = index_of(seen);
    if (i >= split) return steal_result::empty;
    // relaxed: published by the split just read; if the slot is used again the exchange fails
    const std::uintptr_t word = base_[i].load(std::memory_order_relaxed);
    // acq_rel: pairs with the same exchange of other thieves and with the owner's in take_back
    // relaxed: when it fails the thief has read nothing
    if (!tail_.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel,
                                       std::memory_order_relaxed))
      return steal_result::lost;
    KASURI_EXPECT(cheap, frame_of(word) != nullptr && tagged(word),
                  "slot %u held %#zx; it was public below %u", i, static_cast<std::size_t>(word),
                  split);
    out = frame_of(word);
    return steal_result::taken;
  }

  /// The frame that a steal would give, for a look only; null when there is none.
  frame* peek() const noexcept {
    // acquire: pairs with the release of split in publish
    const std::uint32_t split = split_.load(std::memory_order_acquire);
    const std::uint32_t i = index_of(tail_.load(std::memory_order_relaxed));
    return i < split ? frame_of(base_[i].load(std::memory_order_relaxed)) : nullptr;
  }

  /// Calls see(frame, name) with the frame that a steal would give and a name for steal_seen, if
  /// there is one. It stays where it is meanwhile, if all thieves take by steal_seen or
  /// steal_locked.
  template <class See>
  void look(See see) noexcept {
    lock_.lock();
    const std::uint64_t seen = tail_.load(std::memory_order_relaxed);
    if (index_of(seen) < split_.load(std::memory_order_relaxed))
      see(frame_of(base_[index_of(seen)].load(std::memory_order_relaxed)), seen);
    lock_.unlock();
  }

  /// Takes that frame if it is still the one that a steal would give, else null. Its name changes
  /// when the owner takes it back, since that raises the epoch.
  frame* steal_seen(std::uint64_t seen) noexcept {
    lock_.lock();
    frame* f = nullptr;
    if (tail_.load(std::memory_order_relaxed) == seen &&
        index_of(seen) < split_.load(std::memory_order_relaxed)) {
      f = frame_of(base_[index_of(seen)].load(std::memory_order_relaxed));
      // acq_rel: pairs with the exchange in steal
      if (!tail_.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel,
                                         std::memory_order_relaxed))
        f = nullptr;
    }
    lock_.unlock();
    return f;
  }

  /// As steal, where others may be looking.
  steal_result steal_locked(frame*& out) noexcept {
    lock_.lock();
    const steal_result result = steal(out);
    lock_.unlock();
    return result;
  }

  /// Whether there is nothing to take, neither public nor private.
  bool empty() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    const auto top = face_.top.load(std::memory_order_relaxed) - base_;
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp
    return static_cast<std::ptrdiff_t>(index_of(tail_.load(std::memory_order_relaxed))) >= top;
  }

  /// Whether there is something that thieves can take without the owner.
  bool has_public() const noexcept {
    return index_of(tail_.load(std::memory_order_relaxed)) < split_.load(std::memory_order_relaxed);
  }

  /// Makes the oldest private frame of an owner that does not answer public. True when it did.
  /// Costs the caller a fence_heavy.
  bool rescue() noexcept {
    if (!lock_.try_lock()) return false;
    const bool done = rescue_locked();
    lock_.unlock();
    return done;
  }

 private:
  void make_public(std::uint32_t i) noexcept {
    const std::uintptr_t word = base_[i].load(std::memory_order_relaxed);
    KASURI_EXPECT(cheap, !tagged(word), "private slot %u holds %#zx", i,
                  static_cast<std::size_t>(word));
    prepare(frame_of(word));
    base_[i].store(word | detail::slot_published, std::memory_order_relaxed);
  }

  /// Takes the frame of slot t, the newest, back under the lock, and leaves top == t either way.
  bool take_back(slot* t) noexcept {
    const auto i = static_cast<std::uint32_t>(t - base_);
    KASURI_EXPECT(cheap, face_.top.load(std::memory_order_relaxed) - t <= 1,
                  "slot %u is not the newest of %td", i,
                  face_.top.load(std::memory_order_relaxed) - base_);
    lock_.lock();
    // release: pairs with the acquire of top in rescue, for the frames below
    face_.top.store(t, std::memory_order_release);
    bool mine = true;
    // relaxed: the lock orders it
    if (split_.load(std::memory_order_relaxed) > i) {
      // release: pairs with the acquire of split in steal, which may read this value instead of the
      // one that published the frames below it
      split_.store(i, std::memory_order_release);
      A::fence_full();  // pairs with the fence_full in steal
      mine = settle(i);
    }  // else it is private: a rescuing thief had tagged it and gave up
    lock_.unlock();
    return mine;
  }

  /// Split was lowered to i: is frame i the owner's? Leaves tail <= i.
  bool settle(std::uint32_t i) noexcept {
    // acquire: pairs with the exchange in steal; the thief is done with the slot
    std::uint64_t seen = tail_.load(std::memory_order_acquire);
    if (index_of(seen) < i) return true;
    // acq_rel: pairs with the exchange in steal: one of us gets the last frame
    if (index_of(seen) == i &&
        tail_.compare_exchange_strong(seen, next_epoch(seen, i), std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      return true;
    // release: pairs with the acquire of tail in steal, which then sees split <= i or a later one
    tail_.store(next_epoch(seen, i), std::memory_order_release);
    return false;
  }

  bool rescue_locked() noexcept {
    const std::uint32_t i = split_.load(std::memory_order_relaxed);  // relaxed: the lock orders it
    slot* t = base_ + i;
    // acquire: pairs with the release of top in deque_face::push
    if (t >= end_ || face_.top.load(std::memory_order_acquire) <= t) return false;
    // acquire: pairs with the release in put_instead; what push wrote is published by top
    std::uintptr_t word = t->load(std::memory_order_acquire);
    std::uintptr_t tag = word | detail::slot_published;
    // relaxed: before the fence below
    if (word == tag || !t->compare_exchange_strong(word, tag, std::memory_order_relaxed,
                                                   std::memory_order_relaxed))
      return false;
    A::fence_heavy();  // pairs with the fence_light in deque_face::pop and in pop_private
    // acquire: pairs with the release of top in deque_face::push: a newer push shows in the slot
    const bool lowered = face_.top.load(std::memory_order_acquire) <= t;
    // relaxed: after the fence above
    if (lowered || t->load(std::memory_order_relaxed) != tag) {
      // Leave no trace: a live private slot is untagged whenever the lock is free.
      // relaxed: the owner that met the tag takes the lock
      t->compare_exchange_strong(tag, word, std::memory_order_relaxed, std::memory_order_relaxed);
      return false;
    }
    prepare(frame_of(tag));
    // release: pairs with the acquire of split in steal
    split_.store(i + 1, std::memory_order_release);
    return true;
  }

  using deque_request<A>::face_;

  slot* const base_;
  slot* const end_;
  alignas(64) typename A::template atomic<std::uint64_t> tail_{0};
  typename A::template atomic<std::uint32_t> split_{0};
  deque_lock<A> lock_;
};

}  // namespace kasuri::sched

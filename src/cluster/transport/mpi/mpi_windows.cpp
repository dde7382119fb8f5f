// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_windows.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "cluster/transport/mpi/mpi.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {

mpi_windows::mpi_windows(mpi_turns& turns, mpi_collectives& with, bool flush_all)
    : turns_(turns),
      with_(with),
      rank_(turns.rank()),
      size_(static_cast<std::size_t>(turns.size())),
      flush_all_(flush_all),
      page_(platform::page_size()) {}

/// False, at all ranks: MPI has no memory, or a rank cannot show it at a second address; only
/// memory that processes share can be.
bool mpi_windows::allocate_by_mpi(record& made) {
  std::byte* start = nullptr;
  {
    const mpi_turns::turn mine = turns_.take();
    made.number = turns_.mpi(mine).allocate(made.bytes + page_, start);
  }
  if (!with_.all_agree(made.number >= 0)) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t shift = (page_ - address % page_) % page_;
  made.local = start + shift;
  made.shifts.resize(size_);
  with_.all_gather(std::as_bytes(std::span(&shift, 1)),
                   std::as_writable_bytes(std::span(made.shifts)));
  KASURI_EXPECT(cheap, std::ranges::max(made.shifts) < page_,
                "a part begins %zu bytes behind its memory, pages have %zu",
                std::ranges::max(made.shifts), page_);
  void* second = platform::reserve(page_);
  const bool shows = second != nullptr && platform::duplicate_mapping(made.local, page_, second);
  if (second != nullptr) platform::unmap_shared(second, page_);
  if (with_.all_agree(shows)) return true;
  const mpi_turns::turn mine = turns_.take();
  turns_.mpi(mine).free(made.number);
  return false;
}

bool mpi_windows::allocate_by_us(record& made) {
  made.file = platform::create_shared_file("kasuri-window", made.bytes);
  made.local = made.file < 0 ? nullptr : platform::map_shared(made.file, 0, made.bytes);
  made.shifts.assign(size_, 0);
  bool good = with_.all_agree(made.local != nullptr);
  if (good) {
    const mpi_turns::turn mine = turns_.take();
    made.number = turns_.mpi(mine).expose(made.local, made.bytes);
  }
  good = good && with_.all_agree(made.number >= 0);
  if (!good) {
    if (made.local != nullptr) platform::unmap_shared(made.local, made.bytes);
    if (made.file >= 0) ::close(made.file);
  }
  return good;
}

window mpi_windows::allocate(std::size_t bytes) {
  record made;
  made.bytes = (std::max<std::size_t>(bytes, 1) + page_ - 1) & ~(page_ - 1);
  // MPI might end the job where there is no room even as addresses: it is not asked then.
  void* room = made.bytes < bytes ? nullptr : platform::reserve(made.bytes);
  if (room != nullptr) platform::release(room, made.bytes);
  if (!with_.all_agree(room != nullptr)) throw std::bad_alloc();
  memory_by_mpi_ = memory_by_mpi_ && allocate_by_mpi(made);
  if (!memory_by_mpi_ && !allocate_by_us(made)) throw std::bad_alloc();
  made.pending.assign(size_, 0);
  made.flushing.assign(size_, 0);
  KASURI_EXPECT(cheap,
                made.number >= 0 && made.shifts.size() == size_ &&
                    reinterpret_cast<std::uintptr_t>(made.local) % page_ == 0,
                "window %d of %zu bytes begins at %p", made.number, made.bytes,
                static_cast<void*>(made.local));
  with_.barrier();  // all parts are zero
  const mpi_turns::turn mine = turns_.take();
  windows_.push_back(std::move(made));
  return {static_cast<int>(windows_.size()) - 1, windows_.back().local, bytes};
}

void mpi_windows::free(window& w) {
  with_.barrier();
  mpi_turns::turn mine = turns_.take();
  const std::size_t index = index_of(w);
  // A thread that flushes another window for the same target may be in the middle of this one's.
  for (unsigned n = 0;
       std::ranges::count(windows_[index].flushing, 0u) != std::ssize(windows_[index].flushing);
       ++n) {
    mine.unlock();
    wait_a_little(n);
    mine.lock();
  }
  record& gone = windows_[index];
  turns_.mpi(mine).free(std::exchange(gone.number, -1));
  if (gone.file >= 0) {
    platform::unmap_shared(gone.local, gone.bytes);
    platform::discard_shared(gone.file, 0, gone.bytes);
    ::close(gone.file);
  }
  gone = {};  // with what was kept for each target
  w = {};
}

void mpi_windows::end() {
  const mpi_turns::turn mine = turns_.take();
  for (record& each : windows_)
    if (each.number >= 0) turns_.mpi(mine).free(std::exchange(each.number, -1));
}

void mpi_windows::alias(const window& w, std::size_t offset, std::size_t bytes, void* at) {
  bool shown = false;
  {
    const mpi_turns::turn mine = turns_.take();
    const record& whole = windows_[index_of(w)];
    KASURI_EXPECT(cheap, (offset | bytes) % page_ == 0 && offset + bytes <= whole.bytes,
                  "bytes %zu + %zu of %zu of a part are shown again", offset, bytes, whole.bytes);
    shown = whole.file >= 0 ? platform::map_shared(whole.file, offset, bytes, at) != nullptr
                            : platform::duplicate_mapping(w.local + offset, bytes, at);
  }
  if (!shown) {
    platform::fatal(
        "rank %d: no second mapping of %zu bytes of shared memory: %s "
        "(vm.max_map_count limits the mappings of a process)",
        rank_, bytes, std::strerror(errno));
  }
}

std::size_t mpi_windows::index_of(const window& w) const noexcept {
  const auto index = static_cast<std::size_t>(w.id);
  KASURI_EXPECT(cheap, w.id >= 0 && index < windows_.size() && windows_[index].number >= 0,
                "window %d of %zu has been given back, or never was", w.id, windows_.size());
  return index;
}

mpi_windows::place mpi_windows::place_of(int target, const window& w, std::size_t offset,
                                         std::size_t bytes) const noexcept {
  const record& r = windows_[index_of(w)];
  KASURI_EXPECT(cheap, target >= 0 && static_cast<std::size_t>(target) < size_,
                "an operation on rank %d of %zu", target, size_);
  KASURI_EXPECT(cheap, offset <= r.bytes && bytes <= r.bytes - offset,
                "an operation on bytes %zu + %zu of %zu of window %d", offset, bytes, r.bytes,
                w.id);
  return {r.number, r.shifts[static_cast<std::size_t>(target)] + offset};
}

void mpi_windows::put(int target, const window& w, std::size_t offset, const void* from,
                      std::size_t bytes) {
  const mpi_turns::turn mine = turns_.take();
  const place there = place_of(target, w, offset, bytes);
  turns_.mpi(mine).put(target, there.number, there.offset, from, bytes);
  windows_[index_of(w)].pending[static_cast<std::size_t>(target)] = 1;
}

void mpi_windows::get(int target, const window& w, std::size_t offset, void* to,
                      std::size_t bytes) {
  const mpi_turns::turn mine = turns_.take();
  const place there = place_of(target, w, offset, bytes);
  turns_.mpi(mine).get(target, there.number, there.offset, to, bytes);
  windows_[index_of(w)].pending[static_cast<std::size_t>(target)] = 1;
}

/// Behind this, all operations that were begun in the window for the target are done. The turn is
/// given up meanwhile.
void mpi_windows::complete(mpi_turns::turn& mine, int target, int number) {
  if (target != rank_ && !one_sided() && !flush_all_) {
    mpi_probe probe;
    turns_.mpi(mine).begin_probe(target, number, probe);
    for (unsigned n = 0; !turns_.mpi(mine).probe_done(probe); ++n) {
      mine.unlock();
      wait_a_little(n);
      mine.lock();
    }
  }
  if (flush_all_) {
    turns_.mpi(mine).flush_all(number);
  } else {
    turns_.mpi(mine).flush(target, number);
  }
}

/// By index: other threads may allocate and free while the turn is given up.
void mpi_windows::flush(mpi_turns::turn& mine, int target, std::size_t index) {
  const auto of = static_cast<std::size_t>(target);
  windows_[index].pending[of] = 0;
  ++windows_[index].flushing[of];
  // A word that is stored from now on is not complete afterwards.
  const auto posted = windows_[index].posted.extract(of);
  complete(mine, target, windows_[index].number);
  KASURI_EXPECT(cheap, windows_[index].number >= 0 && windows_[index].flushing[of] != 0,
                "window %zu, number %d, ended while %u threads flushed it for rank %d", index,
                windows_[index].number, windows_[index].flushing[of], target);
  --windows_[index].flushing[of];
}

void mpi_windows::flush(int target) {
  mpi_turns::turn mine = turns_.take();
  const auto of = static_cast<std::size_t>(target);
  KASURI_EXPECT(cheap, target >= 0 && of < size_, "a flush for rank %d of %zu", target, size_);
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const record& each = windows_[i];
    // A flush of another thread that is under way may wait for operations of this one, too.
    if (each.number >= 0 && (each.pending[of] != 0 || each.flushing[of] != 0)) {
      flush(mine, target, i);
    }
  }
}

/// An operation on a word that is waited for: begin(mpi, place).
template <class Begin>
void mpi_windows::operate(int target, const window& w, std::size_t offset, std::size_t bytes,
                          Begin begin) {
  mpi_turns::turn mine = turns_.take();
  KASURI_EXPECT(cheap, offset % bytes == 0, "an operation on the word at byte %zu of window %d",
                offset, w.id);
  const place there = place_of(target, w, offset, bytes);
  begin(turns_.mpi(mine), there);
  complete(mine, target, there.number);
}

std::uint64_t mpi_windows::fetch_add(int target, const window& w, std::size_t offset,
                                     std::uint64_t value) {
  std::uint64_t before = 0;
  operate(target, w, offset, 8, [&](mpi_library& mpi, place at) {
    mpi.fetch_add(target, at.number, at.offset, value, before);
  });
  return before;
}

std::uint64_t mpi_windows::compare_swap(int target, const window& w, std::size_t offset,
                                        std::uint64_t expected, std::uint64_t desired) {
  std::uint64_t before = 0;
  operate(target, w, offset, 8, [&](mpi_library& mpi, place at) {
    mpi.compare_swap(target, at.number, at.offset, expected, desired, before);
  });
  return before;
}

std::uint64_t mpi_windows::load(int target, const window& w, std::size_t offset) {
  std::uint64_t value = 0;
  operate(target, w, offset, 8,
          [&](mpi_library& mpi, place at) { mpi.load(target, at.number, at.offset, value); });
  return value;
}

/// The operands and the answer are of the word's size, each in memory of its own.
template <class Word>
std::uint64_t mpi_windows::apply_to(int target, const window& w, std::size_t offset,
                                    const atomic_operation& op) {
  const auto value = static_cast<Word>(op.value);
  const auto expected = static_cast<Word>(op.expected);
  Word before = 0;
  operate(target, w, offset, sizeof(Word), [&](mpi_library& mpi, place at) {
    mpi.apply(target, at.number, at.offset, op, &value, &expected, &before);
  });
  return before;
}

std::uint64_t mpi_windows::apply(int target, const window& w, std::size_t offset,
                                 const atomic_operation& op) {
  return op.bytes == 4 ? apply_to<std::uint32_t>(target, w, offset, op)
                       : apply_to<std::uint64_t>(target, w, offset, op);
}

void mpi_windows::store(int target, const window& w, std::size_t offset, std::uint64_t value) {
  constexpr std::size_t most_posted = 64;
  mpi_turns::turn mine = turns_.take();
  const place there = place_of(target, w, offset, 8);
  const std::size_t index = index_of(w);
  const auto of = static_cast<std::size_t>(target);
  const auto under_way = windows_[index].posted.find(of);
  if (under_way != windows_[index].posted.end() && under_way->second.size() >= most_posted)
    flush(mine, target, index);
  auto& posted = windows_[index].posted[of];
  posted.push_back(value);  // MPI may read it until the next flush; a deque does not move it
  KASURI_EXPECT(cheap, posted.size() <= 2 * most_posted, "%zu words are posted to rank %d",
                posted.size(), target);
  turns_.mpi(mine).store(target, there.number, there.offset, posted.back());
  windows_[index].pending[of] = 1;
}

}  // namespace kasuri::cluster

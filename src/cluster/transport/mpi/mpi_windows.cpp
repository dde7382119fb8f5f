// SPDX-License-Identifier: Apache-2.0
// Windows, and operations on them.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "cluster/transport/mpi/mpi.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {

bool mpi_transport::all_agree(bool mine) {
  const std::byte flag{mine};
  std::vector<std::byte> all(static_cast<std::size_t>(size_));
  all_gather(std::span(&flag, 1), all);
  return std::ranges::find(all, std::byte{0}) == all.end();
}

// MPI's memory is the quickest between ranks of a host, but only memory that processes share can be
// shown at a second address.
bool mpi_transport::allocate_by_mpi(record& made) {
  std::byte* start = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    made.number = mpi_->allocate(made.bytes + page_, start);
  }
  if (!all_agree(made.number >= 0)) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t shift = (page_ - address % page_) % page_;
  made.local = start + shift;
  made.shifts.resize(static_cast<std::size_t>(size_));
  all_gather(std::as_bytes(std::span(&shift, 1)), std::as_writable_bytes(std::span(made.shifts)));
  void* second = platform::reserve(page_);
  const bool shows = second != nullptr && platform::duplicate_mapping(made.local, page_, second);
  if (second != nullptr) platform::unmap_shared(second, page_);
  if (all_agree(shows)) return true;
  const std::scoped_lock lock(mutex_);
  mpi_->free(made.number);
  return false;
}

bool mpi_transport::allocate_by_us(record& made) {
  made.file = platform::create_shared_file("kasuri-window", made.bytes);
  made.local = made.file < 0 ? nullptr : platform::map_shared(made.file, 0, made.bytes);
  made.shifts.assign(static_cast<std::size_t>(size_), 0);
  bool good = all_agree(made.local != nullptr);
  if (good) {
    const std::scoped_lock lock(mutex_);
    made.number = mpi_->expose(made.local, made.bytes);
  }
  good = good && all_agree(made.number >= 0);
  if (!good) {
    if (made.local != nullptr) platform::unmap_shared(made.local, made.bytes);
    if (made.file >= 0) ::close(made.file);
  }
  return good;
}

window mpi_transport::allocate(std::size_t bytes) {
  record made;
  made.bytes = (std::max<std::size_t>(bytes, 1) + page_ - 1) & ~(page_ - 1);
  // What has no room even as addresses is not asked of MPI, which might end the job.
  void* room = made.bytes < bytes ? nullptr : platform::reserve(made.bytes);
  if (room != nullptr) platform::release(room, made.bytes);
  if (!all_agree(room != nullptr)) throw std::bad_alloc();
  memory_by_mpi_ = memory_by_mpi_ && allocate_by_mpi(made);
  if (!memory_by_mpi_ && !allocate_by_us(made)) throw std::bad_alloc();
  made.pending.assign(static_cast<std::size_t>(size_), 0);
  made.posted.resize(static_cast<std::size_t>(size_));
  made.flushing.assign(static_cast<std::size_t>(size_), 0);
  barrier();  // all parts are zero
  const std::scoped_lock lock(mutex_);
  windows_.push_back(std::move(made));
  return {static_cast<int>(windows_.size()) - 1, windows_.back().local, bytes};
}

void mpi_transport::free(window& w) {
  barrier();
  const std::scoped_lock lock(mutex_);
  record& gone = windows_[static_cast<std::size_t>(w.id)];
  mpi_->free(std::exchange(gone.number, -1));
  if (gone.file >= 0) {
    platform::unmap_shared(gone.local, gone.bytes);
    platform::discard_shared(gone.file, 0, gone.bytes);
    ::close(gone.file);
  }
  w = {};
}

void mpi_transport::alias(const window& w, std::size_t offset, std::size_t bytes, void* at) {
  bool shown = false;
  {
    const std::scoped_lock lock(mutex_);
    const record& whole = of(w);
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

std::size_t mpi_transport::shifted(int target, const window& w, std::size_t offset) const {
  return of(w).shifts[static_cast<std::size_t>(target)] + offset;
}

void mpi_transport::note_pending(int target, const window& w) {
  windows_[static_cast<std::size_t>(w.id)].pending[static_cast<std::size_t>(target)] = 1;
}

void mpi_transport::put(int target, const window& w, std::size_t offset, const void* from,
                        std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  mpi_->put(target, of(w).number, shifted(target, w, offset), from, bytes);
  note_pending(target, w);
}

void mpi_transport::get(int target, const window& w, std::size_t offset, void* to,
                        std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  mpi_->get(target, of(w).number, shifted(target, w, offset), to, bytes);
  note_pending(target, w);
}

// Behind this, what was begun in the window for the target is done. The lock is given up meanwhile.
void mpi_transport::complete(std::unique_lock<std::mutex>& lock, int target, int number) {
  if (target != rank_ && !(memory_by_mpi_ && mpi_->one_sided()) && !options_.flush_all) {
    mpi_probe probe;
    mpi_->begin_probe(target, number, probe);
    for (unsigned turn = 0; !mpi_->probe_done(probe); ++turn) {
      lock.unlock();
      wait_a_little(turn);
      lock.lock();
    }
  }
  if (options_.flush_all) {
    mpi_->flush_all(number);
  } else {
    mpi_->flush(target, number);
  }
}

// By index: other threads may allocate and free while the lock is given up.
void mpi_transport::flush(std::unique_lock<std::mutex>& lock, int target, std::size_t index) {
  const auto place = static_cast<std::size_t>(target);
  windows_[index].pending[place] = 0;
  ++windows_[index].flushing[place];
  // What is stored from now on is not complete afterwards.
  const std::deque<std::uint64_t> posted = std::exchange(windows_[index].posted[place], {});
  complete(lock, target, windows_[index].number);
  --windows_[index].flushing[place];
}

void mpi_transport::flush(int target) {
  std::unique_lock lock(mutex_);
  const auto place = static_cast<std::size_t>(target);
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const record& each = windows_[i];
    // What another thread is just waiting for may hold operations of this one, too.
    if (each.number >= 0 && (each.pending[place] != 0 || each.flushing[place] != 0)) {
      flush(lock, target, i);
    }
  }
}

std::uint64_t mpi_transport::fetch_add(int target, const window& w, std::size_t offset,
                                       std::uint64_t value) {
  std::unique_lock lock(mutex_);
  std::uint64_t before = 0;
  mpi_->fetch_add(target, of(w).number, shifted(target, w, offset), value, before);
  complete(lock, target, of(w).number);
  return before;
}

std::uint64_t mpi_transport::compare_swap(int target, const window& w, std::size_t offset,
                                          std::uint64_t expected, std::uint64_t desired) {
  std::unique_lock lock(mutex_);
  std::uint64_t before = 0;
  mpi_->compare_swap(target, of(w).number, shifted(target, w, offset), expected, desired, before);
  complete(lock, target, of(w).number);
  return before;
}

std::uint64_t mpi_transport::load(int target, const window& w, std::size_t offset) {
  std::unique_lock lock(mutex_);
  std::uint64_t value = 0;
  mpi_->load(target, of(w).number, shifted(target, w, offset), value);
  complete(lock, target, of(w).number);
  return value;
}

void mpi_transport::store(int target, const window& w, std::size_t offset, std::uint64_t value) {
  constexpr std::size_t most_posted = 64;
  std::unique_lock lock(mutex_);
  const auto index = static_cast<std::size_t>(w.id);
  const auto place = static_cast<std::size_t>(target);
  if (windows_[index].posted[place].size() >= most_posted) flush(lock, target, index);
  auto& posted = windows_[index].posted[place];
  posted.push_back(value);  // MPI may read it until the next flush; a deque does not move it
  mpi_->store(target, of(w).number, shifted(target, w, offset), posted.back());
  note_pending(target, w);
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/job/job_line.hpp"
#include "cluster/transport/job/this_host.hpp"
#include "platform/affinity.hpp"
#include "platform/executable.hpp"
#include "platform/fatal.hpp"
#include "platform/memory.hpp"
#include "platform/os_thread.hpp"
#include "platform/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t us = 1000;
constexpr std::uint64_t patience = 1'000'000 * us;  // with a rank at its end while others wait
constexpr std::uint64_t longest_sleep = 100 * us;
constexpr std::size_t largest_collective = 1u << 20;

// Numbers that messages carry: a ring, or the end of a rank with what exit() was called with, if it was.
constexpr int ring_message = -1;

std::uint64_t clock_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

std::string exit_in_words(int called) {
  return called == 0 ? "it has stopped the cluster while others go on"
                     : "it ended by exit(" + std::to_string(called - 1) + ')';
}

// MPICH 4.0.2 over UCX and sockets sometimes waits in MPI_Finalize for what a rank that is further on does
// not answer any more. Where leave() cannot do without it the job is complete then and would never end:
// after a while this ends it.
class finalize_limit {
 public:
  explicit finalize_limit(int rank) : thread_([this, rank] { watch(rank); }) {}
  ~finalize_limit() {
    {
      const std::scoped_lock lock(mutex_);
      returned_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  finalize_limit(const finalize_limit&) = delete;
  finalize_limit& operator=(const finalize_limit&) = delete;

 private:
  void watch(int rank) {
    constexpr int patience_s = 20;
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::seconds(patience_s), [this] { return returned_; })) {
      return;
    }
    platform::fatal("rank %d: MPI_Finalize has not returned for %d s, though the job is complete and "
                    "nothing is under way: its MPI has failed", rank, patience_s);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool returned_ = false;
  std::thread thread_;
};

}  // namespace

mpi_transport::mpi_transport(std::unique_ptr<mpi_library> mpi, mpi_options options)
    : mpi_(std::move(mpi)),
      rank_(mpi_->rank()),
      size_(mpi_->size()),
      options_(options),
      page_(platform::page_size()),
      start_ns_(clock_ns()),
      board_(job_file::create(size_, 0)),
      exits_(static_cast<std::size_t>(size_), -1) {
  meet();
  share_board();
  // Without it all is right, too, and slower.
  tended_ = size_ > 1 && mpi_->called_at_any_time() && platform::start_os_thread(
                             tender_,
                             [](void* self) -> void* {
                               static_cast<mpi_transport*>(self)->tend();
                               return nullptr;
                             },
                             this, "kasuri-mpi");
}

void mpi_transport::tend() {
  constexpr std::uint64_t every = 200 * us;
  while (tends_.load(std::memory_order_relaxed)) {
    platform::sleep_exactly(every);
    if (clock_ns() - looked_ns_.load(std::memory_order_relaxed) < every) continue;
    if (!(memory_by_mpi_ && mpi_->one_sided())) look();
  }
}

void mpi_transport::stop_tending() {
  if (!std::exchange(tended_, false)) return;
  tends_.store(false, std::memory_order_relaxed);
  ::pthread_join(tender_, nullptr);
}

void mpi_transport::announce_end() {
  if (std::exchange(announced_, true)) return;
  const job_seat& place = board_.seat(rank_);
  const auto called = static_cast<int>(place.exit_called.load(std::memory_order_relaxed));
  for (int r = 0; r < size_; ++r) {
    const std::scoped_lock lock(mutex_);
    if (r != rank_) mpi_->send(r, called);
  }
}

// Until then a rank that has announced its end takes part in no collective operation: the others' could be
// others.
void mpi_transport::wait_for_all_ends() {
  for (unsigned turn = 0; true; ++turn) {
    look();
    if (ended_.load(std::memory_order_relaxed) == size_ - 1) break;
    wait_a_little(turn);
  }
}

mpi_transport::~mpi_transport() {
  announce_end();
  wait_for_all_ends();
  stop_tending();
  note_exit_in(nullptr);
  job_seat& place = board_.seat(rank_);
  place.state.store(seat_left, std::memory_order_release);  // pairs with: the watch's load
  for (record& each : windows_) {
    if (each.number >= 0) mpi_->free(each.number);
  }
  watch_.reset();
  barrier();  // as little as possible is under way
  const finalize_limit limit(rank_);
  mpi_->leave();
  mpi_.reset();
  say_failures_once(nullptr);
}

void mpi_transport::meet() {
  seat mine{machine_identity(), process_space_identity(), platform::process_id(),
            board_.descriptor(), board_.control().secret[0], {}};
  std::snprintf(mine.host, sizeof mine.host, "%s", platform::host_name().c_str());
  seats_.resize(static_cast<std::size_t>(size_));
  all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(seats_)));
  std::vector<std::uint64_t> machines;
  for (const seat& each : seats_) {
    const auto known = std::ranges::find(machines, each.machine);
    hosts_.push_back(static_cast<int>(known - machines.begin()));
    if (known == machines.end()) machines.push_back(each.machine);
  }
}

int mpi_transport::host_of(int rank) const noexcept {
  return options_.host_ranks == 0 ? hosts_[static_cast<std::size_t>(rank)]
                                  : rank / options_.host_ranks;
}

// The file of the first rank of this host, where it can be opened; else this rank's own.
void mpi_transport::share_board() {
  const seat& mine = seats_[static_cast<std::size_t>(rank_)];
  std::vector<int> here;
  for (int r = 0; r < size_; ++r) {
    const seat& other = seats_[static_cast<std::size_t>(r)];
    if (other.machine == mine.machine && other.processes == mine.processes) here.push_back(r);
  }
  const seat& first = seats_[static_cast<std::size_t>(here[0])];
  if (here[0] != rank_) {
    job_file opened =
        job_file::adopt(platform::open_shared_file_of(first.pid, first.board));
    if (opened.valid() && opened.control().secret[0] == first.secret) board_ = std::move(opened);
  }
  job_seat& place = board_.seat(rank_);
  place.pid.store(mine.pid, std::memory_order_relaxed);
  place.state.store(seat_taken, std::memory_order_relaxed);
  note_exit_in(&place.exit_called);
  say_failures_once(&board_.control());
  barrier();
  watch_.emplace(board_, here, rank_, [this] { barrier(); });
}

std::string mpi_transport::failure_text(int rank, const std::string& how) const {
  const seat& other = seats_[static_cast<std::size_t>(rank)];
  return "rank " + std::to_string(rank) + " (pid " + std::to_string(other.pid) + " on host " +
         other.host + ") ended before the job did: " +
         (how.empty() ? "its process ended, the cause is not known" : how);
}

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
  all_gather(std::as_bytes(std::span(&shift, 1)),
             std::as_writable_bytes(std::span(made.shifts)));
  void* second = platform::reserve(page_);
  const bool shows =
      second != nullptr && platform::duplicate_mapping(made.local, page_, second);
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
    platform::fatal("rank %d: no second mapping of %zu bytes of shared memory: %s "
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

// Takes in all messages that have come.
void mpi_transport::look() {
  looked_ns_.store(clock_ns(), std::memory_order_relaxed);
  const std::scoped_lock lock(mutex_);
  for (int source = 0, number = 0; mpi_->receive(source, number);) {
    if (number == ring_message) {
      rung_ = true;
    } else {
      exits_[static_cast<std::size_t>(source)] = number;
      ended_.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

void mpi_transport::progress() { look(); }

// The n-th turn of a wait: first the others on this CPU may work, then longer and longer sleeps.
void mpi_transport::wait_a_little(unsigned turn) {
  constexpr unsigned yields = 20;
  constexpr std::uint64_t first_sleep = 5 * us;
  if (turn < yields) {
    std::this_thread::yield();
  } else {
    platform::sleep_exactly(std::min(longest_sleep, first_sleep + (turn - yields) * us));
  }
}

// Called by who has waited in vain for so long.
void mpi_transport::look_for_ended(std::uint64_t waited_ns) {
  const std::scoped_lock lock(mutex_);
  if (announced_ || ended_.load(std::memory_order_relaxed) == 0 || waited_ns < us) return;
  const std::uint64_t now = clock_ns();
  if (ended_noticed_ns_ == 0) ended_noticed_ns_ = now;
  if (now - ended_noticed_ns_ < patience) return;
  const auto first = std::ranges::find_if(exits_, [](int each) { return each >= 0; });
  const std::string text =
      failure_text(static_cast<int>(first - exits_.begin()), exit_in_words(*first)) +
      waits_in(rank_, entered());
  report_failure(board_.control(), text);
  mpi_->abort(2);
}

void mpi_transport::nap(std::uint64_t ns) {
  const std::uint64_t begin = clock_ns();
  for (unsigned turn = 0; true; ++turn) {
    look();
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(rung_, false)) return;
    }
    const std::uint64_t waited = clock_ns() - begin;
    if (waited >= ns) {
      look_for_ended(waited);
      return;
    }
    wait_a_little(turn);
  }
}

void mpi_transport::ring(int target) {
  const std::scoped_lock lock(mutex_);
  if (target == rank_) {
    rung_ = true;
  } else {
    mpi_->send(target, ring_message);
  }
}

std::uint64_t mpi_transport::now_ns() const noexcept { return clock_ns() - start_ns_; }

void mpi_transport::wait_for_collective() {
  const std::uint64_t begin = clock_ns();
  for (unsigned turn = 0; true; ++turn) {
    {
      const std::scoped_lock lock(mutex_);
      if (mpi_->collective_done()) return;
    }
    look();
    look_for_ended(clock_ns() - begin);
    wait_a_little(turn);
  }
}

void mpi_transport::barrier() {
  if (announced_) wait_for_all_ends();
  {
    const std::scoped_lock lock(mutex_);
    mpi_->begin_barrier();
  }
  wait_for_collective();
}

void mpi_transport::broadcast(int root, std::span<std::byte> data) {
  while (!data.empty()) {
    const std::size_t now = std::min(data.size(), largest_collective);
    if (announced_) wait_for_all_ends();
    {
      const std::scoped_lock lock(mutex_);
      mpi_->begin_broadcast(root, data.data(), now);
    }
    wait_for_collective();
    data = data.subspan(now);
  }
}

void mpi_transport::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const std::size_t part = std::min(mine.size(), largest_collective);
  std::vector<std::byte> parts(part * static_cast<std::size_t>(size_));
  for (std::size_t done = 0; done < mine.size();) {
    const std::size_t now = std::min(mine.size() - done, part);
    if (announced_) wait_for_all_ends();
    {
      const std::scoped_lock lock(mutex_);
      mpi_->begin_all_gather(mine.data() + done, parts.data(), now);
    }
    wait_for_collective();
    for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r) {
      std::memcpy(all.data() + r * mine.size() + done, parts.data() + r * now, now);
    }
    done += now;
  }
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The source of workers of one copy of oneTBB: its jobs run on the pool (job.hpp has the states).
//
//   estimate_    the sum of what oneTBB has told: so many jobs it could use
//   under_way_   jobs that are sent or inside
//   inside_      jobs that a worker is inside of
//   references_  frames that the pool has of this server (jobs that are sent, inside or withdrawn),
//                and the connection until it has been acknowledged
//   uncleaned_   from the close on: jobs that are to be cleaned up before it is acknowledged
//
// Jobs are sent until under_way_ reaches the estimate, and a worker that comes back from oneTBB
// leaves where under_way_ is above it: both look under the lock, so that no job is missing.
//
// No thread waits for a job to begin: oneTBB's callers do their own work. What must run somewhere
// else (enqueue) has a frame in the inbox, which the pool serves in turn. Tasks inside may spin
// until another job has begun: the monitor lends tokens for jobs that wait, as for the members of a
// region.
//
// Giving way. The contract has no word for it: only oneTBB makes a worker leave, at the end of its
// outermost task. Members that must start get tokens from the monitor meanwhile.
//
// The pool. It is held while there is a connection (sched/life/lifetime.hpp): a program that gives
// its threads up for a while would wait for oneTBB's tasks, which may wait for it.
//
// The end. Jobs that nobody is inside of are cleaned up by the thread that closes; the others by
// their workers behind process(). The last one acknowledges. The thread that closes waits for that
// unless it is inside of a job itself: oneTBB's threads are gone then, as it promises for
// finalize(). The server lives on until the pool has no frame of it.
//
// Fork. A worker that is inside is lost in the child, where oneTBB counts on it for ever. Most of
// those have found no more work, and leave within a millisecond: fork() waits for them, longer
// where oneTBB has told that it needs fewer. The child has the estimate but for the lost; idle
// jobs, and those that were sent, begin anew there with new identities.

#include <atomic>
#include <cstdint>

#include "platform/thread/mutex.hpp"
#include "runtimes/rml/interface.hpp"
#include "runtimes/rml/job.hpp"

namespace kasuri::runtimes::rml {

class server final : public server_face {
 public:
  /// Null when there is no memory.
  static server* make(client_face& of) noexcept;

  unsigned version() const override { return 0; }
  void request_close_connection(bool exiting) override;
  void yield() override;
  void independent_thread_number_changed(int) override {}
  /// As many as oneTBB may want: with less it would say that workers are short.
  unsigned default_concurrency() const override { return most_; }
  void adjust_job_count_estimate(int delta) override;

  /// The frame of a job was taken by the calling worker.
  void run(job& j) noexcept;

 private:
  explicit server(client_face& of) noexcept;
  ~server() override = default;

  // Under the lock.
  job* take_for_estimate() noexcept;
  job* make_job() noexcept;
  void put_idle(job& j) noexcept;
  void come_out(job& j) noexcept;
  bool caller_is_inside() const noexcept;

  [[nodiscard]] bool begin(job& j) noexcept;
  [[nodiscard]] bool equip(job& j) noexcept;
  [[nodiscard]] bool goes_on_at_once(const job& j) noexcept;
  void leave(job& j) noexcept;
  void give_up(job& j) noexcept;
  void clean(job& j) noexcept;
  void count_cleaned() noexcept;
  void drop_reference() noexcept;

  friend class server_list;
  /// Of workers inside, other than the caller: some are about to leave, or they may have work.
  enum class presence { none, may_work, leave };
  presence others_inside() const noexcept;
  void begin_anew_in_child() noexcept;

  client_face& client_;
  const unsigned most_;
  const std::size_t stack_bytes_;

  mutable platform::mutex lock_;  // guards what follows, but for the last
  int estimate_ = 0;
  int under_way_ = 0;
  int inside_ = 0;
  int references_ = 1;
  int uncleaned_ = 0;
  unsigned made_ = 0;
  bool closing_ = false;
  job* idle_ = nullptr;
  job* first_made_ = nullptr;
  server* next_ = nullptr;  // server_list's
  std::atomic<std::uint32_t> acknowledged_{0};
};

}  // namespace kasuri::runtimes::rml

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What oneTBB and its source of workers know of each other: two objects with virtual functions. The
// order of the functions is the contract, since both sides call by it; names are ours. Source:
// oneTBB, src/tbb/rml_base.h and rml_tbb.h, alike in 2021.8.0 and 2023.2.0.
//
// oneTBB's side is the client. It makes the records of jobs; the server calls process(job) on as
// many jobs at once as the estimate says, each on a thread of its own, never one job twice at once.
// process() returns when oneTBB has no work for that thread. When the connection ends the server
// has each job cleaned up, and then acknowledges once: the client is gone behind that.

#include <cstddef>

namespace kasuri::runtimes::rml {

/// A job as oneTBB knows it; it says nothing of what lies in it.
struct client_job;

class client_face {
 public:
  virtual ~client_face() = default;
  virtual unsigned version() const = 0;
  /// The most jobs that may ever be made.
  virtual unsigned max_job_count() const = 0;
  virtual std::size_t min_stack_size() const = 0;
  /// Called by the thread that is to be the job's.
  virtual client_job* create_one_job() = 0;
  virtual void acknowledge_close_connection() = 0;
  virtual void cleanup(client_job& j) = 0;
  virtual void process(client_job& j) = 0;
};

class server_face {
 public:
  virtual ~server_face() = default;
  virtual unsigned version() const = 0;
  virtual void request_close_connection(bool exiting) = 0;
  virtual void yield() = 0;
  virtual void independent_thread_number_changed(int delta) = 0;
  virtual unsigned default_concurrency() const = 0;
  /// oneTBB could use so many jobs more, or less.
  virtual void adjust_job_count_estimate(int delta) = 0;
};

/// What the functions of the factory return.
enum class status : int { success = 0, connection_exists, not_found, incompatible };

/// Of the contract that both sides follow.
inline constexpr unsigned contract_version = 2;

}  // namespace kasuri::runtimes::rml

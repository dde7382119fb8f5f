// SPDX-License-Identifier: Apache-2.0
// A profile as it was written (docs/design/explain.md), checked. Fields that a section lacks are
// zero.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/ranks/clocks.hpp"

namespace kasuri::report {

/// A file that is no profile, or holds none; what() says so in words to put after its name.
class bad_profile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct machine_facts {
  int usable_cpus = 0;
  int online_cpus = 0;
  double quota_cpus = 0;  // 0: no quota
  double throttled_s = 0;
  double others_s = 0;  // processor time of other programs meanwhile
  double stolen_s = 0;  // ... of the machine below a virtual one
  double load = 0;
  double peak_kib = 0;
};

struct os_thread {
  int tid = 0;
  std::string name = {};
  double processor_s = 0;
  double run_delay_s = 0;
  double switches = 0;  // times that it gave its processor away to wait
};

/// By bin: the mean of what was seen.
struct over_time {
  double bin_s = 0;
  std::vector<double> seconds = {};
  std::vector<double> running = {};
  std::vector<double> waiting = {};
  std::vector<double> blocked = {};
  std::vector<double> ready = {};
  std::vector<double> serial = {};
  std::vector<double> asleep = {};
};

struct sample {
  std::uint64_t pc = 0;
  int site = 0;
  bool in_pool = false;  // on a worker
  double processor_s = 0;
  double alone_s = 0;
  double blamed_s = 0;
  double waited_s = 0;
};

struct system_wait {
  std::uint64_t pc = 0;
  std::uint64_t caller = 0;
  std::string call = {};  // as "read()"
  int site = 0;
  bool in_pool = false;
  double s = 0;
};

struct site {
  std::uint64_t code = 0;  // of a region: the entry of the function that its members run
  std::string kind = {};
  std::uint64_t address = 0;
  double work_s = 0;
};

struct mapped_module {
  std::string path = {};
  std::uint64_t base = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string build_id = {};
  bool of_program = false;
};

struct account {
  int worker = 0;
  int tid = 0;
  int node = 0;  // index
  std::string role = {};
  double work_s = 0;
  double overhead_s = 0;
  double idle_ready_s = 0;
  double idle_empty_s = 0;
  double blocked_s = 0;
  double waiting_s = 0;
  double off_core_s = 0;
  double processor_s = 0;
  double tasks = 0;
  double steals = 0;
  double steals_tried = 0;
  double refused = 0;
  double rescues = 0;
  double parks = 0;
  double wakes = 0;
  double late_s = 0;     // on its way when it had been woken
  double calling_s = 0;  // in the calls that woke others
  double total() const {
    return work_s + overhead_s + idle_ready_s + idle_empty_s + blocked_s + waiting_s + off_core_s;
  }
};

/// A parallel region or a phase of one, by its place.
struct phase {
  int site = 0;
  int region = 0;  // of a phase
  std::string kind = {};
  double count = 0;
  double members = 0;
  double wall_s = 0;
  double busy_s = 0;
  double max_s = 0;
  double mean_s = 0;
  double wait_s = 0;
  double lock_s = 0;
  double serial_s = 0;
  std::vector<double> worst = {};
};

/// A loop that the OpenMP runtime deals out.
struct dealt_loop {
  int site = 0;
  std::string schedule = {};
  double count = 0;
  double iterations = 0;
  double chunks = 0;
  double body_s = 0;
};

struct lock {
  std::uint64_t address = 0;
  std::string kind = {};
  int site = 0;
  int holder = 0;
  double count = 0;
  double contended = 0;
  double wait_s = 0;
  double held_s = 0;
};

/// Tasks or forks by the place that creates them.
struct task_kind {
  int site = 0;
  std::string kind = {};  // of the site
  double count = 0;
  double work_s = 0;    // of OpenMP's: their own time
  double create_s = 0;  // what it took to create them, where that is known
  double dependences = 0;
  double late_s = 0;                 // were ready long after creation, for dependences
  std::vector<double> log2_ns = {};  // how many took 2^i ns and more
};

struct path_part {
  int site = 0;
  double s = 0;
};

/// Checkouts of global memory by the place of the call.
struct checkout_site {
  int site = 0;
  double count = 0;
  double wait_s = 0;
};

/// A library with threads of its own, whose work ran on the pool instead.
struct runtime_on_pool {
  std::string name = {};
  double stays = 0;  // how often a worker was inside
  double s = 0;      // ... for so long, all together, by the wall
};

/// A line of Python at which a thread was found.
struct python_line {
  std::string file = {};
  int line = 0;
  std::string function = {};
  int site = 0;  // that ran on the thread
  double s = 0;
};

/// Of a process that is a rank of a job.
struct rank_facts {
  int rank = -1;
  int ranks = 0;
  double steals = 0;  // closures taken from other ranks
  double ran = 0;     // closures of other ranks that ended here
  double join_wait_s = 0;
  double data_wait_s = 0;
  double fetched_bytes = 0;
  double refetched_bytes = 0;
  double written_back_bytes = 0;
  std::vector<meeting> meetings = {};
};

struct spans {
  double work_s = 0;
  double span_s = 0;
  double burdened_s = 0;
  std::vector<path_part> path;
};

struct profile {
  std::string program = {};
  std::vector<std::string> arguments;
  std::uint64_t process = 0;
  std::string host = {};
  long started_unix_ns = 0;
  rank_facts rank;
  double seconds = 0;
  bool last = false;  // the program came to its end
  int workers = 0;    // 0: no pool was started
  double watcher_s = 0;
  double samples_lost_s = 0;
  machine_facts machine;
  std::vector<os_thread> threads;
  over_time series;
  std::vector<double> kib_by_node;  // where the memory lies; empty: there is one node
  std::vector<sample> samples;
  std::vector<system_wait> waits;
  std::map<int, site> sites;
  std::vector<mapped_module> modules;
  std::vector<account> accounts;
  std::vector<phase> regions;
  std::vector<phase> phases;
  std::vector<dealt_loop> loops;
  std::vector<lock> locks;
  std::vector<task_kind> tasks;
  std::vector<python_line> python;
  std::vector<checkout_site> checkouts;
  double write_back_s = 0;  // bringing home what was written
  std::vector<double> bytes_by_rank;
  std::vector<runtime_on_pool> runtimes;
  spans critical;
  std::string timeline = {};  // as it stands in the file, for the page
  std::string trace = {};     // the recording that was made beside it; empty: none
  std::string forks = {};     // the folded graph as it stands in the file, for prediction
};

/// The last whole snapshot of the file. Throws bad_profile.
profile read_profile(const std::filesystem::path& file);

/// The same from a line. Throws bad_profile.
profile parse_profile(const std::string& line);

}  // namespace kasuri::report

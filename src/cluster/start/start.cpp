// SPDX-License-Identifier: Apache-2.0
#include "cluster/base/process.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/memory/summary.hpp"
#include "cluster/sched/front/faces.hpp"
#include "cluster/sched/front/pool_tasks.hpp"
#include "cluster/sched/summary.hpp"
#include "cluster/start/rank_profile.hpp"
#include "cluster/transport/job/exit_note.hpp"
#include "cluster/transport/open/open.hpp"
#include "cluster/transport/transport.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/start.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"
#include "platform/settings/settings_choice.hpp"
#include "platform/settings/settings_table.hpp"
#include "profile/base/active.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri {
namespace cluster {
namespace {

memory_options options_of(const platform::settings& s, int ranks) {
  const auto chosen = [&s](const char* name, std::size_t value) {
    const bool by_user =
        origin_of(s, *platform::find_setting(name)) != platform::setting_origin::default_value;
    return by_user ? value : 0;
  };
  const global_sizes sizes = sizes_for(ranks, chosen("KASURI_GLOBAL_RANGE", s.global_range),
                                       chosen("KASURI_GLOBAL_HEAP", s.global_heap));
  memory_options o;
  o.range_bytes = sizes.range_bytes;
  o.heap_bytes = sizes.heap_bytes;
  o.cache_bytes = s.cache_size;
  o.block_bytes = s.global_block;
  o.log_entries = notices_for(ranks);
  o.cached = s.cache;
  o.checked = s.check == "checkout";
  o.check_bytes = s.check_memory;
  return o;
}

std::unique_ptr<memory> open_memory(transport& net) {
  try {
    return std::make_unique<memory>(net, options_of(platform::current_settings(), net.size()));
  } catch (const global::error& e) {
    platform::fatal("%s", e.what());
  }
}

/// This process's part of its job. Ends with the program, together with the other ranks'.
class part_of_job {
 public:
  part_of_job() : net_(open_transport()), memory_(open_memory(*net_)) {
    self_.network = net_.get();
    self_.memory = memory_.get();
    current_process = &self_;
    const platform::settings& s = platform::current_settings();
    scheduler_options how;
    how.checked = s.check == "checkout";
    if (net_->size() == 1 && !how.checked) return;
    how.adws = s.sched == "adws";
    how.seed = s.seed;
    scheduler_ = std::make_unique<scheduler>(*net_, *memory_, tasks_, how);
    self_.scheduler = scheduler_.get();
    tasks_.serve(*scheduler_);
    set_process_scheduler(scheduler_.get());
    std::array wanted{s.cluster_summary, profile::active()};
    net_->broadcast(0, std::as_writable_bytes(std::span(wanted)));
    summary_ = wanted[0];
    if (wanted[1]) meet_for_clocks(*net_);
    enter_profile(*net_, *scheduler_, *memory_);
  }

  ~part_of_job() {
    if (::getpid() != owner_) {  // a child of fork() is no rank: nothing of this is its own
      static_cast<void>(scheduler_.release());
      static_cast<void>(memory_.release());
      static_cast<void>(net_.release());
      return;
    }
    net_->announce_end();  // not all may be at their end: then nobody waits for this rank for ever
    if (scheduler_ != nullptr && summary_) {
      print_summary(scheduler_->gather_counters(), net_->rank());
      print_memory_summary(*memory_);
    }
    leave_profile();
    tasks_.stop();
    set_process_scheduler(nullptr);
    scheduler_.reset();
    memory_.reset();
    current_process = nullptr;
  }
  part_of_job(const part_of_job&) = delete;
  part_of_job& operator=(const part_of_job&) = delete;

  process& self() noexcept { return self_; }

 private:
  const pid_t owner_ = ::getpid();
  bool summary_ = false;  // at all ranks, if rank 0 is told so
  std::unique_ptr<transport> net_;
  std::unique_ptr<memory> memory_;
  pool_tasks tasks_;
  std::unique_ptr<scheduler> scheduler_;
  process self_;
};

}  // namespace

process& started_process() {
  if (current_process != nullptr) return *current_process;
  static part_of_job mine;
  // After it, so that exit() tells its status before it destroys what is above.
  static const bool told = tell_status_at_exit();
  static_cast<void>(told);
  return mine.self();
}

}  // namespace cluster

namespace [[gnu::visibility("default")]] global {

void start() { cluster::started_process(); }

void start(const options& o) {
  if (cluster::current_process != nullptr)
    throw std::logic_error(
        "kasuri::global::start: the cluster layer runs already; accepted: before its first use");
  if (sched::pool_runs() && (o.scheduling != nullptr || o.workers != 0))
    throw std::logic_error(
        "kasuri::global::start: scheduling or workers are given, and the pool runs already");
  std::vector<std::pair<const char*, std::string>> chosen;
  const auto by_text = [&](const char* name, const char* text) {
    if (text != nullptr) chosen.emplace_back(name, text);
  };
  const auto by_number = [&](const char* name, auto number) {
    if (number != 0) chosen.emplace_back(name, std::to_string(number));
  };
  const auto by_choice = [&](const char* name, std::optional<bool> on) {
    if (on) chosen.emplace_back(name, *on ? "on" : "off");
  };
  by_choice("KASURI_CACHE", o.cache);
  by_number("KASURI_CACHE_SIZE", o.cache_size);
  by_number("KASURI_GLOBAL_HEAP", o.heap_size);
  by_number("KASURI_GLOBAL_RANGE", o.range_size);
  by_number("KASURI_GLOBAL_BLOCK", o.block_size);
  by_text("KASURI_TRANSPORT", o.transport);
  by_text("KASURI_CHECK", o.check);
  by_choice("KASURI_CLUSTER_SUMMARY", o.summary);
  by_text("KASURI_SCHED", o.scheduling);
  by_number("KASURI_NUM_WORKERS", o.workers);
  for (const auto& [name, text] : chosen)
    if (const auto problem = platform::problem_with(name, text))
      throw std::invalid_argument("kasuri::global::start: " + *problem);
  for (const auto& [name, text] : chosen) platform::choose_setting(name, text);
  start();
}

int rank() { return cluster::started_process().network->rank(); }

int num_ranks() { return cluster::started_process().network->size(); }

}  // namespace global
}  // namespace kasuri

// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/settings_table.hpp"

#include <algorithm>

#include "platform/base/bounds.hpp"
#include "platform/cpu/cpus.hpp"

namespace kasuri::platform {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t gib = 1024 * mib;
constexpr std::uint64_t tib = 1024 * gib;

constexpr int max_workers = most_workers;
constexpr int max_spares = most_spares;

// Placement policies. A new policy adds its name here and its class in src/sched.
constexpr std::string_view policies[] = {"near", "random", "adws"};

// Ways between the ranks of a job, and how MPI is asked to complete what is under way.
constexpr std::string_view transports[] = {"auto", "shared", "mpi"};
constexpr std::string_view flushes[] = {"target", "all"};
constexpr std::string_view checks[] = {"off", "checkout"};

// Signals that a user may send to a program; their numbers are in sched/watch/dump_signal.cpp.
constexpr std::string_view dump_signals[] = {"off", "QUIT", "USR1", "USR2", "HUP"};

constexpr int max_ranks = 65536;

void default_workers(settings& values) {
  values.num_workers = std::min(usable_cpus(), max_workers);
}

constexpr setting table[] = {
    {"KASURI_NUM_WORKERS", "workers", "usable CPUs",
     integer_rule<int>{&settings::num_workers, 1, max_workers},
     "Workers that run at once; usable CPUs are those of the affinity mask, or of the control "
     "group's CPU quota (rounded up) if that is less.",
     default_workers},
    {"KASURI_BIND", "workers", "off", on_off_rule{&settings::bind},
     "Pin worker i to the i-th usable PU in the order of the machine tree."},
    {"KASURI_SPIN", "workers", "30", integer_rule<int>{&settings::spin_us, 0, 1'000'000},
     "Microseconds an idle worker searches for work before it sleeps."},
    {"KASURI_MONITOR", "workers", "4", integer_rule<int>{&settings::monitor_ms, 0, 1000},
     "Milliseconds between two looks of the monitor that finds stuck workers; 0 turns it off."},
    {"KASURI_MAX_SPARES", "workers", "64", integer_rule<int>{&settings::max_spares, 0, max_spares},
     "Spare OS threads that may stand in for stuck workers at once."},
    {"KASURI_MAX_BLOCKING", "workers", "16384",
     integer_rule<int>{&settings::max_blocking, 0, most_blocking},
     "Calls of blocking(f) at once that have an OS thread of their own and keep no worker; further "
     "ones keep "
     "theirs, and spare threads stand in for those."},
    {"KASURI_DEADLOCK", "workers", "5", integer_rule<int>{&settings::deadlock_s, 0, 86'400},
     "Seconds after which a deadlock is told on standard error, with what each task waits for; 0: "
     "never. "
     "Whether it is one is counted: all tasks wait, nothing is queued, and the process has no "
     "thread left that "
     "could wake one."},
    {"KASURI_DUMP_SIGNAL", "workers", "off", choice_rule{&settings::dump_signal, dump_signals},
     "The signal on which the program writes to standard error what its workers do and what each "
     "task waits "
     "for, and goes on."},
    {"KASURI_SCHED", "scheduling", "near", choice_rule{&settings::sched, policies},
     "Scheduling policy: near steals along the machine tree, nearest first; random steals from "
     "anyone alike; adws sends the sides of forks to the same workers each time (almost "
     "deterministic work stealing) and steals within them."},
    {"KASURI_QUEUE_LIMIT", "scheduling", "4096",
     integer_rule<int>{&settings::queue_limit, 16, 1'000'000},
     "Tasks a worker queues before it runs new ones at once."},
    {"KASURI_SEED", "scheduling", "1",
     integer_rule<std::uint64_t>{&settings::seed, 0, std::numeric_limits<std::int64_t>::max()},
     "Seed of the random choice of victims."},
    {"KASURI_STACK_SIZE", "stacks", "1M", size_rule{&settings::stack_size, 16 * kib, gib},
     "Stack of a user-level thread; memory is used only as far as it is touched."},
    {"KASURI_GUARD_PAGES", "stacks", "on", on_off_rule{&settings::guard_pages},
     "Put an inaccessible page below each stack, so that an overflow is caught and named."},
    {"KASURI_TRACE", "recording", "", path_rule{&settings::trace},
     "Write a trace of the run to this file, to be read by kasuri trace."},
    {"KASURI_TRACE_BUFFER", "recording", "4M", size_rule{&settings::trace_buffer, 64 * kib, gib},
     "Bytes of trace a worker holds in memory."},
    {"KASURI_STATS", "recording", "off", on_off_rule{&settings::stats},
     "Print counters of each worker, and where the time went, when the pool ends."},
    {"KASURI_VERBOSE", "recording", "off", on_off_rule{&settings::verbose},
     "Say on standard error when the argument of an OpenMP call is not accepted, as in "
     "omp_set_num_threads(0), and what holds instead."},
    {"KASURI_PROFILE", "recording", "", path_rule{&settings::profile},
     "Write to this file where the time of the run goes, by place of the source, to be read by "
     "kasuri report."},
    {"KASURI_ONETBB", "runtimes", "on", on_off_rule{&settings::onetbb},
     "Run the work of oneTBB on the workers; off: it makes threads of its own."},
    {"KASURI_OPENBLAS", "runtimes", "on", on_off_rule{&settings::openblas},
     "Run the work of OpenBLAS on the workers, where its version lets others do so; off: it keeps "
     "it on threads of its own."},
    {"KASURI_FFTW", "runtimes", "on", on_off_rule{&settings::fftw},
     "Run the work of FFTW on the workers; off: it makes threads of its own."},
    {"KASURI_BLOSC", "runtimes", "on", on_off_rule{&settings::blosc},
     "Run the work of Blosc on the workers; off: it makes threads of its own."},
    {"KASURI_TRANSPORT", "cluster", "auto", choice_rule{&settings::transport, transports},
     "How the ranks of a job reach each other: auto is shared memory where all are on one host, "
     "and "
     "MPI's one-sided operations elsewhere."},
    {"KASURI_TRANSPORT_FLUSH", "cluster", "target",
     choice_rule{&settings::transport_flush, flushes},
     "How MPI is asked to complete operations: for one target, or for all at once, which some "
     "versions of MPI do wrongly."},
    {"KASURI_HOST_RANKS", "cluster", "0", integer_rule<int>{&settings::host_ranks, 0, max_ranks},
     "So many ranks in turn count as one host, as if each group had a machine of its own; 0: as "
     "they "
     "are."},
    {"KASURI_CACHE", "cluster", "on", on_off_rule{&settings::cache},
     "Keep copies of other ranks' global memory while nobody else writes it; off: each checkout "
     "fetches what it reads and writes back what it wrote, to see what the cache gains. The same "
     "at "
     "all ranks."},
    {"KASURI_CACHE_SIZE", "cluster", "256M", size_rule{&settings::cache_size, mib, tib},
     "Copies of other ranks' global memory that a rank keeps, in bytes."},
    {"KASURI_GLOBAL_HEAP", "cluster", "256M", size_rule{&settings::global_heap, mib, tib},
     "Global memory that the tasks of a rank may allocate, in bytes; the same at all ranks. Unless "
     "set, "
     "less where the heaps of all ranks would take more than a quarter of KASURI_GLOBAL_RANGE."},
    {"KASURI_GLOBAL_RANGE", "cluster", "256G",
     size_rule{&settings::global_range, 64 * mib, 16 * tib},
     "Addresses set aside for all arrays and heaps, in bytes; no memory. The same at all ranks. "
     "Unless "
     "set, more from 257 ranks on: four times what their heaps take, up to 16384G."},
    {"KASURI_GLOBAL_BLOCK", "cluster", "4K", size_rule{&settings::global_block, 4 * kib, mib},
     "Bytes of global memory that are fetched at once, a power of two; the same at all ranks."},
    {"KASURI_CHECK", "cluster", "off", choice_rule{&settings::check, checks},
     "checkout: end a program of which two parallel tasks use the same global memory, at the price "
     "of "
     "some time."},
    {"KASURI_CHECK_MEMORY", "cluster", "512M", size_rule{&settings::check_memory, mib, tib},
     "For KASURI_CHECK: bytes in which a rank keeps who used what; the same at all ranks."},
    {"KASURI_CLUSTER_SUMMARY", "cluster", "off", on_off_rule{&settings::cluster_summary},
     "At the end of a job of several ranks rank 0 prints what each has counted."},
    {"KASURI_JOB", "internal", "", path_rule{&settings::job},
     "The seat of a rank in its job; set by kasuri run --cluster."},
    {"KASURI_RUN_OPTIONS", "internal", "", list_rule{&settings::run_options},
     "Names of the settings that kasuri run set from its options; set by kasuri run."},
};
static_assert(std::size(table) == setting_count);

}  // namespace

std::span<const setting> settings_table() { return table; }

const setting* find_setting(std::string_view name) {
  const auto* row = std::ranges::find(table, name, &setting::name);
  return row == std::end(table) ? nullptr : row;
}

setting_origin origin_of(const settings& values, const setting& row) {
  return values.origins[static_cast<std::size_t>(&row - table)];
}

}  // namespace kasuri::platform

// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/open/open.hpp"

#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "cluster/transport/job/agree.hpp"
#include "cluster/transport/job/job_place.hpp"
#include "cluster/transport/job/same_settings.hpp"
#include "cluster/transport/mpi/mpi_open.hpp"
#include "cluster/transport/open/self_test.hpp"
#include "cluster/transport/shared/shared.hpp"
#include "platform/base/fatal.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::cluster {
namespace {

using platform::fatal;

std::unique_ptr<transport> join_job(const platform::settings& settings) {
  const char* text = settings.job.c_str();
  const auto place = parse_job_place(settings.job);
  if (!place) {
    fatal("KASURI_JOB=%s: no seat in a job; set by kasuri run --cluster alone", text);
  }
  job_file file = job_file::adopt(place->descriptor);
  if (!file.valid() || place->rank >= file.ranks()) {
    fatal(
        "KASURI_JOB=%s: that job is not open here: a program that a rank starts cannot be a rank "
        "too",
        text);
  }
  const bool watched = file.control().launcher != 0;
  auto network = std::make_unique<shared_transport>(
      std::move(file), place->rank,
      shared_options{.host_ranks = settings.host_ranks, .watch = !watched, .after = {}});
  const declared_settings mine = declare(settings);
  std::vector<declared_settings> all(static_cast<std::size_t>(network->size()));
  network->all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  if (const std::string line = disagreement(all); !line.empty()) fatal("%s", line.c_str());
  if (settings.transport == "mpi") {
    fatal(
        "KASURI_TRANSPORT=mpi: this job was started by kasuri run --cluster, without an MPI; "
        "accepted: auto or shared, or start it by mpiexec");
  }
  return network;
}

// By the names of the process managers that start ranks without an MPI's help.
struct starter {
  const char* name;
  const char* number;
  const char* count;
  const char* accepted;
};
constexpr starter starters[] = {
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
     "srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH)"},
    {"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH)"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "flux run -o pmi=pmix or -o pmi=simple"},
    {"PALS", "PALS_RANKID", "PALS_NRANKS", "mpiexec of an MPI that Kasuri was built with"}};

// Several processes of one job step that cannot find each other are as many jobs, each with the
// whole result.
void tell_of_others() {
  for (const starter& by : starters) {
    const char* const number = std::getenv(by.number);
    const char* const count = std::getenv(by.count);
    if (number == nullptr || count == nullptr || std::atol(count) < 2) continue;
    if (std::strcmp(number, "0") != 0) return;
    platform::warn(
        "%s=%s, %s=%s: %s has started %s processes without a PMI, by which they would find each "
        "other: each is a job of one rank; accepted for one job: %s, or kasuri run --cluster",
        by.number, number, by.count, count, by.name, count, by.accepted);
    return;
  }
}

std::unique_ptr<transport> alone(const platform::settings& settings) {
  if (settings.transport == "mpi") {
    fatal(
        "KASURI_TRANSPORT=mpi: this process is no rank of an MPI job; accepted: auto or shared, "
        "or start it by mpiexec");
  }
  tell_of_others();
  return std::make_unique<shared_transport>(job_file::create(1, 0), 0, shared_options{});
}

std::unique_ptr<transport> choose() {
  const platform::settings& read = platform::settings_as_read();
  if (read.job.empty() && in_mpi_job(read)) return open_mpi_job(read);
  const platform::settings& settings = platform::current_settings();
  return settings.job.empty() ? alone(settings) : join_job(settings);
}

}  // namespace

std::unique_ptr<transport> open_transport() {
  std::unique_ptr<transport> network = choose();
  check_programs(*network);
  divide_cpus(*network);
  if (const std::string fault = find_fault(*network); !fault.empty()) {
    if (network->rank() == 0) {
      const bool at_once = platform::current_settings().transport_flush == "all";
      fatal("the network of this job fails its test: %s%s", fault.c_str(),
            at_once ? " (MPI_Win_flush_all, by KASURI_TRANSPORT_FLUSH=all; accepted here: target)"
                    : "; its MPI cannot be used");
    }
    network->barrier();  // rank 0 never reaches it
  }
  return network;
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/mpi/mpi_open.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cluster/transport/job/same_settings.hpp"
#include "cluster/transport/mpi/mpi.hpp"
#include "cluster/transport/shared/shared.hpp"
#include "platform/process/executable.hpp"
#include "platform/base/fatal.hpp"
#include "platform/process/launched_rank.hpp"
#include "platform/settings/settings.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

using platform::fatal;

struct mpi_kind {
  const char* name;
  const char* module;
  const char* package;
};
constexpr mpi_kind mpich{"MPICH", "libkasuri-mpi-mpich.so", "libmpich-dev"};
constexpr mpi_kind open_mpi{"Open MPI", "libkasuri-mpi-openmpi.so", "libopenmpi-dev"};

// By the names that the two kinds of process managers use: PMI, that of MPICH and its descendants,
// and PMIx, that of Open MPI.
constexpr const char* mpich_sizes[] = {"PMI_SIZE"};
constexpr const char* open_mpi_sizes[] = {"OMPI_COMM_WORLD_SIZE"};

const char* first_set(std::span<const char* const> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name); value != nullptr) return value;
  }
  return nullptr;
}

/// Of an MPI that the program itself is linked with; null: it is not.
const mpi_kind* linked_mpi() {
  using version_call = int(char*, int*);
  auto* version = reinterpret_cast<version_call*>(::dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (version == nullptr) return nullptr;
  std::vector<char> text(16384);
  int length = 0;
  version(text.data(), &length);
  return std::strstr(text.data(), "Open MPI") != nullptr ? &open_mpi : &mpich;
}

const mpi_kind* kind_of_job() {
  if (first_set(open_mpi_sizes) == nullptr && first_set(mpich_sizes) == nullptr &&
      std::getenv("PMIX_RANK") == nullptr) {
    return nullptr;
  }
  if (const mpi_kind* linked = linked_mpi(); linked != nullptr) return linked;
  return first_set(mpich_sizes) != nullptr ? &mpich : &open_mpi;
}

std::string folder_of_library() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&folder_of_library), &info) == 0 ||
      info.dli_fname == nullptr) {
    return "";
  }
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// Beside the library; two folders above, where the library is the OpenMP runtime's; for a program
// that holds the library itself, also where one would be.
void* load(const mpi_kind& kind) {
  const std::string here = folder_of_library();
  std::string problem;
  for (const std::string& path : {here + '/' + kind.module, here + "/../../" + kind.module,
                                  here + "/../lib/" + kind.module, std::string(kind.module)}) {
    // Global: Open MPI's own modules look up its symbols so.
    void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module != nullptr) return module;
    problem = ::dlerror();
  }
  platform::let_rank_0_speak();
  fatal(
      "this is a rank of %s's job, and Kasuri's module for it cannot be loaded: %s; build Kasuri "
      "where the package %s is installed, or start the program by kasuri run --cluster",
      kind.name, problem.c_str(), kind.package);
}

std::unique_ptr<mpi_library> start_mpi(const mpi_kind& kind) {
  void* module = load(kind);
  auto* open = reinterpret_cast<mpi_opener*>(::dlsym(module, mpi_opener_name));
  if (open == nullptr) {
    fatal("%s is no module of this Kasuri: %s", kind.module, ::dlerror());
  }
  return std::unique_ptr<mpi_library>(open());
}

void finish(mpi_library& mpi) {
  while (!mpi.collective_done()) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

// The first rank that does not agree; the number of ranks if all do.
int first_against(mpi_library& mpi, bool mine) {
  const char flag = mine ? 1 : 0;
  std::vector<char> all(static_cast<std::size_t>(mpi.size()));
  mpi.begin_all_gather(&flag, all.data(), 1);
  finish(mpi);
  return static_cast<int>(std::ranges::find(all, 0) - all.begin());
}

// Where another rank says why the job ends, which never comes to this barrier.
void wait_for_the_end(mpi_library& mpi) {
  mpi.begin_barrier();
  finish(mpi);
}

void check_settings(mpi_library& mpi, const platform::settings& settings) {
  const declared_settings mine = declare(settings);
  std::vector<declared_settings> all(static_cast<std::size_t>(mpi.size()));
  mpi.begin_all_gather(&mine, all.data(), sizeof mine);
  finish(mpi);
  const std::string line = disagreement(all);
  if (line.empty()) return;
  if (mpi.rank() == 0) fatal("%s", line.c_str());
  wait_for_the_end(mpi);
}

// Where rank 0's file is to be found, and how to know it.
struct meeting_place {
  std::uint32_t pid;
  int descriptor;
  std::uint64_t secret[2];
};

struct meeting {
  job_file file;  // of the job; not valid if there is a rank that cannot open it
  int outside;    // the first such rank
};

// The job's file, made by rank 0: ranks that can open it share memory.
meeting meet(mpi_library& mpi) {
  const bool first = mpi.rank() == 0;
  job_file file = first ? job_file::create(mpi.size(), 0) : job_file::adopt(-1);
  meeting_place place{};
  if (first) {
    place = {platform::process_id(), file.descriptor(), {}};
    std::ranges::copy(file.control().secret, place.secret);
  }
  mpi.begin_broadcast(0, &place, sizeof place);
  finish(mpi);
  if (!first) {
    file = job_file::adopt(platform::open_shared_file_of(place.pid, place.descriptor));
    // The process id may be another process's, in another container.
    if (file.valid() && !std::ranges::equal(file.control().secret, place.secret)) {
      file = job_file::adopt(-1);
    }
  }
  const int outside = first_against(mpi, file.valid());
  if (outside != mpi.size()) file = job_file::adopt(-1);
  return {std::move(file), outside};
}

/// Where all ranks share memory: the transport over it, behind whose end MPI ends. Null: they do
/// not. Ends the job where the setting asks for shared memory.
std::unique_ptr<transport> open_shared(std::unique_ptr<mpi_library>& mpi,
                                       const platform::settings& settings) {
  meeting met = meet(*mpi);
  if (met.file.valid()) {
    const int rank = mpi->rank();
    auto kept = std::make_shared<std::unique_ptr<mpi_library>>(std::move(mpi));
    return std::make_unique<shared_transport>(
        std::move(met.file), rank,
        shared_options{
            .host_ranks = settings.host_ranks, .watch = true, .after = [kept] { kept->reset(); }});
  }
  if (settings.transport == "shared") {
    if (met.outside == mpi->rank()) {
      fatal(
          "KASURI_TRANSPORT=shared: rank %d and rank 0 cannot share memory, they are on different "
          "hosts or in different containers; accepted here: auto or mpi",
          met.outside);
    }
    wait_for_the_end(*mpi);
  }
  return nullptr;
}

/// Ends the job with a line unless MPI can do at all ranks what the transport over it needs.
void expect_usable(mpi_library& mpi, const mpi_kind& kind, const platform::settings& settings) {
  const bool good = *mpi.thread_problem() == '\0';
  if (const int rank = first_against(mpi, good); rank == mpi.rank()) {
    fatal(
        "%s was started for the thread level %s; accepted between hosts: MPI_THREAD_SERIALIZED or "
        "more, by MPI_Init_thread, so that any thread may call it",
        kind.name, mpi.thread_problem());
  } else if (rank != mpi.size()) {
    wait_for_the_end(mpi);
  }
  const bool works = *mpi.window_problem() == '\0';
  if (const int rank = first_against(mpi, works); rank == mpi.rank()) {
    fatal("KASURI_TRANSPORT=%s: %s", settings.transport.c_str(), mpi.window_problem());
  } else if (rank != mpi.size()) {
    wait_for_the_end(mpi);
  }
}

}  // namespace

bool in_mpi_job(const platform::settings& settings) {
  if (kind_of_job() == nullptr) return false;
  if (settings.transport == "mpi") return true;
  const char* size = first_set(open_mpi_sizes);
  if (size == nullptr) size = first_set(mpich_sizes);
  return size == nullptr || std::strcmp(size, "1") != 0;
}

std::unique_ptr<transport> open_mpi_job(const platform::settings& settings) {
  const mpi_kind& kind = *kind_of_job();
  std::unique_ptr<mpi_library> mpi = start_mpi(kind);
  check_settings(*mpi, settings);
  if (settings.transport != "mpi")
    if (std::unique_ptr<transport> shared = open_shared(mpi, settings)) return shared;
  expect_usable(*mpi, kind, settings);  // behind the meeting, for which one thread was enough
  return std::make_unique<mpi_transport>(std::move(mpi),
                                         mpi_options{.flush_all = settings.transport_flush == "all",
                                                     .host_ranks = settings.host_ranks});
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/document.hpp"
#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/output.hpp"
#include "report/page/page.hpp"
#include "report/places.hpp"
#include "report/profile.hpp"
#include "report/ranks/job.hpp"
#include "report/ranks/ranks.hpp"
#include "report/run.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

namespace fs = std::filesystem;

constexpr int status_usage = 2;
constexpr int status_of_signals = 128;       // and the signal, as a shell has it
constexpr double longest_second_run_s = 20;  // of the run on all workers, for one on one worker

/// A folder of its own that goes with it.
class scratch_folder {
 public:
  scratch_folder() {
    const char* const given = std::getenv("TMPDIR");
    const fs::path folder = given != nullptr && *given != '\0' ? given : "/tmp";
    std::string name = (folder / "kasuri-report-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(name + ": cannot be made (" + std::strerror(errno) +
                               "); accepted: a TMPDIR that can be written");
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A file that the user names. Throws bad_profile with its name.
profile read_given(const std::string& file) {
  try {
    return read_profile(file);
  } catch (const bad_profile& problem) {
    throw bad_profile(file + ": " + problem.what() +
                      "; accepted: a file written with KASURI_PROFILE=FILE");
  }
}

std::string ended(int status) {
  return status > status_of_signals ? say("ended by signal %d", status - status_of_signals)
                                    : say("ended with status %d", status);
}

/// The same program on one worker, where that is asked for or short. `notes`: how the program
/// ended, where that is no good end, and what that means for the other run.
std::optional<profile> run_on_one(const report_request& request, const profile& all, int status,
                                  const fs::path& folder, std::vector<std::string>& notes) {
  const bool wanted = request.one_worker.empty() && !request.program.empty() &&
                      all.seconds <= longest_second_run_s && all.workers > 1;
  if (status != 0)
    notes.push_back("the program " + ended(status) +
                    (wanted ? ", so it was not run again on one worker" : ""));
  if (request.one_worker == "none") return {};
  if (!request.one_worker.empty()) return read_given(request.one_worker);
  if (!wanted || status != 0 || !all.last) return {};
  run_options o{.kasuri = request.kasuri,
                .options = request.run_options,
                .program = request.program,
                .profile = folder / "one",
                .silent = true};
  o.options.insert(o.options.end(), {"--set", "KASURI_NUM_WORKERS=1"});
  ::setenv("OMP_NUM_THREADS", "1", 1);
  if (const int on_one = run_program(o); on_one != 0) {
    notes.push_back("on one worker the program " + ended(on_one) + ": that run is left out");
    return {};
  }
  std::optional<job> one = read_job(profiles_at(o.profile));
  if (!one) return {};
  return std::move(one->main);
}

void tell(const report_request& request, const job& all, const std::optional<profile>& one,
          const std::vector<std::string>& notes) {
  const places where(all.main);
  const measures m(all.main, one ? &*one : nullptr, where);
  nlohmann::json d = document(m, find_all(m));
  add_ranks(d, all);
  for (const std::string& note : notes) d["quality"]["notes"].push_back(note);
  const bool is_drawn = !request.json.empty() || !request.html.empty();
  if (is_drawn && request.replay && all.ranks.size() < 2)
    d["speedup"]["replay"] = request.replay(m);
  const std::string words = text(d);
  if (request.output.empty())
    std::cerr << words << std::flush;
  else
    write_file(request.output, words);
  constexpr int indent = 1;
  if (!request.json.empty()) write_file(request.json, d.dump(indent) + "\n");
  if (!request.html.empty()) write_file(request.html, page(d));
}

void copy_profile(const fs::path& from, const std::string& to) {
  std::error_code problem;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, problem);
  if (problem) throw std::runtime_error(to + ": cannot be written (" + problem.message() + ")");
}

/// That of the program, and of a job those of its other ranks beside it, with the rank behind the
/// name: `--profile` finds them there.
void keep_profile(const report_request& request, const job& all) {
  if (request.keep.empty()) return;
  copy_profile(all.file, request.keep);
  for (std::size_t i = 0; i != all.files.size(); ++i)
    if (i != all.main_rank)
      copy_profile(all.files[i], request.keep + "." + std::to_string(all.ranks[i].rank.rank));
}

/// Nothing was recorded: says so, where `kasuri run` has not said why. Returns the status.
int without_recording(const std::string& program, int status) {
  constexpr int refused = 125;
  constexpr int not_executable = 126;
  constexpr int not_found = 127;
  if (status == refused) return status_usage;
  if (status == not_found || status == not_executable) return status;
  std::cerr
      << "kasuri: report: " << program << ": nothing was recorded (status " << status
      << "); it does not load Kasuri, or ended at once. Accepted: programs linked with "
         "libkasuri, or that use OpenMP through a shared library (not with --no-openmp, which "
         "leaves them on their own runtime)\n";
  return status != 0 ? status : 1;
}

int report_of_program(const report_request& request) {
  const scratch_folder folder;
  const run_options o{.kasuri = request.kasuri,
                      .options = request.run_options,
                      .program = request.program,
                      .profile = folder.path() / "profile",
                      .silent = false};
  const int status = run_program(o);
  const std::optional<job> all = read_job(profiles_at(o.profile));
  if (!all) return without_recording(request.program.front(), status);
  keep_profile(request, *all);
  std::vector<std::string> notes;
  const std::optional<profile> one = run_on_one(request, all->main, status, folder.path(), notes);
  tell(request, *all, one, notes);
  return status;
}

int report_of_profile(const report_request& request) {
  job all{.main = read_given(request.profile), .file = request.profile};
  if (all.main.rank.ranks > 1) {
    std::optional<job> ranks = read_job(profiles_at(request.profile));
    if (ranks) all = std::move(*ranks);
  }
  std::vector<std::string> notes;
  const std::optional<profile> one = run_on_one(request, all.main, 0, {}, notes);
  tell(request, all, one, notes);
  return 0;
}

}  // namespace

int report_command(const report_request& request) {
  try {
    // A run whose report would be lost need not begin.
    for (const std::string* file : {&request.output, &request.keep, &request.json, &request.html})
      expect_writable(*file);
    return request.program.empty() ? report_of_profile(request) : report_of_program(request);
  } catch (const bad_profile& problem) {
    std::cerr << "kasuri: report: " << problem.what() << '\n';
    return status_usage;
  } catch (const std::exception& problem) {
    std::cerr << "kasuri: report: " << problem.what() << '\n';
    return 1;
  }
}

}  // namespace kasuri::report

// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/document.hpp"
#include "report/finding.hpp"
#include "report/measures.hpp"
#include "report/page/page.hpp"
#include "report/places.hpp"
#include "report/profile.hpp"
#include "report/run.hpp"

namespace kasuri::report {
namespace {

namespace fs = std::filesystem;

constexpr int status_usage = 2;
constexpr double longest_second_run_s = 20;  // of the run on all workers, for one on one worker

/// A folder of its own that goes with it.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "kasuri-report-XXXXXX").string();
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

/// Of the processes that wrote a profile, the one whose workers worked most: a shell or launcher
/// may have started the program.
std::optional<profile> main_profile(const std::vector<fs::path>& files) {
  std::optional<profile> best;
  double most = -1;
  for (const fs::path& file : files) {
    try {
      profile p = read_profile(file);
      double work = p.workers > 0 ? 1e-9 : 0;
      for (const account& a : p.accounts) work += a.work_s;
      // Of ranks, which all work, the one that waits most for the others.
      constexpr double before_work = 1e6;
      work += before_work * p.write_back_s;
      for (const checkout_site& c : p.checkouts) work += before_work * c.wait_s;
      if (work <= most) continue;
      most = work;
      best = std::move(p);
    } catch (const bad_profile&) {
      // a process that ended before its first snapshot
    }
  }
  return best;
}

void write_file(const std::string& to, const std::string& text) {
  if (to == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  if (out) out << text << std::flush;
  if (!out) throw std::runtime_error(to + ": cannot be written (" + std::strerror(errno) + ")");
}

/// A file that the user names. Throws bad_profile with its name.
profile read_given(const std::string& file) {
  try {
    return read_profile(file);
  } catch (const bad_profile& problem) {
    throw bad_profile(file + ": " + problem.what() +
                      "; accepted: a file written with KASURI_PROFILE=FILE");
  }
}

/// The same program on one worker, where that is asked for or short.
std::optional<profile> run_on_one(const report_request& request, const profile& all,
                                  const fs::path& folder) {
  if (request.one_worker == "none") return {};
  if (!request.one_worker.empty()) return read_given(request.one_worker);
  if (request.program.empty() || all.seconds > longest_second_run_s || all.workers < 2 || !all.last)
    return {};
  run_options o{.kasuri = request.kasuri,
                .options = request.run_options,
                .program = request.program,
                .profile = folder / "one",
                .silent = true};
  o.options.insert(o.options.end(), {"--set", "KASURI_NUM_WORKERS=1"});
  ::setenv("OMP_NUM_THREADS", "1", 1);
  if (run_program(o) != 0) return {};
  return main_profile(profiles_at(o.profile));
}

void tell(const report_request& request, const profile& all, const std::optional<profile>& one) {
  const places where(all);
  const measures m(all, one ? &*one : nullptr, where);
  const nlohmann::json d = document(m, find_all(m));
  const std::string words = text(d);
  if (request.output.empty())
    std::cerr << words << std::flush;
  else
    write_file(request.output, words);
  constexpr int indent = 1;
  if (!request.json.empty()) write_file(request.json, d.dump(indent) + "\n");
  if (!request.html.empty()) write_file(request.html, page(d));
}

void keep_profile(const report_request& request, const std::vector<fs::path>& files) {
  if (request.keep.empty() || files.empty()) return;
  std::error_code problem;
  fs::copy_file(files.front(), request.keep, fs::copy_options::overwrite_existing, problem);
  if (problem)
    throw std::runtime_error(request.keep + ": cannot be written (" + problem.message() + ")");
}

void say_that_nothing_was_recorded(const std::string& program, int status) {
  constexpr int not_executable = 126;
  constexpr int not_found = 127;
  if (status == not_found || status == not_executable) return;  // `kasuri run` has said so
  std::cerr << "kasuri: report: " << program << ": nothing was recorded (status " << status
            << "); it does not load Kasuri, or ended at once. Accepted: programs linked with "
               "libkasuri, or that use OpenMP through a shared library\n";
}

int report_of_program(const report_request& request) {
  constexpr int by_signal = 128;
  const scratch_folder folder;
  const run_options o{.kasuri = request.kasuri,
                      .options = request.run_options,
                      .program = request.program,
                      .profile = folder.path() / "profile",
                      .silent = false};
  const int status = run_program(o);
  const auto files = profiles_at(o.profile);
  keep_profile(request, files);
  const std::optional<profile> all = main_profile(files);
  if (!all) {
    say_that_nothing_was_recorded(request.program.front(), status);
    return status != 0 ? status : 1;
  }
  if (status > by_signal)
    std::cerr << "kasuri: report: " << request.program.front() << ": ended by signal "
              << status - by_signal << "; this is what was known until then\n";
  tell(request, *all, run_on_one(request, *all, folder.path()));
  return status;
}

int report_of_profile(const report_request& request) {
  const profile all = read_given(request.profile);
  tell(request, all, run_on_one(request, all, {}));
  return 0;
}

}  // namespace

int report_command(const report_request& request) {
  try {
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

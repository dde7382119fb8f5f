// SPDX-License-Identifier: Apache-2.0
// From a program or a process to the report: which of its libraries are runtimes.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "elf/walk.hpp"
#include "openmp_subject.hpp"
#include "runtimes_known.hpp"
#include "runtimes_report.hpp"

namespace kasuri::command {
namespace {

namespace fs = std::filesystem;

std::string own_setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Kasuri's OpenMP library, by the node of its own names (src/shared/names.map.in).
bool is_kasuri(const elf::object& each) {
  return std::ranges::any_of(each.nodes,
                             [](const std::string& node) { return node.starts_with("KASURI_"); }) &&
         std::ranges::any_of(each.exports,
                             [](const elf::symbol& s) { return s.name == "GOMP_parallel"; });
}

class runtime_collector {
 public:
  runtime_collector(runtimes_report& report, std::function<std::string(const char*)> setting)
      : report_(report), setting_(std::move(setting)) {}

  void add(const elf::object& each, bool at_start) {
    std::error_code error;
    const std::string file = fs::canonical(each.path, error).string();
    if (!seen_.insert(file.empty() ? each.path : file).second) return;
    if (is_kasuri(each)) {
      if (report_.process != 0) report_.library = each.path;
      return;
    }
    if (auto known = know_runtime(each, at_start, setting_)) {
      if (!file.empty()) known->file = file;
      report_.found.push_back(*known);
    }
  }

  void complain(const std::string& what) { complaints_.insert(what); }

  /// Where Kasuri is not loaded, nothing is served.
  void finish() {
    std::ranges::sort(report_.found, {},
                      [](const found_runtime& f) { return std::pair(f.name, f.file); });
    report_.complaints.assign(complaints_.begin(), complaints_.end());
    if (!report_.library.empty()) return;
    for (found_runtime& each : report_.found) {
      each.served.clear();
      each.itself = report_.process != 0
                        ? "all: the process was started without kasuri run"
                        : "all: this Kasuri was built or installed without its OpenMP library";
    }
  }

 private:
  runtimes_report& report_;
  std::function<std::string(const char*)> setting_;
  std::set<std::string> seen_;
  std::set<std::string> complaints_;
};

// The modules of an interpreter that need a runtime, and that runtime.
void add_modules(const openmp_subject& subject, const elf::load_list& program,
                 const elf::search_environment& environment, runtime_collector& into) {
  std::vector<std::string> folders = subject.python_folders;
  folders.insert(folders.end(), subject.module_folders.begin(), subject.module_folders.end());
  for (const std::string& module : extension_modules(folders)) {
    try {
      for (const elf::object& each : elf::walk_module(module, program, environment).objects)
        into.add(each, false);
    } catch (const elf::damaged& problem) {
      into.complain(module + " " + problem.what());
    }
  }
}

std::vector<std::string> library_folders(const openmp_subject& subject,
                                         const elf::search_environment& environment) {
  std::vector<std::string> all = subject.library_folders;
  all.insert(all.end(), environment.library_path.begin(), environment.library_path.end());
  return all;
}

std::string file_of(int process, const char* name) {
  return "/proc/" + std::to_string(process) + "/" + name;
}

/// A variable of the process as it was started.
std::string setting_of(int process, const char* name) {
  std::ifstream in(file_of(process, "environ"), std::ios::binary);
  const std::string start = std::string(name) + "=";
  for (std::string each; std::getline(in, each, '\0');)
    if (each.starts_with(start)) return each.substr(start.size());
  return "";
}

/// The files of which the process has code, in the order of their addresses.
std::vector<std::string> mapped_files(int process) {
  std::ifstream in(file_of(process, "maps"));
  if (!in)
    throw elf::damaged(fs::exists("/proc/" + std::to_string(process))
                           ? "is a process of another user, who alone may look at it"
                           : "is no process");
  std::vector<std::string> files;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, file;
    words >> range >> rights >> offset >> device >> inode;
    std::getline(words >> std::ws, file);
    if (rights.find('x') == std::string::npos || !file.starts_with('/')) continue;
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files;
}

}  // namespace

runtimes_report look_at_program(const std::string& program, const std::string& library) {
  const openmp_subject subject = find_subject(program);
  runtimes_report report;
  report.program = subject.program;
  report.library = library;
  elf::search_environment environment = elf::current_search_environment();
  environment.library_path = library_folders(subject, environment);
  runtime_collector into(report, own_setting);
  const elf::load_list list = elf::walk(subject.program, environment);
  for (const elf::object& each : list.objects) into.add(each, true);
  for (const std::string& each : list.complaints) into.complain(each);
  add_modules(subject, list, environment, into);
  into.finish();
  if (subject.python_folders.empty())
    report.note = "what it loads by path while it runs (dlopen) is seen in the process: --pid";
  else
    report.note = "what its modules may load; what a process has loaded: --pid";
  return report;
}

runtimes_report look_at_process(int process) {
  runtimes_report report;
  report.process = process;
  std::error_code error;
  const std::vector<std::string> files = mapped_files(process);
  report.program = fs::read_symlink(file_of(process, "exe"), error).string();
  runtime_collector into(report, [process](const char* name) { return setting_of(process, name); });
  std::set<std::string> at_start;  // what the program itself needs
  try {
    const elf::load_list list =
        elf::walk(file_of(process, "exe"), elf::current_search_environment());
    for (const elf::object& each : list.objects) at_start.insert(fs::path(each.path).filename());
  } catch (const elf::damaged&) {
    // Then each was loaded later, as far as can be told.
  }
  for (const std::string& file : files) {
    try {
      // As the process sees files, which may be in a container.
      elf::object each = elf::read_object(file_of(process, "root") + file);
      if (!each.is_dynamic) continue;
      into.add(each, at_start.contains(fs::path(file).filename()));
    } catch (const elf::damaged& problem) {
      into.complain(file + " " + problem.what());
    }
  }
  into.finish();
  for (found_runtime& each : report.found)
    if (const std::string root = file_of(process, "root"); each.file.starts_with(root))
      each.file.erase(0, root.size());
  if (const std::string root = file_of(process, "root"); report.library.starts_with(root))
    report.library.erase(0, root.size());
  return report;
}

}  // namespace kasuri::command

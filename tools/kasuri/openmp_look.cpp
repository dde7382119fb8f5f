// SPDX-License-Identifier: Apache-2.0
// From files to the report: which objects are OpenMP runtimes, which objects ask them for what, and
// whether Kasuri's library has it.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "elf/walk.hpp"
#include "openmp_report.hpp"

namespace kasuri::command {
namespace {

// An object that defines one of these is a runtime, under any file name.
const std::vector<std::string_view> marks = {"GOMP_parallel", "__kmpc_fork_call"};

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// "libgomp.so.1", and a wheel's "libgomp-a34b3233.so.1.0.0"; not GCC's libgomp-plugin-*.so.
bool is_runtime_name(const std::string& path) {
  const std::string name = file_name(path);
  constexpr std::array<std::string_view, 3> stems = {"libgomp", "libomp", "libiomp"};
  return !name.starts_with("libgomp-plugin") &&
         std::ranges::any_of(stems, [&](std::string_view stem) {
           return name.starts_with(stem) &&
                  (name.size() == stem.size() ||
                   std::string_view(".-_5").find(name[stem.size()]) != std::string_view::npos);
         });
}

bool is_of_c_library(const std::string& name) {
  constexpr std::array<std::string_view, 5> stems = {"libc.so", "libm.so", "libdl.so",
                                                     "libpthread.so", "ld-linux"};
  return std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

bool exports(const elf::object& each, std::string_view name) {
  return std::ranges::any_of(each.exports, [&](const elf::symbol& s) { return s.name == name; });
}

bool is_runtime(const elf::object& each) {
  return !each.is_program &&
         std::ranges::any_of(marks, [&](std::string_view mark) { return exports(each, mark); });
}

std::string kind_of(const elf::object& runtime) {
  // src/shared/names.map.in: the node of our own names, with their version.
  if (std::ranges::any_of(runtime.nodes,
                          [](const std::string& node) { return node.starts_with("KASURI_"); })) {
    return "Kasuri";
  }
  if (!exports(runtime, "__kmpc_fork_call")) {
    return "GCC";
  }
  return file_name(runtime.path).starts_with("libiomp") ? "Intel" : "LLVM";
}

bool is_openmp_name(const std::string& name) {
  constexpr std::array<std::string_view, 7> stems = {"GOMP_", "GOACC_", "__kmpc_", "omp_",
                                                     "ompc_", "kmp_",   "kmpc_"};
  return std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

bool may_want(const elf::symbol& import) {
  return import.from.empty() ? is_openmp_name(import.name) : is_runtime_name(import.from);
}

bool concerns_openmp(const elf::object& each) {
  return is_runtime(each) || !each.linked_in.empty() ||
         std::ranges::any_of(each.needed, is_runtime_name) ||
         std::ranges::any_of(each.imports, may_want);
}

/// The names that Kasuri's library offers.
class provider {
 public:
  explicit provider(const std::string& path) {
    const elf::object library = elf::read_object(path);
    for (const elf::symbol& each : library.exports) {
      symbols_.insert({each.name, each.node});
      symbols_.insert({each.name, ""});
    }
    nodes_.insert(library.nodes.begin(), library.nodes.end());
    for (std::string& name : elf::section_texts(path, elf::absent_section)) {
      absent_.insert(std::move(name));
    }
  }

  bool has_node(const std::string& node) const { return nodes_.contains(node); }

  const char* state(const std::string& name, const std::string& node) const {
    if (absent_.contains(name)) {
      return "ends the program";
    }
    return symbols_.contains({name, node}) ? "provided" : "not provided";
  }

 private:
  std::set<std::pair<std::string, std::string>> symbols_;
  std::set<std::string> nodes_;
  std::set<std::string> absent_;
};

class collector {
 public:
  explicit collector(const elf::search_environment& environment) : environment_(environment) {}

  void add_program(const std::string& path) {
    program_ = elf::walk(path, environment_, marks);
    add(program_);
    for (const auto& [name, user] : std::exchange(unresolved_, {})) {
      users_[{name, ""}].insert(user);  // the program does not start
    }
  }

  bool program_loads_by_path() const {
    return std::ranges::any_of(program_.objects, [](const elf::object& each) {
      return !is_of_c_library(file_name(each.path)) &&
             std::ranges::any_of(each.imports,
                                 [](const elf::symbol& s) { return s.name == "dlopen"; });
    });
  }

  // A module that an interpreter may load. Most have nothing to do with OpenMP; some may be no ELF
  // file.
  void add_module(const std::string& path) {
    try {
      const elf::object module = elf::read_object(path, marks);
      if (concerns_openmp(module)) {
        add(elf::walk_module(path, program_, environment_, marks));
      }
    } catch (const elf::damaged& problem) {
      complaints_.insert(path + " " + problem.what());
    }
  }

  void finish(const provider& kasuri, openmp_report& report) {
    // A library in a folder of modules may count on the one that loads it: it is loaded with that
    // one's DT_RPATH, or when what it needs is there already.
    for (const auto& [name, user] : unresolved_) {
      const auto found = resolved_.find(name);
      users_[found != resolved_.end() ? found->second : std::pair(name, std::string())].insert(
          user);
    }
    for (auto& [key, users] : users_) {
      report.runtimes.push_back({key.first, key.second, kinds_[key.second], {}});
      report.runtimes.back().users.assign(users.begin(), users.end());
    }
    for (const auto& [node, name] : symbols_) {
      report.symbols.push_back({name, node, kasuri.state(name, node)});
    }
    std::ranges::remove_copy_if(nodes_, std::back_inserter(report.missing_nodes),
                                [&](const std::string& node) { return kasuri.has_node(node); });
    report.linked_in.assign(linked_in_.begin(), linked_in_.end());
    report.complaints.assign(complaints_.begin(), complaints_.end());
  }

 private:
  void add(const elf::load_list& list) {
    for (const elf::object& each : list.objects) {
      if (is_runtime(each)) {
        note_runtime(each.soname.empty() ? file_name(each.path) : each.soname, each.path,
                     kind_of(each));
      } else {
        add_user(each, list);
      }
    }
    for (const elf::request& each : list.requests) {
      add_request(each, list);
    }
    complaints_.insert(list.complaints.begin(), list.complaints.end());
  }

  void note_runtime(const std::string& name, const std::string& path, const std::string& kind) {
    std::error_code error;
    const std::string file = std::filesystem::canonical(path, error).string();
    kinds_[file] = kind;
    users_[{name, file}];
    resolved_.try_emplace(name, name, file);
  }

  void add_user(const elf::object& each, const elf::load_list& list) {
    if (!each.linked_in.empty()) {
      linked_in_.insert(each.path);
    }
    for (const elf::symbol& import : each.imports) {
      if (may_want(import) && !import.weak && !given_by_another(import, list)) {
        symbols_.insert({import.node, import.name});
      }
    }
    for (const elf::needed_node& need : each.needed_nodes) {
      if (is_runtime_name(need.from) && !need.weak) {
        nodes_.insert(need.node);
      }
    }
  }

  // A name without a version may be anybody's.
  static bool given_by_another(const elf::symbol& import, const elf::load_list& list) {
    return import.node.empty() && std::ranges::any_of(list.objects, [&](const elf::object& each) {
             return !is_runtime(each) && exports(each, import.name);
           });
  }

  void add_request(const elf::request& asked, const elf::load_list& list) {
    const std::string& user = list.objects[asked.by].path;
    if (asked.what == elf::load_list::none) {
      if (is_runtime_name(asked.name)) {
        unresolved_.insert({file_name(asked.name), user});
      }
      return;
    }
    const elf::object& got = list.objects[asked.what];
    if (is_runtime(got)) {
      std::error_code error;
      const std::string file = std::filesystem::canonical(got.path, error).string();
      const std::pair key(got.soname.empty() ? file_name(got.path) : got.soname, file);
      users_[key].insert(user);
      resolved_.try_emplace(file_name(asked.name), key);
    }
  }

  const elf::search_environment& environment_;
  elf::load_list program_;
  std::set<std::pair<std::string, std::string>> unresolved_;             // (name, user)
  std::map<std::string, std::pair<std::string, std::string>> resolved_;  // by name: (name, file)
  std::map<std::pair<std::string, std::string>, std::set<std::string>> users_;  // of (name, file)
  std::map<std::string, std::string> kinds_;                                    // by file
  std::set<std::pair<std::string, std::string>> symbols_;                       // (node, name)
  std::set<std::string> nodes_;
  std::set<std::string> linked_in_;
  std::set<std::string> complaints_;
};

}  // namespace

openmp_report look_at_openmp(const openmp_subject& subject, const std::string& library) {
  openmp_report report;
  report.subject = subject;
  report.provider = library;
  elf::search_environment environment = elf::current_search_environment();
  environment.library_path.insert(environment.library_path.begin(), subject.library_folders.begin(),
                                  subject.library_folders.end());
  collector found(environment);
  found.add_program(subject.program);
  std::vector<std::string> folders = subject.python_folders;
  folders.insert(folders.end(), subject.module_folders.begin(), subject.module_folders.end());
  for (const std::string& module : extension_modules(folders)) {
    found.add_module(module);
  }
  report.loads_by_path = folders.empty() && found.program_loads_by_path();
  found.finish(provider(library), report);
  return report;
}

bool all_provided(const openmp_report& report) {
  return report.linked_in.empty() && report.missing_nodes.empty() &&
         std::ranges::all_of(report.symbols, [](const openmp_symbol& each) {
           return std::string_view(each.state) == "provided";
         });
}

}  // namespace kasuri::command

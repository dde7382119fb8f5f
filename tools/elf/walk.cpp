// SPDX-License-Identifier: Apache-2.0
#include "elf/walk.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace kasuri::elf {
namespace {

class walker {
 public:
  walker(const search_environment& environment, const std::vector<std::string_view>& names,
         const load_list* host)
      : environment_(environment), names_(names), host_(host) {}

  load_list run(const std::string& program) {
    add(program, load_list::none);
    for (const std::string& name : environment_.preload) {
      if (host_ == nullptr) {
        ask(name, 0);
      }
    }
    // Breadth first, as the loader does it: the list grows while we go along it.
    for (std::size_t i = 0; i < list_.objects.size(); ++i) {
      const std::vector<std::string> needed = list_.objects[i].needed;
      for (const std::string& name : needed) {
        ask(name, i);
      }
    }
    return std::move(list_);
  }

 private:
  void add(const std::string& path, std::size_t loader) {
    list_.objects.push_back(read_object(path, names_));
    loaders_.push_back(loader);
    asked_as_.emplace_back();
  }

  // The loader takes what is there already under this name, then the same file under another one.
  std::size_t find_loaded(const std::string& name) const {
    for (std::size_t i = 0; i < list_.objects.size(); ++i) {
      if (list_.objects[i].soname == name || std::ranges::count(asked_as_[i], name) != 0) {
        return i;
      }
    }
    return load_list::none;
  }

  std::size_t find_file(const std::string& path) const {
    for (std::size_t i = 0; i < list_.objects.size(); ++i) {
      std::error_code error;
      if (std::filesystem::equivalent(list_.objects[i].path, path, error)) {
        return i;
      }
    }
    return load_list::none;
  }

  std::vector<const object*> chain_of(std::size_t index) const {
    std::vector<const object*> chain;
    for (; index != load_list::none; index = loaders_[index]) {
      chain.push_back(&list_.objects[index]);
    }
    if (host_ != nullptr) {
      chain.push_back(&host_->objects.front());
    }
    return chain;
  }

  std::optional<std::string> loaded_by_host(const std::string& name) const {
    if (host_ == nullptr) {
      return std::nullopt;
    }
    for (const request& each : host_->requests) {
      if (each.name == name && each.what != load_list::none) {
        return host_->objects[each.what].path;
      }
    }
    for (const object& each : host_->objects) {
      if (each.soname == name) {
        return each.path;
      }
    }
    return std::nullopt;
  }

  std::size_t load(const std::string& name, std::size_t by) {
    auto file = loaded_by_host(name);
    if (!file) {
      file = find_library(name, chain_of(by), environment_);
    }
    if (!file) {
      return load_list::none;
    }
    if (const std::size_t known = find_file(*file); known != load_list::none) {
      return known;
    }
    try {
      add(*file, by);
    } catch (const damaged& problem) {
      list_.complaints.push_back(*file + " " + problem.what());
      return load_list::none;
    }
    return list_.objects.size() - 1;
  }

  void ask(const std::string& name, std::size_t by) {
    std::size_t found = find_loaded(name);
    if (found == load_list::none) {
      found = load(name, by);
    }
    if (found != load_list::none) {
      asked_as_[found].push_back(name);
    }
    list_.requests.push_back({name, by, found});
  }

  const search_environment& environment_;
  const std::vector<std::string_view>& names_;
  const load_list* host_;  // objects that are loaded already; null: none
  load_list list_;
  std::vector<std::size_t> loaders_;                // beside list_.objects
  std::vector<std::vector<std::string>> asked_as_;  // beside list_.objects
};

}  // namespace

load_list walk(const std::string& program, const search_environment& environment,
               const std::vector<std::string_view>& names) {
  return walker(environment, names, nullptr).run(program);
}

load_list walk_module(const std::string& module, const load_list& program,
                      const search_environment& environment,
                      const std::vector<std::string_view>& names) {
  return walker(environment, names, &program).run(module);
}

}  // namespace kasuri::elf

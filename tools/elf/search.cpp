// SPDX-License-Identifier: Apache-2.0
#include "elf/search.hpp"

#include <elf.h>

#include <cstdlib>
#include <filesystem>

namespace kasuri::elf {
namespace {

struct architecture {
  const char* library;    // a value of $LIB, in most distributions aside from Debian's kin: lib64
  const char* multiarch;  // Debian's
  const char* platform;
};

architecture names_of(std::uint16_t machine) {
  if (machine == EM_AARCH64) {
    return {"lib64", "lib/aarch64-linux-gnu", "aarch64"};
  }
  return {"lib64", "lib/x86_64-linux-gnu", "x86_64"};
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

void replace_token(std::string& text, const std::string& token, const std::string& with) {
  replace_all(text, "${" + token + "}", with);
  replace_all(text, "$" + token, with);
}

std::optional<std::string> first_in(const std::vector<std::string>& places, const std::string& name,
                                    std::uint16_t machine) {
  const architecture names = names_of(machine);
  for (const std::string& place : places) {
    for (const char* library : {names.multiarch, names.library}) {
      std::string folder = place;
      replace_token(folder, "LIB", library);
      replace_token(folder, "PLATFORM", names.platform);
      std::string file = folder + "/" + name;
      if (is_object_for(file, machine)) {
        return file;
      }
      if (folder == place) {
        break;  // nothing to replace: one try
      }
    }
  }
  return std::nullopt;
}

std::string origin_of(const object& each) {
  std::error_code ignored;
  return std::filesystem::canonical(each.path, ignored).parent_path().string();
}

/// DT_RPATH counts for what an object's libraries need as well, unless DT_RUNPATH is there.
std::optional<std::string> by_rpath(const std::string& name,
                                    const std::vector<const object*>& chain) {
  if (chain.front()->has_runpath) {
    return std::nullopt;
  }
  for (const object* each : chain) {
    if (each->has_runpath || each->rpath.empty()) {
      continue;
    }
    const auto places = folders(each->rpath, origin_of(*each));
    if (auto found = first_in(places, name, chain.front()->machine)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::string> by_system(const std::string& name, std::uint16_t machine,
                                     const loader_cache& cache) {
  if (const auto row = cache.find(name); row != cache.end()) {
    for (const std::string& file : row->second) {
      if (is_object_for(file, machine)) {
        return file;
      }
    }
  }
  static const std::vector<std::string> usual = {"/$LIB", "/usr/$LIB", "/lib", "/usr/lib"};
  return first_in(usual, name, machine);
}

std::vector<std::string> variable(const char* name, const char* separators) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::vector<std::string>() : folders(value, "", separators);
}

}  // namespace

std::vector<std::string> folders(const std::string& path, const std::string& origin,
                                 const char* separators) {
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin <= path.size() && !path.empty();) {
    const std::size_t end = std::min(path.find_first_of(separators, begin), path.size());
    std::string folder = path.substr(begin, end - begin);
    replace_token(folder, "ORIGIN", origin);
    list.push_back(folder.empty() ? "." : folder);
    begin = end + 1;
  }
  return list;
}

search_environment current_search_environment() {
  search_environment environment;
  environment.library_path = variable("LD_LIBRARY_PATH", ":;");
  for (const std::string& name : variable("LD_PRELOAD", " :")) {
    if (name != ".") {
      environment.preload.push_back(name);
    }
  }
  environment.cache = read_loader_cache("/etc/ld.so.cache");
  return environment;
}

std::optional<std::string> find_library(const std::string& name,
                                        const std::vector<const object*>& chain,
                                        const search_environment& environment) {
  const object& asking = *chain.front();
  if (name.find('/') != std::string::npos) {
    return is_object_for(name, asking.machine) ? std::optional(name) : std::nullopt;
  }
  if (auto found = by_rpath(name, chain)) {
    return found;
  }
  if (auto found = first_in(environment.library_path, name, asking.machine)) {
    return found;
  }
  if (asking.has_runpath) {
    const auto places = folders(asking.runpath, origin_of(asking));
    if (auto found = first_in(places, name, asking.machine)) {
      return found;
    }
  }
  return by_system(name, asking.machine, environment.cache);
}

}  // namespace kasuri::elf

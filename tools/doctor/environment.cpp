// SPDX-License-Identifier: Apache-2.0
#include "doctor/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "platform/settings/settings_table.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::doctor {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view runtimes[] = {"libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so"};

std::vector<std::string> parts_of(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end != at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool same_folder(const fs::path& a, const std::string& b) {
  std::error_code error;
  return !b.empty() && fs::equivalent(a, b, error) && !error;
}

finding of_runtime(const std::string& path, const std::string& folder, const char* by) {
  if (same_folder(fs::path(path).parent_path(), folder))
    return {grade::note, "OpenMP", std::string(by) + " names Kasuri's OpenMP runtime",
            "programs run on it also without kasuri run"};
  return {grade::note, "OpenMP", std::string(by) + " names another OpenMP runtime: " + path,
          "kasuri run puts Kasuri's in front of it; without that it is what programs get"};
}

// The target of a chain of links names what the launcher belongs to.
std::string mpi_of(const fs::path& launcher) {
  std::error_code error;
  const std::string target = fs::canonical(launcher, error).filename().string();
  const auto has = [&target](const char* part) { return target.find(part) != std::string::npos; };
  if (has("mpich") || has("hydra")) return "MPICH";
  if (has("openmpi") || has("orterun") || has("prterun") || has("prun")) return "Open MPI";
  return "";
}

}  // namespace

findings judge(const platform::loaded_settings& settings) {
  findings all;
  for (const std::string& line : settings.errors)
    all.push_back({grade::warning, "setting", line, "programs on Kasuri end with this line"});
  for (const std::string& line : settings.warnings)
    all.push_back({grade::warning, "setting", line, ""});
  const platform::loaded_settings defaults = platform::load_settings({});
  for (const platform::setting& row : platform::settings_table()) {
    const std::string value = platform::value_text(row, settings.values);
    const std::string usual = platform::value_text(row, defaults.values);
    const bool set =
        platform::origin_of(settings.values, row) != platform::setting_origin::default_value;
    if (set && value != usual && row.category != "internal")
      all.push_back({grade::note, "setting",
                     std::string(row.name) + '=' + value + ", by default " +
                         (usual.empty() ? "empty" : usual),
                     ""});
  }
  if (all.empty()) all.push_back({grade::ok, "settings", "all are as by default", ""});
  return all;
}

findings judge_openmp_libraries(const std::string& folder, const std::string& library_path,
                                const std::string& preload) {
  findings all;
  if (folder.empty())
    all.push_back({grade::note, "OpenMP",
                   "this Kasuri was built or installed without its OpenMP library",
                   "OpenMP programs do not run on it"});
  for (const std::string& each : parts_of(preload, ": ")) {
    const std::string name = fs::path(each).filename().string();
    if (name.find("omp") != std::string::npos)
      all.push_back(of_runtime(each, folder, "LD_PRELOAD"));
  }
  for (const std::string& each : parts_of(library_path, ":;")) {
    const auto* const found = std::ranges::find_if(runtimes, [&each](std::string_view name) {
      std::error_code error;
      return fs::exists(fs::path(each) / name, error);
    });
    if (found == std::end(runtimes)) continue;
    all.push_back(of_runtime(each + '/' + std::string(*found), folder, "LD_LIBRARY_PATH"));
    break;  // the first that has one is the one that the loader takes
  }
  if (all.empty())
    all.push_back(
        {grade::ok, "OpenMP", "Kasuri's runtime is in " + folder + ", for kasuri run", ""});
  return all;
}

finding judge_mpi(const std::string& path) {
  for (const char* name : {"mpiexec", "mpirun"}) {
    for (const std::string& folder : parts_of(path, ":")) {
      const fs::path launcher = fs::path(folder) / name;
      if (::access(launcher.c_str(), X_OK) != 0) continue;
      const std::string mpi = mpi_of(launcher);
      return {grade::ok, "MPI",
              launcher.string() + (mpi.empty() ? " starts ranks" : " starts ranks of " + mpi), ""};
    }
  }
  return {grade::note, "MPI", "there is no mpiexec or mpirun in PATH",
          "ranks on this machine need none: kasuri run --cluster"};
}

}  // namespace kasuri::doctor

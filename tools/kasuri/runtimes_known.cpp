// SPDX-License-Identifier: Apache-2.0
#include "runtimes_known.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "elf/mapped_file.hpp"

namespace kasuri::command {
namespace {

struct facts {
  const elf::object& library;
  bool at_start;
};

struct shares {
  std::string served;
  std::string itself;
};

/// A runtime, in the order in which they are tried.
struct known_runtime {
  const char* name;
  std::vector<std::string_view> marks;  // ends of exported names (builders put prefixes in front)
  const char* file;                     // how its files begin, where no name tells; or null
  const char* before_version;           // the text in its file in front of the version; or null
  const char* setting;                  // that leaves it to itself; or null
  shares (*how)(const facts&);
};

bool has_name_with(const elf::object& each, std::string_view stem) {
  return std::ranges::any_of(
      each.exports, [&](const elf::symbol& s) { return s.name.find(stem) != std::string::npos; });
}

bool uses_openmp(const elf::object& each) {
  return std::ranges::any_of(each.imports, [](const elf::symbol& s) {
    return s.name == "GOMP_parallel" || s.name == "__kmpc_fork_call";
  });
}

shares of_openmp(const facts&) {
  return {"regions, tasks and loops: its functions are found in Kasuri's library first", ""};
}

shares of_onetbb(const facts&) {
  return {"its workers: it asks for them and gets those of the pool", ""};
}

shares of_openblas(const facts& f) {
  if (uses_openmp(f.library)) return {"all calls: it was built with OpenMP", ""};
  if (!has_name_with(f.library, "openblas_set_threads_callback_function"))
    return {"", "all calls: before 0.3.27 it lets nobody replace its threads"};
  return {"calls that it runs in parallel, in turns with a member for each job",
          "LU factorisation, which goes to its own threads; all calls while it uses more than half "
          "as many threads as it was built for"};
}

shares of_fftw(const facts& f) {
  if (has_name_with(f.library, "_threads_set_callback"))
    return {"transforms planned for several threads, as a loop", ""};
  return {
      uses_openmp(f.library) ? "transforms: it was built with OpenMP" : "",
      uses_openmp(f.library) ? "" : "transforms: before 3.3.9 it lets nobody replace its threads"};
}

shares of_blosc(const facts& f) {
  if (f.at_start)
    return {"compression by several threads, in turns with a member for each job", ""};
  return {"",
          "all: it may be told only before its first use, and is loaded later than the program"};
}

shares of_mkl(const facts&) { return {"its layers for OpenMP and for oneTBB, by these", ""}; }

const std::vector<known_runtime>& all_known() {
  static const std::vector<known_runtime> all = {
      {"oneTBB",
       {"TBB_runtime_interface_version"},
       nullptr,
       "oneTBB: VERSION",
       "KASURI_ONETBB",
       of_onetbb},
      {"OpenBLAS", {"openblas_get_parallel"}, nullptr, "OpenBLAS ", "KASURI_OPENBLAS", of_openblas},
      {"FFTW's threads",
       {"fftw_plan_with_nthreads", "fftwf_plan_with_nthreads", "fftwl_plan_with_nthreads"},
       nullptr,
       nullptr,
       "KASURI_FFTW",
       of_fftw},
      {"Blosc",
       {"blosc2_set_threads_callback", "blosc_set_threads_callback"},
       nullptr,
       nullptr,
       "KASURI_BLOSC",
       of_blosc},
      {"MKL", {}, "libmkl_rt.", nullptr, nullptr, of_mkl},
      {"MKL", {}, "libmkl_gnu_thread.", nullptr, nullptr, of_mkl},
      {"MKL", {}, "libmkl_intel_thread.", nullptr, nullptr, of_mkl},
      {"MKL", {}, "libmkl_tbb_thread.", nullptr, nullptr, of_mkl},
      {"Clang's or Intel's OpenMP",
       {"__kmpc_fork_call"},
       nullptr,
       "LLVM OMP version: ",
       nullptr,
       of_openmp},
      {"GCC's OpenMP", {"GOMP_parallel"}, nullptr, nullptr, nullptr, of_openmp},
  };
  return all;
}

bool is_of(const known_runtime& known, const elf::object& library) {
  if (known.file != nullptr &&
      std::filesystem::path(library.path).filename().string().starts_with(known.file))
    return true;
  return std::ranges::any_of(known.marks,
                             [&](std::string_view mark) { return has_name_with(library, mark); });
}

/// The digits and points that stand behind the text somewhere in the file.
std::string version_in(const std::string& file, std::string_view before) {
  const elf::mapped_file mapped(file);
  const elf::bytes content = mapped.content();
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    std::size_t from = at + before.size();
    while (from < text.size() && (text[from] == '\t' || text[from] == ' ')) ++from;
    std::size_t end = from;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 ||
                                 (end != from && text[end] == '.')))
      ++end;
    if (end != from) return std::string(text.substr(from, end - from));
  }
  return "";
}

bool is_off(std::string value) {
  std::ranges::transform(value, value.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return value == "off" || value == "0" || value == "false" || value == "no";
}

}  // namespace

std::optional<found_runtime> know_runtime(
    const elf::object& library, bool at_start,
    const std::function<std::string(const char* name)>& setting) {
  const auto known = std::ranges::find_if(
      all_known(), [&](const known_runtime& each) { return is_of(each, library); });
  if (library.is_program || known == all_known().end()) return std::nullopt;
  shares how = known->how({library, at_start});
  if (known->setting != nullptr && is_off(setting(known->setting)))
    how = {"", std::string("all: ") + known->setting + "=off"};
  const std::string version =
      known->before_version == nullptr ? "" : version_in(library.path, known->before_version);
  return found_runtime{known->name, version, library.path, how.served, how.itself};
}

}  // namespace kasuri::command

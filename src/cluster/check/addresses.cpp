// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/addresses.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <vector>

namespace kasuri::cluster {
namespace {

struct mapping {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::string name;
};

// Numbers below are no addresses here, but for programs at fixed ones, which are the same
// everywhere.
constexpr std::uintptr_t least_address = std::uintptr_t{1} << 32;

/// The mappings that /proc/self/maps named last. A number that lies between the mappings may be one
/// that came later: then it is read again, but ever more seldom, since most are just numbers.
class mappings {
 public:
  std::optional<std::string> place_of(std::uintptr_t at) {
    const std::lock_guard hold(lock_);
    const mapping* m = known(at);
    if (m == nullptr && (all_.empty() || (at >= all_.front().begin && at < all_.back().end))) {
      if (++strange_ >= next_look_) {
        next_look_ = 2 * next_look_;
        read();
        m = known(at);
      }
    }
    return m == nullptr ? std::nullopt : std::optional(m->name);
  }

 private:
  [[nodiscard]] const mapping* known(std::uintptr_t at) const {
    const auto behind = std::ranges::upper_bound(all_, at, {}, &mapping::begin);
    if (behind == all_.begin()) return nullptr;
    const mapping& m = *std::prev(behind);
    return at < m.end ? &m : nullptr;
  }

  void read() {
    all_.clear();
    std::ifstream file("/proc/self/maps");
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string range, access, offset, device, inode, name;
      words >> range >> access >> offset >> device >> inode >> name;
      if (!access.starts_with('r')) continue;
      const std::size_t dash = range.find('-');
      const mapping m{std::stoull(range.substr(0, dash), nullptr, 16),
                      std::stoull(range.substr(dash + 1), nullptr, 16), name_of(name)};
      if (m.end > least_address) all_.push_back(m);
    }
  }

  static std::string name_of(const std::string& in_maps) {
    if (in_maps == "[stack]") return "the stack of the main thread";
    if (in_maps == "[heap]") return "the heap of this process";
    if (in_maps.starts_with('/') && !in_maps.starts_with("/memfd:"))
      return "code or data of " + in_maps;
    return "memory of this process, its heap or a stack";
  }

  std::mutex lock_;
  std::vector<mapping> all_;  // rising
  std::uint64_t strange_ = 0;
  std::uint64_t next_look_ = 1;
};

mappings& of_this_process() {
  static mappings all;
  return all;
}

}  // namespace

std::optional<found_address> find_address(std::span<const std::byte> bytes,
                                          const std::function<bool(std::uintptr_t)>& travels) {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes.size();
       at += sizeof(std::uintptr_t)) {
    std::uintptr_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value < least_address || travels(value)) continue;
    if (auto place = of_this_process().place_of(value)) return found_address{at, value, *place};
  }
  return std::nullopt;
}

std::string_view type_in(std::string_view function) noexcept {
  const std::string_view begin_mark = "= ";
  const std::size_t begin = function.find(begin_mark, function.find('['));
  const std::size_t end = function.rfind(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end <= begin)
    return function;
  return function.substr(begin + begin_mark.size(), end - begin - begin_mark.size());
}

}  // namespace kasuri::cluster

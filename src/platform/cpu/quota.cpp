// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/quota.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace kasuri::platform {
namespace {

// A mounted control group hierarchy: the directory `top` of the hierarchy appears at `mount_point`.
struct hierarchy {
  bool v2 = false;
  std::string top;
  std::string mount_point;
};

bool has_item(std::string_view comma_separated, std::string_view item) {
  while (!comma_separated.empty()) {
    const std::size_t comma = comma_separated.find(',');
    if (comma_separated.substr(0, comma) == item) {
      return true;
    }
    if (comma == std::string_view::npos) {
      break;
    }
    comma_separated.remove_prefix(comma + 1);
  }
  return false;
}

// mountinfo writes space, tab, newline and backslash in paths as three octal digits (proc(5)).
std::string decode_octal(const std::string& text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      decoded.push_back(static_cast<char>(code));
      i += 3;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

// "36 35 98:0 /top /mount/point options [optional...] - type source super-options" (proc(5))
std::optional<hierarchy> parse_mount(const std::string& line) {
  const std::size_t separator = line.find(" - ");
  if (separator == std::string::npos || !line.substr(separator + 3).starts_with("cgroup")) {
    return std::nullopt;
  }
  std::istringstream front(line.substr(0, separator));
  std::istringstream back(line.substr(separator + 3));
  std::string id, parent, device, top, mount_point, type, source, options;
  front >> id >> parent >> device >> top >> mount_point;
  back >> type >> source >> options;
  const bool v2 = type == "cgroup2";
  const bool v1_cpu = type == "cgroup" && has_item(options, "cpu");
  if (!front || (!v2 && !v1_cpu)) {
    return std::nullopt;
  }
  return hierarchy{v2, decode_octal(top), decode_octal(mount_point)};
}

std::vector<hierarchy> read_hierarchies(const std::string& root) {
  std::vector<hierarchy> found;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (auto mount = parse_mount(line)) {
      found.push_back(std::move(*mount));
    }
  }
  return found;
}

// The process's group in a hierarchy, from "id:controllers:/path" lines; v2 is "0::/path".
std::optional<std::string> group_path(const std::string& root, bool v2) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (v2 ? line.starts_with("0::") : has_item(controllers, "cpu")) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

// The group's path below the mount point. A group outside what is mounted (a container without a
// cgroup namespace, or a path that climbs out by "..") is seen through the mount point itself.
std::string path_below_mount(const hierarchy& mount, const std::string& group) {
  const std::string top = mount.top == "/" ? "" : mount.top;
  const bool outside = !group.starts_with(top) || group.find("/..") != std::string::npos ||
                       (group.size() > top.size() && group[top.size()] != '/');
  if (outside) {
    return "";
  }
  const std::string below = group.substr(top.size());
  return below == "/" ? "" : below;
}

std::optional<std::string> read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    return std::nullopt;
  }
  return line;
}

std::optional<std::int64_t> parse_positive(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) {
    return std::nullopt;
  }
  return value;
}

std::optional<cpu_quota> make_quota(std::string_view quota, std::string_view period,
                                    std::string file) {
  const auto quota_us = parse_positive(quota);  // "max" (v2) and -1 (v1) mean no limit
  const auto period_us = parse_positive(period);
  if (!quota_us || !period_us) {
    return std::nullopt;
  }
  return cpu_quota{*quota_us, *period_us, std::move(file)};
}

std::optional<cpu_quota> read_group(const std::string& directory, bool v2) {
  if (v2) {
    const std::string file = directory + "/cpu.max";  // "quota period"
    const std::string line = read_line(file).value_or("");
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) {
      return std::nullopt;
    }
    const std::string_view text = line;
    return make_quota(text.substr(0, space), text.substr(space + 1), file);
  }
  const std::string file = directory + "/cpu.cfs_quota_us";
  return make_quota(read_line(file).value_or(""),
                    read_line(directory + "/cpu.cfs_period_us").value_or(""), file);
}

void keep_tighter(std::optional<cpu_quota>& best, std::optional<cpu_quota> other) {
  if (other && (!best || other->cpus() < best->cpus())) {
    best = std::move(other);
  }
}

}  // namespace

std::optional<cpu_quota> read_cpu_quota(const std::string& root) {
  std::optional<cpu_quota> tightest;
  for (const hierarchy& mount : read_hierarchies(root)) {
    const auto group = group_path(root, mount.v2);
    if (!group) {
      continue;
    }
    std::string below = path_below_mount(mount, *group);
    const std::string mount_point = root + mount.mount_point;
    keep_tighter(tightest, read_group(mount_point + below, mount.v2));
    while (!below.empty()) {
      below.resize(below.rfind('/'));
      keep_tighter(tightest, read_group(mount_point + below, mount.v2));
    }
  }
  return tightest;
}

}  // namespace kasuri::platform

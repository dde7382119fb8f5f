// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/first_failure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

namespace kasuri::cluster {
namespace {

using line = std::array<char, 1024>;  // longer ones are cut off

}  // namespace

std::string first_failure(transport& network, const std::string& mine) {
  const std::uint64_t failed = mine.empty() ? 0 : 1;
  std::vector<std::uint64_t> all(static_cast<std::size_t>(network.size()), failed);
  if (network.size() > 1)
    network.all_gather(std::as_bytes(std::span(&failed, 1)),
                       std::as_writable_bytes(std::span(all)));
  const auto first = std::ranges::find_if(all, [](std::uint64_t f) { return f != 0; });
  if (first == all.end()) return "";
  const auto rank = static_cast<int>(first - all.begin());
  line text{};
  mine.copy(text.data(), text.size() - 1);
  if (network.size() > 1) network.broadcast(rank, std::as_writable_bytes(std::span(text)));
  return "rank " + std::to_string(rank) + ' ' + text.data();
}

std::string failure_of(const std::function<void()>& f) {
  try {
    f();
    return "";
  } catch (const std::bad_alloc&) {
    return "has no memory for it";
  } catch (const std::exception& e) {
    return e.what();
  }
}

void fail_by_system(const std::string& verb, const std::string& path) {
  throw std::runtime_error("cannot " + verb + " '" + path + "': " + std::strerror(errno));
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/written_together.hpp"

#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <span>

#include "cluster/memory/saved/first_failure.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

constexpr const char* as_it_was = "a file of this name is as it was";

/// The name until it is whole: in the same folder, the same for all ranks.
std::string temporary(const file_to_write& what) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64, what.id);
  return what.path + ".writing-" + digits.data();
}

void create(platform::placed_file& file, const std::string& name, const file_to_write& what) {
  if (!platform::may_be_file(what.path)) fail_by_system("replace", what.path);
  if (!file.create(name, what.bytes, what.path)) fail_by_system("create", name);
}

}  // namespace

std::uint64_t agreed_id(transport& network) {
  auto id = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  if (network.size() > 1) network.broadcast(0, std::as_writable_bytes(std::span(&id, 1)));
  return id;
}

void write_together(transport& network, const file_to_write& what,
                    const std::function<void(platform::placed_file&)>& write_mine) {
  if (what.path.empty())
    throw global::error(what.call + " '': the name is empty; accepted: the name of a file");
  const std::string name = temporary(what);
  const bool first = network.rank() == 0;
  bool created = false;
  platform::placed_file file;
  const auto together = [&](const char* left, const std::function<void()>& step) {
    const std::string failure = first_failure(network, failure_of(step));
    if (failure.empty()) return;
    file.close();
    if (created) platform::remove_file(name);
    throw global::error(what.call + " '" + what.path + "': " + failure +
                        "; accepted: a folder where all ranks can write, with room for " +
                        std::to_string(what.bytes) + " bytes (" + left + ')');
  };
  together(as_it_was, [&] {
    if (!first) return;
    create(file, name, what);
    created = true;
  });
  together(as_it_was, [&] {
    if (!first && !file.open_to_write(name, what.bytes)) fail_by_system("open", name);
    write_mine(file);
    if (!file.make_durable() || !file.close()) fail_by_system("write", name);
  });
  together(as_it_was, [&] {
    if (first && !platform::rename_file(name, what.path)) fail_by_system("rename", name);
    created = false;
  });
  together("the new file has its name, which may be lost if the machine fails now", [&] {
    if (first && !platform::make_name_durable(what.path))
      fail_by_system("make the folder durable of", what.path);
  });
}

void write_at(platform::placed_file& file, const std::string& path, const void* data,
              std::size_t bytes, std::uint64_t at) {
  if (!file.write(data, bytes, at)) fail_by_system("write", path);
}

}  // namespace kasuri::cluster

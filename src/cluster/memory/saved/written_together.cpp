// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/written_together.hpp"

#include "cluster/memory/saved/first_failure.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

/// The name until it is whole: in the same folder, the same for all ranks.
std::string temporary(const std::string& path) { return path + ".writing"; }

void create(platform::placed_file& file, const file_to_write& what) {
  if (!platform::may_be_file(what.path)) fail_by_system("replace", what.path);
  if (!file.create(temporary(what.path), what.bytes))
    fail_by_system("create", temporary(what.path));
}

}  // namespace

void write_together(transport& network, const file_to_write& what,
                    const std::function<void(platform::placed_file&)>& write_mine) {
  const std::string name = temporary(what.path);
  const bool first = network.rank() == 0;
  platform::placed_file file;
  const auto together = [&](const std::function<void()>& step) {
    const std::string failure = first_failure(network, failure_of(step));
    if (failure.empty()) return;
    file.close();
    if (first) platform::remove_file(name);
    throw global::error(what.call + " '" + what.path + "': " + failure +
                        "; accepted: a folder where all ranks can write, with room for " +
                        std::to_string(what.bytes) +
                        " bytes (an older file of this name is still there)");
  };
  together([&] {
    if (first) create(file, what);
  });
  together([&] {
    if (!first && !file.open_to_write(name, what.bytes)) fail_by_system("open", name);
    write_mine(file);
    if (!file.make_durable() || !file.close()) fail_by_system("write", name);
  });
  together([&] {
    if (first && !platform::rename_durably(name, what.path)) fail_by_system("rename", name);
  });
}

void write_at(platform::placed_file& file, const std::string& path, const void* data,
              std::size_t bytes, std::uint64_t at) {
  if (!file.write(data, bytes, at)) fail_by_system("write", temporary(path));
}

}  // namespace kasuri::cluster

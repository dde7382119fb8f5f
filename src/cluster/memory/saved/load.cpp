// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cluster/memory/saved/borrowed_bytes.hpp"
#include "cluster/memory/saved/checkpoint.hpp"
#include "cluster/memory/saved/checkpoint_header.hpp"
#include "cluster/memory/saved/first_failure.hpp"
#include "cluster/memory/saved/home_runs.hpp"
#include "cluster/memory/saved/parts.hpp"
#include "cluster/memory/saved/pieces.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

constexpr const char* call = "global::load_checkpoint";

/// A file that is opened, and what its header says.
struct opened_checkpoint {
  platform::placed_file file;
  checkpoint_header header;
};

std::string list_of(const std::vector<saved_entry>& parts) {
  std::string names;
  for (const saved_entry& e : parts) names += (names.empty() ? "'" : ", '") + e.name + "'";
  return parts.empty() ? "none" : names;
}

/// The part is in the file, and as it is wanted.
void expect_part(const checkpoint_header& header, const saved_part& wanted) {
  const saved_entry e = entry_of(wanted);
  const saved_entry* found = header.find(e.name);
  if (found == nullptr)
    throw std::runtime_error("finds no part '" + e.name + "'; accepted: " + list_of(header.parts));
  if (found->kind != e.kind || found->element != e.element ||
      found->element_bytes != e.element_bytes || found->row != e.row || found->bytes != e.bytes)
    throw std::runtime_error("finds that '" + e.name + "' is " + in_words(*found) +
                             "; accepted: " + in_words(e));
}

/// False: there is no such file.
bool open(opened_checkpoint& c, const std::string& path, std::span<const saved_part> parts) {
  if (!c.file.open_to_read(path)) {
    if (errno == ENOENT) return false;
    if (errno == EINVAL) throw std::runtime_error("finds something else than a file");
    throw std::runtime_error(std::string("cannot read it: ") + std::strerror(errno));
  }
  try {
    c.header = checkpoint_header::read(c.file, path);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(std::string("finds that it ") + e.what());
  }
  for (const saved_part& p : parts) expect_part(c.header, p);
  return true;
}

/// Collective: false where no rank finds the file. Throws global::error where one cannot go on, or
/// they find different ones.
bool open_together(transport& network, opened_checkpoint& c, const std::string& path,
                   std::span<const saved_part> parts) {
  bool found = false;
  std::string failure = first_failure(network, failure_of([&] { found = open(c, path, parts); }));
  if (failure.empty()) {
    std::uint64_t mine = found ? c.header.id : 0;
    std::uint64_t first = mine;
    if (network.size() > 1) network.broadcast(0, std::as_writable_bytes(std::span(&first, 1)));
    std::string odd;
    if (mine != first) {
      odd = "finds another file than rank 0";
      if (!found) odd = "finds no file, and rank 0 does";
      if (first == 0) odd = "finds a file, and rank 0 does not";
    }
    failure = first_failure(network, odd);
    if (failure.empty()) return found;
  }
  throw global::error(call + (" '" + path + "': ") + failure);
}

void read_array(part_in_file& from, memory& m, const saved_part& array) {
  if (array.bytes == 0) return;
  const global_range all{array.offset, array.offset + array.bytes};
  each_home_run(region_of(m, array, access::write), all, m.network().rank(), [&](run_of_bytes run) {
    const std::uint64_t last = pieces_in(run.end);
    for (std::uint64_t piece = run.begin / piece_bytes; piece < last; piece += pieces_at_once) {
      const std::uint64_t stop = std::min(last, piece + pieces_at_once);
      const std::span<const std::byte> found = from.read(piece, stop);
      const std::uint64_t begin = std::max(run.begin, piece * piece_bytes);
      const std::uint64_t end = std::min(run.end, stop * piece_bytes);
      const borrowed_bytes to(m, array.offset + begin, end - begin, access::write);
      std::memcpy(to.all().data(), found.data() + (begin - piece * piece_bytes), end - begin);
    }
  });
}

std::vector<std::byte> read_value(part_in_file& from, std::uint64_t bytes) {
  std::vector<std::byte> all;
  for (std::uint64_t piece = 0; piece < pieces_in(bytes); piece += pieces_at_once) {
    const auto some = from.read(piece, std::min(pieces_in(bytes), piece + pieces_at_once));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// What is at home here into the arrays, and all that is in the values; one of these for each part.
std::vector<std::vector<std::byte>> read_parts(memory& m, opened_checkpoint& c,
                                               const std::string& path,
                                               std::span<const saved_part> parts) {
  std::vector<std::vector<std::byte>> values(parts.size());
  for (std::size_t i = 0; i != parts.size(); ++i) {
    const saved_entry& e = *c.header.find(name_of(parts[i]));
    part_in_file from(c.file, path, c.header.id, e.begin, e.bytes);
    try {
      if (e.kind == saved_kind::array)
        read_array(from, m, parts[i]);
      else
        values[i] = read_value(from, e.bytes);
    } catch (const damaged_piece& d) {
      throw std::runtime_error(d.what() + (" of '" + e.name + "'"));
    }
  }
  return values;
}

}  // namespace

bool load_checkpoint(memory& m, const std::string& path, std::span<const saved_part> parts) {
  transport& network = m.network();
  const collective_call announced = call_for(collective_call::kind::load_checkpoint, path, parts);
  meet(network, announced, m.at_begin());
  expect_fit(m, call, path, parts, access::write);
  opened_checkpoint c;
  if (!open_together(network, c, path, parts)) return false;

  std::vector<std::vector<std::byte>> values;
  const std::string mine = failure_of([&] { values = read_parts(m, c, path, parts); });
  meet(network, announced, m.at_begin());  // all see what was read, also where others have failed
  const std::string failure = first_failure(network, mine);
  if (!failure.empty())
    throw global::error(call + (" '" + path + "': ") + failure +
                        "; accepted: a whole file (the arrays hold unspecified elements now)");
  for (std::size_t i = 0; i != parts.size(); ++i)
    if (!values[i].empty()) std::memcpy(parts[i].value, values[i].data(), values[i].size());
  return true;
}

}  // namespace kasuri::cluster

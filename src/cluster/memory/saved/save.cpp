// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "cluster/memory/at_home.hpp"
#include "cluster/memory/saved/borrowed_bytes.hpp"
#include "cluster/memory/saved/checkpoint.hpp"
#include "cluster/memory/saved/checkpoint_header.hpp"
#include "cluster/memory/saved/home_runs.hpp"
#include "cluster/memory/saved/parts.hpp"
#include "cluster/memory/saved/pieces.hpp"
#include "cluster/memory/saved/written_together.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::uint64_t most_checked_out = std::uint64_t{4} << 20;

/// Pieces from `first` on, which are bytes `pieces` of global memory, of which those from `away` on
/// are at home elsewhere. These are read there: the copy in the cache does not know what atomic
/// operations have changed.
void write_pieces(part_in_file& to, std::uint64_t first, memory& m, global_range pieces,
                  std::uint64_t away) {
  const borrowed_bytes here(m, pieces.begin, std::min(away, pieces.end) - pieces.begin,
                            access::read);
  if (pieces.end <= away) return to.write(first, here.all());
  std::vector<std::byte> all(pieces.end - pieces.begin);
  std::ranges::copy(here.all(), all.begin());
  read_at_homes(m, {away, all.data() + here.all().size(), pieces.end - away});
  to.write(first, all);
}

/// The pieces whose first byte is at home here; the last of a run may end elsewhere.
void write_array(part_in_file& to, memory& m, const saved_part& array) {
  if (array.bytes == 0) return;
  const global_range all{array.offset, array.offset + array.bytes};
  const region& where = region_of(m, array, access::read);
  const bool is_file = where.kind == region::kind_t::file;  // all of it is here
  each_home_run(where, all, m.network().rank(), [&](run_of_bytes run) {
    const std::uint64_t last = pieces_in(run.end);
    for (std::uint64_t piece = pieces_in(run.begin); piece < last; piece += pieces_at_once) {
      const std::uint64_t stop = std::min(last, piece + pieces_at_once);
      const std::uint64_t begin = piece * piece_bytes;
      const std::uint64_t end = std::min(array.bytes, stop * piece_bytes);
      write_pieces(to, piece, m, {array.offset + begin, array.offset + end},
                   is_file ? all.end : array.offset + run.end);
    }
  });
}

void write_value(part_in_file& to, const saved_part& value) {
  std::span<const std::byte> all{static_cast<const std::byte*>(value.value), value.bytes};
  for (std::uint64_t piece = 0; !all.empty(); piece += pieces_at_once) {
    const auto some = all.first(std::min<std::size_t>(all.size(), pieces_at_once * piece_bytes));
    to.write(piece, some);
    all = all.subspan(some.size());
  }
}

}  // namespace

void save_checkpoint(memory& m, const std::string& path, std::span<const saved_part> parts) {
  const std::string call = "global::save_checkpoint";
  transport& network = m.network();
  meet(network, call_for(collective_call::kind::save_checkpoint, path, parts), m.at_begin());
  expect_fit(m, call, path, parts, access::read);
  checkpoint_header header = checkpoint_header::of(parts);
  if (header.bytes() > checkpoint_header::most_bytes)
    throw global::error(call + " '" + path + "': the names of " + std::to_string(parts.size()) +
                        " parts would need a header of " + std::to_string(header.bytes()) +
                        " bytes; accepted: " + std::to_string(checkpoint_header::most_bytes));
  header.id = agreed_id(network);
  const bool first = network.rank() == 0;
  write_together(network, {call, path, header.file_bytes, header.id},
                 [&](platform::placed_file& file) {
                   if (first) {
                     const std::vector<std::byte> bytes = header.to_bytes();
                     write_at(file, path, bytes.data(), bytes.size(), 0);
                   }
                   for (std::size_t i = 0; i != parts.size(); ++i) {
                     part_in_file to(file, path, header.id, header.parts[i].begin, parts[i].bytes);
                     if (parts[i].kind == saved_kind::array)
                       write_array(to, m, parts[i]);
                     else if (first)
                       write_value(to, parts[i]);
                   }
                 });
}

void write_range(memory& m, const std::string& path, std::uint64_t offset, std::uint64_t bytes) {
  const saved_part all{"",      0,   saved_kind::array, element_kind::other, 1, bytes, 0, offset,
                       nullptr, true};
  transport& network = m.network();
  meet(network, call_for(collective_call::kind::write_file, path, {&all, 1}), m.at_begin());
  const region* where = bytes == 0 ? nullptr : &region_of(m, all, access::read);
  write_together(network, {"global::write_file", path, bytes, agreed_id(network)},
                 [&](platform::placed_file& file) {
                   if (where == nullptr) return;
                   const global_range range{offset, offset + bytes};
                   each_home_run(*where, range, network.rank(), [&](run_of_bytes run) {
                     for (std::uint64_t at = run.begin; at < run.end; at += most_checked_out) {
                       const std::uint64_t n = std::min(run.end - at, most_checked_out);
                       const borrowed_bytes some(m, offset + at, n, access::read);
                       write_at(file, path, some.all().data(), n, at);
                     }
                   });
                 });
}

}  // namespace kasuri::cluster

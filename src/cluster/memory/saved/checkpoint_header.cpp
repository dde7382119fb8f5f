// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/saved/checkpoint_header.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "cluster/memory/saved/first_failure.hpp"
#include "cluster/memory/saved/pieces.hpp"
#include "platform/cpu/crc32c.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::array<char, 8> magic{'K', 'a', 's', 'u', 'r', 'i', 'C', 'P'};
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::uint32_t other_byte_order = 0x04030201;
constexpr std::uint32_t version = 1;
constexpr std::uint64_t head_bytes = 48;
constexpr std::uint64_t entry_bytes = 48;  // before its name

/// Numbers, one behind the other.
class byte_writer {
 public:
  template <class T>
  void add(const T& number) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void add(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] std::vector<std::byte>& bytes() noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads them again; what lies behind the end is an error.
class byte_reader {
 public:
  explicit byte_reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  T take() {
    T number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::span<const std::byte> take(std::size_t n) {
    if (n > rest_.size()) throw std::runtime_error("its header ends in the middle of a part");
    const auto taken = rest_.first(n);
    rest_ = rest_.subspan(n);
    return taken;
  }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

std::string in_digits(std::uint64_t n) { return std::to_string(n); }

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error(what); }

std::uint64_t header_bytes_of(std::span<const saved_entry> parts) {
  std::uint64_t bytes = head_bytes + checksum_bytes;
  for (const saved_entry& e : parts) bytes += entry_bytes + e.name.size();
  return bytes;
}

std::string element_in_words(const saved_entry& e) {
  switch (e.element) {
    case element_kind::signed_integer:
      return "signed integers";
    case element_kind::unsigned_integer:
      return "unsigned integers";
    case element_kind::floating_point:
      return "floating point numbers";
    case element_kind::other:
      break;
  }
  return "elements";
}

/// The size of the header and of the file, if the first bytes are those of a checkpoint.
std::uint64_t expect_checkpoint(byte_reader& head, std::uint64_t file_bytes) {
  const auto found = head.take(magic.size());
  if (std::memcmp(found.data(), magic.data(), magic.size()) != 0)
    refuse("is no checkpoint: it does not begin as one");
  const auto order = head.take<std::uint32_t>();
  if (order == other_byte_order)
    refuse("was written on a machine of the other byte order; accepted: the order of this one");
  if (order != byte_order_mark) refuse("is damaged: it has no mark of a byte order");
  const auto its_version = head.take<std::uint32_t>();
  if (its_version != version)
    refuse("has format " + in_digits(its_version) + "; accepted: format " + in_digits(version));
  const auto bytes = head.take<std::uint64_t>();
  const auto whole = head.take<std::uint64_t>();
  if (whole != file_bytes)
    refuse("is not whole: it has " + in_digits(file_bytes) + " bytes; accepted: the " +
           in_digits(whole) + " that its header says");
  if (bytes < head_bytes + checksum_bytes ||
      bytes > std::min(file_bytes, checkpoint_header::most_bytes))
    refuse("is damaged: its header would have " + in_digits(bytes) + " bytes of " +
           in_digits(file_bytes));
  return bytes;
}

saved_entry read_entry(byte_reader& from) {
  saved_entry e;
  e.kind = static_cast<saved_kind>(from.take<std::uint32_t>());
  e.element = static_cast<element_kind>(from.take<std::uint32_t>());
  e.element_bytes = from.take<std::uint64_t>();
  e.row = from.take<std::uint64_t>();
  e.bytes = from.take<std::uint64_t>();
  e.begin = from.take<std::uint64_t>();
  const auto name_bytes = from.take<std::uint32_t>();
  const auto more_bytes = from.take<std::uint32_t>();
  const auto name = from.take(name_bytes);
  e.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  from.take(more_bytes);
  return e;
}

}  // namespace

saved_entry entry_of(const saved_part& part) {
  saved_entry e;
  e.name = name_of(part);
  e.kind = part.kind;
  e.element = part.element;
  e.element_bytes = part.element_bytes;
  e.row = part.row;
  e.bytes = part.bytes;
  return e;
}

std::string name_of(const saved_part& part) { return {part.name, part.name_bytes}; }

std::string in_words(const saved_entry& e) {
  const std::string each =
      " (" + element_in_words(e) + " of " + in_digits(e.element_bytes) + " bytes)";
  const std::uint64_t count = e.element_bytes == 0 ? 0 : e.bytes / e.element_bytes;
  if (e.kind == saved_kind::value) return "a value of " + in_digits(e.bytes) + " bytes" + each;
  if (e.kind != saved_kind::array) return "of a kind that this version does not know";
  if (e.row != 0)
    return "a grid of " + in_digits(count / e.row) + " rows of " + in_digits(e.row) + " columns" +
           each;
  return "an array of " + in_digits(count) + " elements" + each;
}

checkpoint_header checkpoint_header::of(std::span<const saved_part> parts) {
  checkpoint_header made;
  for (const saved_part& p : parts) made.parts.push_back(entry_of(p));
  made.file_bytes = header_bytes_of(made.parts);
  for (saved_entry& e : made.parts) {
    e.begin = made.file_bytes;
    made.file_bytes += bytes_in_file(e.bytes);
  }
  return made;
}

std::uint64_t checkpoint_header::bytes() const { return header_bytes_of(parts); }

std::vector<std::byte> checkpoint_header::to_bytes() const {
  byte_writer to;
  to.add(magic);
  to.add(byte_order_mark);
  to.add(version);
  to.add(header_bytes_of(parts));
  to.add(file_bytes);
  to.add(id);
  to.add(static_cast<std::uint32_t>(piece_bytes));
  to.add(static_cast<std::uint32_t>(parts.size()));
  for (const saved_entry& e : parts) {
    to.add(e.kind);
    to.add(e.element);
    to.add(e.element_bytes);
    to.add(e.row);
    to.add(e.bytes);
    to.add(e.begin);
    to.add(static_cast<std::uint32_t>(e.name.size()));
    to.add(std::uint32_t{0});
    to.add(e.name);
  }
  to.add(platform::crc32c(to.bytes()));
  return std::move(to.bytes());
}

checkpoint_header checkpoint_header::read(platform::placed_file& file, const std::string& path) {
  std::vector<std::byte> bytes(head_bytes);
  if (file.bytes() < head_bytes)
    refuse("is no checkpoint, or not whole: it has " + in_digits(file.bytes()) + " bytes");
  if (!file.read(bytes.data(), bytes.size(), 0)) fail_by_system("read", path);
  byte_reader head(bytes);
  bytes.resize(expect_checkpoint(head, file.bytes()));
  if (!file.read(bytes.data(), bytes.size(), 0)) fail_by_system("read", path);
  const auto content = std::span(bytes).first(bytes.size() - checksum_bytes);
  std::uint32_t sum;
  std::memcpy(&sum, bytes.data() + content.size(), checksum_bytes);
  if (sum != platform::crc32c(content)) refuse("is damaged: its header has not its checksum");

  byte_reader from(content);
  from.take(magic.size() + 2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t));
  checkpoint_header found;
  found.file_bytes = file.bytes();
  found.id = from.take<std::uint64_t>();
  if (const auto piece = from.take<std::uint32_t>(); piece != piece_bytes)
    refuse("has pieces of " + in_digits(piece) + " bytes; accepted: " + in_digits(piece_bytes));
  const auto count = from.take<std::uint32_t>();
  std::uint64_t end = bytes.size();
  for (std::uint32_t i = 0; i != count; ++i) {
    const saved_entry e = read_entry(from);
    if (e.begin != end || e.bytes > found.file_bytes ||
        bytes_in_file(e.bytes) > found.file_bytes - end)
      refuse("is damaged: its header has a part '" + e.name + "' that is not in the file");
    end += bytes_in_file(e.bytes);
    found.parts.push_back(e);
  }
  if (!from.at_end() || end != found.file_bytes)
    refuse("is damaged: its header does not say what is at its end");
  return found;
}

const saved_entry* checkpoint_header::find(const std::string& name) const {
  const auto found = std::ranges::find(parts, name, &saved_entry::name);
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace kasuri::cluster

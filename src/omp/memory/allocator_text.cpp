// SPDX-License-Identifier: Apache-2.0
// OMP_ALLOCATOR: "omp_high_bw_mem_alloc", "omp_default_mem_space:alignment=64,pinned=true".
#include "omp/base/text_cursor.hpp"
#include "omp/memory/allocator.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

using std::optional;
using std::string_view;

constexpr string_view allocators[] = {
    "omp_null_allocator",   "omp_default_mem_alloc", "omp_large_cap_mem_alloc",
    "omp_const_mem_alloc",  "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",
    "omp_cgroup_mem_alloc", "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};

constexpr string_view spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space",
                                  "omp_const_mem_space", "omp_high_bw_mem_space",
                                  "omp_low_lat_mem_space"};

constexpr string_view keys[] = {"sync_hint", "alignment", "access", "pool_size",
                                "fallback",  "fb_data",   "pinned", "partition"};

static_assert(std::size(allocators) == last_predefined + 1);
static_assert(std::size(keys) == static_cast<std::size_t>(trait_key::partition));

struct value_name {
  trait_key key;
  string_view name;
  trait_value value;
};

constexpr value_name value_names[] = {
    {trait_key::sync_hint, "contended", trait_value::contended},
    {trait_key::sync_hint, "uncontended", trait_value::uncontended},
    {trait_key::sync_hint, "serialized", trait_value::serialized},
    {trait_key::sync_hint, "sequential", trait_value::serialized},
    {trait_key::sync_hint, "private", trait_value::private_},
    {trait_key::access, "all", trait_value::all},
    {trait_key::access, "thread", trait_value::thread},
    {trait_key::access, "pteam", trait_value::pteam},
    {trait_key::access, "cgroup", trait_value::cgroup},
    {trait_key::fallback, "default_mem_fb", trait_value::default_mem_fb},
    {trait_key::fallback, "null_fb", trait_value::null_fb},
    {trait_key::fallback, "abort_fb", trait_value::abort_fb},
    {trait_key::fallback, "allocator_fb", trait_value::allocator_fb},
    {trait_key::pinned, "true", trait_value::on},
    {trait_key::pinned, "false", trait_value::off},
    {trait_key::partition, "environment", trait_value::environment},
    {trait_key::partition, "nearest", trait_value::nearest},
    {trait_key::partition, "blocked", trait_value::blocked},
    {trait_key::partition, "interleaved", trait_value::interleaved},
};

template <std::size_t N>
optional<std::uintptr_t> index_of(string_view word, const string_view (&names)[N]) {
  for (std::size_t i = 0; i != N; ++i)
    if (same_word(word, names[i])) return i;
  return std::nullopt;
}

optional<std::uintptr_t> parse_value(text_cursor& text, trait_key key) {
  if (key == trait_key::alignment || key == trait_key::pool_size) {
    const auto number = text.integer();
    if (!number || *number <= 0) return std::nullopt;
    return static_cast<std::uintptr_t>(*number);
  }
  const string_view word = text.word();
  if (key == trait_key::fb_data) return index_of(word, allocators);
  for (const value_name& row : value_names)
    if (row.key == key && same_word(word, row.name)) return static_cast<std::uintptr_t>(row.value);
  return std::nullopt;
}

bool parse_traits(text_cursor& text, std::vector<trait>& traits) {
  do {
    const auto key = index_of(text.word(), keys);
    if (!key || !text.take('=')) return false;
    trait t{static_cast<trait_key>(*key + 1), 0};
    const auto value = parse_value(text, t.key);
    if (!value) return false;
    t.value = *value;
    traits.push_back(t);
  } while (text.take(','));
  return true;
}

std::string value_text(const trait& t) {
  for (const value_name& row : value_names)
    if (row.key == t.key && static_cast<std::uintptr_t>(row.value) == t.value)
      return std::string(row.name);
  if (t.key == trait_key::fb_data) return std::string(allocators[t.value]);
  return std::to_string(t.value);
}

}  // namespace

optional<allocator_request> parse_allocator(string_view value) {
  text_cursor text(value);
  const string_view word = text.word();
  allocator_request request;
  if (const auto space = index_of(word, spaces)) {
    request.predefined = null_allocator;
    request.space = *space;
    if (text.take(':') && !parse_traits(text, request.traits)) return std::nullopt;
  } else if (const auto named = index_of(word, allocators); named && *named != null_allocator) {
    request.predefined = *named;
  } else {
    return std::nullopt;
  }
  if (!text.at_end()) return std::nullopt;
  // Also values that each are right may make no allocator: alignment=3.
  const allocator_handle made = make_allocator(request);
  if (made == null_allocator) return std::nullopt;
  destroy_allocator(made);
  return request;
}

std::string allocator_text(const allocator_request& request) {
  KASURI_EXPECT(cheap,
                request.predefined < std::size(allocators) && request.space < std::size(spaces),
                "allocator %lu, space %lu", request.predefined, request.space);
  if (request.predefined != null_allocator) return std::string(allocators[request.predefined]);
  std::string text(spaces[request.space]);
  for (const trait& t : request.traits) {
    KASURI_EXPECT(cheap, t.key >= trait_key::sync_hint && t.key <= trait_key::partition, "trait %d",
                  static_cast<int>(t.key));
    text += text.find(':') == std::string::npos ? ':' : ',';
    text += std::string(keys[static_cast<std::size_t>(t.key) - 1]) + '=' + value_text(t);
  }
  return text;
}

allocator_handle make_allocator(const allocator_request& request) {
  return request.predefined != null_allocator ? request.predefined
                                              : init_allocator(request.space, request.traits);
}

}  // namespace kasuri::omp

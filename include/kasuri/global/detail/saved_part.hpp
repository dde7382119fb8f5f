// SPDX-License-Identifier: Apache-2.0
#pragma once

// A part of a checkpoint as the library sees it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "kasuri/global/detail/memory_face.hpp"

namespace kasuri::global {

template <class T>
class ptr;
template <class T>
class view;
template <class T>
class vector;
template <class T>
class grid_view;
template <class T>
class grid;

namespace detail {

// The numbers are those in the file.
enum class saved_kind : std::uint32_t { array = 1, value = 2 };
enum class element_kind : std::uint32_t {
  other = 0,
  signed_integer = 1,
  unsigned_integer = 2,
  floating_point = 3
};

struct saved_part {
  const char* name;
  std::size_t name_bytes;
  saved_kind kind;
  element_kind element;
  std::uint64_t element_bytes;
  std::uint64_t bytes;
  std::uint64_t row;     // elements of a row of a grid; 0: it is none
  std::uint64_t offset;  // of an array
  void* value;           // of a value
  bool is_const;
};

/// Not of `char` and `wchar_t`, which have a sign on some kinds of machines and none on others.
template <class T>
constexpr element_kind kind_of_element() noexcept {
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t>)
    return element_kind::other;
  else if constexpr (std::is_enum_v<T>)
    return kind_of_element<std::underlying_type_t<T>>();
  else if constexpr (std::is_floating_point_v<T>)
    return element_kind::floating_point;
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? element_kind::signed_integer : element_kind::unsigned_integer;
  else
    return element_kind::other;
}

template <class T>
saved_part part_of(std::string_view name, std::uint64_t offset, std::size_t n,
                   std::size_t row) noexcept {
  using element = std::remove_const_t<T>;
  return {name.data(),
          name.size(),
          saved_kind::array,
          kind_of_element<element>(),
          sizeof(T),
          bytes_of<T>(n),
          row,
          offset,
          nullptr,
          std::is_const_v<T>};
}

template <class T>
inline constexpr bool lies_in_global_memory = false;
template <class T>
inline constexpr bool lies_in_global_memory<view<T>> = true;
template <class T>
inline constexpr bool lies_in_global_memory<vector<T>> = true;
template <class T>
inline constexpr bool lies_in_global_memory<grid_view<T>> = true;
template <class T>
inline constexpr bool lies_in_global_memory<grid<T>> = true;

template <class T>
concept value_to_save = !lies_in_global_memory<T>;

template <class T>
inline constexpr bool is_address = std::is_pointer_v<T> || std::is_member_pointer_v<T>;
template <class T>
inline constexpr bool is_address<ptr<T>> = true;

template <class T>
saved_part part_of_value(std::string_view name, T& value, bool is_variable) noexcept {
  using plain = std::remove_cv_t<T>;
  static_assert(std::is_trivially_copyable_v<plain>,
                "values in a checkpoint are saved as bytes: make the type trivially copyable");
  static_assert(!is_address<plain>,
                "an address means nothing when a checkpoint is loaded: save what is there");
  const bool is_const = std::is_const_v<T> || !is_variable;
  auto* const bytes = const_cast<plain*>(std::addressof(value));
  return {name.data(),
          name.size(),
          saved_kind::value,
          kind_of_element<plain>(),
          sizeof(T),
          sizeof(T),
          0,
          0,
          bytes,
          is_const};
}

}  // namespace detail
}  // namespace kasuri::global

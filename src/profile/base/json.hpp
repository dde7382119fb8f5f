// SPDX-License-Identifier: Apache-2.0
// Writes JSON into a string, in the order of the calls. Commas are its own business.
#pragma once

#include <cstdint>      // for uint64_t
#include <string>       // for string
#include <string_view>  // for string_view

namespace kasuri::profile {

class json {
 public:
  json& begin_object() { return open('{'); }
  json& end_object() { return close('}'); }
  json& begin_array() { return open('['); }
  json& end_array() { return close(']'); }

  /// The name of the next value, in an object.
  json& key(std::string_view name);

  json& value(std::string_view text);
  json& value(const char* text) { return value(std::string_view(text)); }
  json& value(std::uint64_t number);
  json& value(std::int64_t number);
  json& value(int number) { return value(static_cast<std::int64_t>(number)); }
  json& value(unsigned number) { return value(static_cast<std::uint64_t>(number)); }
  json& value(double number);
  json& value(bool yes);
  /// A value that is written already.
  json& raw(std::string_view text);
  /// As a string: a JSON number does not hold 64 bits everywhere.
  json& address(const void* at);

  template <class T>
  json& pair(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  const std::string& text() const noexcept { return text_; }

 private:
  json& open(char bracket);
  json& close(char bracket);
  void separate();

  std::string text_;
  bool first_ = true;
};

}  // namespace kasuri::profile

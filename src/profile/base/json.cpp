// SPDX-License-Identifier: Apache-2.0
#include "profile/base/json.hpp"

#include <cmath>
#include <cstdio>

namespace kasuri::profile {

void json::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

json& json::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

json& json::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

json& json::key(std::string_view name) {
  value(name);
  text_ += ':';
  first_ = true;
  return *this;
}

json& json::value(std::string_view text) {
  separate();
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      // Bytes beyond ASCII are names of files, in whatever encoding: each as the character of its
      // number.
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      text_ += escaped;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

json& json::value(std::uint64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

json& json::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

json& json::value(double number) {
  separate();
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", std::isfinite(number) ? number : 0.0);
  text_ += text;
  return *this;
}

json& json::raw(std::string_view text) {
  separate();
  text_ += text;
  return *this;
}

json& json::value(bool yes) {
  separate();
  text_ += yes ? "true" : "false";
  return *this;
}

json& json::address(const void* at) {
  char text[24];
  std::snprintf(text, sizeof text, "%#zx", reinterpret_cast<std::uintptr_t>(at));
  return value(std::string_view(text));
}

}  // namespace kasuri::profile

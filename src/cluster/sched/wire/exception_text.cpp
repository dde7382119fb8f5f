// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/exception_text.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

std::string readable(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text != nullptr ? text : name;
  std::free(text);
  return result;
}

struct described {
  std::string type;
  std::string text;
};

described current() {
  try {
    throw;
  } catch (const global::remote_exception& e) {
    return {e.type(), e.text()};  // on its second journey
  } catch (const std::exception& e) {
    return {readable(typeid(e).name()), e.what()};
  } catch (...) {
    const std::type_info* const type = abi::__cxa_current_exception_type();
    return {type != nullptr ? readable(type->name()) : "unknown exception", ""};
  }
}

}  // namespace

int thrown_on(int here) noexcept {
  try {
    throw;
  } catch (const global::remote_exception& e) {
    return e.rank();
  } catch (...) {
    return here;
  }
}

std::uint32_t write_exception(std::span<std::byte> to) noexcept {
  const described d = current();
  std::size_t used = 0;
  // Half of the room for each at least, when both are long.
  const auto write = [&](const std::string& text, std::size_t most) {
    const std::size_t n = std::min(text.size(), most - 1);
    std::memcpy(to.data() + used, text.data(), n);
    to[used + n] = std::byte{0};
    used += n + 1;
  };
  write(d.type, std::max(to.size() / 2, to.size() - std::min(to.size(), d.text.size() + 1)));
  write(d.text, to.size() - used);
  KASURI_EXPECT(cheap, used <= to.size(), "%zu bytes of an exception in a room of %zu", used,
                to.size());
  return static_cast<std::uint32_t>(used);
}

void read_exception(const std::byte* from, std::uint32_t bytes, std::string& type,
                    std::string& text) {
  const std::string both(reinterpret_cast<const char*>(from), bytes);
  const std::size_t end = both.find('\0');
  type = both.substr(0, end);
  text = both.substr(end + 1, both.find('\0', end + 1) - end - 1);
}

}  // namespace kasuri::cluster

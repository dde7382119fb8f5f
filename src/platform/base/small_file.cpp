// SPDX-License-Identifier: Apache-2.0
#include "platform/base/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace kasuri::platform {

std::string text_of_small_file(const char* path, std::size_t most) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text(most, '\0');
  const ssize_t n = read(fd, text.data(), most);
  close(fd);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

}  // namespace kasuri::platform

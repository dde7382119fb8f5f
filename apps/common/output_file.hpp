// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace apps {

/// A file that is written once; every failure throws std::system_error with the file's name.
class output_file {
 public:
  explicit output_file(std::string path)
      : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (file_ == nullptr) fail();
  }

  void write(const void* data, std::size_t size) {
    if (std::fwrite(data, 1, size, file_.get()) != size) fail();
  }

  void write(std::string_view text) { write(text.data(), text.size()); }

  /// As std::fprintf.
  template <class First, class... More>
  void print(const char* format, First first, More... more) {
    if (std::fprintf(file_.get(), format, first, more...) < 0) fail();
  }

  /// Must be called: only here is a full disk noticed.
  void close() {
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  struct closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), path_); }

  std::string path_;
  std::unique_ptr<std::FILE, closer> file_;
};

}  // namespace apps

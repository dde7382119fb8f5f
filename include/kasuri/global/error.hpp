// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Errors of the cluster layer.

#include "kasuri/detail/needs_cxx20.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// The base of what the cluster layer throws. The message is one line: it names what was asked for,
/// its value, and what is accepted.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An exception of a closure that ran in another process: it arrives at the join with the name of
/// its type and its text. Where the closure ran in the process that waits for it the original
/// arrives.
class remote_exception : public error {
 public:
  /// @param rank  where it was thrown
  /// @param type  the name of its type
  /// @param text  what() of it; empty where it is no std::exception
  remote_exception(int rank, std::string type, std::string text)
      : error(type + (text.empty() ? "" : ": " + text) + " (on rank " + std::to_string(rank) + ")"),
        rank_(rank),
        type_(std::move(type)),
        text_(std::move(text)) {}

  int rank() const noexcept { return rank_; }                 ///< where it was thrown
  const std::string& type() const noexcept { return type_; }  ///< as "std::out_of_range"
  const std::string& text() const noexcept { return text_; }  ///< the text of its what()

 private:
  int rank_;
  std::string type_;
  std::string text_;
};

}  // namespace global
}  // namespace kasuri

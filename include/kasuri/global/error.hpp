// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Errors of the cluster layer. What a program can go on from is thrown: full caches and heaps,
/// ranges that are not there, files. What would leave the ranks at odds ends the process instead,
/// with one line on standard error that begins with "kasuri: " and status 2, and with it the job.

#include "kasuri/detail/needs_cxx20.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

/// The base of what the cluster layer throws. The message is one line: it names what was asked for,
/// its value, and what is accepted. Sizes and global addresses in it are bytes.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An exception of a closure that ran in another process: it arrives at the join with the name of
/// its type and its text. Where the closure ran in the process that waits for it the original
/// arrives: which of the two is up to the scheduler. Type and text have 830 bytes together on their
/// way, 415 each at least; the rest is cut off. On its way through further ranks it stays as it is.
class remote_exception : public error {
 public:
  /// For the library.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The windows of a job in its file: each at an offset of its own that is never used again, the
// parts of all ranks behind one another, each of whole pages. Every rank maps all parts of a window
// in one piece, so that the part of another rank lies so many parts beside this rank's.
//
// Windows come and go by collective calls, by one thread of each rank, which all come to the same
// offsets so. `lock_` guards the list: alias() may be called by any thread meanwhile.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cluster/transport/job/job_file.hpp"
#include "cluster/transport/shared/shared_collectives.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class shared_windows {
 public:
  shared_windows(const job_file& file, int rank, shared_collectives& with, shared_ends& ends);
  shared_windows(const shared_windows&) = delete;
  shared_windows& operator=(const shared_windows&) = delete;
  ~shared_windows() { unmap(); }

  /// See transport.
  window allocate(std::size_t bytes);
  void free(window& w);
  void alias(const window& w, std::size_t offset, std::size_t bytes, void* at);

  /// Unmaps what is left, at the end of the job.
  void unmap();

  /// Bytes of a part.
  [[nodiscard]] std::byte* at(int target, const window& w, std::size_t offset,
                              std::size_t bytes) const noexcept {
    KASURI_EXPECT(cheap, target >= 0 && target < size_, "an operation on rank %d of %d", target,
                  size_);
    KASURI_EXPECT(cheap, w.id >= 0 && offset <= w.bytes && bytes <= w.bytes - offset,
                  "an operation on bytes %zu + %zu of %zu of window %d", offset, bytes, w.bytes,
                  w.id);
    return w.local + (target - rank_) * static_cast<std::ptrdiff_t>(whole_pages(w.bytes)) + offset;
  }
  /// A word of a part.
  template <class Word = std::uint64_t>
  [[nodiscard]] Word& word(int target, const window& w, std::size_t offset) const noexcept {
    KASURI_EXPECT(cheap, offset % sizeof(Word) == 0,
                  "an operation on the word at byte %zu of window %d", offset, w.id);
    return *reinterpret_cast<Word*>(at(target, w, offset, sizeof(Word)));
  }

 private:
  struct placement {
    std::uint64_t offset;  // in the file, of rank 0's part
    std::byte* start;      // of rank 0's part here; null: given back
    std::size_t bytes;     // of all parts
  };

  [[nodiscard]] std::size_t whole_pages(std::size_t bytes) const noexcept {
    return (bytes + page_ - 1) & ~(page_ - 1);
  }
  void agree_on_size(std::size_t bytes);
  [[nodiscard]] std::byte* map(std::size_t all_bytes) const;
  [[nodiscard]] placement& place_of(const window& w);

  const job_file& file_;
  const int rank_;
  const int size_;
  shared_collectives& with_;
  shared_ends& ends_;
  const std::size_t page_;
  std::mutex lock_;  // guards the list
  std::vector<placement> windows_;
  std::uint64_t next_;  // where in the file the next one goes
};

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
// Checkpoints that are torn, cut off or changed are refused, by all ranks alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "cluster/memory/memory.hpp"
#include "cluster/memory/saved/pieces.hpp"
#include "cluster/simulated_memory.hpp"
#include "kasuri/global/files/checkpoint.hpp"
#include "saved.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;
using global::load_checkpoint;
using global::save_checkpoint;

constexpr std::size_t of_a = 1500;  // two pieces
constexpr std::size_t of_b = 10;

/// What the file says, changed by rank 0, and how it is read then.
class loaded_checkpoint {
 public:
  loaded_checkpoint(const std::string& path, int rank, transport& net)
      : path_(path), rank_(rank), net_(net) {
    fill(a_.view(), 1, rank, net.size());
    fill(b_.view(), 2, rank, net.size());
    int step = 5;
    save_checkpoint(path, {{"a", a_}, {"b", b_}, {"step", step}});
    whole_ = content_of(path);
    net.barrier();
  }

  [[nodiscard]] const std::string& whole() const noexcept { return whole_; }

  /// What loading a file of that content says.
  std::string said(const std::string& content) {
    if (rank_ == 0) set_content(path_, content);
    fill(a_.view(), 8, rank_, net_.size());
    net_.barrier();
    bool loaded = false;
    step_ = 7;
    const std::string text =
        said_by([&] { loaded = load_checkpoint(path_, {{"a", a_}, {"b", b_}, {"step", step_}}); });
    EXPECT_EQ(loaded, text == "nothing");
    EXPECT_EQ(step_, loaded ? 5 : 7);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  [[nodiscard]] bool is_unchanged() const { return wrong_in(a_.view(), 8) == 0; }
  [[nodiscard]] bool is_right() const {
    return wrong_in(a_.view(), 1) == 0 && wrong_in(b_.view(), 2) == 0;
  }

 private:
  const std::string path_;
  const int rank_;
  transport& net_;
  global::vector<std::uint32_t> a_{of_a};
  global::vector<std::uint32_t> b_{of_b};
  int step_ = 0;
  std::string whole_;
};

void on_ranks_with_one(int ranks, const std::function<void(loaded_checkpoint&)>& main) {
  const file_name file("damaged");
  on_simulated_ranks(ranks, small_memory(), [&](int rank, transport& net, memory&) {
    loaded_checkpoint c(file.path(), rank, net);
    main(c);
    EXPECT_EQ(c.said(c.whole()), "nothing");
    EXPECT_TRUE(c.is_right());
    net.barrier();
  });
}

TEST(DamagedCheckpoint, IsRefusedWhicheverByteIsChanged) {
  on_ranks_with_one(2, [](loaded_checkpoint& c) {
    for (std::size_t i = 0; i != c.whole().size(); ++i) {
      for (const int change : {1 << i % 8, 255}) {
        std::string changed = c.whole();
        changed[i] = static_cast<char>(changed[i] ^ change);
        const std::string said = c.said(changed);
        EXPECT_TRUE(has(said, "global::load_checkpoint '")) << "byte " << i << ": " << said;
        const std::size_t parts =
            c.whole().size() - bytes_in_file(4 * of_a) - bytes_in_file(4 * of_b) - bytes_in_file(4);
        if (i < parts) {
          EXPECT_TRUE(c.is_unchanged()) << "byte " << i << ": " << said;
        } else {
          EXPECT_TRUE(has(said, "finds no right checksum behind bytes ")) << said;
        }
      }
    }
  });
}

TEST(DamagedCheckpoint, IsRefusedWhereverItIsCutOff) {
  on_ranks_with_one(3, [](loaded_checkpoint& c) {
    for (std::size_t n = 0; n != c.whole().size(); ++n) {
      const std::string said = c.said(c.whole().substr(0, n));
      EXPECT_TRUE(has(said, n < 48 ? "is no checkpoint, or not whole" : "is not whole: it has"))
          << n << " bytes: " << said;
      EXPECT_TRUE(c.is_unchanged()) << n << " bytes: " << said;
    }
    EXPECT_TRUE(has(c.said(c.whole() + 'x'), "is not whole"));
    EXPECT_TRUE(has(c.said(std::string(c.whole().size(), '\0')), "is no checkpoint: it does not"));
  });
}

TEST(DamagedCheckpoint, SaysWhichPartAndWhich) {
  const file_name file("line");
  on_simulated_ranks(1, small_memory(), [&](int rank, transport& net, memory&) {
    loaded_checkpoint c(file.path(), rank, net);
    std::string changed = c.whole();
    const std::size_t end_of_a =
        changed.size() - bytes_in_file(4) - bytes_in_file(4 * of_b) - checksum_bytes;
    changed[end_of_a - 1] ^= 1;
    EXPECT_EQ(c.said(changed),
              "global::load_checkpoint '" + file.path() +
                  "': rank 0 finds no right checksum behind bytes 4096 to 5999 of 'a'; accepted: a "
                  "whole file (the arrays hold unspecified elements now)");
    changed = c.whole();
    changed[12] = 2;
    EXPECT_TRUE(has(c.said(changed), "finds that it has format 2; accepted: format 1"));
    changed = c.whole();
    std::reverse(changed.begin() + 8, changed.begin() + 12);
    EXPECT_TRUE(has(c.said(changed), "was written on a machine of the other byte order"));
    changed = c.whole();
    changed[40] ^= 1;
    EXPECT_TRUE(has(c.said(changed), "is damaged: its header has not its checksum"));
  });
}

TEST(DamagedCheckpoint, OfPiecesOfTwoIsRefused) {
  const file_name file("torn");
  on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
    std::string first;
    {
      loaded_checkpoint c(file.path(), rank, net);
      first = c.whole();
    }
    net.barrier();
    loaded_checkpoint c(file.path(), rank, net);  // the same content
    ASSERT_EQ(first.size(), c.whole().size());
    const std::size_t half = c.whole().size() - 2000;
    const std::string said = c.said(c.whole().substr(0, half) + first.substr(half));
    EXPECT_TRUE(has(said, "finds no right checksum")) << said;
    EXPECT_EQ(c.said(first), "nothing");
    net.barrier();
  });
}

TEST(DamagedCheckpoint, WhosePiecesHaveChangedPlacesIsRefused) {
  const file_name file("places");
  on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
    const global::vector<std::uint32_t> a(2048);  // two pieces
    fill(a.view(), 1, rank, 2);
    save_checkpoint(file.path(), {{"a", a}});
    std::string content = content_of(file.path());
    net.barrier();
    const auto behind = content.end() - 2 * static_cast<std::ptrdiff_t>(record_bytes);
    std::swap_ranges(behind, content.end() - static_cast<std::ptrdiff_t>(record_bytes),
                     content.end() - static_cast<std::ptrdiff_t>(record_bytes));
    if (rank == 0) set_content(file.path(), content);
    net.barrier();
    EXPECT_TRUE(has(said_by([&] { (void)load_checkpoint(file.path(), {{"a", a}}); }),
                    "finds no right checksum"));
  });
}

}  // namespace
}  // namespace kasuri::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel's calls about the NUMA node of a page. Nodes have the kernel's numbers, 0 to
// most_numa_nodes - 1. All calls keep errno.

#include <cstddef>
#include <span>

namespace kasuri::platform {

/// MAX_NUMNODES of the largest kernel configuration.
inline constexpr int most_numa_nodes = 1024;

/// The preference of a thread, or of a range for its pages that are touched later. None binds:
/// where a node is full, another one gives.
enum class memory_policy { by_default, preferred, interleaved };

/// Sets the policy of [start, start + bytes), whole pages. `nodes`: one for preferred, some for
/// interleaved, none for by_default. False when the kernel refuses.
bool set_policy(void* start, std::size_t bytes, memory_policy policy,
                std::span<const int> nodes) noexcept;

/// While it lives, pages that the calling thread touches where no range has a policy come from
/// `node`, one after another; the thread's own policy is put back at the end.
class prefer_nodes {
 public:
  prefer_nodes() noexcept;
  ~prefer_nodes();
  prefer_nodes(const prefer_nodes&) = delete;
  prefer_nodes& operator=(const prefer_nodes&) = delete;

  /// False when the kernel refuses.
  bool prefer(int node) noexcept;

 private:
  static constexpr std::size_t words = most_numa_nodes / (8 * sizeof(unsigned long));
  int mode_ = 0;
  bool known_ = false;
  unsigned long mask_[words] = {};
};

/// Asks which node holds each of `pages` (addresses of their first bytes). A negative status says
/// why none does: -ENOENT nobody has touched it, -EFAULT nothing is mapped there. Touches no page.
/// Returns 0 or an errno, and then nothing is known.
int ask_nodes(std::span<void* const> pages, std::span<int> status) noexcept;

/// The one node that a page at `address` is to come from once it is touched, because mbind, or the
/// thread's policy, says so: preferred, or bound to it alone. -1: several or none are named,
/// nothing is mapped there, or the kernel does not tell. Touches no page.
int wished_node(const void* address) noexcept;

/// Moves `pages` to `nodes`, one for one, as far as the kernel can; ask_nodes tells how far that
/// was. Returns 0 or an errno.
int move_to_nodes(std::span<void* const> pages, std::span<const int> nodes) noexcept;

/// Zeroed memory of whole pages that counts against the system's limits, unlike reserve()'s; null
/// when there is none. release() gives it back.
void* map_memory(std::size_t bytes) noexcept;

/// The size that the pages behind a range are to have.
enum class page_kind { as_configured, small, huge };
void use_pages(void* start, std::size_t bytes, page_kind kind) noexcept;

/// Cuts the huge page that holds the page at `page` into small ones, so that these can be on
/// different nodes. Nothing where it is none, or where the kernel does not (before 5.4).
void cut_huge_page(void* page) noexcept;

/// Bytes of a huge page that the kernel makes by itself; page_size() where it has none.
std::size_t huge_page_size() noexcept;

/// Keeps [start, start + bytes) in memory; false when the system lets this process pin no more.
bool pin(void* start, std::size_t bytes) noexcept;

/// The CPU that the calling thread is on, by the kernel's number; -1: unknown.
int this_cpu() noexcept;

}  // namespace kasuri::platform

// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/guarded_copies.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/memory.hpp"
#include "platform/process/fault_handler.hpp"

namespace kasuri::cluster {
namespace {

// Copies up to here are kept for the next checkout.
constexpr std::size_t most_kept = std::size_t{1} << 20;

// Before a copy that may be written lie so many bytes of this, if its first page has room for them.
constexpr std::size_t margin_bytes = 64;
constexpr unsigned char margin_byte = 0xa7;

// The processes of the tests have several global memories at a time.
std::mutex all_lock;
std::vector<guarded_copies*> all;
platform::fault_handler faults;

void on_fault(int signal, siginfo_t* info, void* context) noexcept {
  // A thread that faults stands in the program's code, and holds neither of our locks. A positive
  // code: the kernel's.
  if (info->si_code > 0) {
    const std::scoped_lock hold(all_lock);
    for (guarded_copies* copies : all)
      copies->explain_fault(reinterpret_cast<std::uintptr_t>(info->si_addr));
  }
  faults.pass_on(signal, info, context);
}

void catch_faults() {
  if (!faults.install(on_fault))
    throw global::error("KASURI_CHECK=checkout: sigaction(SIGSEGV) fails");
}

std::size_t size_for(std::uint64_t bytes) noexcept {
  const std::size_t pages = std::max<std::size_t>(bytes, platform::page_size());
  if (pages <= most_kept) return std::bit_ceil(pages);
  return (pages + platform::page_size() - 1) / platform::page_size() * platform::page_size();
}

}  // namespace

guarded_copies::guarded_copies(describe_function describe) : describe_(std::move(describe)) {
  const std::scoped_lock hold(all_lock);
  if (all.empty()) catch_faults();
  all.push_back(this);
}

guarded_copies::~guarded_copies() {
  {
    const std::scoped_lock hold(all_lock);
    std::erase(all, this);
    if (all.empty()) faults.remove();
  }
  for (const auto& b : kept_) end_buffer(*b);
}

std::byte* guarded_copies::for_writers(const buffer& b) noexcept {
  return b.start + platform::page_size();
}

std::byte* guarded_copies::for_readers(const buffer& b) noexcept {
  return for_writers(b) + b.bytes + platform::page_size();
}

std::byte* guarded_copies::handed_out(const loan& l) noexcept {
  return l.what.writes() ? l.data : for_readers(*l.in) + (l.data - for_writers(*l.in));
}

guarded_copies::buffer* guarded_copies::make_buffer(std::uint64_t bytes) {
  const std::size_t size = size_for(bytes);
  if (auto& list = free_[size]; !list.empty()) {
    buffer* const b = list.back();
    list.pop_back();
    return b;
  }
  auto made = std::make_unique<buffer>();
  made->bytes = size;
  const int file = memfd_create("kasuri-checkout", MFD_CLOEXEC);
  const std::size_t page = platform::page_size();
  void* const range = mmap(nullptr, 2 * size + 3 * page, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range != MAP_FAILED) made->start = static_cast<std::byte*>(range);
  const bool mapped =
      file >= 0 && range != MAP_FAILED && ftruncate(file, static_cast<off_t>(size)) == 0 &&
      mmap(for_writers(*made), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
          MAP_FAILED &&
      mmap(for_readers(*made), size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  if (file >= 0) close(file);
  if (!mapped) {
    if (range != MAP_FAILED) end_buffer(*made);
    throw global::error("KASURI_CHECK=checkout: no memory for a copy of " + std::to_string(bytes) +
                        " bytes that are checked out, or too many mappings (vm.max_map_count)");
  }
  if (size > most_kept) return made.release();
  kept_.push_back(std::move(made));
  return kept_.back().get();
}

void guarded_copies::end_buffer(const buffer& b) noexcept {
  munmap(b.start, 2 * b.bytes + 3 * platform::page_size());
}

/// The loan of `u` in the pages of an earlier one of the same task, inside of which it lies; one
/// without pages where there is none. The caller has lock_.
guarded_copies::loan guarded_copies::inside_earlier(
    const use& u, const std::function<bool(std::uintptr_t)>& is_mine) const {
  loan made{u, nullptr, nullptr, false};
  for (const auto& [pin, l] : loans_) {
    const use& other = l.what;
    const bool meet = other.offset < u.offset + u.bytes && u.offset < other.offset + other.bytes;
    if (!meet || !(u.writes() || other.writes()) ||
        !is_mine(pin->frame.load(std::memory_order_relaxed)))
      continue;
    const bool inside =
        other.offset <= u.offset && u.offset + u.bytes <= other.offset + other.bytes;
    if (!inside || (made.in != nullptr && made.in != l.in))
      platform::fatal(
          "KASURI_CHECK=checkout: the %s reaches beyond the %s, which the same task holds, and one "
          "of them is written; accepted under the check: that it lies inside the earlier one",
          describe_(u).c_str(), describe_(other).c_str());
    made.in = l.in;
    made.data = l.data + (u.offset - other.offset);
    KASURI_EXPECT(cheap, l.in->users > 0, "%d users of a copy of bytes %llu + %llu", l.in->users,
                  static_cast<unsigned long long>(other.offset),
                  static_cast<unsigned long long>(other.bytes));
  }
  return made;
}

std::byte* guarded_copies::lend(const use& u, const std::function<bool(std::uintptr_t)>& is_mine) {
  loan made;
  {
    const std::scoped_lock hold(lock_);
    made = inside_earlier(u, is_mine);
    if (made.in == nullptr) {
      made.first = true;
      made.in = make_buffer(u.bytes);
      made.data = for_writers(*made.in) + made.in->bytes - u.bytes;
    }
    ++made.in->users;
    const bool fresh = loans_.emplace(u.of, made).second;
    KASURI_EXPECT(cheap, fresh, "a pin has a copy of bytes %llu + %llu, and gets another one",
                  static_cast<unsigned long long>(u.offset),
                  static_cast<unsigned long long>(u.bytes));
  }
  if (made.first) {
    std::memcpy(made.data, u.place, u.bytes);
    const auto margin = std::min<std::size_t>(margin_bytes, made.in->bytes - u.bytes);
    std::memset(made.data - margin, margin_byte, margin);
  }
  return handed_out(made);
}

void guarded_copies::take_back(const global::detail::pin& of) noexcept {
  const std::scoped_lock hold(lock_);
  const auto at = loans_.find(&of);
  if (at == loans_.end()) return;
  const loan l = at->second;
  if (l.what.writes()) std::memcpy(l.what.place, l.data, l.what.bytes);
  if (l.first) {
    const auto margin = std::min<std::size_t>(margin_bytes, l.in->bytes - l.what.bytes);
    for (std::size_t i = 1; i <= margin; ++i)
      if (l.data[-static_cast<std::ptrdiff_t>(i)] != std::byte{margin_byte})
        platform::fatal(
            "KASURI_CHECK=checkout: the byte %zu before the begin of the %s was written; accepted: "
            "what is checked out",
            i, describe_(l.what).c_str());
  }
  loans_.erase(at);
  KASURI_EXPECT(cheap, l.in->users > 0, "a copy of %zu bytes has %d users", l.in->bytes,
                l.in->users);
  if (--l.in->users != 0) return;
  if (l.in->bytes <= most_kept) {
    free_[l.in->bytes].push_back(l.in);
  } else {
    end_buffer(*l.in);
    delete l.in;
  }
}

void guarded_copies::explain_fault(std::uintptr_t at) noexcept {
  const std::scoped_lock hold(lock_);
  const loan* found = nullptr;
  for (const auto& [pin, l] : loans_) {
    const auto start = reinterpret_cast<std::uintptr_t>(l.in->start);
    if (at < start || at >= start + 2 * l.in->bytes + 3 * platform::page_size()) continue;
    if (found == nullptr || l.first) found = &l;
  }
  if (found == nullptr) return;
  const auto data = reinterpret_cast<std::uintptr_t>(handed_out(*found));
  const std::uint64_t bytes = found->what.bytes;
  const std::string what = describe_(found->what);
  if (at >= data && at < data + bytes)
    platform::fatal(
        "KASURI_CHECK=checkout: byte %zu of the %s was written; accepted: reading, or a checkout "
        "with "
        "access write or read_write",
        static_cast<std::size_t>(at - data), what.c_str());
  const bool behind = at >= data + bytes;
  platform::fatal(
      "KASURI_CHECK=checkout: the byte %zu %s the %s was used; accepted: what is checked out",
      static_cast<std::size_t>(behind ? at - data - bytes + 1 : data - at),
      behind ? "past the end of" : "before the begin of", what.c_str());
}

}  // namespace kasuri::cluster

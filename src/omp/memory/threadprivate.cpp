// SPDX-License-Identifier: Apache-2.0
#include "omp/memory/threadprivate.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/mutex.hpp"

namespace kasuri::omp {
namespace {

/// The functions and the first value of a variable.
struct private_variable {
  private_functions functions;
  std::vector<std::byte> image;  // its value before anybody changed it, as far as that is known
};

struct registry {
  platform::mutex lock;
  std::map<void*, private_variable> variables;
};

registry& all() {
  static registry* const r = new registry;  // members end after static objects do
  return *r;
}

private_variable described(void* original, std::size_t size) {
  registry& r = all();
  const std::lock_guard hold(r.lock);
  private_variable& v = r.variables[original];
  if (v.image.size() < size) {
    const auto* const bytes = static_cast<const std::byte*>(original);
    v.image.assign(bytes, bytes + size);
  }
  return v;
}

void copy_first_value(void* copy, const private_variable& v, std::size_t size) {
  KASURI_EXPECT(cheap, v.image.size() >= size, "%zu bytes of a first value of %zu", size,
                v.image.size());
  std::memcpy(copy, v.image.data(), size);
}

void* make_copy(void* original, std::size_t size) {
  const private_variable v = described(original, size);
  void* const copy = ::operator new(size, std::align_val_t{64}, std::nothrow);
  if (copy == nullptr)
    platform::fatal("openmp: no memory for a threadprivate copy of %zu bytes", size);
  const private_functions& f = v.functions;
  if (f.construct_all != nullptr)
    f.construct_all(copy, f.count);
  else if (f.copy_all != nullptr)
    f.copy_all(copy, original, f.count);
  else if (f.construct != nullptr)
    f.construct(copy);
  else if (f.copy != nullptr)
    f.copy(copy, original);
  else
    copy_first_value(copy, v, size);
  return copy;
}

// How often all copies were dropped. Members look at it in their regions, and no region runs when
// it changes.
std::atomic<unsigned> drops{0};

}  // namespace

private_copies::private_copies() noexcept : age_(drops.load(std::memory_order_relaxed)) {}

bool private_copies::are_of_today() const noexcept {
  const unsigned now = drops.load(std::memory_order_relaxed);
  KASURI_EXPECT(cheap, age_ <= now, "copies from after drop %u of %u", age_, now);
  return age_ == now;
}

void drop_private_copies() noexcept { drops.fetch_add(1, std::memory_order_relaxed); }

private_copies::~private_copies() {
  for (const entry& e : entries_) {
    const private_functions f = described(e.original, 0).functions;
    if (f.destroy_all != nullptr)
      f.destroy_all(e.copy, f.count);
    else if (f.destroy != nullptr)
      f.destroy(e.copy);
    ::operator delete(e.copy, std::align_val_t{64});
  }
}

void* private_copies::find(void* original, std::size_t size) noexcept {
  for (const entry& e : entries_)
    if (e.original == original && e.size >= size) return e.copy;
  void* const copy = make_copy(original, size);
  entries_.push_back({original, copy, size});
  return copy;
}

void register_private(void* original, const private_functions& f) noexcept {
  registry& r = all();
  const std::lock_guard hold(r.lock);
  r.variables[original].functions = f;
}

void keep_first_value(void* original, std::size_t size) noexcept { described(original, size); }

}  // namespace kasuri::omp

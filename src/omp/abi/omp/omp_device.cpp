// SPDX-License-Identifier: Apache-2.0
// omp_*: devices. There is none but the host, which has number 0 and answers to omp_initial_device.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "omp/env/environment.hpp"
#include "omp/team/icv_access.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

constexpr int host = 0;
constexpr int initial_device = -1;  // omp_initial_device

bool is_host(int device) noexcept { return device == host || device == initial_device; }

/// A box of `volume` elements in each dimension out of one array into another.
struct rectangle {
  std::size_t element;
  const std::size_t* volume;
  const std::size_t* to_offsets;
  const std::size_t* from_offsets;
  const std::size_t* to_size;
  const std::size_t* from_size;
};

/// False when a number of bytes is too large.
bool copy(const rectangle& r, int dimension, int dimensions, char* to, const char* from) noexcept {
  const auto d = static_cast<std::size_t>(dimension);
  std::size_t to_stride = r.element;
  std::size_t from_stride = r.element;
  for (auto i = d + 1; i < static_cast<std::size_t>(dimensions); ++i)
    if (__builtin_mul_overflow(to_stride, r.to_size[i], &to_stride) ||
        __builtin_mul_overflow(from_stride, r.from_size[i], &from_stride))
      return false;
  std::size_t to_begin;
  std::size_t from_begin;
  if (__builtin_mul_overflow(to_stride, r.to_offsets[d], &to_begin) ||
      __builtin_mul_overflow(from_stride, r.from_offsets[d], &from_begin))
    return false;
  to += to_begin;
  from += from_begin;
  if (dimension == dimensions - 1) {
    std::size_t bytes;
    if (__builtin_mul_overflow(r.element, r.volume[d], &bytes)) return false;
    std::memcpy(to, from, bytes);
    return true;
  }
  for (std::size_t i = 0; i != r.volume[d]; ++i, to += to_stride, from += from_stride)
    if (!copy(r, dimension + 1, dimensions, to, from)) return false;
  return true;
}

}  // namespace
}  // namespace kasuri::omp

using namespace kasuri::omp;

extern "C" {

void kasuri_GOMP_taskwait_depend(void** depend) noexcept;

int kasuri_omp_get_default_device() noexcept { return values(self()).default_device; }

void kasuri_omp_set_default_device(int device) noexcept {
  own_values(self()).default_device = device < 0 ? host : device;
}

int kasuri_omp_get_num_devices() noexcept { return 0; }

int kasuri_omp_get_initial_device() noexcept { return host; }

int kasuri_omp_get_device_num() noexcept { return host; }

int kasuri_omp_is_initial_device() noexcept { return 1; }

void* kasuri_omp_target_alloc(std::size_t bytes, int device) noexcept {
  return is_host(device) ? std::malloc(bytes) : nullptr;
}

void kasuri_omp_target_free(void* block, int device) noexcept {
  if (block == nullptr) return;
  if (!is_host(device)) kasuri::platform::fatal("omp_target_free: there is no device %d", device);
  std::free(block);
}

int kasuri_omp_target_is_present(const void* pointer, int device) noexcept {
  return pointer != nullptr && is_host(device);
}

int kasuri_omp_target_is_accessible(const void*, std::size_t, int device) noexcept {
  return is_host(device);
}

void* kasuri_omp_get_mapped_ptr(const void* pointer, int device) noexcept {
  return is_host(device) ? const_cast<void*>(pointer) : nullptr;
}

/// The host's memory is mapped to itself, for good.
int kasuri_omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t,
                                    int) noexcept {
  return EINVAL;
}

int kasuri_omp_target_disassociate_ptr(const void*, int) noexcept { return EINVAL; }

int kasuri_omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                             std::size_t from_offset, int to_device, int from_device) noexcept {
  if (!is_host(to_device) || !is_host(from_device)) return EINVAL;
  if (bytes == 0) return 0;
  std::memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset,
              bytes);
  return 0;
}

int kasuri_omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions,
                                  const std::size_t* volume, const std::size_t* to_offsets,
                                  const std::size_t* from_offsets, const std::size_t* to_size,
                                  const std::size_t* from_size, int to_device,
                                  int from_device) noexcept {
  // The number of dimensions supported, when it is asked for this way; there is no limit.
  if (to == nullptr && from == nullptr) return INT32_MAX;
  if (!is_host(to_device) || !is_host(from_device) || dimensions < 1) return EINVAL;
  const rectangle r{element, volume, to_offsets, from_offsets, to_size, from_size};
  return copy(r, 0, dimensions, static_cast<char*>(to), static_cast<const char*>(from)) ? 0
                                                                                        : EINVAL;
}

}  // extern "C"

namespace kasuri::omp {
namespace {

/// GCC's omp_depend_t, as a taskwait construct would pass these: no addresses, then depend objects.
void wait_for(int count, void** objects) noexcept {
  if (count <= 0) return;
  const auto n = static_cast<std::size_t>(count);
  auto** depend = static_cast<void**>(std::malloc((5 + n) * sizeof(void*)));
  if (depend == nullptr) platform::fatal("openmp: no memory for %d depend objects", count);
  depend[0] = nullptr;
  depend[1] = reinterpret_cast<void*>(n);
  for (int i = 2; i != 5; ++i) depend[i] = nullptr;
  for (std::size_t i = 0; i != n; ++i) depend[5 + i] = objects + 2 * i;
  kasuri_GOMP_taskwait_depend(depend);
  std::free(depend);
}

}  // namespace
}  // namespace kasuri::omp

extern "C" {

/// The task that copies is run at once: nothing can be gained by a copy within one memory.
int kasuri_omp_target_memcpy_async(void* to, const void* from, std::size_t bytes,
                                   std::size_t to_offset, std::size_t from_offset, int to_device,
                                   int from_device, int count, void** objects) noexcept {
  wait_for(count, objects);
  return kasuri_omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device);
}

int kasuri_omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element,
                                        int dimensions, const std::size_t* volume,
                                        const std::size_t* to_offsets,
                                        const std::size_t* from_offsets, const std::size_t* to_size,
                                        const std::size_t* from_size, int to_device,
                                        int from_device, int count, void** objects) noexcept {
  wait_for(count, objects);
  return kasuri_omp_target_memcpy_rect(to, from, element, dimensions, volume, to_offsets,
                                       from_offsets, to_size, from_size, to_device, from_device);
}

}  // extern "C"

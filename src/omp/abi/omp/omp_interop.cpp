// SPDX-License-Identifier: Apache-2.0
// omp_*: interoperability objects and control of tools. Without a device there is no object: every
// handle is omp_interop_none, which has no properties.
#include <cstdint>

namespace {

constexpr int interop_empty = -1;         // omp_irc_empty
constexpr int interop_out_of_range = -2;  // omp_irc_out_of_range
constexpr int first_property = -9;

void* no_value(int property, int* code) noexcept {
  if (code != nullptr)
    *code = property < first_property || property >= 0 ? interop_out_of_range : interop_empty;
  return nullptr;
}

}  // namespace

extern "C" {

int kasuri_omp_get_num_interop_properties(const void*) noexcept { return 0; }

std::intptr_t kasuri_omp_get_interop_int(const void*, int property, int* code) noexcept {
  return reinterpret_cast<std::intptr_t>(no_value(property, code));
}

void* kasuri_omp_get_interop_ptr(const void*, int property, int* code) noexcept {
  return no_value(property, code);
}

const char* kasuri_omp_get_interop_str(const void*, int property, int* code) noexcept {
  return static_cast<const char*>(no_value(property, code));
}

const char* kasuri_omp_get_interop_name(const void*, int property) noexcept {
  constexpr const char* names[] = {"targetsync", "device_context", "device",
                                   "platform",   "device_num",     "vendor_name",
                                   "vendor",     "fr_name",        "fr_id"};
  if (property < first_property || property >= 0) return nullptr;
  return names[property - first_property];
}

const char* kasuri_omp_get_interop_type_desc(const void*, int) noexcept { return nullptr; }

const char* kasuri_omp_get_interop_rc_desc(const void*, int code) noexcept {
  constexpr const char* texts[] = {"another error",
                                   "the property is a string",
                                   "the property is a pointer",
                                   "the property is a number",
                                   "there is no such property",
                                   "the object is omp_interop_none",
                                   "success",
                                   "the property has no value"};
  if (code < -6 || code > 1) return nullptr;
  return texts[code + 6];
}

}  // extern "C"

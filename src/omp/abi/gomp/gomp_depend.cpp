// SPDX-License-Identifier: Apache-2.0
#include "omp/abi/gomp/gomp_depend.hpp"

#include <new>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp::gomp {
namespace {

std::size_t number(void* word) noexcept { return reinterpret_cast<std::uintptr_t>(word); }

struct depend_object {
  void* address;
  std::uintptr_t kind;
};

dependence from_object(const depend_object& o) noexcept {
  switch (o.kind) {
    case 1:
      return {o.address, dependence_kind::in};
    case 2:
    case 3:
      return {o.address, dependence_kind::out};
    case 4:
      return {o.address, dependence_kind::mutexinoutset};
    case 5:
      return {o.address, dependence_kind::inoutset};
  }
  platform::fatal(
      "a dependence object of kind %zu; accepted are 1 to 5 (in, out, inout, "
      "mutexinoutset, inoutset): it is not initialised or was destroyed",
      static_cast<std::size_t>(o.kind));
}

}  // namespace

dependence_list::dependence_list(void** raw) noexcept {
  if (raw == nullptr) return;
  const bool old_form = number(raw[0]) != 0;
  count_ = number(raw[old_form ? 0 : 1]);
  const std::size_t outs = number(raw[old_form ? 1 : 2]);
  const std::size_t mutexes = old_form ? 0 : number(raw[3]);
  const std::size_t ins = old_form ? count_ - outs : number(raw[4]);
  KASURI_EXPECT(cheap, outs + mutexes + ins <= count_,
                "%zu dependences: %zu out, %zu exclusive, %zu in", count_, outs, mutexes, ins);
  void** const addresses = raw + (old_form ? 2 : 5);
  if (count_ > few) list_ = new (std::nothrow) dependence[count_];
  if (list_ == nullptr) platform::fatal("no memory for %zu dependences of a task", count_);
  for (std::size_t i = 0; i != count_; ++i) {
    dependence d{addresses[i], dependence_kind::out};
    if (i >= outs + mutexes + ins)
      d = from_object(*static_cast<const depend_object*>(addresses[i]));
    else if (i >= outs + mutexes)
      d.kind = dependence_kind::in;
    else if (i >= outs)
      d.kind = dependence_kind::mutexinoutset;
    if (d.address == nullptr && d.kind == dependence_kind::out)
      d.kind = dependence_kind::all_memory;
    list_[i] = d;
  }
}

}  // namespace kasuri::omp::gomp

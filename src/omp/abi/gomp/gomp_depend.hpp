// SPDX-License-Identifier: Apache-2.0
#pragma once

// GCC's list of dependences.
//
//   old   {n, out, addresses...}: n addresses, the first `out` of them out or inout, the others in
//   new   {0, n, out, mutexinoutset, in, addresses...}: by kind in this order; what is left over
//         are addresses of dependence objects, {address, kind}, the user's or the compiler's
// A null address stands for omp_all_memory.

#include <cstdint>
#include <span>

#include "omp/task/dependence.hpp"

namespace kasuri::omp::gomp {

class dependence_list {
 public:
  /// Null: none.
  explicit dependence_list(void** raw) noexcept;
  dependence_list(const dependence_list&) = delete;
  dependence_list& operator=(const dependence_list&) = delete;
  ~dependence_list() {
    if (list_ != few_) delete[] list_;
  }

  std::span<const dependence> get() const noexcept { return {list_, count_}; }
  operator std::span<const dependence>() const noexcept { return get(); }

 private:
  static constexpr std::size_t few = 16;
  dependence few_[few];
  dependence* list_ = few_;
  std::size_t count_ = 0;
};

}  // namespace kasuri::omp::gomp

// SPDX-License-Identifier: Apache-2.0
// Clang's task reductions.

#include <new>

#include "omp/abi/kmpc/kmpc_task.hpp"
#include "omp/run/task_reduction.hpp"
#include "omp/run/taskgroup.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

using namespace kmpc;

/// The older form, without the address of the original.
struct old_input {
  void* shared;
  std::size_t bytes;
  void* init;
  void (*finish)(void* copy);
  void (*combine)(void* into, void* copy);
  unsigned flags;
};

/// The same in the newer form.
class converted {
 public:
  converted(int count, const old_input* from) noexcept
      : list_(new(std::nothrow) reduction_input[static_cast<std::size_t>(count)]) {
    if (list_ == nullptr) platform::fatal("no memory for task reductions");
    for (int i = 0; i != count; ++i) {
      const old_input& o = from[i];
      list_[i] = {o.shared, o.shared, o.bytes, o.init, o.finish, o.combine, o.flags};
    }
  }
  converted(const converted&) = delete;
  converted& operator=(const converted&) = delete;
  ~converted() { delete[] list_; }
  const reduction_input* get() const noexcept { return list_; }

 private:
  reduction_input* list_;
};

}  // namespace

extern "C" void* kasuri___kmpc_taskred_init(std::int32_t, std::int32_t count,
                                            const reduction_input* inputs) {
  member& m = self();
  begin_reductions(m, count, inputs, true);
  return m.current->group;
}

extern "C" void* kasuri___kmpc_task_reduction_init(std::int32_t, std::int32_t count,
                                                   const old_input* inputs) {
  member& m = self();
  begin_reductions(m, count, converted(count, inputs).get(), false);
  return m.current->group;
}

extern "C" void* kasuri___kmpc_taskred_modifier_init(ident*, std::int32_t, std::int32_t workshare,
                                                     std::int32_t count,
                                                     const reduction_input* inputs) {
  member& m = self();
  begin_shared_reductions(m, workshare != 0 ? 1 : 0, count, inputs, true);
  return self().current->group;
}

extern "C" void* kasuri___kmpc_task_reduction_modifier_init(ident*, std::int32_t,
                                                            std::int32_t workshare,
                                                            std::int32_t count,
                                                            const old_input* inputs) {
  member& m = self();
  begin_shared_reductions(m, workshare != 0 ? 1 : 0, count, converted(count, inputs).get(), false);
  return self().current->group;
}

extern "C" void kasuri___kmpc_task_reduction_modifier_fini(ident*, std::int32_t, std::int32_t) {
  tool::called();
  end_taskgroup(self());
}

extern "C" void* kasuri___kmpc_task_reduction_get_th_data(std::int32_t, void* group,
                                                          void* address) {
  return reduction_copy(self(), static_cast<taskgroup*>(group), address);
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
// Clang's dependences. A dependence object needs nothing of the runtime but memory: it is an array
// of the same records, which the compiled code hands over like any other.

#include <cstddef>
#include <new>
#include <span>

#include "omp/abi/kmpc/kmpc_task.hpp"
#include "omp/run/depend.hpp"
#include "omp/task/dependence_node.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::omp {
namespace {

using namespace kmpc;

struct depend_info {
  void* address;
  std::size_t bytes;
  std::uint8_t kind;
};

dependence from(const depend_info& d) noexcept {
  // Both forms of omp_all_memory.
  const bool all = reinterpret_cast<std::uintptr_t>(d.address) == UINTPTR_MAX;
  if (all || (d.kind & 0x80) != 0) return {d.address, dependence_kind::all_memory};
  if ((d.kind & 2) != 0) return {d.address, dependence_kind::out};
  if ((d.kind & 4) != 0) return {d.address, dependence_kind::mutexinoutset};
  if ((d.kind & 8) != 0) return {d.address, dependence_kind::inoutset};
  return {d.address, dependence_kind::in};
}

/// Both lists as the runtime wants them.
class dependences_of_call {
 public:
  dependences_of_call(std::int32_t count, const depend_info* list, std::int32_t count2,
                      const depend_info* list2) noexcept
      : count_(static_cast<std::size_t>(count) + static_cast<std::size_t>(count2)) {
    KASURI_EXPECT(cheap, count >= 0 && count2 >= 0, "%d and %d dependences", count, count2);
    if (count_ > few) list_ = new (std::nothrow) dependence[count_];
    if (list_ == nullptr) platform::fatal("no memory for %zu dependences of a task", count_);
    dependence* to = list_;
    for (std::int32_t i = 0; i != count; ++i) *to++ = from(list[i]);
    for (std::int32_t i = 0; i != count2; ++i) *to++ = from(list2[i]);
  }
  dependences_of_call(const dependences_of_call&) = delete;
  dependences_of_call& operator=(const dependences_of_call&) = delete;
  ~dependences_of_call() {
    if (list_ != few_) delete[] list_;
  }
  operator std::span<const dependence>() const noexcept { return {list_, count_}; }

 private:
  static constexpr std::size_t few = 16;
  dependence few_[few];
  dependence* list_ = few_;
  std::size_t count_;
};

}  // namespace

/// The task's node, and the list of the nodes that wait for it: only while it has not ended.
extern "C" void* kasuri___kmpc_task_get_depnode(void* data) { return task_of(data).node; }

extern "C" successor* kasuri___kmpc_task_get_successors(void* data) {
  const dependence_node* const n = task_of(data).node;
  if (n == nullptr) return nullptr;
  // acquire: pairs with the release in follow
  const std::uintptr_t head = n->successors.load(std::memory_order_acquire);
  return reinterpret_cast<successor*>(head & ~dependence_node::bits);
}

extern "C" outcome kasuri___kmpc_omp_task_with_deps(ident*, std::int32_t, void* data,
                                                    std::int32_t count, const depend_info* list,
                                                    std::int32_t count2, const depend_info* list2) {
  tool::called();
  explicit_task& t = task_of(data);
  member& m = self();
  read_data(t);
  const dependences_of_call on(count, list, count2, list2);
  if (m.current->final) {
    wait_for_dependences(m, on);
    if (t.is(special_end::detachable)) count_created_apart(m, t);
    tool::task_created(m, t, true, count + count2 != 0);
    return start(m, t, true);
  }
  count_created_apart(m, t);
  tool::task_created(m, t, must_be_call(m), count + count2 != 0);
  if (!depend(m, t, on)) return outcome::queued;
  return start(m, t, must_be_call(m) || !may_queue(m, t));
}

extern "C" void kasuri___kmpc_omp_wait_deps(ident*, std::int32_t, std::int32_t count,
                                            const depend_info* list, std::int32_t count2,
                                            const depend_info* list2) {
  tool::called();
  wait_for_dependences(self(), dependences_of_call(count, list, count2, list2));
}

/// taskwait with depend. With nowait it would order later tasks; Clang 19 does not compile that
/// clause.
extern "C" void kasuri___kmpc_omp_taskwait_deps_51(ident*, std::int32_t, std::int32_t count,
                                                   const depend_info* list, std::int32_t count2,
                                                   const depend_info* list2, std::int32_t) {
  tool::called();
  wait_for_dependences(self(), dependences_of_call(count, list, count2, list2));
}

}  // namespace kasuri::omp

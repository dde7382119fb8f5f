// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_record.hpp"

#include <cstdlib>

#include "omp/task/task_values.hpp"
#include "omp/tool/info.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

constinit const detail::frame_type task_kind{nullptr, false, "OpenMP task"};

void free_task_slow(explicit_task& t) noexcept {
  release_values(t);
  if (t.tool != nullptr) [[unlikely]]
    tool::drop(t.tool);
  sched::worker* const w = sched::current();
  if (t.place != data_home::record) {
    void* const block = static_cast<void**>(t.data)[-2];
    KASURI_EXPECT(cheap, block != nullptr && block < t.data, "data at %p in the block %p", t.data,
                  block);
    if (t.place == data_home::heap)
      std::free(block);
    else
      sched::free_block_of(block, t.place == data_home::block_128 ? 1 : 2);
  }
  if (t.on_heap)
    std::free(&t);
  else if (w != nullptr)
    w->blocks.put(&t, record_class);
  else
    sched::free_block_of(&t, record_class);
}

}  // namespace kasuri::omp

// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/joins/reports.hpp"

#include <cstring>

#include "cluster/sched/wire/exception_text.hpp"
#include "cluster/sched/wire/modules.hpp"
#include "kasuri/global/detail/fork.hpp"

namespace kasuri::cluster {

void reports::value(const travelled& t, const void* result) {
  alignas(64) std::byte record[layout::record_bytes];
  const auto* const kind =
      static_cast<const global::detail::closure_kind*>(local_address(t.head.kind));
  std::memcpy(record + layout::result_at, result, kind->result_bytes);
  layout::report head{layout::outcome::value, kind->result_bytes, at_.rank, 0,
                      at_.memory.release_at_report()};
  put(t, head, record);
}

void reports::exception(const travelled& t) {
  alignas(64) std::byte record[layout::record_bytes];
  const std::uint32_t bytes = write_exception(std::span(record).subspan(layout::result_at));
  layout::report head{layout::outcome::exception, bytes, thrown_on(at_.rank), 0,
                      at_.memory.release_at_report()};
  put(t, head, record);
}

void reports::put(const travelled& t, layout::report& head, std::span<std::byte> record) {
  const int to = t.head.from;
  KASURI_EXPECT(cheap, to >= 0 && to < at_.size, "the closure came from rank %d of %d", to,
                at_.size);
  KASURI_EXPECT(cheap, t.head.record < layout::records && t.head.generation != 0,
                "the closure is of record %u of rank %d, use %llu", t.head.record, to,
                static_cast<unsigned long long>(t.head.generation));
  KASURI_EXPECT(cheap, layout::result_at + head.bytes <= record.size(),
                "a report of %u bytes in a record of %zu", head.bytes, record.size());
  std::memcpy(record.data(), &head, sizeof head);
  at_.net.put(to, at_.words, layout::report_of(t.head.record), record.data(),
              layout::result_at + head.bytes);
  at_.net.flush(to);
  at_.net.store(to, at_.words, layout::word_of(layout::done, t.head.record), t.head.generation);
  at_.net.ring(to);
}

}  // namespace kasuri::cluster

// SPDX-License-Identifier: Apache-2.0
// Writes a timeline as Chrome trace events (JSON), which ui.perfetto.dev and Chrome's own
// about:tracing show. The format is described in the "Trace Event Format" document of Chromium's
// catapult project.
//
// One process, one thread per worker; slices are complete events (X), which stay valid however much
// was lost. A steal is an instant on the thief and an arrow from the victim; the time a thread is
// suspended is an asynchronous event under the thread's id, for it belongs to no worker.
#pragma once

#include "trace/timeline.hpp"

#include <cstdint>  // for uint64_t
#include <ostream>  // for ostream

namespace kasuri::trace {

class chrome_json : public observer {
 public:
  /// Begins the document; the stream must outlive this.
  chrome_json(std::ostream& to, const record::file_header& header);

  void on_worker(std::uint16_t worker, record::worker_role role) override;
  void on_slice(const slice& it) override;
  void on_moment(const moment& it) override;

  /// Ends the document.
  void finish(const timeline& of);

 private:
  void write_steal(const moment& it);
  void write_suspension(const moment& it, bool begins);
  void write_instant(const moment& it);
  [[gnu::format(printf, 2, 3)]] void write(const char* format, ...);

  std::ostream& to_;
  const record::file_header& header_;
  std::uint64_t arrows_ = 0;
};

}  // namespace kasuri::trace

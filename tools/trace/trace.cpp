// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.hpp"

#include "trace/chrome_json.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"
#include "trace/timeline.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

namespace kasuri::trace {
namespace {

namespace fs = std::filesystem;

struct cannot_write : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void read_all(reader& from, timeline& into) {
  event_run run;
  while (from.next(run)) into.feed(run);
  into.finish();
}

void warn_of_holes(const fs::path& in, const reader& from, const timeline& of) {
  if (from.cut()) {
    std::cerr << "kasuri: warning: " << in.string() << ": was cut behind byte " << from.position()
              << "; what is before that is shown\n";
  } else if (!from.clean()) {
    std::cerr << "kasuri: warning: " << in.string()
              << ": has no end; the program was killed or is still running\n";
  }
  if (of.lost() != 0) {
    std::cerr << "kasuri: warning: " << in.string() << ": " << of.lost()
              << " events were lost; a larger KASURI_TRACE_BUFFER keeps more\n";
  } else if (of.unpaired() != 0) {
    std::cerr << "kasuri: warning: " << in.string() << ": " << of.unpaired()
              << " begin or end events have no partner\n";
  }
}

// The document, and how many events went into it.
std::uint64_t write_json(const fs::path& in, reader& from, std::ostream& to) {
  chrome_json json(to, from.header());
  timeline events(from.header(), json);
  read_all(from, events);
  json.finish(events);
  warn_of_holes(in, from, events);
  return events.events();
}

[[noreturn]] void fail_to_write(const fs::path& out, const char* why) {
  throw cannot_write(out.string() + ": cannot be written (" + why + ")");
}

// `file` stands in for `out`, which is what the user knows.
std::uint64_t write_json_to(const fs::path& in, const fs::path& file, const fs::path& out) {
  reader from(in);  // first: what is wrong with the input matters more
  std::ofstream to(file, std::ios::binary | std::ios::trunc);
  if (!to) fail_to_write(out, std::strerror(errno));
  const std::uint64_t events = write_json(in, from, to);
  to.close();
  if (!to) fail_to_write(out, std::strerror(errno));
  return events;
}

// Under another name first: a recording that turns out to be damaged must not cost the last result.
std::uint64_t replace_by_json(const fs::path& in, const fs::path& out) {
  fs::path part = out;
  part += ".part";
  try {
    const std::uint64_t events = write_json_to(in, part, out);
    fs::rename(part, out);
    return events;
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

void write_json_file(const fs::path& in, const fs::path& out) {
  std::error_code ignored;
  if (fs::equivalent(in, out, ignored)) fail_to_write(out, "it is the recording itself");
  // A device or a pipe is written to as it is; only a file can be replaced.
  const bool special = fs::exists(out, ignored) && !fs::is_regular_file(out, ignored);
  const std::uint64_t events = special ? write_json_to(in, out, out) : replace_by_json(in, out);
  std::cerr << "kasuri: " << events << " events written to " << out.string()
            << "; https://ui.perfetto.dev shows it\n";
}

void print_summary(const fs::path& in, std::ostream& to, bool warn) {
  reader from(in);
  summary table;
  timeline events(from.header(), table);
  read_all(from, events);
  table.print(to, from.header(), events);
  to.flush();
  if (warn) warn_of_holes(in, from, events);
}

void run(const fs::path& in, fs::path out, bool summary) {
  const bool json = !out.empty() || !summary;
  const bool to_stdout = out == "-";
  if (out.empty()) {
    out = in;
    out += ".json";
  }
  if (to_stdout) {
    reader from(in);
    write_json(in, from, std::cout);
  } else if (json) {
    write_json_file(in, out);
  }
  if (summary) print_summary(in, to_stdout ? std::cerr : std::cout, !json);
  if (!std::cout.flush()) fail_to_write("standard output", std::strerror(errno));
}

}  // namespace

int trace_command(const fs::path& in, const fs::path& out, bool summary) {
  try {
    run(in, out, summary);
    return 0;
  } catch (const bad_recording& problem) {
    std::cerr << "kasuri: " << in.string() << ": " << problem.what()
              << "; accepted: a file written with KASURI_TRACE=FILE\n";
    return 2;
  } catch (const std::exception& problem) {
    std::cerr << "kasuri: " << problem.what() << '\n';
    return 1;
  }
}

}  // namespace kasuri::trace

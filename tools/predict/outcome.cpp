// SPDX-License-Identifier: Apache-2.0
#include "predict/outcome.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/output.hpp"
#include "report/words.hpp"

namespace kasuri::predict {

void print(const outcome& all) {
  std::printf("recorded: %.3f s on %s, %.3f s of work\n\n", all.recorded,
              report::so_many_workers(all.recorded_on).c_str(), all.work);
  std::printf("workers  seconds  speed-up  between          most of it\n");
  for (const prediction& p : all.predictions) {
    char between[40];
    std::snprintf(between, sizeof between, "%.2f and %.2f", all.speedup(p.wall.most),
                  all.speedup(p.wall.least));
    std::printf("%7d  %7.3f  %8.2f  %-15s  %s\n", p.workers, p.wall.expected,
                all.speedup(p.wall.expected), between, p.largest.c_str());
  }
  for (const std::string& note : all.notes)
    std::printf("%snote: %s\n", &note == &all.notes.front() ? "\n" : "", note.c_str());
}

void write_json(const std::string& to, const outcome& all) {
  nlohmann::ordered_json d{
      {"kasuri_prediction", 1},     {"program", all.program}, {"recorded_on", all.recorded_on},
      {"recorded_s", all.recorded}, {"work_s", all.work},     {"notes", all.notes}};
  d["predictions"] = nlohmann::ordered_json::array();
  for (const prediction& p : all.predictions)
    d["predictions"].push_back({{"workers", p.workers},
                                {"seconds", p.wall.expected},
                                {"least_s", p.wall.least},
                                {"most_s", p.wall.most},
                                {"speedup", all.speedup(p.wall.expected)},
                                {"largest_part", p.largest}});
  report::write_file(
      to, d.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void write_page(const std::string& to, const outcome& all) { report::write_file(to, page_of(all)); }

}  // namespace kasuri::predict

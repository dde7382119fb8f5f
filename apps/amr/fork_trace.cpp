// SPDX-License-Identifier: Apache-2.0
#include "amr/fork_trace.hpp"

#include "common/output_file.hpp"

namespace amr {
namespace {

void write_tasks(apps::output_file& out, const node& t, int cut_off, long parent, long& next) {
  const long id = next++;
  out.print("{\"id\":%ld,\"parent\":%ld,\"work\":%d}\n", id, parent, t.n_nodes);
  if (t.n_nodes <= cut_off) return;
  for (int i = 0; i < 4; ++i) write_tasks(out, t.child[i], cut_off, id, next);
}

}  // namespace

void write_forks(const node& root, int cut_off, const std::string& path) {
  apps::output_file out(path);
  long next = 0;
  write_tasks(out, root, cut_off, -1, next);
  out.close();
}

}  // namespace amr

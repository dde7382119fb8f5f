// SPDX-License-Identifier: Apache-2.0
// Fork traces, as apps/amr writes them.
#include <istream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "simulate/graph.hpp"

namespace kasuri::simulate {
namespace {

struct traced {
  double work = 0;
  std::vector<std::size_t> children;
};

[[noreturn]] void refuse(const std::string& name, std::size_t line, const std::string& what) {
  throw bad_value("--graph " + name + ": line " + std::to_string(line) + ": " + what +
                  "; accepted: {\"id\": N, \"parent\": N or -1, \"work\": ns}, parents first");
}

/// Lines as tasks in their order; a task of several roots holds them, so that phases are one graph.
class trace_reader {
 public:
  explicit trace_reader(const std::string& name) : name_(name) {}

  std::vector<traced> read(std::istream& from) {
    std::string text;
    while (std::getline(from, text)) {
      ++line_;
      if (!text.empty()) take(nlohmann::json::parse(text, nullptr, false));
    }
    if (tasks_.size() == 1) refuse(name_, line_, "the trace has no task");
    return std::move(tasks_);
  }

 private:
  void take(const nlohmann::json& j) {
    if (!j.is_object() || !j.contains("id") || !j["id"].is_number_integer())
      refuse(name_, line_, "no task");
    const auto parent = j.find("parent");
    const bool root =
        parent == j.end() || parent->is_null() || (parent->is_number_integer() && *parent == -1);
    if (!root && !parent->is_number_integer()) refuse(name_, line_, "no parent");
    if (!j.contains("work") || !j["work"].is_number() || !(j["work"].get<double>() >= 0))
      refuse(name_, line_, "no work");
    if (!seen_.emplace(j["id"].get<std::int64_t>(), tasks_.size()).second)
      refuse(name_, line_, "an id that was there before");
    std::size_t above = 0;
    if (!root) {
      const auto found = seen_.find(parent->get<std::int64_t>());
      if (found == seen_.end() || found->second == tasks_.size())
        refuse(name_, line_, "a parent that was not there before");
      above = found->second;
    }
    tasks_[above].children.push_back(tasks_.size());
    tasks_.push_back({.work = j["work"].get<double>(), .children = {}});
  }

  const std::string& name_;
  std::size_t line_ = 0;
  std::vector<traced> tasks_ = {{}};  // the first holds the roots
  std::unordered_map<std::int64_t, std::size_t> seen_;
};

/// Each leaf's block, numbered in the order of serial execution: memory that was relocated so.
std::vector<std::int32_t> blocks_of(const std::vector<traced>& tasks) {
  std::vector<std::int32_t> block_of(tasks.size(), -1);
  std::int32_t blocks = 0;
  std::vector<std::size_t> waiting = {0};
  while (!waiting.empty()) {
    const std::size_t i = waiting.back();
    waiting.pop_back();
    const std::vector<std::size_t>& children = tasks[i].children;
    if (children.empty()) block_of[i] = blocks++;
    waiting.insert(waiting.end(), children.rbegin(), children.rend());
  }
  return block_of;
}

/// Of the children from the `i`-th on: the first, and the rest as one more fork.
std::uint32_t rest_of(graph& g, const std::vector<std::uint32_t>& made, double work) {
  if (made.size() == 1) return g.step(work, made.front());
  std::uint32_t all = made.back();
  for (std::size_t i = made.size() - 1; i-- != 0;) all = g.fork(i == 0 ? work : 0, made[i], all);
  return all;
}

}  // namespace

graph read_trace(std::istream& from, const std::string& name) {
  const std::vector<traced> tasks = trace_reader(name).read(from);
  graph g(name);
  std::vector<std::uint32_t> node_of(tasks.size());
  const std::vector<std::int32_t> block_of = blocks_of(tasks);
  // Children come after their parents in a trace.
  for (std::size_t i = tasks.size(); i-- != 1;) {
    std::vector<std::uint32_t> made;
    for (const std::size_t c : tasks[i].children) made.push_back(node_of[c]);
    const double work = tasks[i].work;
    node_of[i] = made.empty() ? g.leaf(work, block_of[i]) : rest_of(g, made, work);
  }
  // The holder of the roots runs them one after the other: phases.
  std::uint32_t next = node_of[tasks[0].children.back()];
  for (std::size_t i = tasks[0].children.size() - 1; i-- != 0;)
    next = g.fork(0, node_of[tasks[0].children[i]], g.leaf(0), next);
  g.set_root(next);
  return g;
}

}  // namespace kasuri::simulate

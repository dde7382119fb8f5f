// SPDX-License-Identifier: Apache-2.0
#include <kasuri/channel.hpp>

#include "common/chosen_system.hpp"

#include <optional>

#include "channel/problem.hpp"

namespace {

struct kasuri_tasks : bench::chosen_system {
  using chosen_system::chosen_system;

  class channel {
   public:
    explicit channel(std::size_t capacity) : messages_(capacity) {}
    void send(long n) { static_cast<void>(messages_.send(n)); }
    bool receive(long& n) {
      const std::optional<long> m = messages_.receive();
      if (m) n = *m;
      return m.has_value();
    }
    void close() { messages_.close(); }

   private:
    kasuri::channel<long> messages_;
  };

  template <class F>
  static void tasks(long count, const F& f) {
    kasuri::task_group group;
    for (long i = 0; i != count; ++i) group.run([&f, i] { f(i); });
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace bench::channel;
  return bench::run<kasuri_tasks, problem>(argc, argv, solver<kasuri_tasks>::variants());
}

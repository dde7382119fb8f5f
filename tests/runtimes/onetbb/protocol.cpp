// SPDX-License-Identifier: Apache-2.0
// What oneTBB expects of the source of its workers, asked by a client of ours in its place: the
// four names are found among the symbols of the process, as oneTBB finds them.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "runtimes/rml/interface.hpp"

using namespace kasuri::runtimes::rml;

namespace kasuri::runtimes::rml {
struct client_job {
  std::atomic<int> inside{0};
  std::thread::id thread;
  int times = 0;
  bool cleaned = false;
};
}  // namespace kasuri::runtimes::rml

namespace {

#define CHECK(condition) \
  ((condition)           \
       ? void()          \
       : (std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), std::_Exit(1)))

template <class Function>
Function symbol(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) std::fprintf(stderr, "no symbol %s\n", name);
  CHECK(found != nullptr);
  return reinterpret_cast<Function>(found);
}

const auto open_factory = symbol<status (*)(void*, unsigned*, unsigned)>("__RML_open_factory");
const auto make_server =
    symbol<status (*)(void*, server_face**, client_face*)>("__TBB_make_rml_server");
const auto close_factory = symbol<void (*)(void*)>("__RML_close_factory");
const auto call_with_info =
    symbol<void (*)(void (*)(void*, const char*), void*)>("__TBB_call_with_my_server_info");

constexpr std::size_t stack_asked = std::size_t{6} << 20;

thread_local client_job* job_of_thread = nullptr;

/// Has pieces of work; each process() does what there is of them.
class client final : public client_face {
 public:
  explicit client(unsigned most) : most_(most) {
    CHECK(make_server(nullptr, &server, this) == status::success);
    CHECK(server->default_concurrency() == most);
    server->yield();
  }

  unsigned version() const override { return 0; }
  unsigned max_job_count() const override { return most_; }
  std::size_t min_stack_size() const override { return stack_asked; }

  client_job* create_one_job() override {
    CHECK(job_of_thread == nullptr);
    auto* const j = new client_job;
    j->thread = std::this_thread::get_id();
    job_of_thread = j;
    const std::lock_guard hold(lock);
    CHECK(jobs.size() < most_);
    jobs.insert(j);
    return j;
  }

  void acknowledge_close_connection() override {
    CHECK(acknowledged.fetch_add(1) == 0);
    const std::lock_guard hold(lock);
    for (const client_job* j : jobs) CHECK(j->cleaned);
  }

  void cleanup(client_job& j) override {
    CHECK(j.inside == 0 && !j.cleaned);
    CHECK(job_of_thread == &j && j.thread == std::this_thread::get_id());
    j.cleaned = true;
  }

  void process(client_job& j) override {
    CHECK(j.inside.exchange(1) == 0);
    if (in_child && job_of_thread == nullptr) {
      // The job begins anew: oneTBB writes its record into the thread-locals at each call.
      job_of_thread = &j;
      j.thread = std::this_thread::get_id();
    }
    CHECK(job_of_thread == &j && j.thread == std::this_thread::get_id());
    CHECK(!j.cleaned && acknowledged == 0);
    ++j.times;
    use_stack();
    ++inside;
    if (parties != 0) {
      ++here;
      while (here < parties) std::this_thread::yield();
    }
    for (int left = pieces; left > 0;)
      if (pieces.compare_exchange_weak(left, left - 1)) ++done;
    if (closes_inside.exchange(false)) server->request_close_connection(false);
    --inside;
    j.inside = 0;
  }

  /// Has so many pieces done by up to n jobs.
  void have_done(int n, int more) {
    const int goal = done + more;
    pieces += more;
    server->adjust_job_count_estimate(n);
    while (done < goal) std::this_thread::yield();
    server->adjust_job_count_estimate(-n);
  }

  server_face* server = nullptr;
  std::mutex lock;
  std::set<client_job*> jobs;
  std::atomic<int> pieces{0}, done{0}, inside{0}, here{0}, parties{0}, acknowledged{0};
  bool in_child = false;
  std::atomic<bool> closes_inside{false};

 private:
  /// What was promised, but for what oneTBB leaves for others.
  [[gnu::noinline]] static void use_stack() {
    volatile char all[stack_asked / 2];
    for (std::size_t i = 0; i < sizeof all; i += 4096) all[i] = 1;
  }

  const unsigned most_;
};

void names() {
  unsigned version = 0;
  CHECK(open_factory(nullptr, &version, contract_version) == status::success);
  CHECK(version == contract_version);
  CHECK(open_factory(nullptr, &version, contract_version + 1) == status::incompatible);
  int lines = 0;
  call_with_info(
      [](void* n, const char* line) {
        ++*static_cast<int*>(n);
        CHECK(line != nullptr && line[0] != 0);
      },
      &lines);
  CHECK(lines == 1);
}

void comes_and_goes() {
  client c(16);
  for (int round = 0; round != 500; ++round) c.have_done(1 + round % 5, 20);
  CHECK(c.done == 500 * 20);
  CHECK(c.jobs.size() <= 16);
  c.server->request_close_connection(false);
  CHECK(c.acknowledged == 1);
}

/// Jobs that wait for each other in loops, more than there are workers.
void all_are_there_at_once() {
  client c(8);
  for (int round = 0; round != 5; ++round) {
    c.here = 0;
    c.parties = 6;
    c.server->adjust_job_count_estimate(6);
    while (c.here < 6) std::this_thread::yield();
    c.server->adjust_job_count_estimate(-6);
    while (c.inside != 0) std::this_thread::yield();
  }
  c.parties = 0;
  c.server->request_close_connection(false);
  CHECK(c.acknowledged == 1);
}

void closes_at_once() {
  for (int round = 0; round != 50; ++round) {
    client c(8);
    if (round % 2 == 0) c.have_done(3, 10);
    c.server->adjust_job_count_estimate(4);  // not taken back: they may be on their way
    c.server->request_close_connection(false);
    CHECK(c.acknowledged == 1 && c.inside == 0);
  }
}

void closes_from_inside() {
  for (int round = 0; round != 20; ++round) {
    auto* const c = new client(4);
    c->closes_inside = true;
    c->server->adjust_job_count_estimate(1);
    while (c->acknowledged == 0) std::this_thread::yield();
    CHECK(c->inside == 0);
  }
}

void several_threads() {
  client a(8);
  client b(8);
  std::vector<std::thread> threads;
  for (client* c : {&a, &b})
    threads.emplace_back([c] {
      for (int round = 0; round != 200; ++round) c->have_done(2, 50);
    });
  for (std::thread& each : threads) each.join();
  CHECK(a.done == 200 * 50 && b.done == 200 * 50);
  a.server->request_close_connection(false);
  b.server->request_close_connection(false);
}

void forks() {
  client c(32);
  c.have_done(2, 100);
  for (int round = 0; round != 5; ++round) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      c.in_child = true;
      c.have_done(2, 100);
      _Exit(c.jobs.size() <= 32 ? 0 : 1);
    }
    c.have_done(2, 100);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  c.server->request_close_connection(false);
}

}  // namespace

int main() {
  names();
  comes_and_goes();
  all_are_there_at_once();
  closes_at_once();
  closes_from_inside();
  several_threads();
  forks();
  close_factory(nullptr);
  std::puts("ok");
}

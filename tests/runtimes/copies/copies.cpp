// SPDX-License-Identifier: Apache-2.0
// Several copies of a runtime in one process, that no two libraries share, as wheels bring them:
//
//   copies together LIBRARY...      all at once, each called by a thread of its own
//   copies reloaded LIBRARY...      loaded, called and unloaded a hundred times
//   copies forked LIBRARY...        called, then called in the child of a fork, and in its child
//
// Before it unloads a library or forks, the program ends that library's workers, as oneTBB asks:
// one that is inside would return into what is no more there, with oneTBB's own threads too.
//
// Where oneTBB is served, a library's work runs on Kasuri's workers; else on threads that have the
// program's name.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../onetbb/cases.hpp"

namespace {

std::string name_of_thread(int number) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + std::to_string(number) + "/comm"), name);
  return name;
}

class library {
 public:
  explicit library(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) std::fprintf(stderr, "%s\n", dlerror());
    CHECK(handle_ != nullptr);
    sum_below_ = reinterpret_cast<long (*)(long)>(dlsym(handle_, "sum_below"));
    a_worker_ = reinterpret_cast<int (*)()>(dlsym(handle_, "a_worker"));
    attach_ = reinterpret_cast<void (*)()>(dlsym(handle_, "attach"));
    finalize_ = reinterpret_cast<bool (*)()>(dlsym(handle_, "finalize"));
    CHECK(sum_below_ && a_worker_ && attach_ && finalize_);
    attach_();
  }
  library(library&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)),
        sum_below_(other.sum_below_),
        a_worker_(other.a_worker_),
        attach_(other.attach_),
        finalize_(other.finalize_) {}
  library& operator=(library&&) = delete;
  ~library() {
    if (handle_ == nullptr) return;
    CHECK(finalize_());
    CHECK(dlclose(handle_) == 0);
  }

  void begin_anew() const {
    CHECK(finalize_());
    attach_();
  }

  void call(int times) const {
    for (int i = 1; i <= times; ++i) CHECK(sum_below_(i * 100L) == i * 100L * (i * 100L - 1) / 2);
    const int worker = a_worker_();
    const auto by_kasuri = [worker] { return name_of_thread(worker).starts_with("kasuri-"); };
    if (served())
      await(by_kasuri);  // its starter names a thread after the start
    else
      CHECK(!by_kasuri());
  }

 private:
  void* handle_;
  long (*sum_below_)(long);
  int (*a_worker_)();
  void (*attach_)();
  bool (*finalize_)();
};

std::vector<library> load(int count, char** files) {
  std::vector<library> all;
  for (int i = 0; i != count; ++i) all.emplace_back(files[i]);
  return all;
}

void call_at_once(const std::vector<library>& all, int times) {
  std::vector<std::thread> threads;
  for (const library& each : all) threads.emplace_back([&each, times] { each.call(times); });
  for (std::thread& each : threads) each.join();
}

void forked(const std::vector<library>& all, int generations) {
  call_at_once(all, 50);
  if (generations == 0) return;
  for (const library& each : all) each.begin_anew();
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    forked(all, generations - 1);
    std::_Exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  call_at_once(all, 50);
}

}  // namespace

int main(int count, char** words) {
  CHECK(count > 2);
  const std::string how = words[1];
  if (how == "together") {
    call_at_once(load(count - 2, words + 2), 1000);
  } else if (how == "reloaded") {
    for (int i = 0; i != 100; ++i) call_at_once(load(count - 2, words + 2), 5);
  } else {
    CHECK(how == "forked");
    forked(load(count - 2, words + 2), 2);
  }
  std::puts("right");
}
